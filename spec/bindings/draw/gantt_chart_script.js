// What a chart of a page draws, without a browser: node gantt_chart_script.js prints every stroke and
// text of a few charts, with its colour and its place in px, and the cards of their attempts.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, '../../../bindings/draw');
const source = ['gantt_data.js', 'gantt_paint.js', 'gantt_axis.js', 'gantt_chart.js']
  .map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');

const shown = (value) => (typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value));

// A pen that notes what it does.
class Pen {
  constructor(lines) { this.lines = lines; }

  note(name, values, style) {
    this.lines.push([name, ...values.map(shown), ...(style ? [style] : [])].join(' '));
  }

  beginPath() { this.path = []; }
  moveTo(x, y) { this.path.push('M', x, y); }
  lineTo(x, y) { this.path.push('L', x, y); }
  rect(...at) { this.path = ['rect', ...at]; }
  stroke() { this.note('stroke', this.path, this.strokeStyle + ' ' + this.lineWidth); }
  fill() { this.note('fill', this.path, this.fillStyle); }
  clip() { this.note('clip', this.path); }
  fillRect(...at) {
    const [x, y, w, h] = at;
    const last = this.columns; // of the strip, where many have one height
    if (w === 1 && last && last.y === y && last.to === x) {
      last.to = x + 1;
      this.lines[this.lines.length - 1] = ['columns', last.x, last.to, y, h].map(shown).join(' ');
      return;
    }
    this.columns = w === 1 ? { x, y, to: x + 1 } : null;
    this.note('fillRect', at, this.fillStyle);
  }

  strokeRect(...at) { this.note('strokeRect', at, this.strokeStyle + ' ' + this.lineWidth); }
  fillText(text, x, y) { this.note('text', [text, x, y], this.textAlign + ' ' + this.fillStyle + ' ' + this.font); }
  strokeText(text, x, y) { this.note('strokeText', [text, x, y], this.strokeStyle + ' ' + this.lineWidth + ' ' + this.font); }
  measureText(text) { return { width: 6 * text.length }; }
  save() { this.note('save', []); }
  restore() { this.note('restore', []); }
  translate(x, y) { this.note('translate', [x, y]); }
  rotate(angle) { this.note('rotate', [angle]); }
  setTransform(...at) { this.note('setTransform', at); }
  getImageData(x, y, width, height) {
    this.note('getImageData', [x, y, width, height]);
    return { width, height, data: new Uint8ClampedArray(4 * width * height).fill(255) };
  }

  putImageData(image, x, y) {
    const ink = image.data.reduce((sum, byte) => sum + 255 - byte, 0);
    this.note('putImageData', [ink, x, y]);
  }

  createPattern(tile) { return 'pattern(' + tile.pen.lines.join('; ') + ')'; }
}

let lines = [];
function fakeElement(name) {
  const made = { name, style: {}, children: [], offsetWidth: 80, attributes: {} };
  made.append = (...more) => made.children.push(...more);
  made.replaceChildren = (...more) => { made.children = more; };
  made.setAttribute = (key, value) => { made.attributes[key] = value; };
  made.listeners = {};
  made.addEventListener = (type, listener) => { made.listeners[type] = listener; };
  made.getContext = () => {
    made.pen = made.pen || new Pen(made.width === 8 ? [] : lines);
    return made.pen;
  };
  return made;
}

const observed = [];
const environment = { document: { createElement: fakeElement }, window: { devicePixelRatio: 2 },
  ResizeObserver: class {
    constructor(act) { this.act = act; }

    observe(section) { observed.push([section, this.act]); }
  },
  getComputedStyle: () => ({ getPropertyValue: (name) => ' ' + name.slice(2) }) };
const gantt = new Function(...Object.keys(environment), `'use strict';
const HUES = ['#000000', '#404040', '#808080'],\n  AMOUNTS = ['#E9DFC8', '#C9DDEA', '#93C3E0', '#3F8FC4', '#F2D16B', '#F0A03C', '#DD5C2C', '#A02020'];\n${source}\nreturn { Chart, Week, weeksOf, OUTCOMES, LOOKS };`)(
  ...Object.values(environment));

