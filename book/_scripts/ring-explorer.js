/* The interactive figure of the ring: drag the budget, see three densities. It takes
   the place of the still picture of the same figure, which stands there without this
   script, and in print. Nothing is loaded: the data stand in the page. */

import { element, statusLine, takePlaceOfPicture, whenReady } from "./lib/dom.js";
import { ringLogs, RADIUS, MODES, SIZE } from "./lib/ring.js";

/* The ends of the colour scale, as logarithms of densities. */
const LOW = Math.log(1e-4);
const HIGH = Math.log(0.2);
const STRIP = 256;
/* From little to much; the lightness goes one way only, so that grey print shows the
   same. */
const RAMPS = {
  light: [
    [255, 255, 255],
    [158, 202, 225],
    [1, 94, 148],
    [8, 29, 54],
  ],
  dark: [
    [18, 18, 18],
    [13, 71, 108],
    [73, 170, 222],
    [240, 249, 255],
  ],
};
const MODE_COLOURS = { light: "#8e3c00", dark: "#ffc879" };
const LAWS = [
  { name: "clip", title: "as printed (clip)" },
  { name: "released", title: "as released" },
  { name: "projection", title: "mollification" },
];
const COLUMNS = ["law", "NLL (nats)", "spent", "of ε", "modes"];
const SCALE = ["≤ 0.0001", "density per unit area, log scale", "≥ 0.2"];
const SCALE_WORDS =
  "Colour scale: density per unit area from 0.0001 or less to 0.2 or more, logarithmic";
const MEASURES =
  "small circles mark the eight modes of the target. NLL: negative log-likelihood." +
  " Spent: 2 sup |log Q/Q₀|, at most ε inside the mollifier.";

function theme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/* Return the colour of a share between 0 and 1 as three numbers. */
function shade(ramp, share) {
  const place = clamp(share, 0, 1) * (ramp.length - 1);
  const first = Math.min(Math.floor(place), ramp.length - 2);
  const part = place - first;
  return ramp[first].map((value, at) => value + part * (ramp[first + 1][at] - value));
}

/* Return the log-ratio of a table of n by n hundredths, row by row from below, between
   its points. */
function between(table, n, row, column) {
  const u = (column / (SIZE - 1)) * (n - 1);
  const v = ((SIZE - 1 - row) / (SIZE - 1)) * (n - 1);
  const i = Math.min(Math.floor(u), n - 2);
  const j = Math.min(Math.floor(v), n - 2);
  const at = j * n + i;
  const mixed = (start) => (1 - (u - i)) * table[start] + (u - i) * table[start + 1];
  return ((1 - (v - j)) * mixed(at) + (v - j) * mixed(at + n)) / 100;
}

/* Put the colours of shares, row by row, on a canvas. */
function fill(canvas, shareAt) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  const picture = context.createImageData(width, height);
  const ramp = RAMPS[theme()];
  for (let place = 0; place < width * height; place += 1) {
    picture.data.set([...shade(ramp, shareAt(place)), 255], 4 * place);
  }
  context.putImageData(picture, 0, 0);
  return context;
}

/* Draw a circle at each mode. */
function markModes(context, side) {
  context.strokeStyle = MODE_COLOURS[theme()];
  context.lineWidth = 0.9;
  for (let mode = 0; mode < MODES; mode += 1) {
    const angle = (2 * Math.PI * mode) / MODES;
    const x = (SIZE - 1) * (0.5 + (RADIUS * Math.cos(angle)) / (2 * side));
    const y = (SIZE - 1) * (0.5 - (RADIUS * Math.sin(angle)) / (2 * side));
    context.beginPath();
    context.arc(x, y, 2.2, 0, 2 * Math.PI);
    context.stroke();
  }
}

class Explorer {
  constructor(box) {
    this.box = box;
    this.data = JSON.parse(box.querySelector(".mf-explorer-data").textContent);
    this.logs = ringLogs(this.data.side);
    box.setAttribute("role", "group");
    const name = "Interactive figure: densities on the ring against the budget";
    box.setAttribute("aria-label", name);
    this.addSlider();
    this.addPanels();
    this.addScale();
    this.addTable();
    const note = `The square is [−${this.data.side}, ${this.data.side}]²; ${MEASURES}`;
    element("p", { textContent: note, className: "mf-explorer-note" }, box);
    this.status = statusLine("p", { className: "visually-hidden sr-only" }, box);
  }

