/* Tables of numbers and evidence are compressed in the page; DataTables shows one when a reader opens it. */
let library;
function dataTables() {
  library ??= unpack("datatables").then(async (source) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return (await import(address)).jQuery;
  });
  return library;
}

const numbersOf = () => parsedOnce("numbers");

/* A cell is its text, or [value, text] where the text rounds the value. */
const valueOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);
const textOf = (cell) => (Array.isArray(cell) ? cell[1] : cell);
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function rendered(numeric) {
  return (cell, purpose) => {
    if (purpose === "display") return escaped(textOf(cell));
    if (purpose === "filter") return textOf(cell);
    if (purpose === "export" || !numeric) return valueOf(cell);
    return valueOf(cell) === "" ? -Infinity : Number(valueOf(cell).replace("inf", "Infinity"));
  };
}

const PAGE = 25; // rows shown at once

async function showSheet(box) {
  const [$, numbers] = await Promise.all([dataTables(), numbersOf()]);
  const id = box.dataset.sheet;
  const sheet = numbers.sheets[id];
  const place = document.createElement("table");
  place.className = "sheet";
  box.append(place);
  const csv = {
    fieldSeparator: ",",
    fieldBoundary: '"',
    escapeChar: '"',
    newline: "\n",
    title: null,
    filename: id,
    exportOptions: {
      orthogonal: "export",
      stripHtml: false,
      decodeEntities: false,
      format: { header: (_, column) => sheet.columns[column].name },
    },
  };
  $(place).DataTable({
    data: sheet.rows,
    columns: sheet.columns.map(({ name, heading, numeric, hidden }) => ({
      title: escaped(heading),
      visible: !hidden,
      className: numeric ? "number" : `column-${name}`,
      type: numeric ? "num" : "string",
      render: rendered(numeric),
    })),
    autoWidth: false,
    drawCallback: () => box.querySelector("nav")?.setAttribute("aria-label", `Pages of ${id}`),
    order: [],
    searching: sheet.rows.length > 5,
    paging: sheet.rows.length > PAGE,
    info: sheet.rows.length > PAGE,
    pageLength: PAGE,
    lengthMenu: [PAGE, 4 * PAGE, { label: "all", value: -1 }],
    layout: {
      topStart: {
        buttons: [{ extend: "copy", text: "Copy as CSV", ...csv }, { extend: "csv", text: "Save as CSV", ...csv }],
      },
      topEnd: "search",
      bottomStart: "info",
      bottomEnd: ["pageLength", "paging"],
    },
    language: { search: "Search ", lengthMenu: "_MENU_ rows" },
  });
}

function openOnce(box) {
  box.addEventListener("toggle", () => showSheet(box), { once: true });
}
for (const box of document.querySelectorAll("details.numbers")) openOnce(box);
for (const button of document.querySelectorAll("button.sheet")) {
  button.addEventListener("click", () => {
    const box = button.closest(".exhibit").querySelector("div.numbers");
    button.remove();
    box.replaceChildren();
    showSheet(box);
  });
}

/* The two numbers of each comparison as their ratio, on a logarithmic scale from a quarter to four; the line is 1. */
const FARTHEST = 4;
const LARGEST = 400;

function ratios({ columns, rows }) {
  const column = (name) => columns.findIndex((one) => one.name === name);
  const [left, right, outcome, reading] = ["left", "right", "outcome", "reading"].map(column);
  if (left < 0 || right < 0) return [];
  const first = rows.length && textOf(rows[0][reading]);
  return rows.filter((row) => textOf(row[reading]) === first).slice(0, LARGEST).map((row) => {
    const ratio = Number(valueOf(row[left])) / Number(valueOf(row[right]));
    const log = ratio > 0 ? Math.log(ratio) / Math.log(FARTHEST) : NaN;
    return { place: 50 + 50 * Math.max(-1, Math.min(1, log)), outcome: outcome < 0 ? "" : textOf(row[outcome]) };
  }).filter(({ place }) => !Number.isNaN(place));
}

async function compare(box) {
  if (box.dataset.total === "0") return box.remove();
  const points = ratios((await numbersOf()).sheets[box.dataset.sheet]);
  if (points.length < 2) return box.remove();
  const drawn = points.map(({ place, outcome }, number) =>
    `<circle cx="${2 + 2 * place}" cy="${2.5 + 2 * (number % 5)}" r="1.5" class="${outcome}"/>`);
  box.innerHTML = `<svg viewBox="0 0 204 13" role="img" aria-label="Ratios of the numbers compared">`
    + `<path d="M102 0V13"/>${drawn.join("")}</svg><p class="note">Each point is one comparison as stated: the number checked `
    + `divided by the one that it is compared with, from a quarter to four; the line is where they are equal.</p>`;
}
