/* A small preview of the claim or of the word of the glossary that a link leads to, under the pointer and under the focus.
   Escape closes it, the pointer may rest on it, it stays as long as the link or the preview is pointed at; a finger opens
   none. The texts lie in preview-texts.js, which is read when the first is asked for; without this script links are links. */
"use strict";

(function () {
  var SOURCE = document.currentScript ? document.currentScript.src : "";
  var article = document.querySelector(".bd-article"), box = null, shown = null, timer = 0;
  var WAIT = 250, LEAVE = 300;

  function key(link) {
    var page = link.pathname.match(/\/claims\/([^/]+)\.html$/);
    if (page) { return page[1]; }
    return /^#term-/.test(link.hash) ? decodeURIComponent(link.hash.slice(1)) : "";
  }

  function linkOf(target) {
    var link = target.closest && target.closest("a[href]");
    return link && article.contains(link) && !link.closest("#mf-go") && key(link) ? link : null;
  }

  function texts(then) {
    if (window.mfPreviews) { then(); return; }
    var script = document.createElement("script");
    script.src = SOURCE.replace(/preview\.js.*$/, "preview-texts.js");
    script.addEventListener("load", then);
    document.head.appendChild(script);
  }

  function later(action, wait) {
    window.clearTimeout(timer);
    timer = window.setTimeout(action, wait);
  }

  function close() {
    window.clearTimeout(timer);
    if (!shown) { return; }
    shown.removeAttribute("aria-describedby");
    box.hidden = true;
    shown = null;
  }

  /* Under the link, or above it where there is more room; the box touches the link, so that the pointer can go there. */
  function place() {
    var lines = shown.getClientRects(), link = lines[lines.length - 1], ground = box.offsetParent.getBoundingClientRect();
    var wide = document.documentElement.clientWidth, width = box.offsetWidth, height = box.offsetHeight;
    var below = link.bottom + height <= window.innerHeight || link.top < height;
    box.style.left = Math.max(8, Math.min(link.left, wide - width - 8)) - ground.left + "px";
    box.style.top = (below ? link.bottom : lines[0].top - height) - ground.top + "px";
  }

  function show(link) {
    if (shown === link) { return; }
    close();
    texts(function () {
      var text = window.mfPreviews && window.mfPreviews[key(link)];
      var still = document.activeElement === link || link.matches(":hover");
      if (!text || !still) { return; }
      if (!box) {
        box = document.createElement("div");
        box.id = "mf-preview";
        box.setAttribute("role", "tooltip");
        box.addEventListener("mouseenter", function () { window.clearTimeout(timer); });
        box.addEventListener("mouseleave", leave);
        article.appendChild(box);
      }
      shown = link;
      box.innerHTML = text;
      box.hidden = false;
      link.setAttribute("aria-describedby", box.id);
      place();
      formulas(link);
    });
  }

  /* A page without a formula has no MathJax: there the preview has no formula either. */
  function formulas(link) {
    var math = window.MathJax && window.MathJax.typesetPromise;
    if (!math) { box.querySelectorAll("p:has(.math)").forEach(function (part) { part.remove(); }); place(); return; }
    window.MathJax.typesetPromise([box]).then(function () { if (shown === link) { place(); } });
  }

  function leave() {
    later(function () { if (!shown || document.activeElement !== shown || !shown.matches(":focus-visible")) { close(); } }, LEAVE);
  }

  if (!article) { return; }
  article.addEventListener("pointerover", function (event) {
    var link = event.pointerType === "touch" ? null : linkOf(event.target);
    if (link && link !== shown) { later(function () { show(link); }, WAIT); }
    if (link && link === shown) { window.clearTimeout(timer); }
  });
  article.addEventListener("pointerout", function (event) {
    if (linkOf(event.target) && !(box && box.contains(event.relatedTarget))) { leave(); }
  });
  article.addEventListener("focusin", function (event) {
    var link = linkOf(event.target);
    if (link && link.matches(":focus-visible")) { later(function () { show(link); }, 0); }
  });
  article.addEventListener("focusout", function (event) { if (event.target === shown) { close(); } });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape" && shown) { close(); } });
})();
