// Charts in a page. The wheel zooms in time, with Shift in processors; dragging moves; two fingers
// zoom; a double click shows everything again. In a page with other things the wheel needs Ctrl.
// Charts of one page have one view, so that policies can be compared.
//
// The page has these files as one script: gantt_data.js, gantt_paint.js, gantt_axis.js,
// gantt_chart.js, this one. chart.lua writes for each chart a <section class="gantt"> with what it
// is of as JSON.

const HINT = ' or two fingers zoom, with Shift in processors; dragging moves; a double click '
  + 'shows all. Point at a job or tap it to read about it. Keys: arrows, + and -, 0, n and p for '
  + 'jobs.';

class Group {
  constructor(sections) {
    this.alone = sections.length === 1 && document.body.classList.contains('alone');
    this.sections = sections;
    this.charts = [];
    this.mode = 'job';
  }

  add(chart) {
    this.charts.push(chart);
    const home = this.home || chart.home;
    this.home = [Math.min(home[0], chart.home[0]), 0, Math.max(home[2], chart.home[2]),
      Math.max(home[3], chart.home[3])];
    this.view = this.home;
    this.mode = chart.head.colour || usualColour(chart.s);
    this.listen(chart);
  }

  repaint() {
    if (this.waiting) { return; }
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paintNow();
    });
  }

  paintNow() {
    for (const chart of this.weeks || this.charts) { chart.draw(); }
  }

  show(view) {
    if (this.weeks) { this.leaveWeeks(); }
    this.view = view;
    this.repaint();
  }

  zoom(axis, at, factor) {
    const least = axis === 0 ? 20 * this.charts[0].head.tick : 1;
    this.show(zoomed(this.view, this.home, axis, at, factor, least));
  }

  move(dx, dy) { this.show(moved(this.view, this.home, dx, dy)); }

  showWeeks() {
    const weeks = weeksOf(this.view, this.charts[0].clock);
    if (this.weeks || weeks.length === 0) { return; }
    for (const chart of this.charts) { chart.box.hidden = true; }
    this.weeks = this.charts.flatMap((chart) => weeks.map((from) => new Week(chart, from)));
    this.repaint();
  }

  leaveWeeks() {
    for (const week of this.weeks) { week.box.remove(); }
    for (const chart of this.charts) { chart.box.hidden = false; }
    this.weeks = null;
  }

  get isWhole() { return this.view.every((value, i) => value === this.home[i]); }

  // What people choose: colours, how near; and how it is done.
  controls() {
    const select = element('select', { onchange: () => {
      this.mode = select.value;
      this.showLegend();
      this.repaint();
    } }, ...Object.keys(COLOURS).filter((name) =>
      this.charts.some((chart) => COLOURS[name].can(chart.s)))
      .map((name) => element('option', { value: name, selected: name === this.mode,
        textContent: name === 'job' ? this.charts[0].head.what : COLOURS[name].text })));
    const button = (text, title, onclick) =>
      element('button', { type: 'button', textContent: text, title, onclick });
    this.legend = element('div', { className: 'legend' });
    this.sections[0].before(element('div', { className: 'controls' },
      element('label', {}, 'Colour by ', select),
      button('+', 'nearer', () => this.zoom(0, 0.5, 0.5)),
      button('\u2212', 'farther', () => this.zoom(0, 0.5, 2)),
      button('All', 'the whole schedule', () => this.show(this.home)),
      ...weeksOf(this.home, this.charts[0].clock).slice(0, 1).map(() =>
        button('Weeks', 'what is seen, week by week', () => this.showWeeks())),
      element('span', { className: 'hint' },
        (this.alone ? 'The wheel' : 'The wheel with Ctrl') + HINT)), this.legend);
    this.showLegend();
  }

  showLegend() {
    const items = new Map();
    for (const chart of this.charts) {
      const { classes, shade } = chart.colourBy(this.mode);
      for (const [colour, text] of classes) {
        if (text) { items.set(text, 'rgb(' + colour.join() + ')'); }
      }
      if (shade) {
        items.set('a colour for each ' + chart.head.what, 'rgb(' + classes[0][0].join() + ')');
        if (chart.s.count > 500) {
          items.set('too many to be told apart: zoom in', 'rgb(' + shade.join() + ')');
        }
      }
      if (chart.head.down.length > 0) {
        items.set('processors that are out', 'rgb(' + NONE.join() + ')');
      }
      for (const outcome of new Set(chart.s.outcome)) {
        const said = SAID[outcome]; // it may have a colour already
        if (lookOf(outcome) && !items.has(said)) { items.set(said, lookOf(outcome)); }
      }
      for (const look of new Set(chart.s.over.map((one) => one.look))) {
        if (OVER_SAID[look]) { items.set(OVER_SAID[look], look); } // or it is an outcome
      }
      if (chart.head.marks.length > 0) { items.set('fault (\u25BC)', '#C40000'); }
    }
    this.legend.replaceChildren(...Array.from(items, ([text, fill]) => {
      const swatch = element('canvas', { width: 20, height: 12 });
      const pen = swatch.getContext('2d');
      pen.fillStyle = LOOKS[fill] || PLAIN[fill] ? '#A9C9E6' : fill;
      pen.fillRect(0, 0, 20, 12);
      if (LOOKS[fill] || PLAIN[fill]) {
        pen.fillStyle = patternOf(pen, fill);
        pen.fillRect(0, 0, 20, 12);
      }
      return element('span', {}, swatch, ' ' + text);
    }));
  }

  // --- hands ------------------------------------------------------------------------------------

  listen(chart) {
    const { canvas } = chart;
    const fingers = new Map(); // by pointer: where it is
    let tapped = null;         // where a finger or the button went down, until it moves
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const share = ([x, y]) => [(x - chart.at.left) / chart.at.width,
      1 - (y - chart.at.top) / chart.at.height];
    canvas.addEventListener('wheel', (event) => {
      const at = share(place(event));
      if (!this.alone && !event.ctrlKey || at[0] < 0 || at[0] > 1 || at[1] > 1) { return; }
      event.preventDefault();
      const axis = event.shiftKey ? 1 : 0;
      this.zoom(axis, at[axis], Math.pow(1.0015, event.deltaY || event.deltaX));
    }, { passive: false });
    canvas.addEventListener('pointerdown', (event) => {
      fingers.set(event.pointerId, place(event));
      tapped = fingers.size === 1 ? place(event) : null;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      const now = place(event);
      const before = fingers.get(event.pointerId);
      if (!before) {
        if (event.pointerType === 'mouse') { chart.tell(chart.attemptAt(...now), ...now); }
        return;
      }
      if (tapped && Math.hypot(now[0] - tapped[0], now[1] - tapped[1]) < 5) { return; }
      tapped = null;
      fingers.set(event.pointerId, now);
      const other = Array.from(fingers).find(([id]) => id !== event.pointerId);
      if (other) {
        const factor = Math.max(Math.abs(before[0] - other[1][0]), 10)
          / Math.max(Math.abs(now[0] - other[1][0]), 10);
        this.zoom(0, share([(now[0] + other[1][0]) / 2, now[1]])[0], factor);
      } else if (!this.isWhole) {
        this.move((before[0] - now[0]) / chart.at.width, (now[1] - before[1]) / chart.at.height);
      }
    });
    const lift = (event) => {
      fingers.delete(event.pointerId);
      if (tapped && event.type === 'pointerup') {
        chart.tell(chart.attemptAt(...tapped), ...tapped);
      }
      tapped = null;
    };
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointercancel', lift);
    canvas.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse') { chart.tell(-1); }
    });
    canvas.addEventListener('dblclick', () => this.show(this.home));
    canvas.addEventListener('keydown', (event) => {
      const actions = { ArrowLeft: () => this.move(-0.2, 0), ArrowRight: () => this.move(0.2, 0),
        ArrowUp: () => this.move(0, 0.2), ArrowDown: () => this.move(0, -0.2),
        '+': () => this.zoom(0, 0.5, 0.5), '-': () => this.zoom(0, 0.5, 2),
        PageUp: () => this.zoom(1, 0.5, 0.5), PageDown: () => this.zoom(1, 0.5, 2),
        0: () => this.show(this.home), Home: () => this.show(this.home),
        n: () => chart.step(1), p: () => chart.step(-1), Escape: () => chart.tell(-1) };
      if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) { return; }
      event.preventDefault();
      actions[event.key]();
    });
  }
}

// Reads and draws all charts; a promise of the group.
async function start() {
  const sections = Array.from(document.querySelectorAll('section.gantt'));
  const group = new Group(sections);
  const blocks = {}; // charts share columns
  const block = (id) => {
    blocks[id] = blocks[id] || unpacked(document.getElementById(id).textContent);
    return blocks[id];
  };
  for (const section of sections) {
    const head = JSON.parse(section.querySelector('script').textContent);
    const columns = Object.fromEntries(Object.entries(head.columns)
      .map(([name, id]) => [name, block(id)]));
    group.add(new Chart(section, head, await readSchedule(head, columns), group));
  }
  if (group.charts.length === 0) { return group; }
  addNeeds(group.charts.map((chart) => chart.s));
  group.controls();
  group.paintNow();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => group.repaint());
  return group;
}

window.gantt = start();
