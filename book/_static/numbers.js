/* The statements that a reader means by "v3 thm 5", "AISTATS Theorem 5", "(43)" or "MBDE-L9", and a box that goes to
   their pages. The table, numbers-table.js, is made from the ledger: it is read when a reader first goes to the box. */
"use strict";

(function () {
  var SOURCE = document.currentScript ? document.currentScript.src : "";
  var ROOT = document.documentElement.dataset.content_root || "";
  var SHORT = { thm: "theorem", eqn: "equation", eqs: "equation", defn: "definition", fn: "footnote", "§": "section" };
  var MOST = 12;

  /* The texts that the words of a query name, all where it names none; and the words that name no text. */
  function named(words, texts) {
    var count = texts.map(function () { return 0; });
    var rest = words.filter(function (word) {
      var met = texts.map(function (text) {
        return text.words.some(function (own) { return own === word || (word.length > 3 && own.indexOf(word) === 0); });
      });
      met.forEach(function (yes, at) { count[at] += yes; });
      return met.indexOf(true) < 0;
    });
    var most = Math.max.apply(null, count);
    return { texts: texts.filter(function (_, at) { return count[at] === most; }), rest: rest.join(" ") };
  }

  /* The kind and the number that a text names, or null: "thm 5", "T5", "(43)", "eq. (43)"; a number alone is of any kind. */
  function wanted(text, kinds) {
    var found = null;
    text.replace(/(?:([a-z]+|§)\.?\s*)?(\()?(\d+(?:\.\d+)?)\)?/g, function (_, word, bracket, number) {
      var kind = SHORT[word] || kinds.find(function (name) { return word && name.indexOf(word.replace(/s$/, "")) === 0; });
      if (bracket && !kind) { kind = "equation"; }
      if (!found && (kind || !word)) { found = { kind: kind || "", number: number, alone: !word && !bracket }; }
    });
    return found;
  }

  /* Return [{id, title, verdict, at}]: a claim whose name is asked for, else those at a number, the first of each text first.
     Statements are counted together in most texts: where there is no lemma 3, Theorem 3 is found. */
  function find(query) {
    var table = window.mfNumbers.table, asked = query.toLowerCase().trim(), found = [];
    function claim(id, at) { return { id: id, title: table.claims[id][0], verdict: table.claims[id][1], at: at ? [at] : [] }; }
    if (/^[a-z0-9]+-[\w.-]+$/.test(asked)) {
      var ids = Object.keys(table.claims), exact = ids.filter(function (id) { return id.toLowerCase() === asked; });
      return (exact.length ? exact : ids.filter(function (id) { return id.toLowerCase().indexOf(asked + "-") === 0; }))
        .map(function (id) { return claim(id); });
    }
    var given = named(asked.replace(/version\s*(?=\d)/g, "v").split(/[\s,:]+/), table.texts), number = wanted(given.rest, table.kinds);
    if (!number || (number.alone && given.rest !== number.number)) { return []; }
    function fits(row) { return row[1] === number.number && (!number.kind || row[0].replace(/^appendix-/, "") === number.kind); }
    function near(row) { return row[1] === number.number && table.statements.indexOf(row[0]) >= 0; }
    var met = given.texts.some(function (text) { return text.rows.some(fits); });
    if (!met && table.statements.indexOf(number.kind) < 0) { return []; }
    given.texts.forEach(function (text) {
      text.rows.filter(met ? fits : near).forEach(function (row) {
        row[3].forEach(function (id, place) {
          var at = row[2] + " of " + text.title, known = found.find(function (one) { return one.id === id; });
          if (known) { known.at.push(at); } else { found.push(Object.assign(claim(id, at), { place: place })); }
        });
      });
    });
    found.missing = met || !found.length ? "" : number.kind + " " + number.number;
    return found.sort(function (one, other) { return one.place - other.place; });
  }

  function element(tag, parent, given) { return parent.appendChild(Object.assign(document.createElement(tag), given)); }

  function box(place) {
    var form = element("form", place, { className: "mf-go-box" }), choices = [];
    form.setAttribute("aria-label", "Go to a statement");
    var label = element("label", form, { textContent: "Go to " });
    var field = element("input", label, { type: "search", placeholder: "v3 thm 5, (43)", autocomplete: "off" });
    element("button", form, { textContent: "Go" });
    var status = element("p", place, { role: "status" }), list = element("ul", place, {});
    status.setAttribute("role", "status");
    function address(one) { return ROOT + "claims/" + one.id + ".html"; }
    function show() {
      choices = window.mfNumbers.table && field.value.trim() ? find(field.value) : [];
      list.replaceChildren();
      choices.slice(0, MOST).forEach(function (one) {
        var link = element("a", element("li", list, {}), { href: address(one), textContent: one.id + ": " + one.title });
        element("span", link.parentNode, { textContent: " " + one.at.concat(one.verdict).join("; ") });
      });
      var none = field.value.trim() ? "No statement of that number is in the ledger." : "", many = choices.length + " statement" + (choices.length > 1 ? "s" : "");
      status.textContent = choices.missing ? "There is no " + choices.missing + ". Other statements of that number:" : choices.length ? many : none;
    }
    field.addEventListener("focus", function () {
      var script = element("script", document.head, { src: SOURCE.replace(/numbers\.js.*$/, "numbers-table.js") });
      script.addEventListener("load", show);
    }, { once: true });
    field.addEventListener("input", show);
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (choices.length === 1) { window.location.href = address(choices[0]); }
      if (choices.length > 1) { list.querySelector("a").focus(); }
    });
  }

  window.mfNumbers = { find: find, table: null };
  document.querySelectorAll("#mf-go").forEach(box);
})();
