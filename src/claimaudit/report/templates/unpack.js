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

const parsed = new Map();

function parsedOnce(id) {
  if (!parsed.has(id)) parsed.set(id, unpack(id).then(JSON.parse));
  return parsed.get(id);
}