// Attempts: job, number, start, end, low and high processor, outcome.
function scheduleOf(attempts, more) {
  const column = (i) => attempts.map((one) => one[i]);
  const count = attempts.length;
  const jobs = 1 + Math.max(...column(0));
  return Object.assign({ count, jobs, job: column(0), number: column(1), start: column(2), end: column(3),
    position: column(0).map((job) => job + 1),
    outcome: column(6).map((name) => gantt.OUTCOMES[name]), over: [],
    id: Array.from({ length: jobs }, (_, i) => 'J' + i), submit: new Array(jobs).fill(0),
    needs: {}, rectangles: { count, owner: attempts.map((_, i) => i), low: column(4), high: column(5).map((p) => p + 1) } },
  more);
}

// A chart that was drawn into `lines`.
function chartOf(title, width, head, schedule, group) {
  lines = [];
  const section = fakeElement('section');
  section.clientWidth = width;
  const all = Object.assign({ title, said: 'said', marks: [], down: [], what: 'job', unit: 1, time: 'Time (s)',
    from: 0 }, head);
  const it = Object.assign({ mode: 'job', repaint: () => {} }, group);
  const chart = new gantt.Chart(section, all, schedule, it);
  it.view = it.view || chart.home;
  chart.draw();
  return chart;
}

function show(title, width, head, schedule, group, act) {
  const chart = chartOf(title, width, head, schedule, group);
  const said = act ? act(chart) : [];
  console.log('== ' + title + '\n' + lines.concat(said).join('\n'));
  console.log(JSON.stringify(chart.drawn(), (key, value) => (typeof value === 'number' ? Number(shown(value)) : value)));
  console.log(JSON.stringify(chart.canvas.attributes) + ' ' + chart.canvas.width + ' ' + chart.canvas.height);
}

const four = scheduleOf([[0, 1, 0, 40, 0, 1, 'failed'], [1, 1, 0, 60, 2, 3, 'completed'],
  [0, 2, 40, 80, 0, 1, 'completed'], [2, 1, 60, 100, 2, 2, 'killed'], [3, 1, 80, 100, 0, 1, 'running']],
{ submit: [0, 0, 20, 80], walltime: [-1, 70, 40, 30], user: ['ann', 'bob'], user_of: [1, 2, 0, 1], needs: { gpu: [0, 2, 0, 0], mem: [0, 2 ** 31, 7, 0], nodes: [0, 1024, 1, 0], exclusive: [0, 1, 0, 0] },
  waiting: { times: [0, 20, 40, 60], waiting: [0, 2, 1, 0] } });

show('a small machine', 640, { to: 100, procs: 4, now: 90, marks: [30, 200], down: [[50, 100, 3, 3]],
  bands: [{ name: 'cpu', first: 0, procs: 2 }, { name: 'gpu', first: 2, procs: 2 }] }, four, {}, (chart) => {
  const said = [0, 1, 2, 3, 4].map((i) => chart.facts(i).join(' / '));
  chart.tell(2, 600, 20);
  said.push([chart.card.hidden, chart.card.style.left, chart.card.style.top, chart.chosen].join(' '));
  chart.drawChosen();
  said.push([[70, 30], [5, 5], [300, 40], [600, 60]].map(([x, y]) => chart.attemptAt(x, y)).join(' '));
  for (const by of [1, 1, -1]) { chart.step(by); said.push('step to ' + chart.chosen); }
  chart.tell(-1);
  said.push(chart.card.hidden);
  return said;
});
show('a part of it, by user', 500, { to: 100, procs: 4, clock: [[0, 1560470400]], zone: 'UTC', unit: 1 }, four,
  { mode: 'user', view: [30, 1, 70, 4] });
