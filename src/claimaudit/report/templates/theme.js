/* Runs before the page is drawn, so that parts that need scripts appear and the chosen colours apply from the start. */
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  /* A file opened from disk may have no storage; the choice then lasts as long as the page. */
  const storage = (() => { try { return localStorage; } catch { return {}; } })();
  root.dataset.theme = storage.theme ?? "";
  addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("theme");
    choice.value = root.dataset.theme;
    choice.addEventListener("change", () => { root.dataset.theme = storage.theme = choice.value; });
  });
})();
