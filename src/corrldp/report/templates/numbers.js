/* Tables of numbers and evidence are compressed in the page; DataTables shows one when a reader opens it. */
const unpacked = new Map();

function unpack(id) {
  if (!unpacked.has(id)) unpacked.set(id, inflate(document.getElementById(id).textContent));
  return unpacked.get(id);
}

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

let library;
function dataTables() {
  library ??= unpack("datatables").then(async (source) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return (await import(address)).jQuery;
  });
  return library;
}

const parsed = new Map();
async function numbersOf(paper) {
  if (!parsed.has(paper)) parsed.set(paper, JSON.parse(await unpack(`numbers-${paper}`)));
  return parsed.get(paper);
}

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
  const [$, numbers] = await Promise.all([dataTables(), numbersOf(box.closest("[data-paper]").dataset.paper)]);
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

for (const box of document.querySelectorAll("details.numbers")) {
  box.addEventListener("toggle", () => showSheet(box), { once: true });
}
for (const button of document.querySelectorAll("div.numbers > button")) {
  button.addEventListener("click", () => {
    const box = button.parentElement;
    box.replaceChildren();
    showSheet(box);
  });
}