show('packs on many processors', 700, { to: 20, procs: 100, packs: [{ name: 'P1', start: 0, finish: 8 },
  { name: 'P2', start: 8, finish: 20 }], what: 'task', writes: true },
scheduleOf([[0, 1, 0, 8, 0, 49, 'completed'], [1, 1, 8, 20, 10, 99, 'node_failure']], { submit: undefined,
  over: [{ attempt: 1, start: 9, end: 10, look: 'checkpoint' }, { attempt: 1, start: 12, end: 12, look: 'lost' },
    { attempt: 1, start: 15, end: 17, look: 'checkpoint' }, { attempt: 0, start: 7, end: 8, look: 'recovery' }] }), {},
(chart) => [0, 1].map((i) => chart.facts(i).join(' / ')));
show('every pattern', 800, { to: 80, procs: 8, height: 200 }, scheduleOf(['failed', 'node_failure', 'killed',
  'preempted', 'redirected', 'cancelled', 'completed'].map((name, i) => [i, 1, 10 * i, 10 * i + 10, i, i, name])));
console.log('weeks', JSON.stringify([[[0, 0, 2e6], null], [[0, 0, 6e5], null], [[1e5, 0, 2e6], [[0, 1560470400]]],
  [[0, 0, 1e9], null]].map(([view, clock]) => gantt.weeksOf(view, clock))));

// --- worked by hand ------------------------------------------------------------------------------

const one = scheduleOf([[0, 1, 0, 40, 0, 1, 'completed']]);
const starting = (text) => lines.filter((line) => line.startsWith(text));

// 120 px for 12 processors, from 8 on: a node of 4 has 40 px, and its number 4 px below its middle.
chartOf('nodes', 640, { to: 100, procs: 12, nodes: [0, 4, 8, 12], height: 120 }, one);
assert.deepEqual(starting('stroke M 60 ').map((line) => line.split(' line')[0]),
  [128, 88, 48].map((y) => `stroke M 60 ${y} L 626 ${y}`));
assert.deepEqual(lines.filter((line) => / 56 .* right /.test(line)).map((line) => line.split(' right')[0]),
  ['text 1 56 112', 'text 2 56 72', 'text 3 56 32']);
assert.deepEqual(starting('translate 12'), ['translate 12 68']);
assert.deepEqual(starting('text Node'), ['text Node 0 0 center soft 12px system-ui, sans-serif']);
chartOf('one of them', 640, { to: 100, procs: 12, nodes: [0, 4, 8, 12], height: 120 }, one, { view: [0, 4, 100, 8] });
assert.deepEqual(starting('stroke M 60 ').map((line) => line.split(' ')[3]), ['128', '8']);
assert.deepEqual(lines.filter((line) => / 56 .* right /.test(line)).map((line) => line.split(' right')[0]), ['text 2 56 72']);
// 2 px for a node have a line and a number for each seventh; 3 px a line for each, a number for each fifth.
for (const [nodes, each, drawn, numbered] of [[60, 2, 7, 7], [40, 3, 1, 5], [30, 4, 1, 4], [10, 12, 1, 2]]) {
  chartOf('many nodes', 640, { to: 100, procs: nodes, height: 120, nodes: Array.from({ length: nodes + 1 }, (_, i) => i) }, one);
  const every = (step) => Array.from({ length: Math.ceil(nodes / step) }, (_, i) => step * i);
  assert.deepEqual(starting('stroke M 60 ').map((line) => Number(line.split(' ')[3])), every(drawn).map((i) => 128 - each * i));
  assert.deepEqual(lines.filter((line) => / 56 .* right /.test(line)).map((line) => line.split(' ').slice(1, 4).join(' ')),
    every(numbered).map((i) => `${i + 1} 56 ${128 - each * i + 4}`));
}

// Where things stand.
const at = (width, head, more) => chartOf('at', width, Object.assign({ to: 100, procs: 3 }, head),
  Object.assign({}, one, more)).at;
