/* Interactive figures: sliders declared in the page, formulas in a module of the same name as the figure. The module
   gives `numbers(given)` and says which of them are lines over one slider, its `axis`; a line `below` (or `above`) another
   one is a bound on it, and turns by sign and colour where it is refuted. Or it gives `show(given)`, its own curves and
   rows. The state stands in the address. Nothing is loaded. */
"use strict";

(function () {
  var SVG = "http://www.w3.org/2000/svg", POINTS = 121, HIGH = 300, TOP = 12, FOOT = 46;

  function element(tag, text, parent, name) {
    var made = document.createElement(tag);
    if (text) { made.textContent = text; }
    if (name) { made.className = name; }
    if (parent) { parent.appendChild(made); }
    return made;
  }

  function drawn(tag, given, parent, text) {
    var made = document.createElementNS(SVG, tag);
    Object.keys(given).forEach(function (name) { made.setAttribute(name, given[name]); });
    if (text) { made.textContent = text; }
    parent.appendChild(made);
    return made;
  }

  /* ---- Numbers and their texts ---- */

  /* Read `0.3`, `2/3` or `4 log 2`; anything else is NaN. */
  function parsed(text) {
    var found = /^(-?[\d.]+(?:e-?\d+)?)(?:\/(\d+))?( log 2)?$/.exec(text.trim());
    return found ? Number(found[1]) / Number(found[2] || 1) * (found[3] ? Math.LN2 : 1) : NaN;
  }

  function power(exponent) {
    return "10" + String(exponent).split("").map(function (sign) { return "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".indexOf(sign)]; }).join("");
  }

  /* Return a number with four digits behind the point, or as a power of ten where it is small or large. */
  function shown(value, whole) {
    if (value === null || value === undefined || isNaN(value)) { return "–"; }
    if (whole) { return Math.round(value).toLocaleString("en"); }
    var size = Math.abs(value);
    if (value !== 0 && (size < 1e-3 || size >= 1e6)) {
      var parts = value.toExponential(3).split("e");
      return (parts[0] + " · " + power(Number(parts[1]))).replace(/^-/, "−");
    }
    return value.toFixed(4).replace(/^-/, "−");
  }

  /* Return the texts that a slider goes through: so many values a decade, or steps; `whole` rounds. */
  function stations(given) {
    var low = parsed(given.min), high = parsed(given.max), found = /^(whole )?([\d.]+)( a decade)?$/.exec(given.step);
    var step = Number(found[2]), texts = [];
    for (var at = 0; at < 2000; at += 1) {
      var value = found[3] ? low * Math.pow(10, at / step) : low + step * at;
      if (value > high * (1 + 1e-9) + 1e-12) { break; }
      var text = String(found[1] ? Math.round(value) : Number(found[3] ? value.toPrecision(3) : value.toFixed(10)));
      if (text !== texts[texts.length - 1]) { texts.push(text); }
    }
    return { texts: texts, low: low, high: high, log: Boolean(found[3]), whole: Boolean(found[1]) };
  }

  function nearest(station, value) {
    var best = 0;
    station.texts.forEach(function (text, at) {
      if (Math.abs(Number(text) - value) < Math.abs(Number(station.texts[best]) - value)) { best = at; }
    });
    return best;
  }

  /* ---- The drawing ---- */

  /* Return the places of ticks on an axis, at most `most` of them, and their texts. */
  function ticks(low, high, log, most) {
    var found = [], at;
    if (log) {
      var first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9), by = Math.ceil((last - first + 1) / most);
      for (at = first; at <= last; at += by) { found.push([Math.pow(10, at), at > -3 && at < 4 ? String(Number(Math.pow(10, at).toFixed(2))) : power(at)]); }
      return found;
    }
    var size = (high - low) / most, ten = Math.pow(10, Math.floor(Math.log10(size)));
    var step = ten * [1, 2, 5, 10].filter(function (factor) { return factor * ten >= size * (1 - 1e-9); })[0];
    for (at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1) {
      found.push([at * step, String(Number((at * step).toFixed(10))).replace("-", "−")]);
    }
    return found;
  }

  function scale(low, high, log, from, to) {
    var a = log ? Math.log(low) : low, b = log ? Math.log(high) : high;
    return function (value) { return from + ((log ? Math.log(value) : value) - a) / (b - a) * (to - from); };
  }

  /* Return the least and the greatest value to be drawn. */
  function reach(curves, given) {
    var all = [].concat.apply([], curves.map(function (curve) { return curve.y; })).filter(function (v) {
      return v !== null && isFinite(v) && (!given.logY || v > 0);
    });
    var top = Math.max.apply(null, all), low = Math.min.apply(null, all);
    return given.range || (given.logY ? [low / 1.5, top * 1.5] : [Math.min(0, 1.08 * low), Math.max(1.08 * top, 1e-9)]);
  }

  /* Draw curves over one axis; classes give colours, so that a change of theme needs no drawing. Returns the map of x. */
  function plot(svg, given) {
    var wide = Math.max(300, Math.min(720, Math.round(svg.getBoundingClientRect().width) || 640)), left = given.yLabel ? 58 : 34, right = wide - 14;
    var foot = HIGH - FOOT, limits = reach(given.curves, given), x = given.x, few = wide < 480;
    svg.setAttribute("viewBox", "0 0 " + wide + " " + HIGH);
    svg.textContent = "";
    var placeX = scale(x[0], x[x.length - 1], given.logX, left, right), placeY = scale(limits[0], limits[1], given.logY, foot, TOP);
    ticks(x[0], x[x.length - 1], given.logX, few ? 5 : 9).forEach(function (tick) {
      drawn("text", { x: placeX(tick[0]), y: foot + 18, "text-anchor": "middle" }, svg, tick[1]);
      drawn("line", { x1: placeX(tick[0]), x2: placeX(tick[0]), y1: foot, y2: foot + 4, "class": "mf-widget-axis" }, svg);
    });
    if (given.yLabel) {
      ticks(limits[0], limits[1], given.logY, 5).forEach(function (tick) {
        drawn("text", { x: left - 6, y: placeY(tick[0]) + 5, "text-anchor": "end" }, svg, tick[1]);
        drawn("line", { x1: left, x2: right, y1: placeY(tick[0]), y2: placeY(tick[0]), "class": "mf-widget-grid" }, svg);
      });
      drawn("text", { x: 14, y: (TOP + foot) / 2, "text-anchor": "middle", transform: "rotate(-90 14 " + (TOP + foot) / 2 + ")" }, svg, given.yLabel);
    }
    if (given.xLabel) { drawn("text", { x: (left + right) / 2, y: HIGH - 8, "text-anchor": "middle" }, svg, given.xLabel); }
    drawn("line", { x1: left, x2: right, y1: placeY(given.logY ? limits[0] : 0), y2: placeY(given.logY ? limits[0] : 0), "class": "mf-widget-axis" }, svg);
    var inside = drawn("svg", { x: 0, y: TOP - 4, width: wide, height: foot - TOP + 8, viewBox: "0 " + (TOP - 4) + " " + wide + " " + (foot - TOP + 8) }, svg);
    if (given.at !== undefined) { drawn("line", { x1: placeX(given.at), x2: placeX(given.at), y1: TOP, y2: foot, "class": "mf-widget-now" }, inside); }
    function fits(v) { return v !== null && v !== undefined && isFinite(v) && (!given.logY || v > 0); }
    given.curves.forEach(function (curve, index) {
      var run = [], bad = false;
      function end() {
        if (run.length > 1) { drawn("polyline", { points: run.join(" "), "class": "mf-widget-curve " + (bad ? "mf-widget-refuted" : curve.look || "mf-widget-curve-" + index) }, inside); }
        run = [];
      }
      curve.y.forEach(function (v, i) {
        if (!fits(v)) { end(); return; }
        var point = placeX(x[i]).toFixed(1) + "," + placeY(v).toFixed(1), fails = Boolean(curve.fails && curve.fails[i]);
        if (given.dots) { drawn("circle", { cx: placeX(x[i]), cy: placeY(v), r: 3.5, "class": fails ? "mf-widget-refuted-dot" : curve.look || "" }, inside); }
        if (run.length && fails !== bad) { run.push(point); end(); }
        bad = fails;
        run.push(point);
      });
      end();
    });
    /* Signs last, and those of refuted bounds above all others. */
    given.curves.slice().sort(function (one, other) { return Number(Boolean(one.failing)) - Number(Boolean(other.failing)); }).forEach(function (curve) {
      if (given.at === undefined || !fits(curve.now)) { return; }
      var x0 = placeX(given.at), y0 = placeY(curve.now);
      if (curve.failing === undefined) { drawn("circle", { cx: x0, cy: y0, r: 5, "class": "mf-widget-dot" }, inside); return; }
      var look = "mf-widget-sign" + (curve.failing ? " mf-widget-no" : "");
      drawn("text", { x: x0, y: y0 + 6, "text-anchor": "middle", "class": look }, inside, curve.failing ? "✗" : "✓");
    });
    return function (pixel) {
      var share = (pixel * wide - left) / (right - left);
      return given.logX ? x[0] * Math.pow(x[x.length - 1] / x[0], share) : x[0] + share * (x[x.length - 1] - x[0]);
    };
  }

  /* ---- Bounds ---- */

  /* Say whether a bound fails: it lies above what it should lie below, or the other way, by more than rounding. */
  function refuted(line, found) {
    var other = found[line.below || line.above], value = found[line.key];
    if (value === null || value === undefined || other === null || other === undefined) { return false; }
    var room = 1e-10 * Math.max(Math.abs(other), Math.abs(value)) + 1e-14;
    return line.below ? value > other + room : value < other - room;
  }

  function isBound(line) { return Boolean(line.below || line.above); }

  /* Return what is drawn and listed of a module that gives numbers and lines. */
  function lines(made, values, station) {
    var low = station.low, high = station.high, now = made.numbers(values);
    var x = made.dots ? station.texts.map(Number) : Array.from({ length: made.points || POINTS }, function (_, i) {
      var share = i / ((made.points || POINTS) - 1), value = station.log ? low * Math.pow(high / low, share) : low + share * (high - low);
      return station.whole ? Math.round(value) : value;
    });
    if (station.whole) { x = x.filter(function (value, i) { return !i || value > x[i - 1]; }); }
    var all = x.map(function (value) {
      var moved = Object.assign({}, values);
      moved[made.axis] = value;
      return made.numbers(moved);
    });
    var bounds = 0;
    return {
      x: x, at: values[made.axis], logX: station.log, logY: made.logY, range: made.range, dots: made.dots, xLabel: made.xLabel, yLabel: made.yLabel,
      curves: made.lines.filter(function (line) { return !line.hidden; }).map(function (line) {
        bounds += isBound(line) ? 1 : 0;
        return {
          name: line.name, look: isBound(line) ? "mf-widget-bound-" + bounds : line.look || "mf-widget-truth",
          y: all.map(function (found) { return found[line.key]; }), now: now[line.key],
          fails: isBound(line) && all.map(function (found) { return refuted(line, found); }),
          failing: isBound(line) && now[line.key] !== null ? refuted(line, now) : undefined
        };
      }),
      rows: made.lines.map(function (line) { return [line.name, now[line.key], isBound(line) ? refuted(line, now) : undefined, line.whole]; })
        .concat((made.rows || []).map(function (row) { return [row.name, now[row.key], undefined, row.whole]; })),
      verdict: made.lines.filter(isBound).filter(function (line) { return refuted(line, now); }).map(function (line) {
        var other = made.lines.filter(function (one) { return one.key === (line.below || line.above); })[0];
        return line.name + " is " + shown(now[line.key], line.whole) + (line.below ? ", above " : ", below ") + other.name + ", " + shown(now[other.key], other.whole);
      })
    };
  }

  /* ---- One figure ---- */

  function start(box) {
    var formulas = (window.companionWidgets || {})[box.dataset.widget];
    if (!formulas) { return; }
    var id = box.id, values = {}, texts = {}, first = {}, sliders = {}, asked = new URLSearchParams(window.location.search);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", formulas.title ? "Interactive figure: " + formulas.title : "Interactive figure");
    if (formulas.title) { element("p", formulas.title, box, "mf-widget-title"); }
    box.querySelectorAll("[data-slider]").forEach(function (item) {
      var given = item.dataset, name = given.slider, station = stations(given), bar = element("div", "", box, "mf-explorer-bar");
      var label = element("label", given.label, bar), slider = element("input", "", bar), output = element("output", "", bar);
      slider.type = "range";
      slider.id = label.htmlFor = output.htmlFor = id + "-" + name;
      slider.min = 0;
      slider.max = station.texts.length - 1;
      slider.step = 1;
      sliders[name] = {
        station: station,
        set: function (text) {
          var value = parsed(text);
          if (!(value >= station.low - 1e-12 && value <= station.high + 1e-12)) { return; }
          if (station.whole) { value = Math.round(value); text = String(value); }
          values[name] = value;
          texts[name] = text;
          slider.value = nearest(station, value);
          output.textContent = /log|\//.test(text) ? text : station.whole ? value.toLocaleString("en") : value !== 0 && Math.abs(value) < 1e-3 ? shown(value).replace(/\.?0+ ·/, " ·").replace(/^1 · /, "") : String(Number(value.toPrecision(5))).replace("-", "−");
          slider.setAttribute("aria-valuetext", given.label + " " + output.textContent);
        }
      };
      sliders[name].set(given.value);
      first[name] = texts[name];
      if (asked.has(name)) { sliders[name].set(asked.get(name)); }
      slider.addEventListener("input", function () { sliders[name].set(station.texts[Number(slider.value)]); changed(); });
    });
    if (formulas.examples) {
      var buttons = element("div", "", box, "mf-widget-buttons");
      formulas.examples.concat([{ label: "Back to the start", values: first }]).forEach(function (example) {
        var button = element("button", example.label, buttons);
        button.type = "button";
        button.addEventListener("click", function () {
          Object.keys(first).forEach(function (name) { sliders[name].set(example.values[name] || first[name]); });
          changed();
        });
      });
    }
    var status = element("p", "", null, formulas.lines ? "mf-widget-verdict" : "visually-hidden sr-only");
    status.setAttribute("role", "status");
    status.setAttribute("aria-live", "polite");
    if (formulas.lines) { box.appendChild(status); }
    var svg = drawn("svg", { viewBox: "0 0 640 " + HIGH, role: "img", "class": "mf-widget-plot" }, box), where;
    var key = element("p", "", box, "mf-widget-key");
    var table = element("table", "", box);
    if (formulas.lines) {
      var head = element("tr", "", element("thead", "", table));
      ["quantity", formulas.unit || "value", "here"].forEach(function (text) { element("th", text, head).scope = "col"; });
    }
    var body = element("tbody", "", table), note = element("p", formulas.note || "", box, "mf-explorer-note");
    note.hidden = !formulas.note;
    if (!formulas.lines) { box.appendChild(status); }

    function look() {
      return formulas.lines ? lines(formulas, values, sliders[formulas.axis].station) : formulas.show(values);
    }

    function swatches(found) {
      key.textContent = "";
      found.curves.forEach(function (curve, index) {
        var swatch = drawn("svg", { viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": "true" }, element("span", "", key));
        drawn("line", { x1: 0, x2: 28, y1: 5, y2: 5, "class": "mf-widget-curve " + (curve.look || "mf-widget-curve-" + index) }, swatch);
        swatch.parentNode.appendChild(document.createTextNode(" " + curve.name));
      });
      if (!formulas.lines) { return; }
      var refutedSwatch = drawn("svg", { viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": "true" }, element("span", "", key));
      drawn("line", { x1: 0, x2: 28, y1: 5, y2: 5, "class": "mf-widget-curve mf-widget-refuted" }, refutedSwatch);
      refutedSwatch.parentNode.appendChild(document.createTextNode(" a bound where it is refuted (✗)"));
    }

    function update() {
      var found = look();
      where = plot(svg, found);
      body.textContent = "";
      found.rows.forEach(function (row) {
        var line = element("tr", "", body);
        element("th", row[0], line).scope = "row";
        element("td", shown(row[1], row[3]), line);
        if (formulas.lines) {
          var applies = row[1] !== null && row[1] !== undefined;
          element("td", row[2] === undefined ? "" : !applies ? "says nothing" : row[2] ? "✗ refuted" : "✓ holds", line, row[2] ? "mf-over" : "");
        }
      });
      var words = found.rows.map(function (row) { return row[0] + " " + shown(row[1], row[3]); }).join("; "), said = words;
      svg.setAttribute("aria-label", found.curves.map(function (curve) { return curve.name; }).join(", ") + ": " + words);
      if (formulas.lines) {
        said = found.verdict.length ? "✗ Refuted here: " + found.verdict.join("; ") + "." : "✓ No bound is refuted here.";
        status.className = "mf-widget-verdict " + (found.verdict.length ? "mf-false" : "mf-holds");
      }
      if (status.textContent !== said) { status.textContent = said; }
    }

    /* After a move the address names the state, and the figure, so that it can be sent. */
    function changed() {
      update();
      var query = new URLSearchParams();
      Object.keys(first).forEach(function (name) { if (texts[name] !== first[name]) { query.set(name, texts[name]); } });
      var address = window.location.pathname + (String(query) && "?" + query) + "#" + id;
      try { window.history.replaceState(null, "", address); } catch (error) { /* a page opened from a folder */ }
    }

    /* A finger or a mouse on the drawing moves the slider of the horizontal axis. */
    if (formulas.lines) {
      svg.addEventListener("pointermove", function (event) { if (event.buttons) { follow(event); } });
      svg.addEventListener("pointerdown", function (event) { svg.setPointerCapture(event.pointerId); follow(event); });
    }

    function follow(event) {
      var frame = svg.getBoundingClientRect(), slider = sliders[formulas.axis];
      slider.set(slider.station.texts[nearest(slider.station, where((event.clientX - frame.left) / frame.width))]);
      changed();
    }

    /* Last, when all went well: take the place of the still picture, above its caption, or stand beside it. */
    var figure = document.getElementById(box.dataset.still || ""), frame = 0;
    look();
    if (figure && figure.querySelector("figcaption")) {
      figure.insertBefore(box, figure.querySelector("figcaption"));
      figure.classList.add("mf-live");
    }
    box.hidden = false;
    swatches(look());
    update();
    if (window.location.hash === "#" + id) { box.scrollIntoView({ behavior: "instant" }); }
    window.addEventListener("resize", function () { cancelAnimationFrame(frame); frame = requestAnimationFrame(update); });
  }

  function all() { document.querySelectorAll(".mf-widget").forEach(start); }
  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", all); } else { all(); }
})();
