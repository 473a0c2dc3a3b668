/* A page with controls: `answer(values)` of the page returns rows, a sentence, and what the ranges of claims are of. */
const form = document.querySelector("form.case");
const digits = (x, n = 3) => x !== 0 && (x < 1e-4 || x >= 1e7) ? x.toExponential(n - 1)
  : x.toLocaleString("en", { maximumSignificantDigits: n });

function slide(number, range) {
  const logarithmic = number.dataset.scale === "log", onto = x => logarithmic ? Math.log(x) : Number(x);
  const low = onto(number.min), high = onto(number.max);
  const place = () => { range.value = 1000 * (onto(number.value) - low) / (high - low); };
  range.addEventListener("input", () => {
    const x = low + (high - low) * range.value / 1000, value = logarithmic ? Math.exp(x) : x;
    number.value = number.step === "1" ? Math.round(value) : Number(value.toPrecision(2));
    show();
  });
  number.addEventListener("input", place);
  place();
}

/* Which of two errs less, and up to which epsilon, by what their ratio lies between; the third name is for neither. */
function along(names, [low, high], ratio) {
  const knots = Array.from({ length: 301 }, (_, i) => low * (high / low) ** (i / 300));
  const less = knots.map(ratio).map(([least, most]) => names[most < 1 ? 0 : least > 1 ? 1 : 2]);
  const ends = knots.map((epsilon, i) => [less[i], digits(epsilon, 2)]).filter((_, i) => less[i] !== less[i + 1]);
  return ends.length === 1 ? `${less[0]} at every epsilon from ${low} to ${high}`
    : ends.map(([name, end], i) => `${name} ${i === ends.length - 1 ? "above" : `up to epsilon ${end}`}`).join(", ");
}

function show() {
  const wrong = [...form.elements].find(({ validity }) => !validity.valid);
  document.getElementById("found").hidden = Boolean(wrong);
  if (wrong) {
    const [low, high] = [wrong.min, wrong.max].map(x => Number(x).toLocaleString("en"));
    document.getElementById("answer").textContent = `${wrong.labels[0].textContent}: from ${low} to ${high}.`;
    return;
  }
  const values = Object.fromEntries([...new FormData(form)].map(([name, x]) => [name, isNaN(x) ? x : Number(x)]));
  const { rows, sentence, less, where } = answer(values), widest = Math.max(...rows.map(row => row.half));
  document.getElementById("answer").textContent = sentence;
  document.getElementById("less").textContent = `Smaller error, ${less}.`;
  document.querySelector("#errors tbody").replaceChildren(...rows.map(({ name, error, half, points = `± ${digits(half)}`, around = "", more }) => {
    const line = document.createElement("tr"), bar = document.createElement("i");
    bar.style.width = `${100 * half / widest}%`;
    for (const [i, text] of [name, error, `${points} points${around}`, more].filter(Boolean).entries()) {
      const cell = document.createElement(i ? "td" : "th");
      cell.textContent = text;
      if (!i) cell.scope = "row";
      line.append(cell);
    }
    line.children[2].append(bar);
    return line;
  }));
  for (const [i, claim] of document.querySelectorAll("#claims li").entries()) claim.hidden = !Object.entries(facts.ranges[i])
    .every(([name, [low, high]]) => (low ?? -Infinity) <= where[name] && where[name] <= (high ?? Infinity));
  document.getElementById("none").hidden = document.querySelector("#claims li:not([hidden])") !== null;
}

for (const [name, x] of new URLSearchParams(location.hash.slice(1))) if (form.elements[name]) form.elements[name].value = x;
for (const number of form.querySelectorAll("input[type=number]")) slide(number, number.closest("p").querySelector("[type=range]"));
form.addEventListener("input", event => { if (event.target.type !== "range") show(); });
form.addEventListener("submit", event => event.preventDefault());
show();
