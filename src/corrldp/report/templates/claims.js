/* Filter the claims by words and by what their attributes say; the address stores the filter. */
const filter = document.querySelector("form.filter");
const claims = [...document.querySelectorAll("article.claim")].map((element) => ({
  element,
  section: element.parentElement,
  text: element.textContent.toLowerCase(),
}));

const sections = document.querySelectorAll("section.claims");

function applyFilter() {
  const { text, ...exact } = Object.fromEntries(new FormData(filter));
  const words = text.toLowerCase().split(/\s+/);
  const open = new Set();
  let shown = 0;
  for (const claim of claims) {
    const fits = Object.entries(exact).every(([name, value]) => !value || claim.element.dataset[name] === value)
      && words.every((word) => claim.text.includes(word));
    claim.element.hidden = !fits;
    if (fits) open.add(claim.section);
    shown += fits;
  }
  for (const section of sections) section.hidden = claims.length > 0 && !open.has(section);
  document.getElementById("shown").value = `${shown} of ${claims.length} claims`;
}

function setFilter(values) {
  for (const field of filter.elements) if (field.name) field.value = values.get(field.name) ?? "";
  const more = filter.querySelector("details");
  more.open = [...more.querySelectorAll("select")].some((field) => field.value);
  applyFilter();
}

function rememberFilter() {
  const chosen = [...new FormData(filter)].filter(([, value]) => value);
  history.replaceState(null, "", chosen.length ? `#claims?${new URLSearchParams(chosen)}` : "#claims");
}

filter.addEventListener("input", () => { applyFilter(); rememberFilter(); });
filter.addEventListener("reset", () => setTimeout(() => { applyFilter(); rememberFilter(); }));
filter.addEventListener("submit", (event) => event.preventDefault());
