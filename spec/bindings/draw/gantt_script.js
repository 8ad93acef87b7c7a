// What the script of charts computes, without a document: node gantt_script.js [FOLDER]. What is
// drawn in a browser is in browser_spec.lua. FOLDER has pages, 1.html and so on, and beside each as
// 1.txt what has to be in it: a line "id, number, start, end, ranges" between tabs for each attempt,
// and a line "wait, time, jobs" for each step of the waiting jobs.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const folder = path.join(__dirname, '../../../bindings/draw');
const names = ['unpacked', 'numbersOf', 'summed', 'rectanglesOf', 'waitingOf', 'readSchedule', 'project', 'paint',
  'boxAt', 'COLOURS', 'addNeeds', 'usualColour', 'LEAST', 'OUTCOMES', 'roundStep', 'dateText', 'timeTicks', 'processorTicks',
  'spanText', 'instantText', 'clipped', 'zoomed', 'moved', 'fit'];
const source = ['gantt_data.js', 'gantt_paint.js', 'gantt_axis.js']
  .map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
const gantt = new Function(`'use strict';\nconst HUES = ['#000000', '#404040', '#808080'],\n  AMOUNTS = ['#E9DFC8', '#C9DDEA', '#93C3E0', '#3F8FC4', '#F2D16B', '#F0A03C', '#DD5C2C', '#A02020'];\n${source}\nreturn { ${names.join(', ')} };`)();

let state = 3;
function random() { // the same numbers every time
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
}

// How much of pixel (column, row) a box covers.
function overlap(box, column, row) {
  const [x, y, w, h] = box;
  return Math.max(Math.min(x + w, column + 1) - Math.max(x, column), 0)
    * Math.max(Math.min(y + h, row + 1) - Math.max(y, row), 0);
}

