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
