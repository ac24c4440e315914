/* The lecture's rule for Gaussian noise, sigma = sqrt(2 log(1.25/delta)) Delta/eps, against the exact delta at that noise. */
"use strict";

(function (root) {
  /* Return Mills' ratio (1 - Phi(x))/phi(x), x > -9: its continued fraction, or the series of Phi - 1/2 over phi. */
  function mills(x) {
    var at, sum = 0, term = x;
    if (x >= 2) {
      for (at = 160, sum = x; at > 0; at -= 1) { sum = x + at / sum; }
      return 1 / sum;
    }
    for (at = 1; sum + term !== sum; at += 1) { sum += term; term *= x * x / (2 * at + 1); }
    return Math.sqrt(Math.PI / 2) * Math.exp(x * x / 2) - sum;
  }

  function density(x) { return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI); }

  /* Return the least delta at eps for a shift of mu standard deviations: e^eps phi(x + mu) = phi(x) at x = eps/mu - mu/2. */
  function exact(eps, mu) {
    var x = eps / mu - mu / 2, second = x + mu > -9 ? mills(x + mu) : 0;
    return x > -5 ? density(x) * (mills(x) - second) : 1 - density(x) * (mills(-x) + second);
  }

  /* Return where a growing function of a positive number passes a level, by halving. */
  function passing(grows, level, low, high) {
    for (var turn = 0; turn < 90; turn += 1) {
      var middle = Math.sqrt(low * high);
      if (grows(middle) > level) { high = middle; } else { low = middle; }
    }
    return low;
  }

  function numbers(given) {
    var c = Math.sqrt(2 * Math.log(1.25 / given.delta));
    return {
      exact: exact(given.eps, given.eps / c), promise: given.delta, corrected: given.eps <= 3.786 ? given.delta : null, sigma: c / given.eps,
      smallest: 1 / passing(function (mu) { return exact(given.eps, mu); }, given.delta, 1e-3, 1e3),
      last: passing(function (eps) { return exact(eps, eps / c); }, given.delta, 1, 1e3)
    };
  }

  var made = {
    title: "The lecture's rule for Gaussian noise: what it promises, and the exact δ", axis: "eps", logY: true, xLabel: "ε (nats)", yLabel: "δ", unit: "value",
    lines: [
      { key: "exact", name: "the exact δ at the rule's σ" }, { key: "promise", name: "the δ that the rule promises", above: "exact" },
      { key: "corrected", name: "the same promise for ε up to 3.786 only", above: "exact", hidden: true }
    ],
    rows: [
      { key: "sigma", name: "the rule's σ, in units of the sensitivity" }, { key: "smallest", name: "the smallest σ that is enough, same unit" },
      { key: "last", name: "largest ε at which the rule keeps this δ (nats)" }
    ],
    examples: [{ label: "Load the counterexample", values: { eps: "20", delta: "1/100" } }],
    numbers: numbers
  };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["gaussian-rule"] = made;
})(window);
