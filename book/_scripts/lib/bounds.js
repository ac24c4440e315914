/* Lines over one slider, of which some are bounds on others. */

import { isNothing, shown } from "./number-text.js";

const POINTS = 121;

/* Tell whether a line is a bound on another one. */
export function isBound(line) {
  return Boolean(line.below || line.above);
}

/* Say whether a bound fails by more than rounding: it lies above what it should lie
   below, or the other way. */
function isRefuted(line, numbers) {
  const other = numbers[line.below || line.above];
  const value = numbers[line.key];
  if (isNothing(value) || isNothing(other)) {
    return false;
  }
  const rounding = 1e-10 * Math.max(Math.abs(other), Math.abs(value)) + 1e-14;
  return line.below ? value > other + rounding : value < other - rounding;
}

/* Return the values of the axis at which lines are computed. */
function placesOf(figure, { texts, low, high, log, whole }) {
  if (figure.dots) {
    return texts.map(Number);
  }
  const length = figure.points || POINTS;
  const values = Array.from({ length }, (_, at) => {
    const share = at / (length - 1);
    const value = log ? low * Math.pow(high / low, share) : low + share * (high - low);
    return whole ? Math.round(value) : value;
  });
  return whole ? values.filter((value, at) => !at || value > values[at - 1]) : values;
}

/* Return the curve of a line; bounds are counted, and have a colour of their own. */
function curveOf(line, all, now, bound) {
  const curve = {
    name: line.name,
    look: line.look || "mf-widget-truth",
    y: all.map((numbers) => numbers[line.key]),
    now: now[line.key],
  };
  if (isBound(line)) {
    curve.look = `mf-widget-bound-${bound}`;
    curve.fails = all.map((numbers) => isRefuted(line, numbers));
    if (now[line.key] !== null) {
      curve.failing = isRefuted(line, now);
    }
  }
  return curve;
}

function curvesOf(figure, all, now) {
  const visible = figure.lines.filter((line) => !line.hidden);
  const bounds = visible.filter(isBound);
  return visible.map((line) => curveOf(line, all, now, bounds.indexOf(line) + 1));
}

/* Return the rows of the table: lines, with whether they are refuted, and further ones.
 */
function rowsOf(figure, now) {
  const rows = figure.lines.concat(figure.rows || []);
  return rows.map((line) => ({
    name: line.name,
    value: now[line.key],
    whole: line.whole,
    refuted: isBound(line) ? isRefuted(line, now) : undefined,
  }));
}

/* Say of a bound that is refuted by what. */
function sentence(figure, line, now) {
  const other = figure.lines.find((one) => one.key === (line.below || line.above));
  const value = shown(now[line.key], line.whole);
  const side = line.below ? "above" : "below";
  const limit = shown(now[other.key], other.whole);
  return `${line.name} is ${value}, ${side} ${other.name}, ${limit}`;
}

/* Return what is drawn and listed of a figure that gives numbers and lines. */
export function pictureOf(figure, values, stations) {
  const now = figure.numbers(values);
  const x = placesOf(figure, stations);
  const all = x.map((value) => figure.numbers({ ...values, [figure.axis]: value }));
  const refuted = figure.lines.filter((line) => isBound(line) && isRefuted(line, now));
  return {
    x,
    at: values[figure.axis],
    logX: stations.log,
    logY: figure.logY,
    range: figure.range,
    dots: figure.dots,
    xLabel: figure.xLabel,
    yLabel: figure.yLabel,
    curves: curvesOf(figure, all, now),
    rows: rowsOf(figure, now),
    verdict: refuted.map((line) => sentence(figure, line, now)),
  };
}
