/* Rows of a table in the order of a column: a click, Enter or the space bar on its heading; once more turns it round. */
const order = new Intl.Collator("en", { numeric: true });
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";

/* A number as the report writes it: 1,234, −0.5, 8.3×10⁻³, and 5 of 6 as a share; NaN if it is none. */
function numberIn(text) {
  const share = /^([\d,]+) of ([\d,]+)/.exec(text);
  if (share) return numberIn(share[1]) / numberIn(share[2]);
  const plain = text.replace("×10", "e").replace(/[⁰¹²³⁴-⁹⁻]/g, (sign) => "0123456789-"[RAISED.indexOf(sign)]);
  return plain === "" ? NaN : Number(plain.replace(/[,†\s%]/g, "").replaceAll("−", "-"));
}

function shownIn(row, column) {
  const text = row.cells[column]?.innerText.trim() ?? "";
  return text === "–" ? "" : text;
}

function sortBy(heading) {
  const table = heading.closest("table");
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, text: shownIn(row, heading.cellIndex) }));
  const numeric = rows.every(({ text }) => !text || !Number.isNaN(numberIn(text)));
  const sign = descending ? -1 : 1;
  rows.sort((one, other) => {
    if (!one.text || !other.text) return !one.text - !other.text; // what has no value is last either way
    const difference = numeric ? numberIn(one.text) - numberIn(other.text) : order.compare(one.text, other.text);
    return sign * difference;
  });
  table.tBodies[0].append(...rows.map(({ row }) => row));
}

for (const heading of document.querySelectorAll(":is(.grid, .pairs, div.numbers .sheet) thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sort";
  button.append(...heading.childNodes);
  button.addEventListener("click", () => sortBy(heading));
  heading.append(button);
}
