/* A link reveals its target even if it is filtered out or in a closed box; claims.html#claims?... sets the filter. */
function follow() {
  const [name, query] = location.hash.slice(1).split("?");
  const target = document.getElementById(decodeURIComponent(name));
  if (!target) return;
  if (target.id === "claims") setFilter(new URLSearchParams(query));
  else if (target.closest("[hidden]")) showAll();
  for (let box = target.querySelector(":scope > :is(.whole, .answer), :scope > td > .supply") ?? target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  target.scrollIntoView();
  if (query !== undefined) document.getElementById(`${name}-heading`)?.focus({ preventScroll: true });
}
addEventListener("hashchange", follow);
addEventListener("DOMContentLoaded", () => { if (location.hash) follow(); });
