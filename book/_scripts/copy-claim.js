/* Buttons that copy the corrected statement of a claim in LaTeX, and a sentence that
   cites it. Nothing is loaded. */

import { element, statusLine } from "./lib/dom.js";

const KINDS = { latex: "LaTeX copied.", cite: "Citation copied." };

/* Copy where the browser has no clipboard for a page, or refuses it. */
function byHand(text) {
  const before = document.activeElement;
  const properties = { value: text, className: "mf-copy-area" };
  const area = element("textarea", properties, document.body);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  before?.focus();
  return done;
}

async function copied(text) {
  if (!navigator.clipboard) {
    return byHand(text);
  }
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

/* Return what is copied; a citation has the address of the page, if others can open it.
 */
function textOf({ dataset }, kind) {
  const text = dataset[kind];
  if (kind !== "cite") {
    return text;
  }
  if (!dataset.page || !location.protocol.startsWith("http")) {
    return `${text}.`;
  }
  return `${text}, ${new URL(dataset.page, location.href).href}.`;
}

function addButton(box, kind, status) {
  const what = `Copy the ${box.dataset.what} as LaTeX`;
  const textContent = kind === "cite" ? "Copy a citation" : what;
  const button = element("button", { type: "button", textContent }, box);
  button.setAttribute("aria-label", `${textContent}, ${box.dataset.claim}`);
  button.addEventListener("click", async () => {
    status.textContent = "";
    const done = await copied(textOf(box, kind));
    status.textContent = done ? KINDS[kind] : "The browser did not allow it.";
  });
}

for (const box of document.querySelectorAll(".mf-copy")) {
  const status = statusLine("span", {});
  for (const kind of Object.keys(KINDS)) {
    if (box.dataset[kind]) {
      addButton(box, kind, status);
    }
  }
  box.append(status);
  box.hidden = false;
}
