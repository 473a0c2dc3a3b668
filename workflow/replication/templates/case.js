/* A page with controls: `answer(values)` of the page returns rows, a sentence, and what the conditions of claims read. */
const form = document.querySelector("form.case"), facts = JSON.parse(document.getElementById("facts").textContent);
const digits = (x, n = 3) => x !== 0 && (x < 1e-4 || x >= 1e7) ? x.toExponential(n - 1)
  : x.toLocaleString("en", { maximumSignificantDigits: n });
const logarithmic = input => input.dataset.scale === "log";

function slide(number, range) {
  const [low, high] = [number.min, number.max].map(x => logarithmic(number) ? Math.log(x) : Number(x));
  const place = () => {
    const x = logarithmic(number) ? Math.log(number.value) : Number(number.value);
    range.value = 1000 * (x - low) / (high - low);
  };
  range.addEventListener("input", () => {
    const x = low + (high - low) * range.value / 1000, value = logarithmic(number) ? Math.exp(x) : x;
    number.value = number.step === "1" ? Math.round(value) : Number(value.toPrecision(2));
    show();
  });
  number.addEventListener("input", place);
  place();
}

function show() {
  if (!form.reportValidity()) return;
  const values = Object.fromEntries([...new FormData(form)].map(([name, x]) => [name, isNaN(x) ? x : Number(x)]));
  const { rows, sentence, where } = answer(values), largest = Math.max(...rows.map(row => row.error));
  document.getElementById("answer").textContent = sentence;
  document.querySelector("#errors tbody").replaceChildren(...rows.map(row => {
    const line = document.createElement("tr"), bar = document.createElement("i");
    bar.style.width = `${100 * row.error / largest}%`;
    for (const [i, text] of [row.name, row.shown, row.interval].entries()) {
      const cell = document.createElement(i ? "td" : "th");
      cell.textContent = text;
      if (!i) cell.scope = "row";
      line.append(cell);
    }
    line.lastChild.append(bar);
    return line;
  }));
  for (const claim of document.querySelectorAll("#claims li")) {
    const ranges = Object.entries(facts.claims[claim.dataset.claim]);
    claim.hidden = !ranges.every(([name, [low, high]]) => where[name] === undefined || low <= where[name] && where[name] <= (high ?? Infinity));
  }
  document.getElementById("none").hidden = document.querySelector("#claims li:not([hidden])") !== null;
}

for (const [name, x] of new URLSearchParams(location.hash.slice(1))) if (form.elements[name]) form.elements[name].value = x;
for (const number of form.querySelectorAll("input[type=number]")) slide(number, number.closest("p").querySelector("[type=range]"));
form.addEventListener("input", event => { if (event.target.type !== "range") show(); });
form.addEventListener("submit", event => event.preventDefault());
show();
