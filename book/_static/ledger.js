/* Filters for the ledger. Without this script the page shows a line for every claim, in the same order. The words of the
   statements, which the lines do not show, lie in ledger-words.js: it is read when a reader first goes to the field. */
"use strict";

(function () {
  var SOURCE = document.currentScript ? document.currentScript.src : "";
  var WORDS = {
    "holds": "holds",
    "holds-with-condition": "holds under a condition",
    "false": "false as printed",
    "definition": "definition",
    "reproduced": "seen in our rerun",
    "variant-only": "seen in our rerun of a variant only",
    "not-reproduced": "not seen in our rerun",
    "outside": "outside",
    "not-yet-checked": "not yet checked",
    "corrected": "false as printed, corrected",
    "rerun": "experiments that were run again",
    "beyond": "beyond the five texts"
  };
  var GRADES = {
    "proved": "proved",
    "sizes": "proved for small sizes",
    "exact": "exact, on instances",
    "numerical": "numerical",
    "counterexample": "exact counterexample",
    "rerun": "own runs",
    "none": "not tested"
  };
  var KINDS = ["named", "theorem", "lemma", "proposition", "corollary", "equation", "proof-step", "remark", "example",
    "definition", "notation", "algorithm", "experiment", "figure", "table"];
  var NAMED = "named results (theorem, lemma, ...)";
  /* A claim of a group has the class that these begin, and the address says the group under their name. */
  var CLASSES = { "verdict": "mf-is-", "grade": "mf-grade-", "kind": "mf-kind-" };

  function start() {
    var bar = document.getElementById("mf-filters");
    if (!bar) { return; }
    var claims = Array.prototype.slice.call(document.querySelectorAll(".mf-group .mf-claim"));
    var groups = Array.prototype.slice.call(document.querySelectorAll(".mf-group"));
    var texts = claims.map(function (claim) { return claim.textContent.toLowerCase(); });
    var asked = new URLSearchParams(window.location.search);
    var names = Object.keys(CLASSES);
    var wanted = {};
    names.forEach(function (name) {
      var value = asked.get(name) || "all";
      wanted[name] = value !== "all" && count(name, value) > 0 ? value : "all";
    });
    var buttons = [];
    var choices = {};

    function is(claim, name, value) { return value === "all" || claim.classList.contains(CLASSES[name] + value); }

    function count(name, value) {
      return claims.filter(function (claim) { return is(claim, name, value); }).length;
    }

    function button(verdict, text) {
      var one = document.createElement("button");
      one.type = "button";
      one.textContent = text;
      one.addEventListener("click", function () { wanted.verdict = verdict; apply(); });
      one.dataset.verdict = verdict;
      buttons.push(one);
      bar.appendChild(one);
    }

    /* A list of groups of which one is chosen; a group without claims is left out. */
    function choice(name, values, says) {
      var label = document.createElement("label");
      var list = document.createElement("select");
      label.textContent = name + " ";
      list.name = name;
      ["all"].concat(values).forEach(function (value) {
        var found = count(name, value);
        if (found === 0) { return; }
        var one = document.createElement("option");
        one.value = value;
        one.textContent = (value === "all" ? "any" : says(value)) + " (" + found + ")";
        list.appendChild(one);
      });
      list.addEventListener("change", function () { wanted[name] = list.value; apply(); });
      choices[name] = list;
      label.appendChild(list);
      bar.appendChild(label);
    }

    button("all", "all (" + claims.length + ")");
    Object.keys(WORDS).forEach(function (verdict) {
      var found = count("verdict", verdict);
      if (found > 0) { button(verdict, WORDS[verdict] + " (" + found + ")"); }
    });
    choice("grade", Object.keys(GRADES), function (grade) { return GRADES[grade]; });
    choice("kind", KINDS, function (kind) { return kind === "named" ? NAMED : kind.replace("-", " "); });

    var label = document.createElement("label");
    label.textContent = "with the words ";
    var words = document.createElement("input");
    words.type = "search";
    words.value = asked.get("words") || "";
    words.addEventListener("input", apply);
    words.addEventListener("focus", fetchWords, { once: true });
    label.appendChild(words);
    bar.appendChild(label);
    var status = document.createElement("p");
    status.setAttribute("role", "status");
    bar.appendChild(status);

    /* A script, since a page that is opened from a folder may not fetch a file. */
    function fetchWords() {
      var script = document.createElement("script");
      script.src = SOURCE.replace(/ledger\.js.*$/, "ledger-words.js");
      script.addEventListener("load", function () {
        var more = window.mfLedgerWords || {};
        claims.forEach(function (claim, place) { texts[place] += " " + (more[claim.id] || ""); });
        apply();
      });
      document.head.appendChild(script);
    }

    function apply() {
      var text = words.value.trim().toLowerCase();
      var shown = 0;
      claims.forEach(function (claim, place) {
        var fits = names.every(function (name) { return is(claim, name, wanted[name]); }) &&
          (text === "" || texts[place].indexOf(text) >= 0);
        claim.hidden = !fits;
        if (fits) { shown += 1; }
      });
      groups.forEach(function (group) {
        group.hidden = !group.querySelector(".mf-claim:not([hidden])");
      });
      buttons.forEach(function (one) {
        one.setAttribute("aria-pressed", String(one.dataset.verdict === wanted.verdict));
      });
      Object.keys(choices).forEach(function (name) { choices[name].value = wanted[name]; });
      status.textContent = shown + " of " + claims.length + " claims are shown.";
      remember(text);
    }

    /* The address names what is shown, so that a view can be sent. */
    function remember(text) {
      var query = new URLSearchParams();
      names.forEach(function (name) { if (wanted[name] !== "all") { query.set(name, wanted[name]); } });
      if (text) { query.set("words", text); }
      var address = window.location.pathname + (String(query) && "?" + query) + window.location.hash;
      try { window.history.replaceState(null, "", address); } catch (error) { /* a page opened from a folder */ }
    }

    /* A link to a claim shows it, whatever the filter says. */
    function follow() {
      var id = decodeURIComponent(window.location.hash.slice(1));
      var target = id ? document.getElementById(id) : null;
      if (target && target.closest("[hidden]")) {
        names.forEach(function (name) { wanted[name] = "all"; });
        words.value = "";
        apply();
      }
      if (target) { target.scrollIntoView({ behavior: "instant" }); }
    }

    if (words.value) { fetchWords(); }
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
