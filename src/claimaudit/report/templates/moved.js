/* Addresses of parts of a paper lead to its page. */
const moved = /^#(?:paper|pair|run|figure|table|experiment|claim|cause|{{ section_names | join("|") }})-(.+?)(?:-|$|\?)/.exec(location.hash);
if (moved && document.querySelector(`.text[data-paper="${CSS.escape(moved[1])}"]`)) {
  location.replace(`${moved[1]}.html${location.hash}`);
}
