/* Filters for the ledger. Without this script the page shows every claim, in the same order. */
"use strict";

(function () {
  var WORDS = {
    "holds": "holds",
    "holds-with-condition": "holds under a condition",
    "false": "false as printed",
    "definition": "definition",
    "reproduced": "seen in our rerun",
    "variant-only": "seen in our rerun of a variant only",
    "not-reproduced": "not seen in our rerun",
    "outside": "outside",
    "not-yet-checked": "not yet checked"
  };

  function start() {
    var bar = document.getElementById("mf-filters");
    if (!bar) { return; }
    var claims = Array.prototype.slice.call(document.querySelectorAll(".mf-group .mf-claim"));
    var groups = Array.prototype.slice.call(document.querySelectorAll(".mf-group"));
    var wanted = new URLSearchParams(window.location.search).get("verdict") || "all";
    var buttons = [];

    function count(verdict) {
      return claims.filter(function (claim) { return claim.classList.contains("mf-is-" + verdict); }).length;
    }

    function button(verdict, text) {
      var one = document.createElement("button");
      one.type = "button";
      one.textContent = text;
      one.addEventListener("click", function () { wanted = verdict; apply(); });
      one.dataset.verdict = verdict;
      buttons.push(one);
      bar.appendChild(one);
    }

    button("all", "all (" + claims.length + ")");
    Object.keys(WORDS).forEach(function (verdict) {
      if (count(verdict) > 0) { button(verdict, WORDS[verdict] + " (" + count(verdict) + ")"); }
    });
    if (!buttons.some(function (one) { return one.dataset.verdict === wanted; })) { wanted = "all"; }

    var label = document.createElement("label");
    label.textContent = "with the words ";
    var words = document.createElement("input");
    words.type = "search";
    words.addEventListener("input", apply);
    label.appendChild(words);
    bar.appendChild(label);
    var status = document.createElement("p");
    status.setAttribute("role", "status");
    bar.appendChild(status);

    function apply() {
      var text = words.value.trim().toLowerCase();
      var shown = 0;
      claims.forEach(function (claim) {
        var fits = (wanted === "all" || claim.classList.contains("mf-is-" + wanted)) &&
          (text === "" || claim.textContent.toLowerCase().indexOf(text) >= 0);
        claim.hidden = !fits;
        if (fits) { shown += 1; }
      });
      groups.forEach(function (group) {
        group.hidden = !group.querySelector(".mf-claim:not([hidden])");
      });
      buttons.forEach(function (one) {
        one.setAttribute("aria-pressed", String(one.dataset.verdict === wanted));
      });
      status.textContent = shown + " of " + claims.length + " claims are shown.";
    }

    /* A link to a claim shows it, whatever the filter says. */
    function follow() {
      var id = decodeURIComponent(window.location.hash.slice(1));
      var target = id ? document.getElementById(id) : null;
      if (target && target.closest("[hidden]")) {
        wanted = "all";
        words.value = "";
        apply();
      }
      if (target) { settle(target, 6); }
    }

    /* Claims out of view have an estimated height: scroll again while those around the target take their own. */
    function settle(target, frames) {
      target.scrollIntoView({ behavior: "instant" });
      if (frames > 0) { window.requestAnimationFrame(function () { settle(target, frames - 1); }); }
    }

    apply();
    window.addEventListener("hashchange", follow);
    if (window.location.hash) { follow(); }
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})();
