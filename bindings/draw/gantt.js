// The script in a Gantt chart. The wheel zooms in time, with Shift in processors; dragging moves; a
// double click shows everything again. In a page with other things the wheel needs Ctrl. Without
// scripts the chart is what it is.
//
// gantt.lua draws the chart and says in its data- attributes what the axes mean. The plot is an
// inner <svg class="op"> whose viewBox is what is seen of it. The functions before `start` know
// nothing of the document; spec/bindings/draw/gantt_script.js calls them.
(function () {
  'use strict';

  const SVG = 'http://www.w3.org/2000/svg';
  const DAY = 86400;
  const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
    43200, DAY, 2 * DAY, 7 * DAY, 28 * DAY]; // s between two ticks of a clock
  const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov',
    'Dec'];
  const MOST_NAMES = 600;
  const CLOSEST = 5e4; // how many times nearer than the whole

  // --- axes --------------------------------------------------------------------------------------

  // The shortest step of 1, 2 or 5 times a power of ten that divides the span at most `most` times.
  function roundStep(span, most) {
    const power = Math.pow(10, Math.floor(Math.log10(span / most)));
    const factor = [1, 2, 5].find((f) => f * power * most >= span * (1 - 1e-9)) || 10;
    return factor * power;
  }

  function twoDigits(n) { return (n < 10 ? '0' : '') + n; }

  // A time (s since 1970, UTC) on an axis whose ticks are `step` s apart.
  function dateText(time, step) {
    const date = new Date(time * 1000);
    if (time % DAY === 0) { return date.getUTCDate() + ' ' + MONTHS[date.getUTCMonth()]; }
    return twoDigits(date.getUTCHours()) + ':' + twoDigits(date.getUTCMinutes()) +
      (step < 60 ? ':' + twoDigits(date.getUTCSeconds()) : '');
  }

  // The ticks of `span` s from `low` on, on an axis `width` px long: { time, text, strong }.
  //   unit   s of a unit of the axis, where there is no clock
  //   clock  what time 0 is (s since 1970), or null
  function timeTicks(low, span, width, unit, clock) {
    const ticks = [];
    if (clock === null) {
      const step = roundStep(span / unit, width / 85);
      for (let n = Math.ceil(low / unit / step); n * step * unit <= low + span; n++) {
        ticks.push({ time: n * step * unit, text: String(+(n * step).toPrecision(10)) });
      }
      return ticks;
    }
    let step = STEPS.find((s) => span / s <= width / 64) || STEPS[STEPS.length - 1];
    if (span < width / 64) { step = roundStep(span, width / 85); }
    for (let n = Math.ceil((low + clock) / step); n * step <= low + span + clock; n++) {
      ticks.push({ time: n * step - clock, text: dateText(n * step, step),
        strong: n * step % DAY === 0 });
    }
    return ticks;
  }

  // The numbers at the axis of processors: `span` of them from `low` on, on `height` px.
  //   few    one number for each processor, of which there are `procs`
  function processorTicks(low, span, height, procs, few) {
    const ticks = [];
    const step = few ? 1 : Math.max(1, roundStep(span, height / 40));
    const first = few ? Math.floor(low) : Math.ceil(low / step); // one may be seen in part
    for (let n = first; n * step <= low + span; n++) {
      if (!few || n < procs) { ticks.push(n * step); }
    }
    return ticks;
  }

  // --- names -------------------------------------------------------------------------------------

  // The largest rectangle of a path "Mx yhWvHh-Wz...": [x, y, width, height].
  function highest(path) {
    let best = null;
    for (const m of path.matchAll(/M(-?\d+) (-?\d+)h(\d+)v(\d+)/g)) {
      const box = m.slice(1, 5).map(Number);
      if (!best || box[3] > best[3]) { best = box; }
    }
    return best;
  }

  // How a name of so many letters stands in a rectangle of w x h px: its size, and whether it is
  // turned; null: it does not fit.
  function fit(letters, w, h) {
    for (const size of [12, 10]) {
      const length = letters * size * 0.58 + 6;
      if (w >= length && h >= size + 2) { return { size, turned: false }; }
      if (h >= length && w >= size + 2) { return { size, turned: true }; }
    }
    return null;
  }

  // White on what is dark: rgb(...) is what the browser says of a fill.
  function inkOn(fill) {
    const m = /(\d+), *(\d+), *(\d+)/.exec(fill);
    return m && 0.299 * m[1] + 0.587 * m[2] + 0.114 * m[3] <= 115 ? '#fff' : '';
  }

  // --- what is seen ------------------------------------------------------------------------------

  // A view is [x, y, width, height] in units of the plot; `home` shows everything.
  function clipped(view, home) {
    const size = [Math.min(view[2], home[2]), Math.min(view[3], home[3])];
    const at = [0, 1].map((i) => Math.max(0, Math.min(view[i], home[i + 2] - size[i])));
    return at.concat(size);
  }

  // The view after zooming by a factor along axis 0 (time) or 1 (processors); what is at the share
  // `at` of the plot stays where it is.
  function zoomed(view, home, axis, at, factor) {
    const next = view.slice();
    const share = Math.max(0, Math.min(1, at));
    const size = Math.max(home[axis + 2] / CLOSEST,
      Math.min(home[axis + 2], view[axis + 2] * factor));
    next[axis] += share * (view[axis + 2] - size);
    next[axis + 2] = size;
    return clipped(next, home);
  }

  // The view after dragging from one place to another, both as shares of the plot.
  function dragged(view, home, from, to) {
    return clipped([view[0] - (to[0] - from[0]) * view[2], view[1] - (to[1] - from[1]) * view[3],
      view[2], view[3]], home);
  }

  // --- the chart ---------------------------------------------------------------------------------

  function numbers(text) { return text.split(' ').map(Number); }

  function start(root) {
    const plot = root.querySelector('.op');
    const strip = root.querySelector('.oq'); // the waiting jobs; null where there is none
    const timeAxis = root.querySelector('.ox');
    const procAxis = root.querySelector('.oy');
    const nameGroup = root.querySelector('.ol');
    const fixed = Array.from(root.querySelectorAll('.oz')); // right only while all is seen
    const [left, top, width, height] = ['x', 'y', 'width', 'height']
      .map((name) => +plot.getAttribute(name));
    const data = root.dataset;
    const from = +data.from;
    const span = +data.to - from;
    const procs = +data.procs;
    const bottom = +data.bottom;
    const few = data.few !== undefined;
    const clock = data.clock === undefined ? null : +data.clock;
    const home = numbers(plot.getAttribute('viewBox'));
    let view = home.slice();
    let boxes = null;
    let drag = null;

    function px(x) { return left + (x - view[0]) / view[2] * width; }
    function py(y) { return top + (y - view[1]) / view[3] * height; }

    function write(group, x, y, text, attributes) {
      const element = document.createElementNS(SVG, 'text');
      element.setAttribute('x', x.toFixed(1));
      element.setAttribute('y', y.toFixed(1));
      element.textContent = text;
      for (const [name, value] of Object.entries(attributes || {})) {
        if (value) { element.setAttribute(name, value); }
      }
      group.appendChild(element);
    }

    function drawLines(group, path) {
      group.textContent = '';
      const element = document.createElementNS(SVG, 'path');
      element.setAttribute('class', 'og-line');
      element.setAttribute('d', path);
      group.appendChild(element);
    }

    function drawTimes() {
      const ticks = timeTicks(from + span * view[0] / home[2], span * view[2] / home[2], width,
        +data.unit, clock);
      const xs = ticks.map((tick) => px((tick.time - from) / span * home[2]));
      drawLines(timeAxis, xs.map((x) => 'M' + x.toFixed(1) + ' ' + top + 'V' + (bottom + 5))
        .join(''));
      ticks.forEach((tick, i) => {
        write(timeAxis, xs[i], bottom + 19, tick.text, { class: tick.strong && 'om' });
      });
    }

    function drawProcessors() {
      const low = procs - procs * (view[1] + view[3]) / home[3];
      const rows = processorTicks(low, procs * view[3] / home[3], height, procs, few)
        .map((n) => ({ n, y: py((procs - n - (few ? 0.5 : 0)) / procs * home[3]) }))
        .filter((row) => row.y >= top && row.y <= top + height);
      drawLines(procAxis, few ? '' : rows.map((row) =>
        'M' + (left - 4) + ' ' + row.y.toFixed(1) + 'h' + (width + 4)).join(''));
      rows.forEach((row) => write(procAxis, left - 8, row.y + 4, row.n));
    }

    // Boxes that are too many to be named have no data-name.
    function readBoxes() {
      return Array.from(plot.querySelectorAll('path[data-name]')).map((element) => ({
        at: highest(element.getAttribute('d')), name: element.dataset.name,
        covered: data.over !== undefined || element.dataset.look !== undefined,
        fill: getComputedStyle(element).fill,
      }));
    }

    function drawNames() {
      let count = 0;
      boxes = boxes || readBoxes();
      nameGroup.textContent = '';
      for (const box of boxes) {
        const x = Math.max(px(box.at[0]), left);
        const x2 = Math.min(px(box.at[0] + box.at[2]), left + width);
        const y = Math.max(py(box.at[1]), top);
        const y2 = Math.min(py(box.at[1] + box.at[3]), top + height);
        const how = x2 - x >= 12 && y2 - y >= 12 && fit(box.name.length, x2 - x, y2 - y);
        if (!how || ++count > MOST_NAMES) { continue; }
        const middle = [(x + x2) / 2, (y + y2) / 2];
        write(nameGroup, middle[0], middle[1] + how.size * 0.35, box.name, {
          'font-size': how.size, class: box.covered && 'oh',
          fill: !box.covered && inkOn(box.fill),
          transform: how.turned &&
            'rotate(-90 ' + middle[0].toFixed(1) + ' ' + middle[1].toFixed(1) + ')',
        });
      }
    }

    function show(next) {
      view = next;
      const whole = view[2] === home[2] && view[3] === home[3];
      plot.setAttribute('viewBox', view.join(' '));
      if (strip) {
        const own = strip.getAttribute('viewBox').split(' ');
        strip.setAttribute('viewBox', [view[0], own[1], view[2], own[3]].join(' '));
      }
      for (const pattern of root.querySelectorAll('pattern')) {
        if (!/k-/.test(pattern.id)) { // those of the legend stay as they are
          pattern.setAttribute('patternTransform', 'scale(' + 100 * view[2] / home[2] + ' ' +
            100 * view[3] / home[3] + ')');
        }
      }
      for (const element of fixed) { element.style.display = whole ? '' : 'none'; }
      drawTimes();
      drawProcessors();
      drawNames();
    }

    // Where the pointer is, as shares of the plot.
    function where(event) {
      const point = root.createSVGPoint();
      point.x = event.clientX;
      point.y = event.clientY;
      const at = point.matrixTransform(root.getScreenCTM().inverse());
      return [(at.x - left) / width, (at.y - top) / height];
    }

    root.addEventListener('wheel', (event) => {
      if (root !== document.documentElement && !event.ctrlKey) { return; }
      const at = where(event);
      if (at[0] < 0 || at[0] > 1 || at[1] < 0) { return; }
      event.preventDefault();
      const axis = event.shiftKey ? 1 : 0;
      show(zoomed(view, home, axis, at[axis], Math.pow(1.0015, event.deltaY || event.deltaX)));
    }, { passive: false });
    root.addEventListener('pointerdown', (event) => {
      const at = where(event);
      const inside = at[0] >= 0 && at[0] <= 1 && at[1] >= 0;
      if (inside && (view[2] < home[2] || view[3] < home[3])) { drag = { at, view }; }
    });
    root.addEventListener('pointermove', (event) => {
      if (drag && !event.buttons) { drag = null; }
      if (drag) { // at the size of now: the wheel may turn meanwhile
        show(dragged(drag.view.slice(0, 2).concat(view.slice(2)), home, drag.at, where(event)));
      }
    });
    root.addEventListener('pointerup', () => { drag = null; });
    root.addEventListener('dblclick', () => show(home.slice()));
  }

  if (typeof module !== 'undefined') {
    module.exports = { roundStep, dateText, timeTicks, processorTicks, highest, fit, inkOn,
      clipped, zoomed, dragged, start };
  } else {
    document.querySelectorAll('svg.og').forEach(start);
  }
})();
