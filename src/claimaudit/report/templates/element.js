/* An element of a name with content, text or elements; all scripts of a page use it. */
function element(name, content) {
  const made = document.createElement(name);
  made.append(...[content].flat());
  return made;
}
