/* What only a browser knows: which boxes scroll at this width, and when the page is printed.
   Without this script the page reads the same; boxes then scroll by touch and mouse. */
"use strict";

(function () {
  var BOXES = "p, dd, li, figcaption, caption, pre, .math, mjx-container[display], .mf-table, .mf-picture, " +
    ".cell_output, .output, .pst-scrollable-table-container";

  function label(box) {
    if (box.matches(".math, mjx-container")) { return "Formula, scrolls sideways"; }
    if (box.matches("pre")) { return "Code, scrolls sideways"; }
    if (box.querySelector("table")) { return "Table, scrolls sideways"; }
    if (box.querySelector("img")) { return "Picture, scrolls sideways"; }
    return "Wide line, scrolls sideways";
  }

  /* A box that scrolls is a stop of the tab key, else who has no mouse cannot read what it hides. */
  function mark(box) {
    var scrolls = box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 &&
      ["auto", "scroll"].indexOf(getComputedStyle(box).overflowX) >= 0;
    if (scrolls && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.dataset.mfScrolls = "true";
      if (!box.hasAttribute("role") && !box.hasAttribute("aria-label") && !/^(P|DD|LI|PRE|FIGCAPTION|CAPTION)$/.test(box.tagName)) {
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", label(box));
        box.dataset.mfNamed = "true";
      }
    } else if (!scrolls && box.dataset.mfScrolls) {
      box.removeAttribute("tabindex");
      delete box.dataset.mfScrolls;
      if (box.dataset.mfNamed) {
        box.removeAttribute("role");
        box.removeAttribute("aria-label");
        delete box.dataset.mfNamed;
      }
    }
  }

  function markAll() {
    Array.prototype.forEach.call(document.querySelectorAll(".bd-article"), function (article) {
      Array.prototype.forEach.call(article.querySelectorAll(BOXES), function (box) {
        if (!box.checkVisibility || box.checkVisibility({ contentVisibilityAuto: true })) { mark(box); }
      });
    });
    document.documentElement.dataset.mfMarked = String(window.innerWidth);
  }

  function scrollers() {
    var waiting = 0;
    function soon() {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(markAll, 60);
    }
    markAll();
    window.addEventListener("resize", soon);
    /* Claims out of view are laid out when they come near; then their boxes are looked at. */
    document.addEventListener("contentvisibilityautostatechange", soon, true);
    document.addEventListener("toggle", soon, true);
    if (window.MathJax && window.MathJax.startup && window.MathJax.startup.promise) {
      window.MathJax.startup.promise.then(markAll);
    }
  }

  /* Paper is white, and cannot be unfolded. */
  function printing() {
    var opened = [], before = null;
    function start() {
      if (before !== null) { return; }
      before = document.documentElement.dataset.theme || "";
      document.documentElement.dataset.theme = "light";
      opened = Array.prototype.filter.call(
        document.querySelectorAll(".bd-article details:not([open])"),
        function (fold) { return !fold.closest(".mf-made, .cell_input, details.hide"); }
      );
      opened.forEach(function (fold) { fold.open = true; });
    }
    function end() {
      if (before === null) { return; }
      document.documentElement.dataset.theme = before;
      opened.forEach(function (fold) { fold.open = false; });
      opened = [];
      before = null;
    }
    var paper = window.matchMedia("print");
    paper.addEventListener("change", function () { if (paper.matches) { start(); } else { end(); } });
    window.addEventListener("beforeprint", start);
    window.addEventListener("afterprint", end);
  }

  function start() {
    scrollers();
    printing();
  }

  if (document.readyState === "complete") {
    start();
  } else {
    window.addEventListener("load", start);
  }
})();
