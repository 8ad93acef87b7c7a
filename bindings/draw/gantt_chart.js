// One chart in a page: where everything stands, what is drawn of it, and the card of a job.

const OUTLINED = 4000; // boxes; more have no lines between them

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

// --- patterns -----------------------------------------------------------------------------------

// What lies over attempts that did not complete, and over spans of tasks: lines in a square of
// 8 px.
const LOOKS = {
  failed: [[-2, 2, 2, -2], [0, 8, 8, 0], [6, 10, 10, 6]],
  node_failure: [[-2, 6, 2, 10], [0, 0, 8, 8], [6, -2, 10, 2]],
  killed: [[0, 8, 8, 0], [0, 0, 8, 8]],
  preempted: [[0, 4, 8, 4]],
  redirected: [[4, 0, 4, 8]],
  cancelled: [[3, 4, 5, 4]],
  lost: [[-2, 2, 2, -2], [0, 8, 8, 0], [6, 10, 10, 6]],
  recovery: [[1, 4, 7, 4], [4, 1, 4, 7]],
  redistribution: [[4, 0, 4, 8]],
};
const PLAIN = { running: 'rgba(255,255,255,.6)', checkpoint: 'rgba(0,0,0,.5)',
  downtime: 'rgba(30,30,30,.9)' };
// Of jobs that write checkpoints, attempts that lost some of their work have spans that say which.
const PARTLY = [OUTCOMES.node_failure, OUTCOMES.preempted, OUTCOMES.redirected];
const OVER_SAID = { checkpoint: 'checkpoint', lost: 'work that a fault undid',
  downtime: 'downtime', recovery: 'recovery', redistribution: 'redistribution' };

