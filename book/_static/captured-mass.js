/* A run of MBDE with one classifier on three points: the region B is the first, where the classifier has the score s; on the
   second it has 1, on the third -1, in units of log 2. P = (m, (1 - m) a, (1 - m)(1 - a)), Q0 = (q, (1 - q)(1 - d), (1 - q) d). */
"use strict";

(function (root) {
  var FOUR = 4 * Math.LN2;

  /* Return the density proportional to Q e^(length s). */
  function tilt(Q, s, length) {
    var made = Q.map(function (mass, at) { return mass * Math.exp(length * s[at]); }), total = made[0] + made[1] + made[2];
    return { law: made.map(function (mass) { return mass / total; }), log: Math.log(total) };
  }

  function mean(law, s) { return law[0] * s[0] + law[1] * s[1] + law[2] * s[2]; }

  function numbers(given) {
    var eps = given.eps, T = given.T, m = given.m, q = given.q, step = eps / (eps + FOUR), s = [given.s, 1, -1];
    var P = [m, (1 - m) * given.a, (1 - m) * (1 - given.a)], start = [q, (1 - q) * (1 - given.d), (1 - q) * given.d];
    function length(rounds) { return eps / 4 * (1 - Math.pow(step, rounds)); }
    var last = tilt(start, s, length(T)), edgeP = mean(P, s), edgeQ = -mean(tilt(start, s, length(T - 1)).law, s);
    var gammaP = given.share * edgeP, gammaQ = given.share * edgeQ, learns = gammaP > 0 && gammaQ > 0, high = learns && gammaQ >= 1 / 3;
    var divergence = m * Math.log(m / q), promise = m - divergence, sum = promise, gain = length(T) * edgeP - last.log;
    for (var t = 1; t <= T; t += 1) {
      var u = Math.pow(step, t) * Math.LN2;
      sum += u * (m - 1 + gammaP) - m * (-u + Math.log1p((1 - gammaQ) / 2 * Math.expm1(2 * u)));
    }
    var printed = (eps + 2 * (2 - gammaP - gammaQ) * T) / (eps + 2 * T), asked = (1 - gammaP) / (1 + Math.log(4 / (5 - 3 * gammaQ)) / Math.LN2);
    return {
      output: last.law[0], start: q, sharper: learns ? sum : null, dropped: learns ? promise : null,
      theorem: high && m >= printed ? promise : null, corrected: high && m >= asked ? promise : null,
      share: 2 * gain / eps, step: high ? (gammaP + gammaQ) / 2 * (1 - Math.pow(step, T)) : null,
      printed: high ? printed : null, asked: high ? asked : null, gammaP: gammaP, gammaQ: gammaQ
    };
  }

  var made = {
    title: "A region B of one point: the mass that the output has there, and what is promised", axis: "m", range: [-0.3, 1.02],
    xLabel: "P(B), mass of the target", yLabel: "mass (a share of 1)", unit: "value",
    lines: [
      { key: "output", name: "the output's mass Q_T(B)" }, { key: "start", name: "the start's mass Q₀(B)", look: "mf-widget-plain" },
      { key: "dropped", name: "Theorem 8 without its condition on the mass", below: "output" },
      { key: "theorem", name: "Theorem 8 as printed, α = 0", below: "output" },
      { key: "corrected", name: "Theorem 8 under the corrected condition", below: "output", hidden: true },
      { key: "sharper", name: "the sharper bound (*)", below: "output" },
      { key: "share", name: "the gain as a share of ε/2", hidden: true },
      { key: "step", name: "step (90) of the printed proof", below: "share", hidden: true }
    ],
    rows: [
      { key: "printed", name: "P(B) that its condition (13) asks for" }, { key: "asked", name: "P(B) that the corrected condition asks for" },
      { key: "gammaP", name: "γ over P" }, { key: "gammaQ", name: "γ over Q (Theorem 8 asks for 1/3 or more)" }
    ],
    examples: [
      { label: "Load the counterexample (no condition)", values: { m: "9/20", q: "9/20", a: "1", d: "549/550", s: "-1", eps: "4 log 2", T: "1", share: "1" } },
      { label: "Load the one of step (90)", values: { m: "3/4", q: "1/4", a: "0", d: "1", s: "1", eps: "4 log 2", T: "1", share: "9/10" } }
    ],
    note: "Three points; B is point 1, and the classifier takes its full size on points 2 (it says P) and 3 (it says Q). Theorem 8 speaks only where its condition (13) holds.",
    numbers: numbers
  };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["captured-mass"] = made;
})(window);
