/* Elements of a page, and when it is there. */

const SVG = "http://www.w3.org/2000/svg";

/* Return a new element with properties, at the end of a parent where there is one. */
export function element(tag, properties = {}, parent = null) {
  const node = Object.assign(document.createElement(tag), properties);
  parent?.append(node);
  return node;
}

/* Return a new element of a drawing with attributes, at the end of a parent. */
export function drawn(tag, attributes, parent, text = "") {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.textContent = text;
  parent.append(node);
  return node;
}

/* Return a new line that says aloud what changes. */
export function statusLine(tag, properties, parent = null) {
  const line = element(tag, properties, parent);
  line.setAttribute("role", "status");
  return line;
}

/* Call a function once all of the page is read. */
export function whenReady(start) {
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
}

/* Put an interactive figure in the place of its still picture, above the caption. */
export function takePlaceOfPicture(box) {
  const figure = document.getElementById(box.dataset.still || "");
  const caption = figure?.querySelector("figcaption");
  if (caption) {
    figure.insertBefore(box, caption);
    figure.classList.add("mf-live");
  }
  box.hidden = false;
}

/* Let the address name what is shown, so that a view can be sent. */
export function showInAddress(query, hash) {
  const text = String(query);
  const address = window.location.pathname + (text && `?${text}`) + hash;
  try {
    window.history.replaceState(null, "", address);
  } catch {
    /* a page opened from a folder */
  }
}
