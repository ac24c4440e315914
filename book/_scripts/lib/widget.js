/* Interactive figures: sliders declared in the page, formulas in a module of figures/
   of the same name as the figure. The module gives `numbers(values)` and says which of
   them are lines over one slider, its `axis`; a line `below` (or `above`) another one
   is a bound on it, and turns by sign and colour where it is refuted. Or it gives
   `show(values)`, its own curves and rows. The state stands in the address. Nothing is
   loaded. */

import { pictureOf } from "./bounds.js";
import {
  drawn,
  element,
  showInAddress,
  statusLine,
  takePlaceOfPicture,
  whenReady,
} from "./dom.js";
import { isNothing, shown } from "./number-text.js";
import { HEIGHT, lookOf, plot } from "./plot.js";
import { Slider } from "./slider.js";

const SWATCH = { viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": "true" };

/* Return what a table says of a bound. */
function judgement({ value, refuted }) {
  if (refuted === undefined) {
    return "";
  }
  if (isNothing(value)) {
    return "says nothing";
  }
  return refuted ? "✗ refuted" : "✓ holds";
}

/* Add a line of a look, and its name, to the key of a picture. */
function swatch(key, look, name) {
  const item = element("span", {}, key);
  const sample = drawn("svg", SWATCH, item);
  const line = { x1: 0, x2: 28, y1: 5, y2: 5, class: `mf-widget-curve ${look}` };
  drawn("line", line, sample);
  item.append(` ${name}`);
}

class Widget {
  constructor(box, figure) {
    this.box = box;
    this.figure = figure;
    this.hasBounds = Boolean(figure.lines);
    this.sliders = {};
    this.nameBox();
    this.addSliders();
    this.addExamples();
    this.addPicture();
    this.addTable();
  }

  nameBox() {
    const { title } = this.figure;
    const name = title ? `Interactive figure: ${title}` : "Interactive figure";
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-label", name);
    if (title) {
      element("p", { textContent: title, className: "mf-widget-title" }, this.box);
    }
  }

  addSliders() {
    const asked = new URLSearchParams(window.location.search);
    for (const { dataset } of this.box.querySelectorAll("[data-slider]")) {
      const slider = new Slider(this.box, dataset, () => this.changed());
      this.sliders[slider.name] = slider;
      if (asked.has(slider.name)) {
        slider.set(asked.get(slider.name));
      }
    }
  }

  addExamples() {
    const { examples } = this.figure;
    if (!examples) {
      return;
    }
    const bar = element("div", { className: "mf-widget-buttons" }, this.box);
    for (const { label, values } of [
      ...examples,
      { label: "Back to the start", values: {} },
    ]) {
      const button = element("button", { textContent: label, type: "button" }, bar);
      button.addEventListener("click", () => this.load(values));
    }
  }

  /* Take the values of an example; sliders that it does not name go to the start. */
  load(values) {
    for (const [name, slider] of Object.entries(this.sliders)) {
      slider.set(values[name] || slider.first);
    }
    this.changed();
  }

  /* Say aloud what bounds do, or else all numbers, which the table shows as well. */
  addStatus() {
    const className = this.hasBounds ? "mf-widget-verdict" : "visually-hidden sr-only";
    this.status = statusLine("p", { className }, this.box);
    this.status.setAttribute("aria-live", "polite");
  }

  addPicture() {
    if (this.hasBounds) {
      this.addStatus();
    }
    const viewBox = `0 0 640 ${HEIGHT}`;
    const attributes = { viewBox, role: "img", class: "mf-widget-plot" };
    this.svg = drawn("svg", attributes, this.box);
    this.key = element("p", { className: "mf-widget-key" }, this.box);
    if (this.hasBounds) {
      this.svg.addEventListener("pointermove", (event) => {
        if (event.buttons) {
          this.follow(event);
        }
      });
      this.svg.addEventListener("pointerdown", (event) => {
        this.svg.setPointerCapture(event.pointerId);
        this.follow(event);
      });
    }
  }

  addTable() {
    const { unit, note } = this.figure;
    const table = element("table", {}, this.box);
    if (this.hasBounds) {
      const head = element("tr", {}, element("thead", {}, table));
      for (const textContent of ["quantity", unit || "value", "here"]) {
        element("th", { textContent, scope: "col" }, head);
      }
    }
    this.body = element("tbody", {}, table);
    const words = { textContent: note || "", className: "mf-explorer-note" };
    element("p", words, this.box).hidden = !note;
    if (!this.hasBounds) {
      this.addStatus();
    }
  }

  /* Return what is drawn and listed at the values of the sliders. */
  look() {
    const sliders = Object.entries(this.sliders);
    const values = Object.fromEntries(
      sliders.map(([name, { value }]) => [name, value]),
    );
    if (!this.hasBounds) {
      return this.figure.show(values);
    }
    const { stations } = this.sliders[this.figure.axis];
    return pictureOf(this.figure, values, stations);
  }

  /* Show what the lines are. */
  showKey({ curves }) {
    curves.forEach((curve, index) => {
      swatch(this.key, lookOf(curve, index), curve.name);
    });
    if (this.hasBounds) {
      swatch(this.key, "mf-widget-refuted", "a bound where it is refuted (✗)");
    }
  }

  update() {
    const picture = this.look();
    this.valueAt = plot(this.svg, picture);
    this.body.textContent = "";
    for (const row of picture.rows) {
      this.addRow(row);
    }
    const names = picture.curves.map((curve) => curve.name).join(", ");
    const texts = picture.rows.map(({ name, value, whole }) => {
      return `${name} ${shown(value, whole)}`;
    });
    const words = texts.join("; ");
    this.svg.setAttribute("aria-label", `${names}: ${words}`);
    this.say(this.hasBounds ? this.judge(picture.verdict) : words);
  }

  addRow(row) {
    const line = element("tr", {}, this.body);
    element("th", { textContent: row.name, scope: "row" }, line);
    element("td", { textContent: shown(row.value, row.whole) }, line);
    if (this.hasBounds) {
      const className = row.refuted ? "mf-over" : "";
      element("td", { textContent: judgement(row), className }, line);
    }
  }

  /* Colour the verdict, and return its words. */
  judge(refuted) {
    const look = refuted.length ? "mf-false" : "mf-holds";
    this.status.className = `mf-widget-verdict ${look}`;
    if (refuted.length) {
      return `✗ Refuted here: ${refuted.join("; ")}.`;
    }
    return "✓ No bound is refuted here.";
  }

  say(words) {
    if (this.status.textContent !== words) {
      this.status.textContent = words;
    }
  }

  /* After a move the address names the state, and the figure. */
  changed() {
    this.update();
    const query = new URLSearchParams();
    for (const [name, { text, first }] of Object.entries(this.sliders)) {
      if (text !== first) {
        query.set(name, text);
      }
    }
    showInAddress(query, `#${this.box.id}`);
  }

  /* A finger or a mouse on the drawing moves the slider of the horizontal axis. */
  follow(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const value = this.valueAt((event.clientX - left) / width);
    this.sliders[this.figure.axis].goTo(value);
    this.changed();
  }

  /* Take the place of the still picture, or stand beside it, when all went well. */
  show() {
    const picture = this.look();
    takePlaceOfPicture(this.box);
    this.showKey(picture);
    this.update();
    if (window.location.hash === `#${this.box.id}`) {
      this.box.scrollIntoView({ behavior: "instant" });
    }
    let frame = 0;
    window.addEventListener("resize", () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => this.update());
    });
  }
}

/* Show the figures of a name on this page. */
export function showFigures(name, figure) {
  whenReady(() => {
    const boxes = document.querySelectorAll(`.mf-widget[data-widget="${name}"]`);
    for (const box of boxes) {
      new Widget(box, figure).show();
    }
  });
}
