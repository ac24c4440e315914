/* What only a browser knows: which boxes scroll at this width, when the page is printed, whether it lies in a folder.
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

  function scrolls(box) {
    return box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 &&
      ["auto", "scroll"].indexOf(getComputedStyle(box).overflowX) >= 0;
  }

  /* A box that scrolls is a stop of the tab key, else who has no mouse cannot read what it hides. */
  function mark(box) {
    box.tabIndex = 0;
    box.dataset.mfScrolls = "true";
    if (!box.hasAttribute("role") && !box.hasAttribute("aria-label") && !/^(P|DD|LI|PRE|FIGCAPTION|CAPTION)$/.test(box.tagName)) {
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
    var boxes = Array.prototype.filter.call(document.querySelectorAll(BOXES), function (box) { return box.closest(".bd-article"); });
    var wide = boxes.map(scrolls);
    boxes.forEach(function (box, place) {
      if (wide[place] && !box.hasAttribute("tabindex")) { mark(box); }
      if (!wide[place] && box.dataset.mfScrolls) { unmark(box); }
    });
  }

  function scrollers() {
    var waiting = 0;
    function soon() {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(markAll, 60);
    }
    markAll();
    window.addEventListener("resize", soon);
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

  /* The menus of a phone are boxes over the page: when one is closed, the focus goes back to the button that opened it. */
  function menus() {
    [["pst-primary-sidebar-modal", ".primary-toggle"], ["pst-secondary-sidebar-modal", ".secondary-toggle"]].forEach(function (pair) {
      var menu = document.getElementById(pair[0]), button = document.querySelector(pair[1]);
      if (!menu || !button) { return; }
      menu.addEventListener("close", function () {
        window.setTimeout(function () {
          if (document.activeElement === document.body && button.getClientRects().length) { button.focus(); }
        }, 0);
      });
    });
  }

  /* A page that is opened from a folder may not read others: the search then lists titles, without a passage of each.
     Entries of the glossary have one title; each says its word. */
  function search() {
    if (window.location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
      DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
    }
    var results = document.getElementById("search-results");
    if (!results) { return; }
    new MutationObserver(function () {
      Array.prototype.forEach.call(results.querySelectorAll("li > a[href*='#term-']:not([data-mf-word])"), function (link) {
        link.dataset.mfWord = decodeURIComponent(link.hash.slice(6)).replace(/-/g, " ");
        link.append(": " + link.dataset.mfWord);
      });
    }).observe(results, { childList: true, subtree: true });
  }

  function start() {
    scrollers();
    menus();
    printing();
  }

  search();

  if (document.readyState === "complete") {
    start();
  } else {
    window.addEventListener("load", start);
  }
})();
