/* What only a browser knows: which boxes scroll at this width, when the page is
   printed, whether it lies in a folder. Without this script the page reads the same;
   boxes then scroll by touch and mouse. */

/* global DOCUMENTATION_OPTIONS */

const BOXES = [
  "p",
  "dd",
  "li",
  "figcaption",
  "caption",
  "pre",
  ".math",
  "mjx-container[display]",
  ".mf-table",
  ".mf-picture",
  ".cell_output",
  ".output",
  ".pst-scrollable-table-container",
].join(", ");
/* Elements whose role says what they are. */
const NAMED = /^(P|DD|LI|PRE|FIGCAPTION|CAPTION)$/;
const FOLDED = ".bd-article details:not([open])";
const STAYS_FOLDED = ".mf-made, .cell_input, details.hide";
const MENUS = [
  ["pst-primary-sidebar-modal", ".primary-toggle"],
  ["pst-secondary-sidebar-modal", ".secondary-toggle"],
];
const TERM = "#term-";
const WAIT = 60;

function label(box) {
  if (box.matches(".math, mjx-container")) {
    return "Formula, scrolls sideways";
  }
  if (box.matches("pre")) {
    return "Code, scrolls sideways";
  }
  if (box.querySelector("table")) {
    return "Table, scrolls sideways";
  }
  if (box.querySelector("img")) {
    return "Picture, scrolls sideways";
  }
  return "Wide line, scrolls sideways";
}

function scrolls(box) {
  return (
    box.scrollWidth > box.clientWidth + 1 &&
    box.clientWidth > 0 &&
    ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
  );
}

function hasName(box) {
  const { tagName } = box;
  return (
    box.hasAttribute("role") || box.hasAttribute("aria-label") || NAMED.test(tagName)
  );
}

/* A box that scrolls is a stop of the tab key, else who has no mouse cannot read what
   it hides. */
function mark(box) {
  box.tabIndex = 0;
  box.dataset.mfScrolls = "true";
  if (!hasName(box)) {
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", label(box));
    box.dataset.mfNamed = "true";
  }
}

function unmark(box) {
  box.removeAttribute("tabindex");
  delete box.dataset.mfScrolls;
  if (box.dataset.mfNamed) {
    box.removeAttribute("role");
    box.removeAttribute("aria-label");
    delete box.dataset.mfNamed;
  }
}

/* All boxes are measured before any is marked, so that the page is laid out once. */
function markAll() {
  const boxes = [...document.querySelectorAll(BOXES)];
  const inArticle = boxes.filter((box) => box.closest(".bd-article"));
  const measured = inArticle.map((box) => [box, scrolls(box)]);
  for (const [box, isWide] of measured) {
    if (isWide && !box.hasAttribute("tabindex")) {
      mark(box);
    }
    if (!isWide && box.dataset.mfScrolls) {
      unmark(box);
    }
  }
}

function watchWidths() {
  let waiting = 0;
  function soon() {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(markAll, WAIT);
  }
  markAll();
  window.addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
  window.MathJax?.startup?.promise?.then(markAll);
}

/* Paper is white, and cannot be unfolded. */
class Printing {
  constructor() {
    this.theme = null;
    this.opened = [];
  }

  start() {
    if (this.theme !== null) {
      return;
    }
    const { dataset } = document.documentElement;
    this.theme = dataset.theme || "";
    dataset.theme = "light";
    const folds = [...document.querySelectorAll(FOLDED)];
    this.opened = folds.filter((fold) => !fold.closest(STAYS_FOLDED));
    for (const fold of this.opened) {
      fold.open = true;
    }
  }

  end() {
    if (this.theme === null) {
      return;
    }
    document.documentElement.dataset.theme = this.theme;
    for (const fold of this.opened) {
      fold.open = false;
    }
    this.opened = [];
    this.theme = null;
  }
}

function watchPrinting() {
  const printing = new Printing();
  const whiten = () => printing.start();
  const restore = () => printing.end();
  const paper = window.matchMedia("print");
  paper.addEventListener("change", () => (paper.matches ? whiten() : restore()));
  window.addEventListener("beforeprint", whiten);
  window.addEventListener("afterprint", restore);
}

/* The menus of a phone are boxes over the page: when one is closed, the focus goes back
   to the button that opened it. */
function watchMenus() {
  for (const [id, opener] of MENUS) {
    const button = document.querySelector(opener);
    document.getElementById(id)?.addEventListener("close", () => {
      window.setTimeout(() => {
        const isFree = document.activeElement === document.body;
        if (isFree && button?.getClientRects().length) {
          button.focus();
        }
      }, 0);
    });
  }
}

/* Entries of the glossary have one title; each result says its word. */
function addWords(results) {
  const links = `li > a[href*='${TERM}']:not([data-mf-word])`;
  for (const link of results.querySelectorAll(links)) {
    const word = decodeURIComponent(link.hash.slice(TERM.length)).replace(/-/g, " ");
    link.dataset.mfWord = word;
    link.append(`: ${word}`);
  }
}

/* A page that is opened from a folder may not read others: the search then lists
   titles, without a passage of each. */
function watchSearch() {
  const isFile = window.location.protocol === "file:";
  if (isFile && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }
  const results = document.getElementById("search-results");
  if (results) {
    const observer = new MutationObserver(() => addWords(results));
    observer.observe(results, { childList: true, subtree: true });
  }
}

function start() {
  watchWidths();
  watchMenus();
  watchPrinting();
}

watchSearch();

if (document.readyState === "complete") {
  start();
} else {
  window.addEventListener("load", start);
}
