/* The values that a slider goes through. */

import { parsed } from "./number-text.js";

const MOST = 2000;

/* Return the text of a value: rounded, or with few digits. */
function textOf(value, { whole, log }) {
  if (whole) {
    return String(Math.round(value));
  }
  return String(Number(log ? value.toPrecision(3) : value.toFixed(10)));
}

/* Return the stations of a slider: so many values a decade, or steps; `whole` rounds.
 */
export function stationsOf(declared) {
  const [, whole, size, log] = /^(whole )?([\d.]+)( a decade)?$/.exec(declared.step);
  const stations = {
    texts: [],
    low: parsed(declared.min),
    high: parsed(declared.max),
    log: Boolean(log),
    whole: Boolean(whole),
  };
  const step = Number(size);
  const { low, high, texts } = stations;
  for (let at = 0; at < MOST; at += 1) {
    const value = log ? low * Math.pow(10, at / step) : low + step * at;
    if (value > high * (1 + 1e-9) + 1e-12) {
      break;
    }
    const text = textOf(value, stations);
    if (text !== texts[texts.length - 1]) {
      texts.push(text);
    }
  }
  return stations;
}

/* Return the place of the station that is nearest to a value. */
export function nearest({ texts }, value) {
  const distances = texts.map((text) => Math.abs(Number(text) - value));
  return Math.max(distances.indexOf(Math.min(...distances)), 0);
}
