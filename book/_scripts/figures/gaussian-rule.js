/* The lecture's rule for Gaussian noise, sigma = sqrt(2 log(1.25/delta)) Delta/eps,
   against the exact delta at that noise. */

/* The largest eps at which the rule is known to be right for every delta. */
const PROVED = 3.786;
const HALVINGS = 90;

/* Return Mills' ratio (1 - Phi(x))/phi(x), x > -9: its continued fraction, or the
   series of Phi - 1/2 over phi. */
function mills(x) {
  if (x >= 2) {
    let fraction = x;
    for (let at = 160; at > 0; at -= 1) {
      fraction = x + at / fraction;
    }
    return 1 / fraction;
  }
  let sum = 0;
  let term = x;
  for (let at = 1; sum + term !== sum; at += 1) {
    sum += term;
    term *= (x * x) / (2 * at + 1);
  }
  return Math.sqrt(Math.PI / 2) * Math.exp((x * x) / 2) - sum;
}

function density(x) {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/* Return the least delta at eps for a shift of mu standard deviations: e^eps phi(x +
   mu) = phi(x) at x = eps/mu - mu/2. */
function exact(eps, mu) {
  const x = eps / mu - mu / 2;
  const second = x + mu > -9 ? mills(x + mu) : 0;
  if (x > -5) {
    return density(x) * (mills(x) - second);
  }
  return 1 - density(x) * (mills(-x) + second);
}

/* Return where a growing function of a positive number passes a level, by halving. */
function passing(grows, level, low, high) {
  let [from, to] = [low, high];
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = Math.sqrt(from * to);
    if (grows(middle) > level) {
      to = middle;
    } else {
      from = middle;
    }
  }
  return from;
}

function numbers({ eps, delta }) {
  const c = Math.sqrt(2 * Math.log(1.25 / delta));
  return {
    exact: exact(eps, eps / c),
    promise: delta,
    corrected: eps <= PROVED ? delta : null,
    sigma: c / eps,
    smallest: 1 / passing((mu) => exact(eps, mu), delta, 1e-3, 1e3),
    last: passing((other) => exact(other, other / c), delta, 1, 1e3),
  };
}

export const figure = {
  title: "The lecture's rule for Gaussian noise: what it promises, and the exact δ",
  axis: "eps",
  logY: true,
  xLabel: "ε (nats)",
  yLabel: "δ",
  unit: "value",
  lines: [
    { key: "exact", name: "the exact δ at the rule's σ" },
    { key: "promise", name: "the δ that the rule promises", above: "exact" },
    {
      key: "corrected",
      name: "the same promise for ε up to 3.786 only",
      above: "exact",
      hidden: true,
    },
  ],
  rows: [
    { key: "sigma", name: "the rule's σ, in units of the sensitivity" },
    { key: "smallest", name: "the smallest σ that is enough, same unit" },
    { key: "last", name: "largest ε at which the rule keeps this δ (nats)" },
  ],
  examples: [
    { label: "Load the counterexample", values: { eps: "20", delta: "1/100" } },
  ],
  numbers,
};
