/* Point at a value in a figure to read its row of numbers, and those of other values drawn at the same place.
   (The switches for layers need no script: see page.css.) */
const REACH = 10; // units of the drawing (points) within which a value is found
const TOGETHER = 1; // units within which values are drawn at one place
const MOST = 6; // such rows shown at most
const tip = document.getElementById("tip");
const SVG = "http://www.w3.org/2000/svg";
const ring = document.createElementNS(SVG, "circle");
ring.classList.add("ring");
ring.setAttribute("r", 5);

function nearest(points, x, y) {
  let best = null;
  let closest = REACH ** 2;
  for (const [row, left, top] of points) {
    const distance = (left - x) ** 2 + (top - y) ** 2;
    if (distance < closest) [closest, best] = [distance, { row, left, top }];
  }
  return best;
}

/* Rows drawn at the place of the nearest one, which comes first. */
function rowsAt(points, { row, left, top }) {
  const together = points.filter(([, x, y]) => Math.hypot(x - left, y - top) <= TOGETHER);
  return [...new Set([row, ...together.map(([other]) => other)])];
}

/* Columns that vary in the figure, except the panel, which is visible, and the axes, which the reading's name implies. */
function described(columns) {
  const names = columns.map(({ name }) => name);
  const axes = names.slice(names.indexOf("reading") + 1, names.indexOf("mechanism"));
  return columns.flatMap(({ name, hidden }, place) => (hidden || name === "panel" || axes.includes(name) ? [] : [place]));
}

/* Values that the rows share as a list, values that differ as a table with a line for each row. */
function describe({ columns, rows }, found) {
  const shown = found.slice(0, MOST);
  const textsOf = (place) => shown.map((row) => textOf(rows[row][place]));
  const told = described(columns).filter((place) => textsOf(place).some((text) => text && text !== "–"));
  const common = told.filter((place) => new Set(textsOf(place)).size === 1);
  const differing = told.filter((place) => !common.includes(place));
  const parts = [];
  if (common.length) {
    const entry = (place) => [element("dt", columns[place].heading), element("dd", textsOf(place)[0])];
    parts.push(element("dl", common.flatMap(entry)));
  }
  if (differing.length) {
    const heads = element("tr", differing.map((place) => element("th", columns[place].heading)));
    const line = (row) => element("tr", differing.map((place) => element("td", textOf(rows[row][place]))));
    parts.push(element("table", [heads, ...shown.map(line)]));
  }
  if (found.length > MOST) parts.push(element("p", `and ${found.length - MOST} more`));
  return parts;
}

function leave() {
  tip.hidden = true;
  ring.remove();
}

function mark(drawing, { left, top }) {
  ring.setAttribute("cx", left);
  ring.setAttribute("cy", top);
  drawing.append(ring);
}

function show(drawing, figure, sheets, points, found) {
  mark(drawing, found);
  tip.hidden = false;
  tip.replaceChildren(...describe(sheets[figure], rowsAt(points[figure], found)));
  (drawing.closest("dialog") ?? document.body).append(tip);
  const spot = new DOMPoint(found.left, found.top).matrixTransform(drawing.getScreenCTM());
  const { width, height } = tip.getBoundingClientRect();
  const below = spot.y + 14 + height < innerHeight;
  tip.style.left = `${inside(spot.x + 14, innerWidth - width)}px`;
  tip.style.top = `${inside(below ? spot.y + 14 : spot.y - height - 14, innerHeight - height)}px`;
}

const inside = (start, room) => Math.max(4, Math.min(start, room - 4));

/* A thumbnail opens; an open figure tells its numbers. */
const whole = (inner) => inner.closest(".exhibit")?.querySelector(":scope > .whole");

async function point({ currentTarget: drawing, clientX, clientY, pointerType }) {
  if (whole(drawing)?.open === false) return;
  const figure = drawing.dataset.figure;
  const { sheets, points } = await numbersOf();
  if (pointerType === "mouse" && !drawing.matches(":hover")) return; // gone while the numbers were unpacked
  const place = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const found = nearest(points[figure], place.x, place.y);
  if (found) show(drawing, figure, sheets, points, found);
  else leave();
}

/* Arrow keys go from value to value, from left to right, and scroll to it; Escape leaves. */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const places = new WeakMap();
let walked; // the value reached last