assert.deepEqual(at(560, {}), { left: 64, top: 8, width: 482, height: 120, strip: 0, bottom: 128, whole: 560, total: 168 });
assert.deepEqual([at(559, {}).left, at(559, {}).width], [46, 499]);
assert.deepEqual(starting('translate 12 '), []); // a narrow one has no title at its side
assert.deepEqual([at(150, {}).width, at(40, {}).width], [90, 40]);
const bands = [{ name: 'abcd', first: 0, procs: 1 }, { name: 'ab', first: 1, procs: 2 }];
assert.deepEqual([at(640, { bands }).width, at(150, { bands }).width], [640 - 64 - 42, 150 - 46 - 30]);
assert.deepEqual([3, 4, 8, 9, 18, 19, 30, 31].map((procs) => at(640, { procs }).height),
  [120, 136, 272, 300, 300, 304, 480, 480]);
assert.deepEqual([at(640, { packs: [] }).top, at(640, { now: 0 }).top, at(640, { marks: [1] }).top], [22, 22, 22]);
for (const [times, strip, bottom] of [[[], 0, 128], [[0], 56, 196]]) {
  const found = at(640, {}, { waiting: { times, waiting: [1] } });
  assert.deepEqual([found.strip, found.bottom, found.total], [strip, bottom, bottom + 40]);
}

// What a section gets.
const plain = chartOf('plain', 640, { to: 100, procs: 24 }, one, { repaint: () => 'again' });
assert.deepEqual([plain.section.children, plain.box.children], [[plain.box], [plain.canvas, plain.card]]);
assert.deepEqual([plain.box.className, plain.card.className, plain.card.hidden, plain.canvas.tabIndex, plain.chosen],
  ['chart', 'card', true, 0, -1]);
assert.deepEqual([plain.card.attributes, plain.canvas.attributes],
  [{ role: 'status' }, { role: 'img', 'aria-label': 'plain: said' }]);
const [section, act] = observed[observed.length - 1];
assert.deepEqual([section === plain.section, act()], [true, 'again']);
assert.deepEqual([plain.few, chartOf('more', 640, { to: 100, procs: 25 }, one).few], [true, false]);

// A job on processor 0 and on 2 to 6, 20 px each: its name stands in the larger rectangle.
for (const [low, high] of [[[0, 2], [1, 7]], [[2, 0], [7, 1]]]) {
  const chart = chartOf('two rectangles', 640, { to: 40, procs: 7, height: 140 },
    Object.assign({}, one, { rectangles: { count: 2, owner: [0, 0], low, high } }));
  assert.deepEqual(chart.names.map((name) => [name.name, name.y, name.h]), [['J0', 8, 100]]);
}

// The job of the card has a thick line, and nothing behind it: here the frame of the plot.
const chosen = chartOf('chosen', 640, { to: 40, procs: 2 }, one);
lines = [];
chosen.chosen = 0;
chosen.pen.lines = lines;
chosen.draw();
assert.deepEqual([starting('strokeRect 64 8 562 120').map((line) => line.slice(24)), starting('strokeRect 63.5').map((line) => line.slice(-6))],
  [['paper 0.8', 'ink 2'], ['soft 1']]);

// What is now, and names of packs, are left out where they are not seen, or have too little room.
for (const [now, said] of [[30, 0], [50, 1], [100, 1], [101, 0]]) {
  chartOf('now', 640, { to: 100, procs: 2, now }, one, { view: [40, 0, 100, 2] });
  assert.equal(starting('text now').length, said);
}
const packs = [{ name: 'P1', start: 0, finish: 4 }, { name: 'P2', start: 4, finish: 100 }]; // of 22.5 px, and more
chartOf('packs', 640, { to: 100, procs: 2, packs }, one);
assert.deepEqual(starting('text P').filter((line) => /^text P\d/.test(line)).map((line) => line.slice(0, 8)), ['text P2 ']);

// Where nobody ever waits the strip says 0 above and below.
chartOf('nobody', 640, { to: 40, procs: 2 }, Object.assign({}, one, { waiting: { times: [0], waiting: [0] } }));
assert.deepEqual([starting('text 0 56 150').length, starting('text 0 56 196').length], [1, 1]);