const tests = {
  async 'columns are unpacked'() {
    const bytes = Buffer.from([0, 1, 2, 3, 0xfe, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]);
    const text = zlib.deflateSync(bytes).toString('base64');
    assert.deepStrictEqual(Array.from(gantt.numbersOf(await gantt.unpacked(text))),
      [0, -1, 1, -2, 127, 2 ** 38]);
    assert.deepStrictEqual(Array.from(gantt.summed(Float64Array.of(1, 1, -2, 5))), [1, 2, 0, 5]);
  },

  'ranges of processors are rectangles'() {
    // the first holds 0-3 and 6-6, the second 5-9
    const found = gantt.rectanglesOf([2, 1, 0, 1, 5, 3, 0, 4], 2);
    assert.deepStrictEqual(Array.from(found.owner), [0, 0, 1]);
    assert.deepStrictEqual(Array.from(found.low), [0, 6, 5]);
    assert.deepStrictEqual(Array.from(found.high), [4, 7, 10]);
  },

  'jobs wait from their submission to their start, and after a failure again'() {
    const { failed, completed } = gantt.OUTCOMES;
    const found = gantt.waitingOf({ submit: [0, 0, 5], start: [0, 12, 2, 9], end: [10, 20, 9, 12],
      outcome: [failed, completed, completed, completed] });
    assert.deepStrictEqual(found, { times: [0, 2, 5, 9, 10, 12], waiting: [1, 0, 1, 0, 1, 0] });
  },

  'boxes are where they are in the view'() {
    const rectangles = { count: 3, owner: [0, 1, 2], low: [0, 2, 0], high: [2, 4, 1] };
    const found = gantt.project(rectangles, [0, 10, 30], [10, 20, 40], [5, 0, 25, 4], 200, 40);
    assert.strictEqual(found.count, 2);
    assert.deepStrictEqual(Array.from(found.at.subarray(0, 8)), [-50, 20, 100, 20, 50, 0, 100, 20]);
    assert.strictEqual(gantt.boxAt(found, 10, 30, 0), 0);
    assert.strictEqual(gantt.boxAt(found, 153, 10, 3), 1);
    assert.strictEqual(gantt.boxAt(found, 154, 10, 3), -1);
  },

  'a pixel has as much of a colour as is covered'() {
    const [width, height] = [12, 9];
    const classes = [[[250, 10, 30]], [[0, 200, 90]]];
    for (let round = 0; round < 300; round++) {
      const list = []; // a cell of a grid each, so that none covers another one
      for (let cell = 0; cell < 6; cell++) {
        list.push([cell % 3 * 4 + random() - 0.5, Math.floor(cell / 3) * 4.5 + random(),
          random() * 3, random() * 3]);
      }
      const boxes = { count: 6, owner: [0, 1, 2, 3, 4, 5], at: list.flat() };
      const of = list.map(() => Math.floor(random() * 2));
      const image = { width, height, data: new Uint8ClampedArray(4 * width * height).fill(255) };
      gantt.paint(image, boxes, { classes, of });
      for (let p = 0; p < width * height; p++) {
        const shares = list.map((box) => overlap(box, p % width, Math.floor(p / width)));
        const sum = shares.reduce((a, b) => a + b, 0);
        if (sum < 1e-3) { continue; }
        const shade = Math.max(sum, gantt.LEAST);
        for (let k = 0; k < 3; k++) {
          const mix = shares.reduce((a, share, i) => a + share * classes[of[i]][0][k], 0) / sum;
          const wanted = 255 * (1 - shade) + mix * shade;
          assert(Math.abs(image.data[4 * p + k] - wanted) < 3, wanted + ' at ' + p);
        }
      }
    }
  },

  'the shortest job can be seen, where it is alone'() {
    const image = { width: 3, height: 1, data: new Uint8ClampedArray(12).fill(255) };
    gantt.paint(image, { count: 1, owner: [0], at: [1.5, 0.5, 0, 0.001] },
      { classes: [[[0, 0, 0]]], of: [0] });
    const found = [0, 4, 8].map((p) => image.data[p]);
    assert(found[0] === 255 && found[2] === 255);
    assert(Math.abs(found[1] - 255 * (1 - gantt.LEAST)) < 1, String(found));
  },

  'colours are those of waits, slowdowns and users'() {
    const s = { count: 3, jobs: 3, job: [0, 1, 2], position: [1, 2, 3], submit: [0, 0, 0],
      start: [0, 60, 1e6], end: [10, 120, 1e6 + 10], outcome: [1, 1, 1], user: ['a', 'b'],
      user_of: [1, 2, 2], rectangles: { count: 3, owner: [0, 1, 2], low: [0, 0, 0],
        high: [1, 1, 1] } };
    const texts = (mode) => {
      const { classes, of } = gantt.COLOURS[mode].make(s);
      return Array.from(of, (c) => classes[c][1]);
    };
    assert.deepStrictEqual(texts('wait'), ['none', 'up to 1 min', 'more']);
    assert.deepStrictEqual(texts('slowdown'), ['1', '2', 'more']);
    assert.deepStrictEqual(texts('user'), ['a', 'b', 'b']);
    Object.assign(s, { partition: ['gpu'], partition_of: [0, 1, 0] });
    assert.deepStrictEqual(texts('partition'), ['others', 'gpu', 'others']);
    assert.deepStrictEqual([0, 1, 2, 8, 9].map((n) => gantt.usualColour({ partition: Array(n) })),
      ['job', 'job', 'partition', 'partition', 'job']);
    assert(!gantt.COLOURS.queue.can(s) && !gantt.COLOURS.attempt.can(s));
  },

  'colours of needs are those of few amounts, or of halves of the most'() {
    const texts = (amounts) => {
      const s = { job: amounts.map((_, i) => i), needs: { mem: amounts } };
      gantt.addNeeds([s]);
      const { classes, of } = gantt.COLOURS['needs.mem'].make(s);
      return Array.from(of, (c) => classes[c][1] + ' ' + classes[c][0].join());
    };
    const [none, least, middle, most] = ['233,223,200', '201,221,234', '242,209,107', '160,32,32'];
    assert.deepStrictEqual(texts([2 ** 30, 0, 3]), ['1G mem ' + most, 'no mem ' + none, '3 mem ' + least]);
    assert.deepStrictEqual(texts([5, 5]), ['5 mem ' + most, '5 mem ' + most]);
    assert.deepStrictEqual(texts([1, 2048, 3 * 1024]),
      ['1 mem ' + least, '2K mem ' + middle, '3K mem ' + most]);
    const many = texts([64, 1, 2, 3, 5, 9, 17, 33]);
    assert.deepStrictEqual([many[0], many[1], many[3], many[7]], ['up to 64 mem ' + most,
      'up to 1 mem ' + least, 'up to 4 mem 63,143,196', 'up to 64 mem ' + most]);
    assert(!gantt.COLOURS['needs.mem'].can({ needs: {} }));
    const counted = (name, amounts) => {
      gantt.addNeeds([{ needs: { [name]: amounts } }]);
      return gantt.COLOURS['needs.' + name].make({ job: [0], needs: { [name]: amounts } }).classes
        .map((one) => one[1]).join();
    };
    assert.strictEqual(counted('nodes', [2 ** 20, 0, 1]), '1 node,1048576 nodes,any nodes');
    assert.strictEqual(counted('exclusive', [1, 0]), 'exclusive,not exclusive');
    assert.strictEqual(counted('gpu', [2048, 1]), '1 gpu,2048 gpu');
    assert.strictEqual(counted('bb', [2 ** 41, 2 ** 20 + 1]), '1048577 bb,2T bb');
  },

  'steps are 1, 2 or 5 times a power of ten'() {
    assert.strictEqual(gantt.roundStep(100, 10), 10);
    assert.strictEqual(gantt.roundStep(101, 10), 20);
    assert.strictEqual(gantt.roundStep(300, 10), 50);
    assert.strictEqual(gantt.roundStep(5.1, 1), 10);
    assert(Math.abs(gantt.roundStep(0.03, 10) - 0.005) < 1e-12);
  },

  'ticks of a clock are months, dates, hours and seconds'() {
    assert.strictEqual(gantt.dateText(1560470400, 3600), '14 Jun');
    assert.strictEqual(gantt.dateText(1560470400 + 3660, 60), '01:01');
    assert.strictEqual(gantt.dateText(1560470400 + 5, 5), '00:00:05');
    const ticks = gantt.timeTicks(-3600, 86400, 640, 1, [[0, 1560470400]]);
    assert.deepStrictEqual(ticks.map((tick) => tick.text), ['14 Jun', '03:00', '06:00', '09:00',
      '12:00', '15:00', '18:00', '21:00']);
    assert.deepStrictEqual(ticks.map((tick) => tick.strong).slice(0, 2), [true, false]);
    assert.strictEqual(ticks[1].time, 3 * 3600);
    const months = gantt.timeTicks(0, 400 * 86400, 640, 1, [[0, 1560470400]]);
    assert.deepStrictEqual(months.map((tick) => tick.text), ['Jul 2019', 'Sep 2019', 'Nov 2019',
      'Jan 2020', 'Mar 2020', 'May 2020', 'Jul 2020']);
    assert.strictEqual(months[3].time, Date.UTC(2020, 0, 1) / 1000 - 1560470400);
    assert.deepStrictEqual(gantt.timeTicks(0, 4e8, 640, 1, [[0, 1560470400]]).map((tick) => tick.text),
      ['2020', '2022', '2024', '2026', '2028', '2030', '2032']);
  },

  'ticks without a clock count units'() {
    assert.deepStrictEqual(gantt.timeTicks(3600, 7200, 255, 3600, null),
      [{ time: 3600, text: '1' }, { time: 7200, text: '2' }, { time: 10800, text: '3' }]);
  },

  'processors are numbered one by one where they are few'() {
    assert.deepStrictEqual(gantt.processorTicks(0, 4, 100, 4, true), [0, 1, 2, 3]);
    assert.deepStrictEqual(gantt.processorTicks(0, 1000, 200, 1000, false),
      [0, 200, 400, 600, 800, 1000]);
    assert.deepStrictEqual(gantt.processorTicks(250, 300, 200, 1000, false), [300, 400, 500]);
  },

  'a name stands flat, turned, smaller or not at all'() {
    assert.deepStrictEqual(gantt.fit(30, 36, 14), { size: 12, turned: false });
    assert.deepStrictEqual(gantt.fit(30, 36, 13), { size: 10, turned: false });
    assert.deepStrictEqual(gantt.fit(30, 14, 60), { size: 12, turned: true });
    assert.strictEqual(gantt.fit(30, 30, 30), null);
  },

  'times are texts'() {
    assert.strictEqual(gantt.spanText(9000), '2.5 h');
    assert.strictEqual(gantt.spanText(59), '59 s');
    assert.strictEqual(gantt.instantText(3600, [[0, 1560470400]]), '2019-06-14 01:00:00');
    // By hand: 2024-10-27 00:00 in Berlin is 22:00 UTC; at 3:00, 3 h later, clocks go back to 2:00.
    const autumn = [[0, 1729987200], [10800, 1729983600]];
    assert.strictEqual(gantt.instantText(10799, autumn), '2024-10-27 02:59:59');
    assert.strictEqual(gantt.instantText(10800, autumn), '2024-10-27 02:00:00');
    assert.deepStrictEqual(gantt.timeTicks(0, 5 * 3600, 640, 1, autumn)
      .filter((tick) => tick.time % 3600 === 0).map((tick) => [tick.time / 3600, tick.text]),
    [[0, '27 Oct'], [1, '01:00'], [2, '02:00'], [3, '02:00'], [4, '03:00'], [5, '04:00']]);
    assert.strictEqual(gantt.instantText(3600.5, null), '3600.5 s');
  },

  'zooming keeps what is below the pointer, and ends at the whole'() {
    const home = [0, 0, 1000, 500];
    assert.deepStrictEqual(gantt.zoomed(home, home, 0, 0.25, 0.5, 1), [125, 0, 625, 500]);
    assert.deepStrictEqual(gantt.zoomed(home, home, 1, 1, 0.1, 1), [0, 450, 1000, 500]);
    assert.deepStrictEqual(gantt.zoomed([125, 0, 625, 500], home, 0, 0.9, 9, 1), home);
    assert.deepStrictEqual(gantt.zoomed(home, home, 0, 0, 0, 5), [0, 0, 5, 500]);
    assert.deepStrictEqual(gantt.moved([125, 0, 625, 500], home, 0.25, 0), [250, 0, 750, 500]);
    assert.deepStrictEqual(gantt.moved([125, 0, 625, 500], home, -9, 1), [0, 0, 500, 500]);
  },

  'hands zoom and move the view, and tap attempts'() {
    const files = ['gantt_data.js', 'gantt_paint.js', 'gantt_axis.js', 'gantt_chart.js', 'gantt.js']
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
    const classes = { contains: () => true };
    const { Group } = new Function('document', 'window', 'requestAnimationFrame',
      `'use strict';\nconst HUES = ['#000000'], AMOUNTS = ['#E9DFC8'];\n${files}\nreturn { Group };`)(
      { body: { classList: classes }, querySelectorAll: () => [] }, {}, () => {});
    const home = [0, 0, 100, 8];
    const hands = {}, told = [];
    const chart = { home, head: { colour: 'job', tick: 0.1 }, s: {}, at: { left: 50, top: 20, width: 200, height: 80 },
      canvas: { addEventListener: (name, act) => { hands[name] = act; },
        getBoundingClientRect: () => ({ left: 10, top: 5 }), setPointerCapture: () => {} },
      tell: (...what) => told.push(what.join()), attemptAt: (x, y) => x + 1000 * y,
      step: (by) => told.push('step ' + by) };
    const group = new Group([{}]);
    group.add(chart);
    let prevented = 0;
    // An event at a share of the chart; the canvas begins at (10, 5), and the chart in it at (50, 20).
    const act = (name, x, y, more) => hands[name]({ clientX: 60 + 200 * x, clientY: 25 + 80 * (1 - y),
      pointerId: 1, pointerType: 'touch', type: name, preventDefault: () => prevented++, ...more });
    const show = (wanted, text) => {
      assert.deepStrictEqual(group.view.map((v) => Math.round(v * 1e6) / 1e6),
        wanted.map((v) => Math.round(v * 1e6) / 1e6), text);
    };
    assert.strictEqual(group.isWhole, true);
    act('wheel', 0.25, 0.5, { deltaY: -200 });
    show(gantt.zoomed(home, home, 0, 0.25, 1.0015 ** -200, 2), 'wheel');
    assert.strictEqual(group.isWhole, false);
    assert.strictEqual(prevented, 1);
    act('dblclick');
    show(home, 'double click');
    act('wheel', 0.25, 0.75, { deltaX: -300, deltaY: 0, shiftKey: true });
    show(gantt.zoomed(home, home, 1, 0.75, 1.0015 ** -300, 1), 'wheel with Shift');
    for (const [x, y] of [[-0.01, 0.5], [1.01, 0.5], [0.5, 1.01]]) { act('wheel', x, y, { deltaY: -200 }); }
    assert.strictEqual(prevented, 2);
    group.alone = false; // with other things in the page
    act('wheel', 0, 0.5, { deltaY: -200 });
    assert.strictEqual(prevented, 2);
    act('wheel', 0, 0.5, { deltaY: -200, ctrlKey: true });
    assert.strictEqual(prevented, 3);
    // a finger that does not move, or by less than 5 px, taps; others do not
    const tap = (to, name) => {
      told.length = 0;
      act('pointerdown', 0.5, 0.5);
      act('pointermove', to, 0.5);
      act(name, to, 0.5);
      return told.join(' ');
    };
    assert.strictEqual(tap(0.5, 'pointerup'), [150 + 1000 * 60, 150, 60].join());
    assert.strictEqual(tap(0.524, 'pointerup'), [150 + 1000 * 60, 150, 60].join());
    assert.strictEqual(tap(0.526, 'pointerup') + tap(0.5, 'pointercancel'), '');
    // nothing moves where all is seen; then by what the finger goes
    group.show(home);
    tap(0.75, 'pointerup');
    show(home, 'all is seen');
    const half = [25, 2, 75, 6];
    group.show(half);
    act('pointerdown', 0.5, 0.5);
    act('pointermove', 0.3, 0.75);
    show(gantt.moved(half, home, 0.2, -0.25), 'dragged');
    // two fingers: the second one goes from 0.5 to 0.7 while the first is at 0.3
    group.show(half);
    told.length = 0;
    act('pointerdown', 0.5, 0.5, { pointerId: 2 });
    act('pointermove', 0.7, 0.5, { pointerId: 2 });
    show(gantt.zoomed(half, home, 0, 0.5, 0.5, 2), 'two fingers');
    act('pointermove', 0.31, 0.5, { pointerId: 2 }); // at least 10 px between them
    show(gantt.zoomed(gantt.zoomed(half, home, 0, 0.5, 0.5, 2), home, 0, 0.305, 8, 2), 'close fingers');
    act('pointerup', 0.31, 0.5, { pointerId: 2 });
    act('pointerup', 0.3, 0.75);
    assert.strictEqual(told.join(), '');
    // a mouse tells what it is over while no button is down
    act('pointermove', 0.5, 0.5, { pointerType: 'mouse' });
    act('pointermove', 0.5, 0.5);
    act('pointerleave', 0.5, 0.5);
    act('pointerleave', 0.5, 0.5, { pointerType: 'mouse' });
    assert.strictEqual(told.join(' '), [150 + 1000 * 60, 150, 60].join() + ' -1');
    // keys
    const moves = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] };
    const zooms = { '+': [0, 0.5], '-': [0, 2], PageUp: [1, 0.5], PageDown: [1, 2] };
    const press = (key, more) => { group.show(half); act('keydown', 0, 0, { key, ...more }); };
    prevented = 0;
    for (const [key, by] of Object.entries(moves)) { press(key); show(gantt.moved(half, home, ...by), key); }
    for (const [key, [axis, factor]] of Object.entries(zooms)) {
      press(key);
      show(gantt.zoomed(half, home, axis, 0.5, factor, axis === 0 ? 2 : 1), key);
    }
    for (const key of ['0', 'Home']) { press(key); show(home, key); }
    told.length = 0;
    for (const key of ['n', 'p', 'Escape']) { press(key); }
    assert.strictEqual(told.join(), 'step 1,step -1,-1');
    assert.strictEqual(prevented, 13);
    for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) { press('0', more); show(half, '0'); }
    press('x');
    assert.strictEqual(prevented, 13);
  },
};

