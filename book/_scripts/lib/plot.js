/* Curves over one axis; classes give colours, so that a change of theme needs no
   drawing. */

import { drawn } from "./dom.js";
import { isNothing, power, withMinus } from "./number-text.js";

export const HEIGHT = 300;
const TOP = 12;
const FOOT = HEIGHT - 46;
/* Room to the right of the axis, and to its left with and without a label. */
const MARGIN = 14;
const LABELLED = 58;
const BARE = 34;
const NARROW = 480;

/* Return how many there are at most, on an axis of logarithms. */
function decades(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const by = Math.ceil((last - first + 1) / most);
  const ticks = [];
  for (let at = first; at <= last; at += by) {
    const value = Math.pow(10, at);
    const plain = at > -3 && at < 4;
    ticks.push([value, plain ? String(Number(value.toFixed(2))) : power(at)]);
  }
  return ticks;
}

/* Return the places of ticks on an axis, at most `most` of them, and their texts. */
function ticksOf(low, high, log, most) {
  if (log) {
    return decades(low, high, most);
  }
  const size = (high - low) / most;
  const ten = Math.pow(10, Math.floor(Math.log10(size)));
  const step = ten * [1, 2, 5, 10].find((factor) => factor * ten >= size * (1 - 1e-9));
  const ticks = [];
  for (
    let at = Math.ceil(low / step - 1e-9);
    at * step <= high + 1e-9 * step;
    at += 1
  ) {
    ticks.push([at * step, withMinus(String(Number((at * step).toFixed(10))))]);
  }
  return ticks;
}

/* Return the map from values to places. */
function scale([low, high], log, from, to) {
  const map = log ? Math.log : (value) => value;
  const start = map(low);
  const share = (value) => (map(value) - start) / (map(high) - start);
  return (value) => from + share(value) * (to - from);
}

/* Tell whether a value can be drawn. */
function fits(value, logY) {
  return !isNothing(value) && isFinite(value) && (!logY || value > 0);
}

/* Return the least and the greatest value to be drawn. */
function reach({ curves, logY, range }) {
  if (range) {
    return range;
  }
  const all = curves.flatMap((curve) => curve.y).filter((value) => fits(value, logY));
  const top = Math.max(...all);
  const low = Math.min(...all);
  if (logY) {
    return [low / 1.5, top * 1.5];
  }
  return [Math.min(0, 1.08 * low), Math.max(1.08 * top, 1e-9)];
}

/* Return where a drawing lies in its element, and the maps of both axes. */
function frameOf(svg, picture) {
  const asked = Math.round(svg.getBoundingClientRect().width) || 640;
  const wide = Math.max(300, Math.min(720, asked));
  const left = picture.yLabel ? LABELLED : BARE;
  const right = wide - MARGIN;
  const ends = [picture.x[0], picture.x[picture.x.length - 1]];
  const limits = reach(picture);
  return {
    wide,
    left,
    right,
    ends,
    limits,
    placeX: scale(ends, picture.logX, left, right),
    placeY: scale(limits, picture.logY, FOOT, TOP),
  };
}

function axisOfX(svg, picture, { wide, ends, placeX }) {
  const middle = { "text-anchor": "middle" };
  for (const [value, text] of ticksOf(...ends, picture.logX, wide < NARROW ? 5 : 9)) {
    const x = placeX(value);
    drawn("text", { x, y: FOOT + 18, ...middle }, svg, text);
    const tick = { x1: x, x2: x, y1: FOOT, y2: FOOT + 4, class: "mf-widget-axis" };
    drawn("line", tick, svg);
  }
}

function axisOfY(svg, picture, { left, right, limits, placeY }) {
  if (!picture.yLabel) {
    return;
  }
  for (const [value, text] of ticksOf(...limits, picture.logY, 5)) {
    const y = placeY(value);
    drawn("text", { x: left - 6, y: y + 5, "text-anchor": "end" }, svg, text);
    const line = { x1: left, x2: right, y1: y, y2: y, class: "mf-widget-grid" };
    drawn("line", line, svg);
  }
  const y = (TOP + FOOT) / 2;
  const turned = { "text-anchor": "middle", transform: `rotate(-90 14 ${y})` };
  drawn("text", { x: 14, y, ...turned }, svg, picture.yLabel);
}

function labelOfX(svg, { xLabel }, { left, right }) {
  if (xLabel) {
    const x = (left + right) / 2;
    drawn("text", { x, y: HEIGHT - 8, "text-anchor": "middle" }, svg, xLabel);
  }
}

