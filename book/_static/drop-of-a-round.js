/* One round of MBDE on two points: P = (p, 1 - p), Q = (q, 1 - q), classifier (c*, -c*), c* = size log 2, step theta. The
   bounds know theta, c* and edges that lie `less` below the exact ones. */
"use strict";

(function (root) {
  function numbers(given) {
    var star = given.size * Math.LN2, u = given.theta * star, edgeP = 2 * given.p - 1, edgeQ = 1 - 2 * given.q;
    var gammaP = edgeP - given.less, gammaQ = edgeQ - given.less, learns = gammaP > 0 && gammaQ > 0;
    /* log E_Q[e^(theta c)], and the same for the law on two values whose edge is gammaQ */
    function moment(first) { return -u + Math.log1p(first * Math.expm1(2 * u)); }
    var high = gammaQ >= 1 / 3;
    return {
      drop: u * edgeP - moment(given.q),
      printed: !learns ? null : high ? given.theta * (star * gammaP + Math.log(4 / (5 - 3 * gammaQ))) : given.theta * (gammaP + gammaQ - u / 2),
      hoeffding: learns ? u * (gammaP + gammaQ) - u * u / 2 : null,
      best: learns ? u * gammaP - moment((1 - gammaQ) / 2) : null,
      divergence: given.p * Math.log(given.p / given.q) + (1 - given.p) * Math.log((1 - given.p) / (1 - given.q)),
      gammaP: gammaP, gammaQ: gammaQ
    };
  }

  var made = {
    title: "One round on two points: how far the divergence drops, and what three bounds promise",
    axis: "size", xLabel: "size of the classifier, c*/log 2", yLabel: "nats", unit: "nats",
    lines: [
      { key: "drop", name: "the true drop" },
      { key: "printed", name: "the bound as printed (Theorem 6)", below: "drop" },
      { key: "hoeffding", name: "bound (43)", below: "drop" },
      { key: "best", name: "the best bound", below: "drop" }
    ],
    rows: [
      { key: "divergence", name: "KL(P, Q), all that there is to lose" }, { key: "gammaP", name: "γ over P (no unit)" },
      { key: "gammaQ", name: "γ over Q (no unit; low regime below 1/3)" }
    ],
    examples: [
      { label: "Load the counterexample (low regime)", values: { p: "2/3", q: "1/3", size: "1", theta: "1/2", less: "1/30" } },
      { label: "Load the one of the high regime", values: { p: "4/5", q: "1/5", size: "0.13750352374993502", theta: "1/2", less: "1/10" } }
    ],
    note: "The bounds get edges γ that lie below the exact ones by the last slider, as a learner may promise less than it keeps. Where a γ is not positive they say nothing.",
    numbers: numbers
  };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["drop-of-a-round"] = made;
})(window);
