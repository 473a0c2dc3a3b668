/* Search pairs of mechanisms, figures, tables, facts on the run, and claims; each result leads to its place. */
const SHOWN = 12;
const vocabulary = parsedOnce("vocabulary");
const field = document.getElementById("search");
const list = document.getElementById("found");
let entries;

function result({ link, name, states, mark }, marks) {
  const place = element("a", [states, " ", element("small", name)]);
  place.href = link;
  if (mark !== null) {
    const badge = element("span", `${marks[mark].symbol} ${marks[mark].name}`);
    badge.className = `badge ${marks[mark].slug}`;
    place.prepend(badge, " ");
  }
  return element("li", place);
}

function show(found, marks, most) {
  list.replaceChildren(...found.slice(0, most).map((entry) => result(entry, marks)));
  list.hidden = !found.length;
  if (found.length <= most) return;
  const all = element("button", `Show all ${found.length}`);
  all.type = "button";
  all.addEventListener("click", () => show(found, marks, found.length));
  list.append(element("li", all));
}

async function search() {
  const { marks, entries: all } = await vocabulary;
  entries ??= all.map((entry) => ({
    ...entry,
    heading: asked(entry.states.split(":")[0]).sort().join(" "),
    shown: indexed(`${entry.name} ${entry.states} ${entry.numbers ? `${entry.more} ${ANY}` : ""}`),
    index: indexed(`${entry.name} ${entry.states} ${entry.more} ${entry.numbers ? ANY : ""}`),
    said: new Set(wordsOf(entry.states).map(stem)),
  }));
  const wanted = field.value.trim();
  const [found, left] = wanted ? withMostWords(wanted) : [[], 0];
  show(found, marks, SHOWN);
  const results = found.length === 1 ? "1 result" : `${found.length} results`;
  const count = found.length > SHOWN ? `${results}, the first ${SHOWN} here` : results;
  document.getElementById("search-result").value = !wanted ? ""
    : !found.length ? "Nothing found. Try other words, such as a mechanism or Figure 5."
    : left ? `Nothing has all these words. Without ${left === 1 ? "one" : left} of them: ${count}` : count;
}

/* The entries nearest to a query, and how many of its words they lack. What the query names comes first, then what shows
   most of its words; of claims, those with the words themselves, the later ones above all: in "best accuracy", accuracy. */
function withMostWords(query) {
  const words = asked(query), whole = [...words].sort().join(" ");
  const [found, left] = nearest(entries, words);
  const literal = (said) => wordsOf(query).map(stem).reduce((sum, word) => (sum + said.has(word)) / 2, 0);
  const rank = ({ heading, shown, said, mark }) =>
    heading === whole ? -2 : lacking(shown, words).length - (mark === null ? 1 : literal(said));
  const ranked = found.map((entry) => [rank(entry), entry]);
  return [ranked.sort(([one], [other]) => one - other).map(([, entry]) => entry), left];
}

/* The address keeps the search, so that Back from a result finds it as it was; other pages pass theirs as ?q=. */
const ADDRESS = "#search?";
field.addEventListener("input", () => {
  search();
  const words = new URLSearchParams({ q: field.value });
  history.replaceState(null, "", field.value.trim() ? `${ADDRESS}${words}` : "#");
});
field.form.addEventListener("submit", (event) => event.preventDefault());

const kept = location.hash.startsWith(ADDRESS) ? location.hash.slice(ADDRESS.length) : location.hash ? "" : location.search;
field.value = new URLSearchParams(kept).get("q") ?? "";
if (field.value) search();
