/* How many records the bootstrapping mechanism may release: Theorem 2, its sharper forms, and the exact number, found by
   halving with the exact delta, the tail of a walk of m steps (up (k+1)/N, down k/N) as in mollified.privacy.lattice_walk. */
"use strict";

(function (root) {
  var MARGIN = 40, kept = new Map();

  function moment(w, s) {
    var up = w.up * Math.exp(s), down = w.down * Math.exp(-s), total = up + w.stay + down, half = Math.sinh(s / 2);
    var above = 2 * (w.up + w.down) * half * half + w.drift * Math.sinh(s);
    return { log: above > -0.5 ? Math.log1p(above) : Math.log(total), moves: (up + down) / total, drift: (up - down) / total };
  }

  /* Return the tilt at which the walk has the mean v. */
  function saddle(w, v) {
    var t = v / w.m, tr = t * w.stay, root = Math.sqrt(tr * tr + 4 * w.up * w.down * (1 - t) * (1 + t));
    return t < 0 ? Math.log(2 * w.down * (1 + t)) - Math.log(root - tr) : Math.log(tr + root) - Math.log(2 * w.up * (1 - t));
  }

  function spread(w, at) { return Math.sqrt(Math.max(w.m * (at.moves - at.drift * at.drift), 0)); }

  /* Return the sum over v >= start of P[W = v] (1 - e^(gap - lam (v - start))), from equidistant angles of the tilted walk. */
  function tail(w, start, gap, lam) {
    var below = -Math.expm1(gap), above = Math.expm1(Math.max(gap + lam, 0)), at = moment(w, 0);
    if (start > w.m) { return 0; }
    if (start === w.m) { return Math.exp(w.m * Math.log(w.up)) * below; }
    if (start < w.m * w.drift) {
      var low = Math.min(Math.max(saddle(w, start), -lam), 0);
      if (low < 0 && w.m * moment(w, low).log - low * start < -MARGIN) { return 1; }
    }
    var s = Math.max(saddle(w, start + 0.5), 2 / (1 + spread(w, at) + Math.max(w.m * at.drift - start, 0)));
    at = moment(w, s);
    var sd = spread(w, at), depth = Math.max(s * start - w.m * at.log, 0), reach = Math.sqrt(2 * MARGIN + 20) * sd + MARGIN + 20;
    var angles = Math.ceil(Math.max(2 * reach, (MARGIN + depth + 20) / s)), used = Math.floor(angles / 2);
    var decay = w.m * 2 * Math.max(1 - at.moves, 0) * at.moves, need = 2 * (MARGIN + 10 + Math.log1p(1 / s) + Math.log1p(sd));
    if (decay > need / 1.9) { used = Math.min(used, Math.ceil(Math.acos(1 - need / decay) * angles / (2 * Math.PI))); }
    var sum = 0;
    for (var j = 0; j <= used; j += 1) {
      var theta = 2 * Math.PI * j / angles, half = 2 * Math.pow(Math.sin(theta / 2), 2), cos = Math.cos(theta), sin = Math.sin(theta);
      var real = -at.moves * half, imaginary = at.drift * sin;
      var fall = 0.5 * w.m * Math.log1p(Math.max(2 * real + real * real + imaginary * imaginary, -1));
      var turn = w.m * Math.atan2(imaginary, 1 + real) - theta * start, x = Math.exp(-s), y = Math.exp(-s - lam);
      var a = below + Math.exp(-lam) * above * x * cos, b = -Math.exp(-lam) * above * x * sin;
      /* (1 - x e^(-i theta)) (1 - y e^(-i theta)), each factor without cancellation at theta = 0 */
      var c = -Math.expm1(-s) + x * half, d = x * sin, e = -Math.expm1(-s - lam) + y * half, f = y * sin;
      var u = c * e - d * f, v = c * f + d * e, size = u * u + v * v, p = (a * u + b * v) / size, q = (b * u - a * v) / size;
      sum += (j && 2 * j !== angles ? 2 : 1) * Math.exp(fall) * (Math.cos(turn) * p - Math.sin(turn) * q);
    }
    return Math.max(sum / angles, 0) * Math.exp(w.m * at.log - s * start);
  }

  function delta(eps, N, k, m) {
    var lam = Math.log1p(1 / k), start = Math.ceil(eps / lam);
    var w = { up: (k + 1) / N, down: k / N, stay: (N - 2 * k - 1) / N, drift: 1 / N, m: m };
    return Math.max(tail(w, start, Math.min(Math.max(eps - lam * start, -lam), 0), lam), start > m ? 0 : 5e-324);
  }

  function largest(eps, target, N, k) {
    var name = [eps, target, N, k].join(), low = Math.floor(eps / Math.log1p(1 / k) * (1 - 1e-12)), high = Math.max(2 * low, 2);
    function fits(m) { return delta(eps, N, k, m) * (1 + 1e-11) <= target; }
    if (kept.has(name)) { return kept.get(name); }
    while (fits(high) && high < 1e15) { low = high; high *= 2; }
    while (high - low > 1) {
      var middle = Math.floor((low + high) / 2);
      if (fits(middle)) { low = middle; } else { high = middle; }
    }
    if (kept.size > 20000) { kept.clear(); }
    kept.set(name, low);
    return low;
  }

  function numbers(given) {
    var eps = given.eps, k = given.k, N = given.n + k * given.size, room = eps / Math.log1p(1 / k), log = -Math.log(given.delta);
    function rule(least) { return Math.floor(Math.pow(room / (Math.sqrt(least) + Math.sqrt(least + room / N)), 2) * (1 - 1e-12)); }
    var printed = rule(2 * (log + Math.LN2)), gap = eps / (Math.sqrt(log + eps) + Math.sqrt(log));
    return {
      exact: largest(eps, given.delta, N, k), printed: printed > 2 * (log + Math.LN2) ? printed : 0, sharper: rule(log / 2),
      closed: Math.floor(Math.exp(-1 / 12) * gap * gap * N * Math.sqrt(k * (k + 1)) * (1 - 1e-12)), least: Math.ceil(Math.sqrt(log + eps) / gap)
    };
  }

  var made = {
    title: "How many records may be released", axis: "k", points: 33, logY: true, xLabel: "pseudocount k (records)", yLabel: "records m", unit: "records",
    lines: [
      { key: "exact", name: "the exact number", whole: true }, { key: "printed", name: "Theorem 2 as printed", below: "exact", whole: true },
      { key: "sharper", name: "Theorem 2 sharpened", below: "exact", whole: true },
      { key: "closed", name: "Theorem 2* in closed form without its condition on k", below: "exact", whole: true }
    ],
    rows: [{ key: "least", name: "least k that this condition asks for", whole: true }],
    examples: [{ label: "Load the counterexample", values: { n: "10000", size: "3", eps: "0.1", delta: "0.000001", k: "1" } }],
    note: "At least three symbols; neighbours replace one record. The first three numbers are right everywhere. The closed form needs its condition on k.",
    numbers: numbers, delta: delta
  };
  root.companionWidgets = root.companionWidgets || {};
  root.companionWidgets["records-allowed"] = made;
})(window);