function patternOf(context, look) {
  if (PLAIN[look]) { return PLAIN[look]; }
  const tile = element('canvas', { width: 8, height: 8 });
  const pen = tile.getContext('2d');
  for (const [colour, width] of [['rgba(255,255,255,.4)', 2], ['rgba(0,0,0,.3)', 0.7]]) {
    [pen.strokeStyle, pen.lineWidth] = [colour, width];
    pen.beginPath();
    for (const [x, y, x2, y2] of LOOKS[look]) { pen.moveTo(x, y); pen.lineTo(x2, y2); }
    pen.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

function lookOf(outcome) {
  return Object.keys(OUTCOMES).find((name) => OUTCOMES[name] === outcome && name !== 'completed');
}

// --- one chart ----------------------------------------------------------------------------------

class Chart {
  constructor(section, head, schedule, group) {
    Object.assign(this, { section, head, s: schedule, group, colours: {} });
    this.clock = head.clock === undefined ? null : head.clock;
    this.home = [head.from, 0, head.to, head.procs];
    this.canvas = element('canvas', { tabIndex: 0 });
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', head.title + ': ' + head.said);
    this.card = element('div', { className: 'card', hidden: true });
    this.card.setAttribute('role', 'status');
    this.chosen = -1;
    this.box = element('div', { className: 'chart' }, this.canvas, this.card);
    section.append(this.box);
    const over = this.s.over;
    this.spans = { start: over.map((one) => one.start), end: over.map((one) => one.end),
      rectangles: this.rectanglesOver(over) };
    this.down = { start: head.down.map((one) => one[0]), end: head.down.map((one) => one[1]),
      rectangles: { count: head.down.length, owner: head.down.map((one, i) => i),
        low: head.down.map((one) => one[2]), high: head.down.map((one) => one[3] + 1) } };
    this.few = head.procs <= 24;
    new ResizeObserver(() => group.repaint()).observe(section);
  }

  // Spans of tasks stand on the processors of their boxes.
  rectanglesOver(over) {
    if (over.length === 0) { return { count: 0, owner: [], low: [], high: [] }; }
    const all = this.s.rectangles;
    const of = new Map();
    for (let r = 0; r < all.count; r++) {
      of.set(all.owner[r], (of.get(all.owner[r]) || []).concat(r));
    }
    const list = over.flatMap((one, i) => (of.get(one.attempt) || []).map((r) => [i, r]));
    return { count: list.length, owner: list.map((one) => one[0]),
      low: list.map((one) => all.low[one[1]]), high: list.map((one) => all.high[one[1]]) };
  }

  // px: where the plot and the strip of waiting jobs are.
  layOut() {
    const { head } = this;
    const width = this.section.clientWidth;
    const names = (head.bands || []).map((band) => band.name.length * 7);
    const left = width < 560 ? 46 : 64;
    const right = Math.min(14 + Math.max(0, ...names), width / 5);
    const top = head.packs || head.now !== undefined || head.marks.length > 0 ? 22 : 8;
    const height = head.height || (head.procs <= 8 ? Math.max(120, 34 * head.procs)
      : Math.min(480, Math.max(300, 16 * head.procs)));
    const strip = this.s.waiting && this.s.waiting.times.length > 0 ? 56 : 0;
    const bottom = top + height + (strip ? 12 + strip : 0);
    this.at = { left, top, width: Math.max(width - left - right, 40), height, strip, bottom,
      whole: width, total: bottom + 40 };
  }

  get view() { return this.group.view; }

  px(time) {
    return this.at.left + (time - this.view[0]) / (this.view[2] - this.view[0]) * this.at.width;
  }

  py(processor) {
    const share = (this.view[3] - processor) / (this.view[3] - this.view[1]);
    return this.at.top + share * this.at.height;
  }

  draw() {
    this.layOut();
    const { at, canvas } = this;
    const scale = window.devicePixelRatio || 1;
    this.scale = scale;
    const [width, height] = [Math.round(at.whole * scale), Math.round(at.total * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      [canvas.style.width, canvas.style.height] = [at.whole + 'px', at.total + 'px'];
    }
    const pen = this.pen = canvas.getContext('2d', { willReadFrequently: true });
    const style = getComputedStyle(this.section);
    this.ink = Object.fromEntries(['paper', 'ink', 'soft', 'line'].map((name) =>
      [name, style.getPropertyValue('--' + name).trim()]));
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = this.ink.paper;
    pen.fillRect(0, 0, at.whole, at.total);
    this.drawTimes();
    this.drawProcessors();
    this.drawBoxes();
    this.drawFixed();
    this.drawStrip();
    pen.strokeStyle = this.ink.soft;
    pen.strokeRect(at.left - 0.5, at.top - 0.5, at.width + 1, at.height + 1);
  }

  text(x, y, text, align, colour, font) {
    this.pen.font = font || '12px system-ui, sans-serif';
    this.pen.textAlign = align;
    this.pen.fillStyle = colour || this.ink.ink;
    this.pen.fillText(text, x, y);
  }

  line(x, y, x2, y2, colour) {
    this.pen.strokeStyle = colour || this.ink.line;
    this.pen.beginPath();
    this.pen.moveTo(x, y);
    this.pen.lineTo(x2, y2);
    this.pen.stroke();
  }

  drawTimes() {
    const { at, head } = this;
    const ticks = timeTicks(this.view[0], this.view[2] - this.view[0], at.width, head.unit,
      this.clock);
    for (const tick of ticks) {
      const x = this.px(tick.time);
      this.line(x, at.top, x, at.bottom + 5);
      this.text(x, at.bottom + 18, tick.text, 'center', null,
        (tick.strong ? '600 ' : '') + '12px system-ui, sans-serif');
    }
    this.drawTimeTitle();
  }

  drawTimeTitle() {
    const { at, clock, head } = this;
    const title = clock === null ? head.time
      : 'Time (' + head.zone + '), from ' + instantText(this.view[0], clock).slice(0, 10);
    this.text(at.left + at.width / 2, at.bottom + 35, title, 'center', this.ink.soft);
  }

  // A row for each node: lines where there is room, and as many numbers, from 1, as fit.
  drawNodes() {
    const { at, view, head: { nodes } } = this;
    const each = at.height / (view[3] - view[1]) * nodes[nodes.length - 1] / (nodes.length - 1);
    const step = Math.ceil(13 / each);
    for (let i = 0; i + 1 < nodes.length; i += each < 3 ? step : 1) {
      const y = this.py(nodes[i]);
      const middle = step > 1 ? y : (y + this.py(nodes[i + 1])) / 2;
      const seen = (place) => place >= at.top && place <= at.top + at.height;
      if (seen(y)) { this.line(at.left - 4, y, at.left + at.width, y); }
      if (i % step === 0 && seen(middle)) {
        this.text(at.left - 8, middle + 4, i + 1, 'right');
      }
    }
    this.sideTitle(at.top + at.height / 2, 'Node');
  }

  drawProcessors() {
    const { at, head, view, few } = this;
    if (head.nodes) { this.drawNodes(); return; }
    const rows = processorTicks(view[1], view[3] - view[1], at.height, head.procs, few);
    for (const n of rows) {
      const y = this.py(n + (few ? 0.5 : 0));
      if (y < at.top || y > at.top + at.height) { continue; }
      if (!few) { this.line(at.left - 4, y, at.left + at.width, y); }
      this.text(at.left - 8, y + 4, n, 'right');
    }
    this.sideTitle(at.top + at.height / 2, few ? 'Processor' : 'Processors');
  }

  sideTitle(y, text) {
    if (this.at.left < 60) { return; } // on a narrow screen
    this.pen.save();
    this.pen.translate(12, y);
    this.pen.rotate(-Math.PI / 2);
    this.text(0, 0, text, 'center', this.ink.soft);
    this.pen.restore();
  }

  // The boxes as pixels, then what lies over those that are large enough.
  drawBoxes() {
    const { at, pen, scale, s, view } = this;
    const [x, y] = [Math.round(at.left * scale), Math.round(at.top * scale)];
    const [width, height] = [Math.round(at.width * scale), Math.round(at.height * scale)];
    const image = pen.getImageData(x, y, width, height);
    const down = project(this.down.rectangles, this.down.start, this.down.end, view, width, height);
    paint(image, down, { classes: [[NONE]], of: new Uint8Array(this.down.start.length) });
    this.boxes = project(s.rectangles, s.start, s.end, view, width, height, this.boxes);
    paint(image, this.boxes, this.colourBy(this.group.mode));
    pen.putImageData(image, x, y);
    pen.save();
    pen.beginPath();
    pen.rect(at.left, at.top, at.width, at.height);
    pen.clip();
    this.drawOver(width, height);
    pen.restore();
  }

  colourBy(mode) {
    const name = COLOURS[mode].can(this.s) ? mode : 'job';
    this.colours[name] = this.colours[name] || COLOURS[name].make(this.s);
    return this.colours[name];
  }

  // Those boxes that have at least so many px along both axes, clipped to what is seen:
  // [owner, x, y, width, height] in px of the page.
  large(boxes, least) {
    const { at, scale } = this;
    const list = [];
    for (let i = 0; i < boxes.count; i++) {
      if (boxes.at[4 * i + 2] < least * scale || boxes.at[4 * i + 3] < least * scale) { continue; }
      const [x, y, w, h] = [0, 1, 2, 3].map((k) => boxes.at[4 * i + k] / scale);
      const left = Math.max(x, 0);
      const top = Math.max(y, 0);
      const [right, bottom] = [Math.min(x + w, at.width), Math.min(y + h, at.height)];
      list.push([boxes.owner[i], at.left + left, at.top + top, right - left, bottom - top]);
    }
    return list;
  }

  drawOver(width, height) {
    const { pen, s, ink, head } = this;
    const boxes = this.large(this.boxes, 5);
    pen.strokeStyle = ink.paper;
    pen.lineWidth = 0.8;
    if (boxes.length <= OUTLINED) {
      for (const [, x, y, w, h] of boxes) { pen.strokeRect(x, y, w, h); }
    }
    pen.lineWidth = 1;
    for (const [owner, x, y, w, h] of boxes) {
      const partly = head.writes && PARTLY.includes(s.outcome[owner]);
      const look = partly ? null : lookOf(s.outcome[owner]);
      const from = look === 'running' ? Math.max(x, Math.min(this.px(head.now), x + w)) : x;
      if (look) { this.fill(look, from, y, x + w - from, h); }
    }
    const { spans } = this;
    if (spans.start.length > 0) {
      const over = project(spans.rectangles, spans.start, spans.end, this.view, width, height);
      const least = 0.5 * this.scale; // px: narrower spans are drawn so wide
      for (let i = 0; i < over.count; i++) {
        over.at[4 * i + 2] = Math.max(over.at[4 * i + 2], least);
      }
      for (const [owner, x, y, w, h] of this.large(over, 0.4)) {
        this.fill(s.over[owner].look, x, y, w, h);
      }
    }
    this.drawNames(boxes);
    if (this.chosen >= 0) { this.drawChosen(); }
  }

  fill(look, x, y, w, h) {
    this.patterns = this.patterns || {};
    this.patterns[look] = this.patterns[look] || patternOf(this.pen, look);
    this.pen.fillStyle = this.patterns[look];
    this.pen.fillRect(x, y, w, h);
  }

  // Names stand in the highest rectangle of their box, if they fit.
  drawNames(boxes) {
    const { pen, s } = this;
    const best = new Map();
    for (const box of boxes) {
      const before = best.get(box[0]);
      if (!before || box[4] > before[4]) { best.set(box[0], box); }
    }
    const colour = this.colourBy(this.group.mode);
    pen.font = '12px system-ui, sans-serif';
    this.names = [];
    for (const [owner, x, y, w, h] of best.values()) {
      const name = s.id[s.job[owner]];
      const length = pen.measureText(name).width;
      const how = Math.max(w, h) >= 14 && Math.min(w, h) >= 12 && fit(length, w, h);
      if (!how) { continue; }
      const [red, green, blue] = colour.classes[colour.of[owner]][0];
      const dark = 0.299 * red + 0.587 * green + 0.114 * blue <= 115;
      this.names.push({ name, x, y, w, h, length: length * how.size / 12 });
      pen.save();
      pen.translate(x + w / 2, y + h / 2);
      if (how.turned) { pen.rotate(-Math.PI / 2); }
      if (s.outcome[owner] !== OUTCOMES.completed || s.over.length > 0) {
        pen.strokeStyle = dark ? 'rgba(0,0,0,.5)' : 'rgba(255,255,255,.6)';
        pen.lineWidth = 2;
        pen.font = how.size + 'px system-ui, sans-serif';
        pen.textAlign = 'center';
        pen.strokeText(name, 0, how.size * 0.35);
      }
      this.text(0, how.size * 0.35, name, 'center', dark ? '#fff' : '#000',
        how.size + 'px system-ui, sans-serif');
      pen.restore();
      pen.font = '12px system-ui, sans-serif';
    }
  }

  // The attempts of the job of the card.
  drawChosen() {
    const { at, boxes, pen, s, scale } = this;
    pen.strokeStyle = this.ink.ink;
    pen.lineWidth = 2;
    for (let i = 0; i < boxes.count; i++) {
      if (s.job[boxes.owner[i]] !== s.job[this.chosen]) { continue; }
      const [x, y, w, h] = [0, 1, 2, 3].map((k) => boxes.at[4 * i + k] / scale);
      pen.strokeRect(at.left + x, at.top + y, w, h);
    }
    pen.lineWidth = 1;
  }

  // Groups, packs, faults and now.
  drawFixed() {
    const { at, head, pen } = this;
    const inside = (x) => x >= at.left && x <= at.left + at.width;
    (head.bands || []).forEach((band, i) => {
      const [low, high] = [this.py(band.first), this.py(band.first + band.procs)];
      const middle = (Math.max(high, at.top) + Math.min(low, at.top + at.height)) / 2;
      if (middle < at.top || middle > at.top + at.height) { return; }
      this.text(at.left + at.width + 6, middle + 4, band.name, 'left');
      if (i > 0 && low <= at.top + at.height) {
        this.line(at.left, low, at.left + at.width, low, this.ink.ink);
      }
    });
    for (const pack of head.packs || []) {
      const [x, x2] = [pack.start, pack.finish].map((time) => this.px(time));
      if (pack.start > head.from && inside(x)) {
        this.line(x, at.top - 6, x, at.top + at.height, this.ink.ink);
      }
      const middle = (Math.max(x, at.left) + Math.min(x2, at.left + at.width)) / 2;
      if (x2 - x > 24 && inside(middle)) { this.text(middle, at.top - 8, pack.name, 'center'); }
    }
    pen.fillStyle = '#C40000';
    for (const x of head.marks.map((time) => this.px(time)).filter(inside)) {
      pen.beginPath();
      pen.moveTo(x, at.top);
      pen.lineTo(x - 4, at.top - 7);
      pen.lineTo(x + 4, at.top - 7);
      pen.fill();
    }
    const now = head.now !== undefined && this.px(head.now);
    if (now && inside(now)) {
      this.line(now, at.top - 4, now, at.top + at.height, this.ink.ink);
      this.text(now, at.top - 8, 'now', 'center');
    }
  }

  // How many jobs wait: of each px the most.
  drawStrip() {
    const { at, pen, view } = this;
    if (!at.strip) { return; }
    const { times, waiting } = this.s.waiting;
    const most = this.mostWaiting = this.mostWaiting
      || waiting.reduce((a, b) => Math.max(a, b), 0);
    const columns = new Float64Array(Math.ceil(at.width));
    const end = this.head.now === undefined ? Infinity : this.head.now;
    for (let i = 0; i < times.length; i++) {
      const to = i + 1 < times.length ? times[i + 1] : end;
      if (to <= view[0] || times[i] >= view[2] || waiting[i] === 0) { continue; }
      const last = Math.min(this.px(to) - at.left, columns.length);
      for (let x = Math.max(Math.floor(this.px(times[i]) - at.left), 0); x < last; x++) {
        columns[x] = Math.max(columns[x], waiting[i]);
      }
    }
    pen.fillStyle = this.ink.soft;
    columns.forEach((value, x) => {
      const high = value / most * at.strip;
      pen.fillRect(at.left + x, at.bottom - high, 1, high);
    });
    this.text(at.left - 8, at.bottom - at.strip + 10, most, 'right');
    this.text(at.left - 8, at.bottom, 0, 'right');
    this.sideTitle(at.bottom - at.strip / 2, 'Waiting');
    this.line(at.left, at.bottom, at.left + at.width, at.bottom, this.ink.soft);
  }

  // --- the card ---------------------------------------------------------------------------------

  // What is said of an attempt, line by line.
  facts(i) {
    const { head, s, clock } = this;
    const job = s.job[i];
    const several = s.number[i] > 1 || (i + 1 < s.count && s.job[i + 1] === job);
    const procs = [];
    let count = 0;
    const { rectangles } = s;
    for (let r = 0; r < rectangles.count; r++) {
      if (rectangles.owner[r] !== i) { continue; }
      const [low, high] = [rectangles.low[r], rectangles.high[r] - 1];
      procs.push(low === high ? String(low) : low + '-' + high);
      count += high - low + 1;
    }
    const list = procs.length > 6 ? procs.slice(0, 6).join(' ') + ' …' : procs.join(' ');
    const lines = [head.what + ' ' + s.id[job] + (several ? ', attempt ' + s.number[i] : '')
      + (head.what === 'job' && s.outcome[i] !== OUTCOMES.completed
        ? ': ' + SAID[s.outcome[i]] : ''),
    instantText(s.start[i], clock) + ' to ' + instantText(s.end[i], clock) + ' ('
      + spanText(s.end[i] - s.start[i]) + ')',
    count + (count === 1 ? ' processor: ' : ' processors: ') + list];
    if (s.submit) {
      lines.push('submitted ' + instantText(s.submit[job], clock) + ', '
        + (s.start[i] > s.submit[job] ? 'waited ' + spanText(s.start[i] - s.submit[job])
          : 'did not wait'));
    }
    const spent = s.over.filter((one) => one.attempt === i);
    for (const look of new Set(spent.map((one) => one.look))) {
      const spans = spent.filter((one) => one.look === look);
      lines.push((OVER_SAID[look] || 'lost') + ' ' + (spans.length > 1 ? spans.length + ' x, ' : '')
        + spanText(spans.reduce((sum, one) => sum + one.end - one.start, 0)));
    }
    if (s.walltime && s.walltime[job] >= 0) { lines.push('walltime ' + spanText(s.walltime[job])); }
    const labels = LABELS.filter((name) => s[name] && s[name + '_of'][job] > 0)
      .map((name) => name + ' ' + s[name][s[name + '_of'][job] - 1]);
    if (labels.length > 0) { lines.push(labels.join(', ')); }
    const needs = Object.keys(s.needs).filter((name) => s.needs[name][job] > 0)
      .map((name) => needText(s.needs[name][job], name));
    if (needs.length > 0) { lines.push('needs ' + needs.join(', ')); }
    const low = rectangles.low[rectangles.owner.indexOf(i)];
    const band = (head.bands || []).find((one) => low >= one.first && low < one.first + one.procs);
    if (band) { lines.push('group ' + band.name); }
    return lines;
  }

  // Shows what is known of the attempt beside the place (px of the canvas), or hides the card (-1).
  tell(attempt, x, y) {
    const before = this.chosen;
    this.chosen = attempt;
    this.card.hidden = attempt < 0;
    if (attempt >= 0) {
      if (attempt !== before) {
        this.card.replaceChildren(...this.facts(attempt).map((line) =>
          element('div', { textContent: line })));
      }
      const room = this.at.whole - this.card.offsetWidth;
      this.card.style.left = Math.max(0, Math.min(x + 14, room)) + 'px';
      this.card.style.top = y + 16 + 'px';
    }
    if (before !== attempt) { this.group.repaint(); }
  }

  // The attempt at a place of the canvas, in px; -1 for none.
  attemptAt(x, y) {
    const { at, boxes, scale } = this;
    if (!boxes || x < at.left || x > at.left + at.width || y < at.top || y > at.top + at.height) {
      return -1;
    }
    const box = boxAt(boxes, (x - at.left) * scale, (y - at.top) * scale, 3 * scale);
    return box < 0 ? -1 : boxes.owner[box];
  }

  // Shows the card of the next attempt in order of starts that is seen, or of the one before.
  step(by) {
    const { s, view } = this;
    const list = Array.from(new Set(this.boxes.owner.subarray(0, this.boxes.count)))
      .sort((a, b) => s.start[a] - s.start[b] || a - b);
    if (list.length === 0) { return; }
    const at = list.indexOf(this.chosen);
    const next = list[at < 0 ? 0 : (at + by + list.length) % list.length];
    const r = s.rectangles.owner.indexOf(next);
    this.tell(next, this.px(Math.max(s.start[next], view[0])),
      this.py(Math.min(s.rectangles.high[r], view[3])));
  }

  // What was drawn, in px of the canvas: for specs, and for who wants to check a picture.
  drawn() {
    const { at, boxes, scale, s } = this;
    return { plot: { x: at.left, y: at.top, width: at.width, height: at.height },
      view: this.view.slice(), names: this.names, boxes: Array.from({ length: boxes.count },
        (_, i) => ({ id: s.id[s.job[boxes.owner[i]]], number: s.number[boxes.owner[i]],
          x: at.left + boxes.at[4 * i] / scale, y: at.top + boxes.at[4 * i + 1] / scale,
          width: boxes.at[4 * i + 2] / scale, height: boxes.at[4 * i + 3] / scale })) };
  }
}

// --- weeks ---------------------------------------------------------------------------------------

const WEEK = 7 * DAY;
const MOST_WEEKS = 60;

// The weeks of a view, which begin on Mondays where there is a clock; none where they are one, or
// too many.
function weeksOf(view, clock) {
  const shown = clock === null ? 0 : shownAt(clock, view[0]);
  const monday = clock === null ? view[0]
    : Math.floor((view[0] + shown - 4 * DAY) / WEEK) * WEEK + 4 * DAY; // 1970-01-05 was one
  const count = Math.ceil((view[2] + shown - monday) / WEEK);
  return count < 2 || count > MOST_WEEKS ? []
    : Array.from({ length: count }, (_, i) => {
      const time = monday + i * WEEK;
      return clock === null ? time : time - shownAt(clock, time - shown);
    });
}

// A week of a chart, one of many below each other; a click shows it alone.
class Week extends Chart {
  constructor(chart, from) {
    super(chart.section, Object.assign({}, chart.head, { height: 90 }), chart.s, chart.group);
    Object.assign(this, { from, colours: chart.colours });
    const { canvas } = this;
    canvas.addEventListener('click', () => this.group.show(clipped(this.view, this.group.home)));
    canvas.addEventListener('pointermove', (event) =>
      this.tell(this.attemptAt(event.offsetX, event.offsetY), event.offsetX, event.offsetY));
    canvas.addEventListener('pointerleave', () => this.tell(-1));
  }

  get view() { return [this.from, 0, this.from + WEEK, this.head.procs]; }

  layOut() {
    super.layOut();
    Object.assign(this.at, { strip: 0, bottom: this.at.top + 90, total: this.at.top + 114 });
  }

  drawTimeTitle() {}
}