  addSlider() {
    const { budgets } = this.data;
    const bar = element("div", { className: "mf-explorer-bar" }, this.box);
    const id = "ring-explorer-budget";
    element("label", { textContent: "budget ε", htmlFor: id }, bar);
    this.slider = element("input", { type: "range", id }, bar);
    this.slider.min = "0";
    this.slider.max = String(budgets.length - 1);
    this.slider.step = "1";
    this.slider.value = String(Math.max(budgets.indexOf(1), 0));
    this.output = element("output", { htmlFor: id }, bar);
    this.slider.addEventListener("input", () => this.draw());
  }

  addPanels() {
    const panels = element("div", { className: "mf-explorer-panels" }, this.box);
    this.canvases = LAWS.map(({ title }) => {
      const figure = element("figure", {}, panels);
      const canvas = element("canvas", { width: SIZE, height: SIZE }, figure);
      canvas.setAttribute("role", "img");
      element("figcaption", { textContent: title }, figure);
      return canvas;
    });
  }

  addScale() {
    const scale = element("div", { className: "mf-explorer-scale" }, this.box);
    this.strip = element("canvas", { width: STRIP, height: 1 }, scale);
    this.strip.setAttribute("role", "img");
    this.strip.setAttribute("aria-label", SCALE_WORDS);
    const ticks = element("div", {}, scale);
    ticks.setAttribute("aria-hidden", "true");
    for (const textContent of SCALE) {
      element("span", { textContent }, ticks);
    }
  }

  addTable() {
    const table = element("table", {}, this.box);
    const head = element("tr", {}, element("thead", {}, table));
    for (const textContent of COLUMNS) {
      element("th", { textContent, scope: "col" }, head);
    }
    const body = element("tbody", {}, table);
    this.cells = LAWS.map(({ title }) => {
      const row = element("tr", {}, body);
      element("th", { textContent: title, scope: "row" }, row);
      return COLUMNS.slice(1).map(() => element("td", {}, row));
    });
  }

  /* Return the map from places of a picture to the log-ratio of a law. */
  logRatio(law, at) {
    if (law !== "projection") {
      const values = this.data.pictures[law][at];
      return (place) =>
        between(values, this.data.pixels, Math.floor(place / SIZE), place % SIZE);
    }
    const { target, reference } = this.logs;
    const half = this.data.budgets[at] / 2;
    const constant = this.data.logConstant[at];
    return (place) => clamp(target[place] - reference[place] - constant, -half, half);
  }

  paint(canvas, at, law) {
    const ratio = this.logRatio(law, at);
    const { reference } = this.logs;
    const context = fill(canvas, (place) => {
      return (reference[place] + ratio(place) - LOW) / (HIGH - LOW);
    });
    markModes(context, this.data.side);
  }

  /* Draw one law and fill its row; return what is said of it aloud. */
  drawLaw({ name, title }, index, at) {
    const eps = this.data.budgets[at];
    const { nll, spent, modes } = this.data.measures[name][at];
    const canvas = this.canvases[index];
    const cells = this.cells[index];
    this.paint(canvas, at, name);
    const words = `Density, ${title}, at epsilon ${eps}: ${modes} of 8 modes shown`;
    canvas.setAttribute("aria-label", words);
    const share = `${(spent / eps).toFixed(2)}×`;
    const texts = [nll.toFixed(3), spent.toFixed(2), share, `${modes} of 8`];
    texts.forEach((text, column) => {
      cells[column].textContent = text;
    });
    const isOver = spent > eps * (1 + 1e-6);
    cells[2].className = isOver ? "mf-over" : "";
    const said = `${title}: loss ${nll.toFixed(2)}, spends ${spent.toFixed(2)}`;
    return isOver ? `${said}, more than allowed` : said;
  }

  draw() {
    const at = Number(this.slider.value);
    const eps = this.data.budgets[at];
    this.output.textContent = `ε = ${eps}`;
    this.slider.setAttribute("aria-valuetext", `epsilon ${eps}`);
    const spoken = LAWS.map((law, index) => this.drawLaw(law, index, at));
    this.status.textContent = `Epsilon ${eps}. ${spoken.join("; ")}.`;
  }

  drawAll() {
    fill(this.strip, (place) => place / (STRIP - 1));
    this.draw();
  }

  show() {
    this.drawAll();
    const observer = new MutationObserver(() => this.drawAll());
    const watched = { attributes: true, attributeFilter: ["data-theme"] };
    observer.observe(document.documentElement, watched);
    takePlaceOfPicture(this.box);
  }
}

whenReady(() => {
  const box = document.getElementById("ring-explorer");
  if (box) {
    new Explorer(box).show();
  }
});
