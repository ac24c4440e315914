/* A box that goes to the page of a statement. The table is read when a reader first
   goes to the box. */

import { addressOf, withData } from "./lib/data-script.js";
import { element, statusLine } from "./lib/dom.js";
import { find } from "./lib/find-statement.js";

const TABLE = "numbers-table.js";
const MOST = 12;
const NONE = "No statement of that number is in the ledger.";

/* Say what was found for a query. */
function summary({ claims, missing }) {
  if (missing) {
    return `There is no ${missing}. Other statements of that number:`;
  }
  if (!claims.length) {
    return NONE;
  }
  return claims.length === 1 ? "1 statement" : `${claims.length} statements`;
}

class GoBox {
  constructor(place) {
    this.table = null;
    this.claims = [];
    const form = element("form", { className: "mf-go-box" }, place);
    form.setAttribute("aria-label", "Go to a statement");
    const label = element("label", { textContent: "Go to " }, form);
    const hint = { placeholder: "v3 thm 5, (43)", autocomplete: "off" };
    this.field = element("input", { type: "search", ...hint }, label);
    element("button", { textContent: "Go" }, form);
    this.status = statusLine("p", {}, place);
    this.list = element("ul", {}, place);
    this.field.addEventListener("focus", () => this.read(), { once: true });
    this.field.addEventListener("input", () => this.show());
    form.addEventListener("submit", (event) => this.go(event));
  }

  read() {
    withData(TABLE, (table) => {
      this.table = table;
      this.show();
    });
  }

  show() {
    const isAsked = this.field.value.trim() !== "";
    let result = { claims: [], missing: "" };
    if (isAsked && this.table) {
      result = find(this.table, this.field.value);
    }
    this.claims = result.claims;
    this.list.replaceChildren();
    for (const claim of this.claims.slice(0, MOST)) {
      this.add(claim);
    }
    this.status.textContent = isAsked ? summary(result) : "";
  }

  add({ id, title, verdict, at }) {
    const item = element("li", {}, this.list);
    const href = addressOf(`claims/${id}`);
    element("a", { href, textContent: `${id}: ${title}` }, item);
    element("span", { textContent: ` ${[...at, verdict].join("; ")}` }, item);
  }

  go(event) {
    event.preventDefault();
    if (this.claims.length === 1) {
      window.location.href = addressOf(`claims/${this.claims[0].id}`);
    }
    if (this.claims.length > 1) {
      this.list.querySelector("a").focus();
    }
  }
}

for (const place of document.querySelectorAll("#mf-go")) {
  new GoBox(place);
}
