/* Addresses of parts of a paper lead to its page. */
const moved = /^#(?:paper|findings|pairs|matrix|ran|run|figures?|tables?|readings|experiment|claims?|cause)-(.+?)(?:-|$|\?)/.exec(location.hash);
if (moved && document.querySelector(`.text[data-paper="${CSS.escape(moved[1])}"]`)) {
  location.replace(`${moved[1]}.html${location.hash}`);
}
