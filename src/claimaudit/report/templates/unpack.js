/* What a page carries compressed is unpacked once, when it is first asked for. */
const unpacked = new Map();

function unpack(id) {
  if (!unpacked.has(id)) unpacked.set(id, inflate(document.getElementById(id).textContent));
  return unpacked.get(id);
}

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/* What a part of the page shows only when it opens waits in it as text, which costs a browser less than elements. */
const waiting = (box) => box.querySelector(":scope > script");

function unfold(box) {
  const text = waiting(box);
  if (text) text.outerHTML = text.textContent;
  return Boolean(text);
}
