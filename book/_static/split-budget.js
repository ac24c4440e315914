/* The formulas of the figure on splits of a budget: the projection onto a box around Q0, its gain and its regret. */
"use strict";

(function (root) {
  var CELLS = 160;

  function normal(values) {
    var total = values.reduce(function (all, value) { return all + value; }, 0);
    return values.map(function (value) { return value / total; });
  }

  var x = Array.from({ length: CELLS }, function (_, at) { return -4 + (at + 0.5) * 8 / CELLS; });
  var p = normal(x.map(function (u) {
    return 0.6 * Math.exp(-Math.pow(u + 1.2, 2) / 0.18) / 0.3 + 0.4 * Math.exp(-Math.pow(u - 1.6, 2) / 0.5) / 0.5;
  }));
  var q0 = normal(x.map(function (u) { return Math.exp(-u * u / 2); }));

  /* Return p scaled and clipped into [low q0, high q0] with total one; the scale is found by halving its logarithm. */
  function project(low, high) {
    var a = -40, b = 40, made;
    for (var turn = 0; turn < 200; turn += 1) {
      var scale = Math.exp((a + b) / 2), total = 0;
      made = p.map(function (value, at) { return Math.min(Math.max(scale * value, low * q0[at]), high * q0[at]); });
      made.forEach(function (value) { total += value; });
      if (total > 1) { b = (a + b) / 2; } else { a = (a + b) / 2; }
    }
    return made;
  }

  function divergence(q) {
    return p.reduce(function (all, value, at) { return all + value * Math.log(value / q[at]); }, 0);
  }

  /* Return the numbers of one split: u is the share of the budget eps that goes up. */
  function numbers(given) {
    var R = Math.exp(given.eps), b = Math.min(Math.exp(given.eps * (given.u - 1)), 1), q = project(b, R * b);
    var found = divergence(q), start = divergence(q0);
    return {
      q: q, b: b, most: given.eps * given.u, gain: start - found, here: found - divergence(project(1 / R, R)),
      regret: Math.max(Math.log(1 / b), Math.log(R / (R + 1 - R * b)))
    };
  }

  function show(given) {
    var found = numbers(given), wide = 8 / CELLS;
    function scaled(values) { return values.map(function (value) { return value / wide; }); }
    return {
      x: x, xLabel: "x", yLabel: "density",
      curves: [{ name: "target P", y: scaled(p) }, { name: "public law Q₀", y: scaled(q0) }, { name: "projection", y: scaled(found.q) }],
      rows: [["b", found.b], ["limit of the gain (nats)", found.most], ["gain on this target", found.gain],
        ["regret on this target", found.here], ["worst regret of this split", found.regret],
        ["least worst regret of any sampler", Math.log(2 / (1 + Math.exp(-given.eps)))]]
    };
  }

  var made = { numbers: numbers, show: show };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["split-budget"] = made;
})(window);
