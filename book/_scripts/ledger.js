/* Filters for the ledger. Without this script the page shows a line for every claim, in
   the same order. The words of the statements, which the lines do not show, lie beside
   the scripts: they are read when a reader first goes to the field. */

import { withData } from "./lib/data-script.js";
import { element, showInAddress, statusLine, whenReady } from "./lib/dom.js";

const STATEMENTS = "ledger-words.js";
const WORDS = {
  holds: "holds",
  "holds-with-condition": "holds under a condition",
  false: "false as printed",
  definition: "definition",
  reproduced: "seen in our rerun",
  "variant-only": "seen in our rerun of a variant only",
  "not-reproduced": "not seen in our rerun",
  outside: "outside",
  "not-yet-checked": "not yet checked",
  corrected: "false as printed, corrected",
  rerun: "experiments that were run again",
  beyond: "beyond the five texts",
};
const GRADES = {
  proved: "proved",
  sizes: "proved for small sizes",
  exact: "exact, on instances",
  numerical: "numerical",
  counterexample: "exact counterexample",
  rerun: "own runs",
  none: "not tested",
};
const KINDS = [
  "named",
  "theorem",
  "lemma",
  "proposition",
  "corollary",
  "equation",
  "proof-step",
  "remark",
  "example",
  "definition",
  "notation",
  "algorithm",
  "experiment",
  "figure",
  "table",
];
const NAMED = "named results (theorem, lemma, ...)";
/* A claim of a group has the class that these begin, and the address says the group
   under their name. */
const CLASSES = { verdict: "mf-is-", grade: "mf-grade-", kind: "mf-kind-" };

class Ledger {
  constructor(bar) {
    this.bar = bar;
    this.claims = [...document.querySelectorAll(".mf-group .mf-claim")];
    this.groups = [...document.querySelectorAll(".mf-group")];
    this.texts = this.claims.map((claim) => claim.textContent.toLowerCase());
    this.wanted = {};
    this.buttons = [];
    this.choices = {};
    const asked = new URLSearchParams(window.location.search);
    for (const name of Object.keys(CLASSES)) {
      const value = asked.get(name) || "all";
      this.wanted[name] = this.count(name, value) > 0 ? value : "all";
    }
    this.addFilters();
    this.addField(asked.get("words") || "");
    this.status = statusLine("p", {}, bar);
  }

  is(claim, name, value) {
    return value === "all" || claim.classList.contains(CLASSES[name] + value);
  }

  count(name, value) {
    return this.claims.filter((claim) => this.is(claim, name, value)).length;
  }

  addFilters() {
    this.addButton("all", `all (${this.claims.length})`);
    for (const [verdict, words] of Object.entries(WORDS)) {
      const count = this.count("verdict", verdict);
      if (count > 0) {
        this.addButton(verdict, `${words} (${count})`);
      }
    }
    this.addChoice("grade", Object.keys(GRADES), (grade) => GRADES[grade]);
    this.addChoice("kind", KINDS, (kind) => {
      return kind === "named" ? NAMED : kind.replace("-", " ");
    });
  }

  addButton(verdict, textContent) {
    const button = element("button", { type: "button", textContent }, this.bar);
    button.dataset.verdict = verdict;
    button.addEventListener("click", () => this.want("verdict", verdict));
    this.buttons.push(button);
  }

  /* Add a list of groups of which one is chosen; a group without claims is left out. */
  addChoice(name, values, says) {
    const label = element("label", { textContent: `${name} ` }, this.bar);
    const list = element("select", { name }, label);
    for (const value of ["all", ...values]) {
      const count = this.count(name, value);
      if (count > 0) {
        const words = value === "all" ? "any" : says(value);
        element("option", { value, textContent: `${words} (${count})` }, list);
      }
    }
    list.addEventListener("change", () => this.want(name, list.value));
    this.choices[name] = list;
  }

  addField(value) {
    const label = element("label", { textContent: "with the words " }, this.bar);
    this.field = element("input", { type: "search", value }, label);
    this.field.addEventListener("input", () => this.apply());
    this.field.addEventListener("focus", () => this.readStatements(), { once: true });
  }

  readStatements() {
    withData(STATEMENTS, (statements) => {
      this.claims.forEach((claim, place) => {
        this.texts[place] += ` ${statements?.[claim.id] || ""}`;
      });
      this.apply();
    });
  }

  want(name, value) {
    this.wanted[name] = value;
    this.apply();
  }

  /* Tell whether a claim is of all chosen groups, and has the words of the field. */
  fits(claim, text, words) {
    const names = Object.keys(CLASSES);
    return (
      names.every((name) => this.is(claim, name, this.wanted[name])) &&
      text.includes(words)
    );
  }

  apply() {
    const words = this.field.value.trim().toLowerCase();
    let count = 0;
    this.claims.forEach((claim, place) => {
      claim.hidden = !this.fits(claim, this.texts[place], words);
      count += claim.hidden ? 0 : 1;
    });
    for (const group of this.groups) {
      group.hidden = !group.querySelector(".mf-claim:not([hidden])");
    }
    for (const button of this.buttons) {
      const isPressed = button.dataset.verdict === this.wanted.verdict;
      button.setAttribute("aria-pressed", String(isPressed));
    }
    for (const [name, list] of Object.entries(this.choices)) {
      list.value = this.wanted[name];
    }
    this.status.textContent = `${count} of ${this.claims.length} claims are shown.`;
    this.remember(words);
  }

  remember(words) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.wanted)) {
      if (value !== "all") {
        query.set(name, value);
      }
    }
    if (words) {
      query.set("words", words);
    }
    showInAddress(query, window.location.hash);
  }

  /* A link to a claim shows it, whatever the filter says. */
  follow() {
    const id = decodeURIComponent(window.location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) {
      return;
    }
    if (target.closest("[hidden]")) {
      for (const name of Object.keys(CLASSES)) {
        this.wanted[name] = "all";
      }
      this.field.value = "";
      this.apply();
    }
    target.scrollIntoView({ behavior: "instant" });
  }

  show() {
    if (this.field.value) {
      this.readStatements();
    }
    this.apply();
    window.addEventListener("hashchange", () => this.follow());
    if (window.location.hash) {
      this.follow();
    }
  }
}

whenReady(() => {
  const bar = document.getElementById("mf-filters");
  if (bar) {
    new Ledger(bar).show();
  }
});