/* Return the runs of a curve, each all refuted or all not; two neighbours share a
   point. */
function runsOf(curve, picture, { placeX, placeY }) {
  const runs = [];
  let run = null;
  curve.y.forEach((value, at) => {
    if (!fits(value, picture.logY)) {
      run = null;
      return;
    }
    const point = `${placeX(picture.x[at]).toFixed(1)},${placeY(value).toFixed(1)}`;
    const fails = Boolean(curve.fails && curve.fails[at]);
    if (!run || run.fails !== fails) {
      run?.points.push(point);
      run = { fails, points: [] };
      runs.push(run);
    }
    run.points.push(point);
  });
  return runs.filter(({ points }) => points.length > 1);
}

/* Return the class of a curve. */
export function lookOf(curve, index) {
  return curve.look || `mf-widget-curve-${index}`;
}

function drawCurve(curve, index, picture, frame, inside) {
  for (const { fails, points } of runsOf(curve, picture, frame)) {
    const look = fails ? "mf-widget-refuted" : lookOf(curve, index);
    const line = { points: points.join(" "), class: `mf-widget-curve ${look}` };
    drawn("polyline", line, inside);
  }
}

function drawDots(curve, picture, { placeX, placeY }, inside) {
  curve.y.forEach((value, at) => {
    if (fits(value, picture.logY)) {
      const fails = curve.fails && curve.fails[at];
      const look = fails ? "mf-widget-refuted-dot" : curve.look || "";
      const place = { cx: placeX(picture.x[at]), cy: placeY(value) };
      drawn("circle", { ...place, r: 3.5, class: look }, inside);
    }
  });
}

/* Draw the sign of a curve where the slider is: a dot, or whether a bound holds. */
function drawSign(curve, picture, { placeX, placeY }, inside) {
  if (!fits(curve.now, picture.logY)) {
    return;
  }
  const x = placeX(picture.at);
  const y = placeY(curve.now);
  if (curve.failing === undefined) {
    drawn("circle", { cx: x, cy: y, r: 5, class: "mf-widget-dot" }, inside);
    return;
  }
  const look = curve.failing ? "mf-widget-sign mf-widget-no" : "mf-widget-sign";
  const place = { x, y: y + 6, "text-anchor": "middle", class: look };
  drawn("text", place, inside, curve.failing ? "✗" : "✓");
}

/* Signs come last, and those of refuted bounds above all others. */
function drawSigns(picture, frame, inside) {
  if (picture.at === undefined) {
    return;
  }
  const failing = picture.curves.filter((curve) => curve.failing);
  const others = picture.curves.filter((curve) => !curve.failing);
  for (const curve of [...others, ...failing]) {
    drawSign(curve, picture, frame, inside);
  }
}

/* Return the part of a drawing in which curves lie, and beyond which they are cut. */
function insideOf(svg, { wide }) {
  const y = TOP - 4;
  const height = FOOT - TOP + 8;
  const viewBox = `0 ${y} ${wide} ${height}`;
  return drawn("svg", { x: 0, y, width: wide, height, viewBox }, svg);
}

/* Return the map from shares of the width of a drawing to values of its axis. */
function inverse({ logX }, { wide, left, right, ends: [low, high] }) {
  return (pixel) => {
    const share = (pixel * wide - left) / (right - left);
    return logX ? low * Math.pow(high / low, share) : low + share * (high - low);
  };
}

/* Draw curves, and return the map from shares of the width to values of the axis. */
export function plot(svg, picture) {
  const frame = frameOf(svg, picture);
  const { wide, left, right, placeX, placeY } = frame;
  svg.setAttribute("viewBox", `0 0 ${wide} ${HEIGHT}`);
  svg.textContent = "";
  axisOfX(svg, picture, frame);
  axisOfY(svg, picture, frame);
  labelOfX(svg, picture, frame);
  const ground = placeY(picture.logY ? frame.limits[0] : 0);
  const axis = { x1: left, x2: right, y1: ground, y2: ground, class: "mf-widget-axis" };
  drawn("line", axis, svg);
  const inside = insideOf(svg, frame);
  if (picture.at !== undefined) {
    const x = placeX(picture.at);
    drawn("line", { x1: x, x2: x, y1: TOP, y2: FOOT, class: "mf-widget-now" }, inside);
  }
  picture.curves.forEach((curve, index) => {
    if (picture.dots) {
      drawDots(curve, picture, frame, inside);
    }
    drawCurve(curve, index, picture, frame, inside);
  });
  drawSigns(picture, frame, inside);
  return inverse(picture, frame);
}
