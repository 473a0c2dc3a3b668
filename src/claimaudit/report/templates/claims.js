/* A claim's row opens to its card. Filter the rows by words and by what their attributes say; the address stores the filter. */
const filter = document.querySelector("form.filter");
const section = filter.parentElement;
const claims = [...document.querySelectorAll("details.claim")].map((element) => ({ element }));

const cards = () => parsedOnce("cards");

async function fill(box) {
  if (box.childElementCount > 1) return;
  box.insertAdjacentHTML("beforeend", (await cards())[box.id]);
  for (const numbers of box.querySelectorAll("details.numbers")) openOnce(numbers);
  const link = box.querySelector("button.copy"), message = box.querySelector("pre");
  const address = new URL(link.dataset.link, location.href).href;
  link.addEventListener("click", () => copy(link, address, () => link.replaceWith(address)));
  const button = box.querySelector("button.copy-text");
  button.addEventListener("click", () => copy(button, message.textContent, () => getSelection().selectAllChildren(message)));
  markTerms(box);
}

async function copy(button, text, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    otherwise();
  }
}

for (const { element } of claims) element.addEventListener("toggle", () => { if (element.open) fill(element); });

const textOfClaim = (element, card) =>
  `${element.querySelector("summary").textContent} ${element.dataset.claim} ${card.replace(/<svg.*?<\/svg>|<[^>]*>/gs, " ")}`;

/* As long as nothing is asked, the first claims stand for all. */
const FIRST = 10;
const whole = document.getElementById("all-claims");
let all = claims.length <= FIRST;

async function applyFilter() {
  const { text, ...exact } = Object.fromEntries(new FormData(filter));
  const words = asked(text);
  const few = !all && !text.trim() && Object.values(exact).every((value) => !value);
  const texts = words.length ? await cards() : {};
  if (words.length) for (const claim of claims) claim.index ??= indexed(textOfClaim(claim.element, texts[claim.element.id]));
  const chosen = claims.filter(({ element }) => Object.entries(exact).every(([name, value]) => !value || element.dataset[name] === value));
  const [found, left] = words.length ? nearest(chosen, words) : [chosen, 0];
  const shown = new Set(few ? found.slice(0, FIRST) : found);
  for (const claim of claims) claim.element.hidden = !shown.has(claim);
  whole.hidden = !few;
  const folded = [...filter.querySelectorAll("details select")].filter((field) => field.value);
  const chosenThere = folded.map((field) => `${field.labels[0].textContent.toLowerCase()} ${field.selectedOptions[0].text}`).join("; ");
  filter.querySelector("summary").textContent = chosenThere ? `More filters: ${chosenThere}` : "More filters";
  const counted = found.filter(({ element }) => element.dataset.counts === "yes").length;
  document.getElementById("shown").value = `${found.length} of ${claims.length} claims, ${counted} counted${left && found.length ? `, without ${left} of the words` : ""}`;
}

function setFilter(values) {
  for (const field of filter.elements) if (field.name) field.value = values.get(field.name) ?? "";
  applyFilter();
}

function showAll() {
  all = true;
  setFilter(new URLSearchParams());
}

function rememberFilter() {
  const chosen = [...new FormData(filter)].filter(([, value]) => value);
  history.replaceState(null, "", `#${section.id}${chosen.length ? `?${new URLSearchParams(chosen)}` : ""}`);
}

filter.addEventListener("input", () => { applyFilter(); rememberFilter(); });
filter.addEventListener("reset", () => { all = true; setTimeout(() => { applyFilter(); rememberFilter(); }); });
filter.addEventListener("submit", (event) => event.preventDefault());
applyFilter();
