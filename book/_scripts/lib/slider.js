/* A slider of an interactive figure, with its label and its value as text. */

import { element } from "./dom.js";
import { parsed, shown, withMinus } from "./number-text.js";
import { nearest, stationsOf } from "./stations.js";

const ROUNDING = 1e-12;
const SMALL = 1e-3;

/* Return how a value of a slider is shown; one that was typed stays as it is. */
function words(text, value, whole) {
  if (/log|\//.test(text)) {
    return text;
  }
  if (whole) {
    return value.toLocaleString("en");
  }
  if (value !== 0 && Math.abs(value) < SMALL) {
    return shown(value)
      .replace(/\.?0+ ·/, " ·")
      .replace(/^1 · /, "");
  }
  return withMinus(String(Number(value.toPrecision(5))));
}

export class Slider {
  /* Add a slider to a box, as an element of the page declares it. */
  constructor(box, declared, moved) {
    this.name = declared.slider;
    this.label = declared.label;
    this.stations = stationsOf(declared);
    const bar = element("div", { className: "mf-explorer-bar" }, box);
    const label = element("label", { textContent: this.label }, bar);
    const properties = { type: "range", id: `${box.id}-${this.name}` };
    this.input = element("input", properties, bar);
    this.output = element("output", {}, bar);
    this.input.min = 0;
    this.input.max = this.stations.texts.length - 1;
    this.input.step = 1;
    label.htmlFor = this.input.id;
    this.output.htmlFor = this.input.id;
    this.set(declared.value);
    this.first = this.text;
    this.input.addEventListener("input", () => {
      this.set(this.stations.texts[Number(this.input.value)]);
      moved();
    });
  }

  /* Take a value where it is one of the range. */
  set(text) {
    const { low, high, whole } = this.stations;
    const value = parsed(text);
    if (!(value >= low - ROUNDING && value <= high + ROUNDING)) {
      return;
    }
    this.value = whole ? Math.round(value) : value;
    this.text = whole ? String(this.value) : text;
    this.input.value = nearest(this.stations, this.value);
    this.output.textContent = words(this.text, this.value, whole);
    const spoken = `${this.label} ${this.output.textContent}`;
    this.input.setAttribute("aria-valuetext", spoken);
  }

  /* Go to the station that is nearest to a value. */
  goTo(value) {
    this.set(this.stations.texts[nearest(this.stations, value)]);
  }
}