// The attempts and steps of a page, as the lines beside it have them.
async function linesOf(page) {
  const head = JSON.parse(/<script type="application\/json">([^<]*)</.exec(page)[1]);
  const columns = Object.fromEntries(Object.entries(head.columns).map(([name, id]) =>
    [name, gantt.unpacked(new RegExp(`id="${id}">([^<]*)<`).exec(page)[1])]));
  const s = await gantt.readSchedule(head, columns);
  const ranges = Array.from(s.start, () => []);
  const { owner, low, high } = s.rectangles;
  owner.forEach((i, r) => ranges[i].push(low[r] + '-' + (high[r] - 1)));
  const rows = Array.from(s.start, (start, i) =>
    [s.id[s.job[i]], s.number[i], start, s.end[i], ranges[i].join(' '),
      ...s.partition ? [s.partition[s.partition_of[s.job[i]] - 1] || 'none'] : []]);
  (s.waiting ? Array.from(s.waiting.times) : []).forEach((time, i) =>
    rows.push(['wait', time, s.waiting.waiting[i]]));
  return rows;
}

async function comparePage(folder, n) {
  const found = await linesOf(fs.readFileSync(path.join(folder, n + '.html'), 'utf8'));
  const wanted = fs.readFileSync(path.join(folder, n + '.txt'), 'utf8').split('\n')
    .filter(Boolean).map((line) => line.split('\t'));
  const inOrder = (rows) => rows.map((row) => row.map((cell) =>
    Number.isNaN(+cell) ? cell : (+cell).toFixed(4)).join(' ')).sort();
  assert.deepStrictEqual(inOrder(found), inOrder(wanted), 'page ' + n);
}

if (process.argv[2]) {
  tests['pages have what was simulated'] = async () => {
    const pages = fs.readdirSync(process.argv[2]).filter((name) => name.endsWith('.html'));
    assert(pages.length > 0);
    for (const page of pages) { await comparePage(process.argv[2], page.replace('.html', '')); }
  };
}

(async () => {
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log('ok ' + name);
    } catch (problem) {
      process.exitCode = 1;
      console.log('not ok ' + name + '\n' + problem.stack);
    }
  }
})();
