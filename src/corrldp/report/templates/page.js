"use strict";

/* A link to something inside a closed <details> opens it first. */
function revealTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) {
    box.open = true;
  }
  target?.scrollIntoView();
}
addEventListener("hashchange", revealTarget);
if (location.hash) revealTarget();

/* On paper a closed box cannot be opened: print the evidence of every claim, but not the long tables of numbers. */
addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll("details.evidence:not([open])")) {
    box.open = true;
    box.dataset.openedForPrint = "";
  }
});
addEventListener("afterprint", () => {
  for (const box of document.querySelectorAll("details[data-opened-for-print]")) {
    box.open = false;
    delete box.dataset.openedForPrint;
  }
});
