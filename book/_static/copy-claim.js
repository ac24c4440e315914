/* Buttons that copy the corrected statement of a claim in LaTeX, and a sentence that cites it. Nothing is loaded. */
"use strict";

(function () {
  var KINDS = { latex: "LaTeX copied.", cite: "Citation copied." };

  /* Copy where the browser has no clipboard for a page, or refuses it. */
  function byHand(text) {
    var area = document.createElement("textarea"), before = document.activeElement, done = false;
    area.value = text;
    area.className = "mf-copy-area";
    document.body.appendChild(area);
    area.select();
    try { done = document.execCommand("copy"); } catch (refused) { done = false; }
    area.remove();
    if (before) { before.focus(); }
    return done;
  }

  function copied(text) {
    if (!navigator.clipboard) { return Promise.resolve(byHand(text)); }
    return navigator.clipboard.writeText(text).then(function () { return true; }, function () { return byHand(text); });
  }

  function textOf(box, kind) {
    var text = box.dataset[kind], page = box.dataset.page;
    if (kind !== "cite") { return text; }
    return text + (page && /^http/.test(location.protocol) ? ", " + new URL(page, location.href).href : "") + ".";
  }

  document.querySelectorAll(".mf-copy").forEach(function (box) {
    var status = document.createElement("span");
    status.setAttribute("role", "status");
    Object.keys(KINDS).filter(function (kind) { return box.dataset[kind]; }).forEach(function (kind) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = kind === "cite" ? "Copy a citation" : "Copy the " + box.dataset.what + " as LaTeX";
      button.setAttribute("aria-label", button.textContent + ", " + box.dataset.claim);
      button.addEventListener("click", function () {
        status.textContent = "";
        copied(textOf(box, kind)).then(function (done) {
          status.textContent = done ? KINDS[kind] : "The browser did not allow it.";
        });
      });
      box.appendChild(button);
    });
    box.appendChild(status);
    box.hidden = false;
  });
})();
