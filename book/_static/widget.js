/* Interactive figures: sliders declared in the page, formulas in a module of the same name as the figure, which gives
   curves and rows of numbers. The figure takes the place of a still picture. Nothing is loaded. */
"use strict";

(function () {
  var SVG = "http://www.w3.org/2000/svg", WIDE = 640, HIGH = 300, EDGE = 34;

  function element(tag, text, parent) {
    var made = document.createElement(tag);
    if (text) { made.textContent = text; }
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

  /* Draw curves over one axis; classes give colours, so that a change of theme needs no drawing. */
  function plot(svg, x, curves) {
    svg.textContent = "";
    var low = x[0], span = x[x.length - 1] - low;
    var top = 1.08 * Math.max.apply(null, curves.map(function (curve) { return Math.max.apply(null, curve.y); }));
    function place(u, v) {
      return (EDGE + (u - low) / span * (WIDE - 2 * EDGE)).toFixed(1) + "," + (HIGH - EDGE - v / top * (HIGH - 2 * EDGE)).toFixed(1);
    }
    drawn("line", { x1: EDGE, x2: WIDE - EDGE, y1: HIGH - EDGE, y2: HIGH - EDGE, "class": "mf-widget-axis" }, svg);
    for (var at = Math.ceil(low); at <= low + span; at += 1) {
      var where = place(at, 0).split(",");
      drawn("text", { x: where[0], y: HIGH - EDGE + 20, "text-anchor": "middle" }, svg, String(at).replace("-", "−"));
    }
    curves.forEach(function (curve, index) {
      var points = curve.y.map(function (v, i) { return place(x[i], v); }).join(" ");
      drawn("polyline", { points: points, "class": "mf-widget-curve mf-widget-curve-" + index }, svg);
    });
  }

  function start(box) {
    var formulas = (window.companionWidgets || {})[box.dataset.widget];
    if (!formulas) { return; }
    var id = "widget-" + box.dataset.widget, values = {};
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Interactive figure");
    box.querySelectorAll("[data-slider]").forEach(function (item) {
      var given = item.dataset, bar = element("div", "", box), name = given.slider;
      bar.className = "mf-explorer-bar";
      var label = element("label", given.label, bar), slider = element("input", "", bar), shown = element("output", "", bar);
      slider.type = "range";
      slider.id = label.htmlFor = shown.htmlFor = id + "-" + name;
      ["min", "max", "step", "value"].forEach(function (key) { slider[key] = given[key]; });
      function moved() {
        values[name] = Number(slider.value);
        shown.textContent = slider.value;
        slider.setAttribute("aria-valuetext", given.label + " " + slider.value);
      }
      moved();
      slider.addEventListener("input", function () { moved(); update(); });
    });
    var svg = drawn("svg", { viewBox: "0 0 " + WIDE + " " + HIGH, role: "img", "class": "mf-widget-plot" }, box);
    var key = element("p", "", box);
    key.className = "mf-widget-key";
    var body = element("tbody", "", element("table", "", box));
    var status = element("p", "", box);
    status.className = "visually-hidden sr-only";
    status.setAttribute("role", "status");
    formulas.show(values).curves.forEach(function (curve, index) {
      var swatch = drawn("svg", { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" }, element("span", "", key));
      drawn("line", { x1: 0, x2: 28, y1: 4, y2: 4, "class": "mf-widget-curve mf-widget-curve-" + index }, swatch);
      swatch.parentNode.appendChild(document.createTextNode(" " + curve.name));
    });

    function update() {
      var found = formulas.show(values);
      plot(svg, found.x, found.curves);
      body.textContent = "";
      found.rows.forEach(function (row) {
        var line = element("tr", "", body);
        element("th", row[0], line).scope = "row";
        element("td", row[1].toFixed(4), line);
      });
      var words = found.rows.map(function (row) { return row[0] + " " + row[1].toFixed(3); }).join("; ");
      svg.setAttribute("aria-label", found.curves.map(function (curve) { return curve.name; }).join(", ") + ": " + words);
      status.textContent = words;
    }

    update();
    /* Last, when all went well: take the place of the still picture, above its caption. */
    var figure = document.getElementById(box.dataset.still || "");
    if (figure && figure.querySelector("figcaption")) {
      figure.insertBefore(box, figure.querySelector("figcaption"));
      figure.classList.add("mf-live");
    }
    box.hidden = false;
  }

  function all() { document.querySelectorAll(".mf-widget").forEach(start); }
  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", all); } else { all(); }
})();