// Of many ranges of processors a card says six.
for (const [ranges, said] of [[6, '6 processors: 0 2 4 6 8 10'], [7, '7 processors: 0 2 4 6 8 10 …']]) {
  const low = Array.from({ length: ranges }, (_, i) => 2 * i);
  const chart = chartOf('ranges', 640, { to: 40, procs: 20 }, Object.assign({}, one,
    { rectangles: { count: ranges, owner: low.map(() => 0), low, high: low.map((p) => p + 1) } }));
  assert.deepEqual(chart.facts(0), ['job J0', '0 s to 40 s (40 s)', said, 'submitted 0 s, did not wait']);
}

// The card of the first attempt stands 14 px beside the place and 16 px below it, inside of the canvas.
let repaints = 0;
const told = chartOf('told', 640, { to: 40, procs: 2 }, one, { repaint: () => { repaints += 1; } });
for (const [attempt, x, hidden, left, again] of [[0, 10, false, '24px', 1], [0, 600, false, '560px', 1],
  [0, -50, false, '0px', 1], [-1, 300, true, '0px', 2], [-1, 300, true, '0px', 2]]) {
  told.tell(attempt, x, 20);
  assert.deepEqual([told.card.hidden, told.card.style.left, told.card.style.top, told.chosen, repaints],
    [hidden, left, '36px', attempt, again]);
}
assert.deepEqual(told.card.children.map((line) => line.textContent), told.facts(0));
// The plot is 64 to 626, 8 to 128, its edges included; nothing is there before it is drawn.
assert.deepEqual([[64, 8], [626, 128], [63, 60], [627, 60], [300, 7], [300, 129]].map(([x, y]) => told.attemptAt(x, y)),
  [0, 0, -1, -1, -1, -1]);
told.boxes = undefined;
assert.equal(told.attemptAt(300, 60), -1);

// Weeks: second 0 of a clock that shows what it counts is a Thursday, and 4 days later is a Monday.
const DAY = 86400;
assert.deepEqual(gantt.weeksOf([0, 0, 10 * DAY], [[0, 0]]), [-3 * DAY, 4 * DAY]);
assert.deepEqual(gantt.weeksOf([0, 0, 10 * DAY], [[0, 100]]), [-3 * DAY - 100, 4 * DAY - 100]);
assert.deepEqual(gantt.weeksOf([0, 0, 10 * DAY], [[0, 0], [3 * DAY, 3600]]), [-3 * DAY, 4 * DAY - 3600]);
assert.deepEqual(gantt.weeksOf([0, 0, 14 * DAY], null), [0, 7 * DAY]);
assert.deepEqual(gantt.weeksOf([5, 0, 8 * DAY], null), [5, 5 + 7 * DAY]);
assert.deepEqual([7, 7.1, 420, 420.1].map((days) => gantt.weeksOf([0, 0, days * DAY], null).length), [0, 2, 60, 0]);

// A week of a month: 90 px high, without a strip and a title, and what is done to it is done.
const shownViews = [];
const month = chartOf('month', 640, { to: 30 * DAY, procs: 2 }, Object.assign({},
  scheduleOf([[0, 1, 8 * DAY, 9 * DAY, 0, 1, 'completed']]), { waiting: { times: [0], waiting: [1] } }),
{ home: [0, 0, 30 * DAY, 2], show: (view) => shownViews.push(view) });
lines = [];
const week = new gantt.Week(month, 7 * DAY);
week.draw();
assert.deepEqual([week.at.height, week.at.strip, week.at.bottom, week.at.total, week.colours === month.colours],
  [90, 0, 98, 122, true]);
assert.deepEqual(week.view, [7 * DAY, 0, 14 * DAY, 2]);
assert.deepEqual(starting('text Time'), []);
week.canvas.listeners.click();
const last = new gantt.Week(month, 28 * DAY);
last.canvas.listeners.click();
assert.deepEqual(shownViews, [[7 * DAY, 0, 14 * DAY, 2], [23 * DAY, 0, 30 * DAY, 2]]);
week.canvas.listeners.pointermove({ offsetX: 64 + 562 / 7 * 1.5, offsetY: 50 });
assert.deepEqual([week.chosen, week.card.hidden, week.card.style.top], [0, false, '66px']);
week.canvas.listeners.pointerleave();
assert.deepEqual([week.chosen, week.card.hidden], [-1, true]);
