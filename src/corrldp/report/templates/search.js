/* Search the claims of all papers; each result leads to its claim. */
const SHOWN = 12;
const vocabulary = JSON.parse(document.getElementById("vocabulary").textContent);
const field = document.getElementById("search");
const list = document.getElementById("found");
let entries;

function result({ paper, id, where, states, verdict, slug, symbol }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${paper}.html#claim-${paper}-${id}`;
  link.textContent = `${paper}, ${where}`;
  const mark = document.createElement("span");
  mark.className = `badge ${slug}`;
  mark.textContent = `${symbol} ${verdict}`;
  item.append(mark, " ", states, " ", link);
  return item;
}

field.addEventListener("input", () => {
  entries ??= vocabulary.claims.map(([paper, id, where, states, verdict, more]) => ({
    paper, id, where, states, ...vocabulary.verdicts[verdict], index: indexed(`${paper} ${where} ${states} ${more}`),
  }));
  const found = field.value.trim() ? entries.filter(({ index }) => matches(index, field.value)) : [];
  list.replaceChildren(...found.slice(0, SHOWN).map(result));
  list.hidden = !found.length;
  const count = found.length === 1 ? "1 claim" : `${found.length} claims`;
  const said = found.length > SHOWN ? `${count}, the first ${SHOWN} here` : count;
  document.getElementById("search-result").value = field.value.trim() ? said : "";
});
field.form.addEventListener("submit", (event) => event.preventDefault());
