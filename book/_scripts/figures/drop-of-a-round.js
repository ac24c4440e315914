/* One round of MBDE on two points: P = (p, 1 - p), Q = (q, 1 - q), classifier (c*,
   -c*), c* = size log 2, step theta. The bounds know theta, c* and edges that lie
   `less` below the exact ones. */

/* Return log E_Q[e^(theta c)] for a law with a mass at -c*, where u is theta c*. */
function logMoment(u, first) {
  return -u + Math.log1p(first * Math.expm1(2 * u));
}

/* Return the bound as printed, in the high and in the low regime. */
function printedBound(theta, star, gammaP, gammaQ) {
  if (gammaQ >= 1 / 3) {
    return theta * (star * gammaP + Math.log(4 / (5 - 3 * gammaQ)));
  }
  return theta * (gammaP + gammaQ - (theta * star) / 2);
}

function numbers({ p, q, size, theta, less }) {
  const star = size * Math.LN2;
  const u = theta * star;
  const edgeP = 2 * p - 1;
  const edgeQ = 1 - 2 * q;
  const gammaP = edgeP - less;
  const gammaQ = edgeQ - less;
  const learns = gammaP > 0 && gammaQ > 0;
  return {
    drop: u * edgeP - logMoment(u, q),
    printed: learns ? printedBound(theta, star, gammaP, gammaQ) : null,
    hoeffding: learns ? u * (gammaP + gammaQ) - (u * u) / 2 : null,
    best: learns ? u * gammaP - logMoment(u, (1 - gammaQ) / 2) : null,
    divergence: p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q)),
    gammaP,
    gammaQ,
  };
}

export const figure = {
  title:
    "One round on two points: how far the divergence drops, and what three bounds" +
    " promise",
  axis: "size",
  xLabel: "size of the classifier, c*/log 2",
  yLabel: "nats",
  unit: "nats",
  lines: [
    { key: "drop", name: "the true drop" },
    { key: "printed", name: "the bound as printed (Theorem 6)", below: "drop" },
    { key: "hoeffding", name: "bound (43)", below: "drop" },
    { key: "best", name: "the best bound", below: "drop" },
  ],
  rows: [
    { key: "divergence", name: "KL(P, Q), all that there is to lose" },
    { key: "gammaP", name: "γ over P (no unit)" },
    { key: "gammaQ", name: "γ over Q (no unit; low regime below 1/3)" },
  ],
  examples: [
    {
      label: "Load the counterexample (low regime)",
      values: { p: "2/3", q: "1/3", size: "1", theta: "1/2", less: "1/30" },
    },
    {
      label: "Load the one of the high regime",
      values: {
        p: "4/5",
        q: "1/5",
        size: "0.13750352374993502",
        theta: "1/2",
        less: "1/10",
      },
    },
  ],
  note:
    "The bounds get edges γ that lie below the exact ones by the last slider, as a" +
    " learner may promise less than it keeps. Where a γ is not positive they say" +
    " nothing.",
  numbers,
};
