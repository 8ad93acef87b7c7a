// What a chart of a page draws, without a browser: node gantt_chart_script.js prints every stroke and
// text of a few charts, with its colour and its place in px, and the cards of their attempts.
'use strict';

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
  made.addEventListener = () => {};
  made.getContext = () => {
    made.pen = made.pen || new Pen(made.width === 8 ? [] : lines);
    return made.pen;
  };
  return made;
}

const environment = { document: { createElement: fakeElement }, window: { devicePixelRatio: 2 },
  ResizeObserver: class { observe() {} },
  getComputedStyle: () => ({ getPropertyValue: (name) => ' ' + name.slice(2) }) };
const gantt = new Function(...Object.keys(environment), `'use strict';
const HUES = ['#000000', '#404040', '#808080'];\n${source}\nreturn { Chart, Week, weeksOf, OUTCOMES, LOOKS };`)(
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
    rectangles: { count, owner: attempts.map((_, i) => i), low: column(4), high: column(5).map((p) => p + 1) } },
  more);
}

function show(title, width, head, schedule, group, act) {
  lines = [];
  const section = fakeElement('section');
  section.clientWidth = width;
  const all = Object.assign({ title, said: 'said', marks: [], down: [], what: 'job', unit: 1, time: 'Time (s)',
    from: 0 }, head);
  const it = Object.assign({ mode: 'job', repaint: () => {} }, group);
  const chart = new gantt.Chart(section, all, schedule, it);
  it.view = it.view || chart.home;
  chart.draw();
  const said = act ? act(chart) : [];
  console.log('== ' + title + '\n' + lines.concat(said).join('\n'));
  console.log(JSON.stringify(chart.drawn(), (key, value) => (typeof value === 'number' ? Number(shown(value)) : value)));
  console.log(JSON.stringify(chart.canvas.attributes) + ' ' + chart.canvas.width + ' ' + chart.canvas.height);
}

const four = scheduleOf([[0, 1, 0, 40, 0, 1, 'failed'], [1, 1, 0, 60, 2, 3, 'completed'],
  [0, 2, 40, 80, 0, 1, 'completed'], [2, 1, 60, 100, 2, 2, 'killed'], [3, 1, 80, 100, 0, 1, 'running']],
{ submit: [0, 0, 20, 80], walltime: [-1, 70, 40, 30], user: ['ann', 'bob'], user_of: [1, 2, 0, 1],
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
