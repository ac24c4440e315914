/* The formulas of the figure on splits of a budget: the projection onto a box around
   Q0, its gain and its regret. */

const CELLS = 160;
const WIDTH = 8 / CELLS;
const HALVINGS = 200;
/* Between which logarithms the scale of a projection is looked for. */
const REACH = 40;

function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}

function normal(values) {
  const total = sum(values);
  return values.map((value) => value / total);
}

/* Return the density of a normal law at u, up to a factor; `width` is twice its
   variance. */
function bump(u, mean, width) {
  return Math.exp(-Math.pow(u - mean, 2) / width);
}

const x = Array.from({ length: CELLS }, (_, at) => -4 + ((at + 0.5) * 8) / CELLS);
const p = normal(
  x.map((u) => (0.6 * bump(u, -1.2, 0.18)) / 0.3 + (0.4 * bump(u, 1.6, 0.5)) / 0.5),
);
const q0 = normal(x.map((u) => Math.exp((-u * u) / 2)));

/* Return p scaled and clipped into [low q0, high q0]. */
function clipped(scale, low, high) {
  return p.map((value, at) => {
    return Math.min(Math.max(scale * value, low * q0[at]), high * q0[at]);
  });
}

/* Return p scaled and clipped into [low q0, high q0] with total one; the scale is found
   by halving its logarithm. */
function project(low, high) {
  let from = -REACH;
  let to = REACH;
  let law = p;
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (from + to) / 2;
    law = clipped(Math.exp(middle), low, high);
    if (sum(law) > 1) {
      to = middle;
    } else {
      from = middle;
    }
  }
  return law;
}

function divergence(q) {
  return p.reduce((all, value, at) => all + value * Math.log(value / q[at]), 0);
}

/* Return the numbers of one split: u is the share of the budget eps that goes up. */
function numbers({ eps, u }) {
  const R = Math.exp(eps);
  const b = Math.min(Math.exp(eps * (u - 1)), 1);
  const q = project(b, R * b);
  const left = divergence(q);
  return {
    q,
    b,
    most: eps * u,
    gain: divergence(q0) - left,
    here: left - divergence(project(1 / R, R)),
    regret: Math.max(Math.log(1 / b), Math.log(R / (R + 1 - R * b))),
  };
}

function show(values) {
  const { q, b, most, gain, here, regret } = numbers(values);
  const scaled = (law) => law.map((value) => value / WIDTH);
  const least = Math.log(2 / (1 + Math.exp(-values.eps)));
  return {
    x,
    xLabel: "x",
    yLabel: "density",
    curves: [
      { name: "target P", y: scaled(p) },
      { name: "public law Q₀", y: scaled(q0) },
      { name: "projection", y: scaled(q) },
    ],
    rows: [
      { name: "b", value: b },
      { name: "limit of the gain (nats)", value: most },
      { name: "gain on this target", value: gain },
      { name: "regret on this target", value: here },
      { name: "worst regret of this split", value: regret },
      { name: "least worst regret of any sampler", value: least },
    ],
  };
}

export const figure = { numbers, show };
