/* The gain of T rounds of MBDE in the product example: each round classifies a coordinate of its own, with values +-log 2 and
   edges eP over P and eQ over Q; the bounds know edges that lie `less` below these. */
"use strict";

(function (root) {
  var FOUR = 4 * Math.LN2;

  function numbers(given) {
    var ratio = given.eps / (given.eps + FOUR), spent = 1 - Math.pow(ratio, given.T), gain = 0, sum = 0;
    var gammaP = given.eP - given.less, gammaQ = given.eQ - given.less, learns = gammaP > 0 && gammaQ > 0, high = learns && gammaQ >= 1 / 3;
    for (var t = 1; t <= given.T; t += 1) {
      var u = Math.pow(ratio, t) * Math.LN2;
      gain += u * given.eP - Math.log((1 - given.eQ) / 2 * Math.exp(u) + (1 + given.eQ) / 2 * Math.exp(-u));
      sum += u * gammaP - (-u + Math.log1p((1 - gammaQ) / 2 * Math.expm1(2 * u)));
    }
    return {
      gain: gain, barrier: given.eps / 2, sharp: given.eps / 2 * spent, best: learns ? sum : null,
      printed: high ? given.eps / 2 * spent * (gammaP + gammaQ) / 2 : null, gammaP: gammaP, gammaQ: gammaQ
    };
  }

  var made = {
    title: "The gain of T rounds, its barrier, and what is promised", axis: "T", dots: true, xLabel: "rounds T", yLabel: "gain over Q₀ (nats)", unit: "nats",
    lines: [
      { key: "gain", name: "the gain" }, { key: "printed", name: "the lower bound as printed (Theorem 7)", below: "gain" },
      { key: "best", name: "the corrected lower bound", below: "gain" }, { key: "sharp", name: "the barrier of T rounds, ε/2 (1 − θ_T)", above: "gain" },
      { key: "barrier", name: "the barrier ε/2", above: "gain" }
    ],
    rows: [{ key: "gammaP", name: "γ over P (no unit)" }, { key: "gammaQ", name: "γ over Q (no unit; the printed bound asks for 1/3 or more)" }],
    examples: [{ label: "Load the counterexample", values: { eps: "4 log 2", eP: "4/5", eQ: "1/2", less: "1/100", T: "1" } }],
    note: "Each round has a coordinate of its own, so that its edges are the same in every round. The bounds get edges γ that lie below the exact ones by the last slider.",
    numbers: numbers
  };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["gain-and-barrier"] = made;
})(window);