async function walk(event) {
  if (event.key === "Escape") { walked = null; return leave(); }
  if (!(event.key in STEPS)) return;
  const box = event.currentTarget;
  const drawing = box.querySelector("svg");
  if (!drawing) return;
  event.preventDefault();
  const figure = drawing.dataset.figure;
  const { sheets, points } = await numbersOf();
  const sorted = [...points[figure]].sort((one, other) => one[1] - other[1] || one[2] - other[2]);
  if (!sorted.length) return;
  const last = places.get(drawing) ?? (STEPS[event.key] > 0 ? -1 : 0);
  const next = (last + STEPS[event.key] + sorted.length) % sorted.length;
  places.set(drawing, next);
  const [row, left, top] = sorted[next];
  const found = (walked = { row, left, top });
  tip.hidden = true;
  mark(drawing, found);
  ring.scrollIntoView({ block: "nearest", inline: "nearest" });
  await new Promise(requestAnimationFrame); // scrolling hides the tip
  if (walked === found && document.activeElement === box) show(drawing, figure, sheets, points, found);
}

/* The box of some parts of a drawing, in its units: left, top, width, height. */
function around(drawing, parts) {
  const { a, e, f } = drawing.getScreenCTM(), boxes = parts.map((part) => part.getBoundingClientRect());
  const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])));
  return [left - e, top - f, right - left, bottom - top].map((length) => length / a);
}

/* The keys of a drawing's legends, each a small drawing of its own, which flow like words. */
function keysOf(drawing) {
  let parts = [];
  return [...drawing.querySelectorAll(".legend :is(path, use, text):not(defs *)")].flatMap((part) => {
    parts.push(part);
    if (part.tagName !== "text") return [];
    const [left, top, width, height] = around(drawing, parts);
    const key = document.createElementNS(SVG, "svg");
    key.setAttribute("viewBox", [left - 1, top - 1, width + 2, height + 2].join(" "));
    key.style.width = `${1.6 * width}px`;
    key.append(...parts.map((one) => {
      const copy = one.cloneNode(true), { a, b, c, d, e, f } = drawing.getScreenCTM().inverse().multiply(one.getScreenCTM());
      copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`); // formulas have places of their own
      return copy;
    }));
    parts = [];
    return [key];
  });
}

/* A thumbnail of many panels shows the first row, under the message of the figure, and the keys of all. */
const MANY = 5; // panels

function crop(drawing, part) {
  const frames = [...drawing.querySelectorAll(".panel")].map((one) => [one, one.querySelector("path").getBoundingClientRect()]);
  // Bars of colours and legends are axes, too, but smaller.
  const panels = frames.filter(([, { width, height }]) => 2 * Math.min(width, height) > frames[0][1].height).map(([one]) => one);
  if (!part || panels.length < MANY) return;
  const all = drawing.getAttribute("viewBox");
  const top = (one) => one.querySelector("path").getBoundingClientRect().top;
  const row = panels.filter((one) => top(one) - top(panels[0]) < 1);
  const first = around(drawing, row.flatMap((one) => [one.querySelector("path"), ...one.querySelectorAll("text")]));
  drawing.parentElement.before(element("figcaption", `${drawing.parentElement.dataset.message} (${panels.length} panels)`));
  const keys = element("figcaption", keysOf(drawing));
  keys.className = "keys";
  if (keys.firstChild) drawing.parentElement.after(keys);
  const show = () => drawing.setAttribute("viewBox", part.open ? all : first.join(" "));
  part.addEventListener("toggle", show);
  show();
}

/* A figure is drawn when it comes near the window. */
async function draw(box) {
  const figure = box.dataset.drawing;
  const drawings = await parsedOnce("drawings");
  if (box.firstChild) return;
  box.innerHTML = drawings[figure];
  const drawing = box.querySelector("svg");
  drawing.dataset.figure = figure;
  crop(drawing, whole(box));
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("pointerdown", point);
  drawing.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") leave(); });
}

const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) { near.unobserve(target); draw(target); }
}, { rootMargin: "600px" });

/* What opens takes the whole width, and moves: it stays in sight. */
for (const part of document.querySelectorAll(".exhibit > .whole")) {
  part.addEventListener("toggle", () => { if (part.open) part.parentElement.scrollIntoView(); });
}

for (const box of document.querySelectorAll(".drawing")) {
  near.observe(box);
  box.addEventListener("keydown", walk);
  box.addEventListener("blur", leave);
}
addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll(".exhibit > .whole")) box.open = true;
  for (const box of document.querySelectorAll(".drawing")) draw(box);
});
addEventListener("scroll", leave, { passive: true, capture: true });

for (const box of document.querySelectorAll(".exhibit :is(figure, div.numbers)")) {
  box.addEventListener("click", () => {
    if (whole(box)) whole(box).open = true;
  });
}

/* A figure moves to the dialog and back. */
const large = document.getElementById("large");
for (const button of document.querySelectorAll("button.enlarge")) {
  button.addEventListener("click", () => {
    const box = button.closest(".exhibit").querySelector(".drawing");
    draw(box);
    const home = box.parentElement;
    large.append(box);
    large.showModal();
    large.addEventListener("close", () => { leave(); home.prepend(box); }, { once: true });
  });
}
