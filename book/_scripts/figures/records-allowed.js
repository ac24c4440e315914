/* How many records the bootstrapping mechanism may release: Theorem 2, its sharper
   forms, and the exact number, found by halving with the exact delta. */

import { walkTail } from "../lib/walk.js";

const SMALLEST = 5e-324;
const MOST_RECORDS = 1e15;
const MOST_KEPT = 20000;
/* By how much a number is rounded down, and by how much a delta may be too small. */
const DOWN = 1 - 1e-12;
const UP = 1 + 1e-11;

const kept = new Map();

/* Return the exact delta of m records, at least the smallest positive number. */
function delta(eps, N, k, m) {
  const lam = Math.log1p(1 / k);
  const start = Math.ceil(eps / lam);
  if (start > m) {
    return 0;
  }
  const walk = {
    up: (k + 1) / N,
    down: k / N,
    stay: (N - 2 * k - 1) / N,
    drift: 1 / N,
    m,
  };
  const gap = Math.min(Math.max(eps - lam * start, -lam), 0);
  return Math.max(walkTail(walk, start, gap, lam), SMALLEST);
}

/* Return the largest number that fits, from one that does. */
function largestFrom(start, fits) {
  let low = start;
  let high = Math.max(2 * low, 2);
  while (fits(high) && high < MOST_RECORDS) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Return the largest number of records whose exact delta is at most a target. */
function largest(eps, target, N, k) {
  const name = [eps, target, N, k].join();
  if (!kept.has(name)) {
    const start = Math.floor((eps / Math.log1p(1 / k)) * DOWN);
    const most = largestFrom(start, (m) => delta(eps, N, k, m) * UP <= target);
    if (kept.size > MOST_KEPT) {
      kept.clear();
    }
    kept.set(name, most);
  }
  return kept.get(name);
}

/* Return the number of records of Theorem 2, for a constant under its roots. */
function rule(least, steps, N) {
  const root = Math.sqrt(least) + Math.sqrt(least + steps / N);
  return Math.floor(Math.pow(steps / root, 2) * DOWN);
}

function numbers(values) {
  const { eps, k } = values;
  const N = values.n + k * values.size;
  const steps = eps / Math.log1p(1 / k);
  const log = -Math.log(values.delta);
  const least = 2 * (log + Math.LN2);
  const printed = rule(least, steps, N);
  const gap = eps / (Math.sqrt(log + eps) + Math.sqrt(log));
  const closed = Math.exp(-1 / 12) * gap * gap * N * Math.sqrt(k * (k + 1));
  return {
    exact: largest(eps, values.delta, N, k),
    printed: printed > least ? printed : 0,
    sharper: rule(log / 2, steps, N),
    closed: Math.floor(closed * DOWN),
    least: Math.ceil(Math.sqrt(log + eps) / gap),
  };
}

export const figure = {
  title: "How many records may be released",
  axis: "k",
  points: 33,
  logY: true,
  xLabel: "pseudocount k (records)",
  yLabel: "records m",
  unit: "records",
  lines: [
    { key: "exact", name: "the exact number", whole: true },
    { key: "printed", name: "Theorem 2 as printed", below: "exact", whole: true },
    { key: "sharper", name: "Theorem 2 sharpened", below: "exact", whole: true },
    {
      key: "closed",
      name: "Theorem 2* in closed form without its condition on k",
      below: "exact",
      whole: true,
    },
  ],
  rows: [{ key: "least", name: "least k that this condition asks for", whole: true }],
  examples: [
    {
      label: "Load the counterexample",
      values: { n: "10000", size: "3", eps: "0.1", delta: "0.000001", k: "1" },
    },
  ],
  note:
    "At least three symbols; neighbours replace one record. The first three numbers" +
    " are right everywhere. The closed form needs its condition on k.",
  numbers,
};
