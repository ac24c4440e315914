/* The interactive figure of the ring: drag the budget, see three densities. It takes the place of the still picture
   of the same figure, which stands there without this script, and in print. Nothing is loaded: the data stand in
   the page. */
"use strict";

(function () {
  var SIZE = 121;
  var MODES = 8, RADIUS = 4, VARIANCE = 0.25;
  var LOW = Math.log(1e-4), HIGH = Math.log(0.2);
  /* From little to much; the lightness goes one way only, so that grey print shows the same. */
  var RAMPS = {
    light: [[255, 255, 255], [158, 202, 225], [1, 94, 148], [8, 29, 54]],
    dark: [[18, 18, 18], [13, 71, 108], [73, 170, 222], [240, 249, 255]]
  };
  var LAWS = [
    { name: "clip", title: "as printed (clip)" },
    { name: "released", title: "as released" },
    { name: "projection", title: "mollification" }
  ];

  function element(tag, text, parent) {
    var made = document.createElement(tag);
    if (text) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }

  function theme() {
    return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
  }

  /* Return the colour of a share between 0 and 1 as three numbers. */
  function shade(ramp, share) {
    var place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
    var first = Math.min(Math.floor(place), ramp.length - 2);
    var part = place - first;
    return ramp[first].map(function (value, at) { return value + part * (ramp[first + 1][at] - value); });
  }

  /* Return log P and log Q0 at the points of the picture, row by row from above. */
  function known(side) {
    var target = new Float64Array(SIZE * SIZE), reference = new Float64Array(SIZE * SIZE);
    for (var row = 0; row < SIZE; row += 1) {
      for (var column = 0; column < SIZE; column += 1) {
        var x = side * (2 * column / (SIZE - 1) - 1), y = side * (1 - 2 * row / (SIZE - 1));
        var exponents = [];
        for (var mode = 0; mode < MODES; mode += 1) {
          var angle = 2 * Math.PI * mode / MODES;
          var dx = x - RADIUS * Math.cos(angle), dy = y - RADIUS * Math.sin(angle);
          exponents.push(-(dx * dx + dy * dy) / (2 * VARIANCE));
        }
        var top = Math.max.apply(null, exponents);
        var sum = exponents.reduce(function (all, item) { return all + Math.exp(item - top); }, 0);
        target[row * SIZE + column] = top + Math.log(sum / (MODES * 2 * Math.PI * VARIANCE));
        reference[row * SIZE + column] = -(x * x + y * y) / 2 - Math.log(2 * Math.PI);
      }
    }
    return { target: target, reference: reference };
  }

  /* Return the log-ratio of a table of n by n hundredths, row by row from below, between its points. */
  function between(table, n, row, column) {
    var u = column / (SIZE - 1) * (n - 1), v = (SIZE - 1 - row) / (SIZE - 1) * (n - 1);
    var i = Math.min(Math.floor(u), n - 2), j = Math.min(Math.floor(v), n - 2);
    var s = u - i, t = v - j;
    return ((1 - t) * ((1 - s) * table[j * n + i] + s * table[j * n + i + 1]) +
      t * ((1 - s) * table[(j + 1) * n + i] + s * table[(j + 1) * n + i + 1])) / 100;
  }

  function start() {
    var box = document.getElementById("ring-explorer");
    if (!box) { return; }
    var data = JSON.parse(box.querySelector(".mf-explorer-data").textContent);
    var logs = known(data.side);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Interactive figure: densities on the ring against the budget");

    var bar = element("div", "", box);
    bar.className = "mf-explorer-bar";
    var label = element("label", "budget ε", bar);
    label.htmlFor = "ring-explorer-budget";
    var slider = element("input", "", bar);
    slider.type = "range";
    slider.id = "ring-explorer-budget";
    slider.min = "0";
    slider.max = String(data.budgets.length - 1);
    slider.step = "1";
    slider.value = String(Math.max(data.budgets.indexOf(1), 0));
    var shown = element("output", "", bar);
    shown.htmlFor = slider.id;

    var panels = element("div", "", box);
    panels.className = "mf-explorer-panels";
    var canvases = LAWS.map(function (law) {
      var figure = element("figure", "", panels);
      var canvas = element("canvas", "", figure);
      canvas.width = SIZE;
      canvas.height = SIZE;
      canvas.setAttribute("role", "img");
      element("figcaption", law.title, figure);
      return canvas;
    });

    var scale = element("div", "", box);
    scale.className = "mf-explorer-scale";
    var strip = element("canvas", "", scale);
    strip.width = 256;
    strip.height = 1;
    strip.setAttribute("role", "img");
    strip.setAttribute("aria-label", "Colour scale: density per unit area from 0.0001 or less to 0.2 or more, logarithmic");
    var ticks = element("div", "", scale);
    ticks.setAttribute("aria-hidden", "true");
    ["≤ 0.0001", "density per unit area, log scale", "≥ 0.2"].forEach(function (text) { element("span", text, ticks); });

    var table = element("table", "", box);
    var head = element("tr", "", element("thead", "", table));
    ["law", "NLL (nats)", "spent", "of ε", "modes"].forEach(function (text) {
      element("th", text, head).scope = "col";
    });
    var body = element("tbody", "", table);
    var cells = LAWS.map(function (law) {
      var row = element("tr", "", body);
      element("th", law.title, row).scope = "row";
      return [0, 1, 2, 3].map(function () { return element("td", "", row); });
    });
    var note = element("p", "The square is [−" + data.side + ", " + data.side + "]²; small circles mark the eight modes of the target. " +
      "NLL: negative log-likelihood. Spent: 2 sup |log Q/Q₀|, at most ε inside the mollifier.", box);
    note.className = "mf-explorer-note";
    var status = element("p", "", box);
    status.className = "visually-hidden sr-only";
    status.setAttribute("role", "status");

    function paint(canvas, at, law) {
      var context = canvas.getContext("2d"), picture = context.createImageData(SIZE, SIZE);
      var ramp = RAMPS[theme()], eps = data.budgets[at], constant = data.logConstant[at];
      var values = law === "projection" ? null : data.pictures[law][at];
      for (var row = 0; row < SIZE; row += 1) {
        for (var column = 0; column < SIZE; column += 1) {
          var place = row * SIZE + column, ratio;
          if (values) {
            ratio = between(values, data.pixels, row, column);
          } else {
            ratio = logs.target[place] - logs.reference[place] - constant;
            ratio = Math.min(Math.max(ratio, -eps / 2), eps / 2);
          }
          var colour = shade(ramp, (logs.reference[place] + ratio - LOW) / (HIGH - LOW));
          picture.data[4 * place] = colour[0];
          picture.data[4 * place + 1] = colour[1];
          picture.data[4 * place + 2] = colour[2];
          picture.data[4 * place + 3] = 255;
        }
      }
      context.putImageData(picture, 0, 0);
      for (var mode = 0; mode < MODES; mode += 1) {
        var angle = 2 * Math.PI * mode / MODES;
        context.beginPath();
        context.arc((SIZE - 1) * (0.5 + RADIUS * Math.cos(angle) / (2 * data.side)),
          (SIZE - 1) * (0.5 - RADIUS * Math.sin(angle) / (2 * data.side)), 2.2, 0, 2 * Math.PI);
        context.strokeStyle = theme() === "dark" ? "#ffc879" : "#8e3c00";
        context.lineWidth = 0.9;
        context.stroke();
      }
    }

    function draw() {
      var at = Number(slider.value), eps = data.budgets[at], spoken = [];
      shown.textContent = "ε = " + eps;
      slider.setAttribute("aria-valuetext", "epsilon " + eps);
      LAWS.forEach(function (law, index) {
        var found = data.measures[law.name][at];
        paint(canvases[index], at, law.name);
        canvases[index].setAttribute("aria-label", "Density, " + law.title + ", at epsilon " + eps + ": " +
          found.modes + " of 8 modes shown");
        var texts = [found.nll.toFixed(3), found.spent.toFixed(2), (found.spent / eps).toFixed(2) + "×", found.modes + " of 8"];
        texts.forEach(function (text, column) { cells[index][column].textContent = text; });
        var over = found.spent > eps * (1 + 1e-6);
        cells[index][2].className = over ? "mf-over" : "";
        spoken.push(law.title + ": loss " + found.nll.toFixed(2) + ", spends " + found.spent.toFixed(2) + (over ? ", more than allowed" : ""));
      });
      status.textContent = "Epsilon " + eps + ". " + spoken.join("; ") + ".";
    }

    function colourStrip() {
      var context = strip.getContext("2d"), picture = context.createImageData(256, 1), ramp = RAMPS[theme()];
      for (var at = 0; at < 256; at += 1) {
        var colour = shade(ramp, at / 255);
        picture.data.set([colour[0], colour[1], colour[2], 255], 4 * at);
      }
      context.putImageData(picture, 0, 0);
    }

    slider.addEventListener("input", draw);
    new MutationObserver(function () { colourStrip(); draw(); })
      .observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    colourStrip();
    draw();
    /* Last, when all went well: take the place of the still picture, above its caption. */
    var figure = document.getElementById(box.dataset.still || "");
    if (figure && figure.querySelector("figcaption")) {
      figure.insertBefore(box, figure.querySelector("figcaption"));
      figure.classList.add("mf-live");
    }
    box.hidden = false;
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})();
