/* A run of MBDE with one classifier on three points: the region B is the first, where
   the classifier has the score s; on the second it has 1, on the third -1, in units of
   log 2. P = (m, (1 - m) a, (1 - m)(1 - a)), Q0 = (q, (1 - q)(1 - d), (1 - q) d). */

const FOUR = 4 * Math.LN2;

/* Return the law on three points, of which the first has a mass, the second a share. */
function law(mass, share) {
  return [mass, (1 - mass) * share, (1 - mass) * (1 - share)];
}

function dot(one, other) {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

/* Return the density proportional to Q e^(length s), and the logarithm of its constant.
 */
function tilt(Q, s, length) {
  const weights = Q.map((mass, at) => mass * Math.exp(length * s[at]));
  const total = weights[0] + weights[1] + weights[2];
  return { law: weights.map((weight) => weight / total), log: Math.log(total) };
}

/* Return by how much the sharper bound is above the promise after all rounds. */
function sharpening({ T, m }, step, { P: gammaP, Q: gammaQ }) {
  let sum = 0;
  for (let t = 1; t <= T; t += 1) {
    const u = Math.pow(step, t) * Math.LN2;
    const moment = -u + Math.log1p(((1 - gammaQ) / 2) * Math.expm1(2 * u));
    sum += u * (m - 1 + gammaP) - m * moment;
  }
  return sum;
}

/* Return the mass of B that the condition (13) asks for, as printed and corrected. */
function conditions({ eps, T }, { P: gammaP, Q: gammaQ }) {
  return {
    printed: (eps + 2 * (2 - gammaP - gammaQ) * T) / (eps + 2 * T),
    asked: (1 - gammaP) / (1 + Math.log(4 / (5 - 3 * gammaQ)) / Math.LN2),
  };
}

function numbers(values) {
  const { eps, T, m, q } = values;
  const step = eps / (eps + FOUR);
  const length = (rounds) => (eps / 4) * (1 - Math.pow(step, rounds));
  const s = [values.s, 1, -1];
  const start = law(q, 1 - values.d);
  const last = tilt(start, s, length(T));
  const edgeP = dot(law(m, values.a), s);
  const edgeQ = -dot(tilt(start, s, length(T - 1)).law, s);
  const gamma = { P: values.share * edgeP, Q: values.share * edgeQ };
  const learns = gamma.P > 0 && gamma.Q > 0;
  const isHigh = learns && gamma.Q >= 1 / 3;
  const promise = m - m * Math.log(m / q);
  const { printed, asked } = conditions(values, gamma);
  const where = (condition, value) => (condition ? value : null);
  return {
    output: last.law[0],
    start: q,
    sharper: where(learns, promise + sharpening(values, step, gamma)),
    dropped: where(learns, promise),
    theorem: where(isHigh && m >= printed, promise),
    corrected: where(isHigh && m >= asked, promise),
    share: (2 * (length(T) * edgeP - last.log)) / eps,
    step: where(isHigh, ((gamma.P + gamma.Q) / 2) * (1 - Math.pow(step, T))),
    printed: where(isHigh, printed),
    asked: where(isHigh, asked),
    gammaP: gamma.P,
    gammaQ: gamma.Q,
  };
}

export const figure = {
  title:
    "A region B of one point: the mass that the output has there, and what is promised",
  axis: "m",
  range: [-0.3, 1.02],
  xLabel: "P(B), mass of the target",
  yLabel: "mass (a share of 1)",
  unit: "value",
  lines: [
    { key: "output", name: "the output's mass Q_T(B)" },
    { key: "start", name: "the start's mass Q₀(B)", look: "mf-widget-plain" },
    {
      key: "dropped",
      name: "Theorem 8 without its condition on the mass",
      below: "output",
    },
    { key: "theorem", name: "Theorem 8 as printed, α = 0", below: "output" },
    {
      key: "corrected",
      name: "Theorem 8 under the corrected condition",
      below: "output",
      hidden: true,
    },
    { key: "sharper", name: "the sharper bound (*)", below: "output" },
    { key: "share", name: "the gain as a share of ε/2", hidden: true },
    {
      key: "step",
      name: "step (90) of the printed proof",
      below: "share",
      hidden: true,
    },
  ],
  rows: [
    { key: "printed", name: "P(B) that its condition (13) asks for" },
    { key: "asked", name: "P(B) that the corrected condition asks for" },
    { key: "gammaP", name: "γ over P" },
    { key: "gammaQ", name: "γ over Q (Theorem 8 asks for 1/3 or more)" },
  ],
  examples: [
    {
      label: "Load the counterexample (no condition)",
      values: {
        m: "9/20",
        q: "9/20",
        a: "1",
        d: "549/550",
        s: "-1",
        eps: "4 log 2",
        T: "1",
        share: "1",
      },
    },
    {
      label: "Load the one of step (90)",
      values: {
        m: "3/4",
        q: "1/4",
        a: "0",
        d: "1",
        s: "1",
        eps: "4 log 2",
        T: "1",
        share: "9/10",
      },
    },
  ],
  note:
    "Three points; B is point 1, and the classifier takes its full size on points 2" +
    " (it says P) and 3 (it says Q). Theorem 8 speaks only where its condition (13)" +
    " holds.",
  numbers,
};
