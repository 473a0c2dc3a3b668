/* Point at a value in a figure to read its row of numbers. (The switches for layers need no script: see page.css.) */
const REACH = 10; // units of the drawing (points) within which a value is found
const tip = document.getElementById("tip");
const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
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

/* What varies in the figure; the panel is seen, and the axes of a reading are in its name. */
function describe({ columns, rows }, row) {
  const list = document.createElement("dl");
  const names = columns.map(({ name }) => name);
  const axes = names.slice(names.indexOf("reading") + 1, names.indexOf("mechanism"));
  for (const [column, { name, heading, hidden }] of columns.entries()) {
    const text = textOf(rows[row][column]);
    if (hidden || name === "panel" || axes.includes(name) || !text || text === "–") continue;
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = heading;
    value.textContent = text;
    list.append(term, value);
  }
  return list;
}

function leave() {
  tip.hidden = true;
  ring.remove();
}

async function point({ currentTarget: drawing, clientX, clientY }) {
  const figure = drawing.closest("article");
  const { sheets, points } = await numbersOf(figure.dataset.paper);
  const place = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const found = nearest(points[figure.id], place.x, place.y);
  if (!found) return leave();
  tip.hidden = false;
  ring.setAttribute("cx", found.left);
  ring.setAttribute("cy", found.top);
  drawing.append(ring);
  tip.replaceChildren(describe(sheets[figure.id], found.row));
  const spot = new DOMPoint(found.left, found.top).matrixTransform(drawing.getScreenCTM());
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(spot.x + 14, innerWidth - width - 4))}px`;
  tip.style.top = `${spot.y + 14 + height < innerHeight ? spot.y + 14 : Math.max(4, spot.y - height - 14)}px`;
}

for (const drawing of document.querySelectorAll(".drawing > svg")) {
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("pointerleave", leave);
}
addEventListener("scroll", leave, { passive: true });
