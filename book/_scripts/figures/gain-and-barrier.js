/* The gain of T rounds of MBDE in the product example: each round classifies a
   coordinate of its own, with values +-log 2 and edges eP over P and eQ over Q; the
   bounds know edges that lie `less` below these. */

const FOUR = 4 * Math.LN2;

/* Return a sum over the rounds, each with the size u of its step. */
function overRounds({ T }, ratio, termOf) {
  let sum = 0;
  for (let t = 1; t <= T; t += 1) {
    sum += termOf(Math.pow(ratio, t) * Math.LN2);
  }
  return sum;
}

function numbers(values) {
  const { eps, T, eP, eQ, less } = values;
  const ratio = eps / (eps + FOUR);
  const spent = 1 - Math.pow(ratio, T);
  const gammaP = eP - less;
  const gammaQ = eQ - less;
  const learns = gammaP > 0 && gammaQ > 0;
  const isHigh = learns && gammaQ >= 1 / 3;
  const gain = overRounds(values, ratio, (u) => {
    return (
      u * eP - Math.log(((1 - eQ) / 2) * Math.exp(u) + ((1 + eQ) / 2) * Math.exp(-u))
    );
  });
  const best = overRounds(values, ratio, (u) => {
    return u * gammaP - (-u + Math.log1p(((1 - gammaQ) / 2) * Math.expm1(2 * u)));
  });
  return {
    gain,
    barrier: eps / 2,
    sharp: (eps / 2) * spent,
    best: learns ? best : null,
    printed: isHigh ? ((eps / 2) * spent * (gammaP + gammaQ)) / 2 : null,
    gammaP,
    gammaQ,
  };
}

export const figure = {
  title: "The gain of T rounds, its barrier, and what is promised",
  axis: "T",
  dots: true,
  xLabel: "rounds T",
  yLabel: "gain over Q₀ (nats)",
  unit: "nats",
  lines: [
    { key: "gain", name: "the gain" },
    { key: "printed", name: "the lower bound as printed (Theorem 7)", below: "gain" },
    { key: "best", name: "the corrected lower bound", below: "gain" },
    { key: "sharp", name: "the barrier of T rounds, ε/2 (1 − θ_T)", above: "gain" },
    { key: "barrier", name: "the barrier ε/2", above: "gain" },
  ],
  rows: [
    { key: "gammaP", name: "γ over P (no unit)" },
    {
      key: "gammaQ",
      name: "γ over Q (no unit; the printed bound asks for 1/3 or more)",
    },
  ],
  examples: [
    {
      label: "Load the counterexample",
      values: { eps: "4 log 2", eP: "4/5", eQ: "1/2", less: "1/100", T: "1" },
    },
  ],
  note:
    "Each round has a coordinate of its own, so that its edges are the same in every" +
    " round. The bounds get edges γ that lie below the exact ones by the last slider.",
  numbers,
};
