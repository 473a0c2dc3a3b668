/* The first mention of a term in each section leads to the glossary; its card shows on hover, focus and tap. */
const glossary = JSON.parse(document.getElementById("terms").textContent);
const termOf = new Map(glossary.flatMap((term) => [term.term, ...term.also].map((name) => [name, term])));
const NO_TERMS = "a, button, summary, label, select, code, pre, svg, figure, h1, h2, h3, th, template, script, style, noscript, .badge, .skip, nav, .glossary dt";
const named = termOf.size && new RegExp(
  `(?<![\\p{L}\\p{N}_+^-])(?:${[...termOf.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^$()|[\]\\]/g, "\\$&")).join("|")})(?![\\p{L}\\p{N}_+-])`, "gu",
);
const expanded = new Set();
const FREE = /^(?:$|[,.;:]| (?![=<>≤≥(]))/; // what may follow a name that is written out in brackets

/* Mark the terms in a part of the page. A name is written out where the page has it first. */
function markTerms(root) {
  if (!named) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    named.lastIndex = 0;
    if (named.test(text.data) && !text.parentElement.closest(NO_TERMS)) texts.push(text);
  }
  const seen = new Map();
  for (const text of texts) {
    const part = text.parentElement.closest("section, details.claim") ?? root;
    if (!seen.has(part)) seen.set(part, new Set());
    link(text, seen.get(part));
  }
}

function link(text, known) {
  const pieces = [];
  let last = 0;
  for (const found of text.data.matchAll(named)) {
    const term = termOf.get(found[0]);
    if (known.has(term)) continue;
    known.add(term);
    const anchor = element("a", found[0]);
    anchor.className = "in-glossary";
    anchor.href = `glossary.html#term-${term.slug}`;
    anchor.term = term;
    anchor.short = text.parentElement.matches(".conclusions > li > p");
    pieces.push(text.data.slice(last, found.index), anchor);
    const follows = text.data.slice(found.index + found[0].length);
    if (term.expands && found[0] === term.term && !expanded.has(term) && !anchor.short && FREE.test(follows)) pieces.push(` (${term.expands})`);
    if (FREE.test(follows)) expanded.add(term);
    last = found.index + found[0].length;
  }
  if (pieces.length) text.replaceWith(...pieces, text.data.slice(last));
}

const card = document.getElementById("term-card");
let shownTerm = null;

function place(element) {
  card.hidden = false;
  const box = element.getBoundingClientRect();
  const below = box.bottom + card.offsetHeight + 8 < innerHeight;
  card.style.left = `${Math.max(4, Math.min(box.left, innerWidth - card.offsetWidth - 4))}px`;
  card.style.top = `${below ? box.bottom + 4 : Math.max(4, box.top - card.offsetHeight - 4)}px`;
}

function showTerm(anchor) {
  const { term, expands, means, formula, source } = anchor.term;
  card.replaceChildren(
    element("strong", expands ? `${term}: ${expands}` : term), element("p", means),
    ...(formula ? [element("p", formula)] : []), ...(source ? [element("small", source)] : []),
  );
  place(anchor);
  anchor.setAttribute("aria-describedby", "term-card");
  shownTerm = anchor;
}

/* A cell with a title says it on a tap as well. */
function showTitle(cell) {
  card.replaceChildren(element("p", cell.title));
  place(cell);
}

function hideTerm() {
  card.hidden = true;
  shownTerm?.removeAttribute("aria-describedby");
  shownTerm = null;
}

const termAt = (event) => event.target.closest?.("a.in-glossary");
let tapped = null;
addEventListener("pointerdown", (event) => { tapped = event.pointerType === "touch" && termAt(event) !== shownTerm ? termAt(event) : null; });
addEventListener("click", (event) => {
  const anchor = termAt(event);
  if (anchor && anchor === tapped) event.preventDefault(); // the first tap shows the card, the second one follows the link
  const cell = event.target.closest?.(".grid span[title]");
  if (anchor) showTerm(anchor);
  else if (cell) showTitle(cell);
  else hideTerm();
});
addEventListener("mouseover", (event) => { if (termAt(event)) showTerm(termAt(event)); else if (!event.target.closest?.("#term-card")) hideTerm(); });
addEventListener("focusin", (event) => { if (termAt(event)) showTerm(termAt(event)); });
addEventListener("focusout", hideTerm);
addEventListener("scroll", hideTerm, { passive: true });
addEventListener("keydown", (event) => { if (event.key === "Escape") hideTerm(); });

/* The first part at once, the others in order when the browser has time. */
const parts = [...document.querySelectorAll("#content > :not(.paper), .paper > *")];
const later = window.requestIdleCallback ?? setTimeout;
(function markNext() {
  if (!parts.length) return;
  markTerms(parts.shift());
  later(markNext);
})();
