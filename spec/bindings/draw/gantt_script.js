// The script in a Gantt chart: node gantt_script.js CHART.svg, which gantt_script_spec.lua draws:
// 100 s on 4 processors; job "b, attempt 3" holds processors 2 and 3 from 0 s to 50 s and fails,
// job "c" processor 1 from 0 s to 100 s, "<d>" processor 0 from 90 s to 100 s.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const documents = require('../../support/document.js');
const gantt = require('../../../bindings/draw/gantt.js');

const svg = fs.readFileSync(process.argv[2], 'utf8');

const tests = {
  'steps are 1, 2 or 5 times a power of ten'() {
    assert.strictEqual(gantt.roundStep(100, 10), 10);
    assert.strictEqual(gantt.roundStep(101, 10), 20);
    assert.strictEqual(gantt.roundStep(300, 10), 50);
    assert.strictEqual(gantt.roundStep(5.1, 1), 10);
    assert(Math.abs(gantt.roundStep(0.03, 10) - 0.005) < 1e-12);
  },

  'ticks of a clock are dates, hours and seconds'() {
    assert.strictEqual(gantt.dateText(1560470400, 3600), '14 Jun');
    assert.strictEqual(gantt.dateText(1560470400 + 3660, 60), '01:01');
    assert.strictEqual(gantt.dateText(1560470400 + 5, 5), '00:00:05');
    const ticks = gantt.timeTicks(-3600, 86400, 640, 1, 1560470400);
    assert.deepStrictEqual(ticks.map((tick) => tick.text), ['14 Jun', '03:00', '06:00', '09:00',
      '12:00', '15:00', '18:00', '21:00']);
    assert.deepStrictEqual(ticks.map((tick) => tick.strong).slice(0, 2), [true, false]);
    assert.strictEqual(ticks[1].time, 3 * 3600);
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

  'a name stands in the highest rectangle, flat, turned, smaller or not at all'() {
    assert.deepStrictEqual(gantt.highest('M0 5h7v1h-7zM-3 9h7v4h-7z'), [-3, 9, 7, 4]);
    assert.deepStrictEqual(gantt.fit(5, 60, 14), { size: 12, turned: false });
    assert.deepStrictEqual(gantt.fit(5, 60, 13), { size: 10, turned: false });
    assert.deepStrictEqual(gantt.fit(5, 14, 60), { size: 12, turned: true });
    assert.strictEqual(gantt.fit(5, 30, 30), null);
    assert.strictEqual(gantt.inkOn('rgb(0, 0, 100)'), '#fff');
    assert.strictEqual(gantt.inkOn('rgb(200, 200, 100)'), '');
  },

  'zooming keeps what is below the pointer, and ends at the whole'() {
    const home = [0, 0, 1000, 500];
    assert.deepStrictEqual(gantt.zoomed(home, home, 0, 0.25, 0.5), [125, 0, 500, 500]);
    assert.deepStrictEqual(gantt.zoomed(home, home, 1, 1, 0.1), [0, 450, 1000, 50]);
    assert.deepStrictEqual(gantt.zoomed([125, 0, 500, 500], home, 0, 0.9, 9), home);
    assert.strictEqual(gantt.zoomed(home, home, 0, 0.5, 0)[2], 1000 / 5e4);
    assert.deepStrictEqual(gantt.dragged([125, 0, 500, 500], home, [0.5, 0], [0.25, 0]),
      [250, 0, 500, 500]);
    assert.deepStrictEqual(gantt.dragged([125, 0, 500, 500], home, [0, 0], [0.9, 0.9]),
      [0, 0, 500, 500]);
  },
};

// --- in a document ---------------------------------------------------------------------------------

// The chart alone, or in a page.
function chart(alone) {
  const root = documents.read(svg);
  documents.install(root, alone);
  gantt.start(root);
  const plot = root.querySelector('.op');
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((n) => +plot.getAttribute(n));
  return {
    root,
    // an event at shares of the plot
    send: (name, at, more) => root.send(name, Object.assign({ clientX: x + at[0] * width,
      clientY: y + at[1] * height, deltaX: 0, deltaY: 0, buttons: 1 }, more)),
    view: () => plot.getAttribute('viewBox').split(' ').map(Number),
    names: () => root.querySelector('.ol').children.map((text) => text.textContent),
    ticks: () => root.querySelector('.ox').children.slice(1).map((text) => text.textContent),
    rows: () => root.querySelector('.oy').children.slice(1).map((text) => text.textContent),
  };
}

const IN = { deltaY: -Math.log(4) / Math.log(1.0015) }; // four times as near

Object.assign(tests, {
  'the wheel zooms in time, with Shift in processors'() {
    const c = chart(true);
    const [, , w, h] = c.view();
    assert.strictEqual(c.send('wheel', [0, 0.5], IN), true);
    assert.deepStrictEqual(c.view().map(Math.round), [0, 0, w / 4, h]);
    assert.deepStrictEqual([c.ticks()[0], c.ticks().pop()], ['0', '24']);
    c.send('wheel', [0, 0.99], Object.assign({ shiftKey: true }, IN));
    assert.strictEqual(Math.round(c.view()[3]), h / 4);
    assert.deepStrictEqual(c.rows(), ['0']);
  },

  'in a page it wants Ctrl'() {
    const c = chart(false);
    const before = c.view();
    assert.strictEqual(c.send('wheel', [0.5, 0.5], IN), false);
    assert.deepStrictEqual(c.view(), before);
    assert.strictEqual(c.send('wheel', [0.5, 0.5], Object.assign({ ctrlKey: true }, IN)), true);
    assert.notDeepStrictEqual(c.view(), before);
  },

  'the wheel beside the plot is the browser\'s'() {
    const c = chart(true);
    assert.strictEqual(c.send('wheel', [-0.1, 0.5], IN), false);
  },

  'names are those of the jobs, whatever is in them, of the boxes that are seen'() {
    const c = chart(true);
    c.send('wheel', [0, 0.5], IN);
    assert.deepStrictEqual(c.names(), ['b, attempt 3', 'c']);
    c.send('dblclick', [0, 0]);
    c.send('wheel', [1, 0.5], IN);
    assert.deepStrictEqual(c.names(), ['c', '<d>']);
  },

  'a name under a pattern has a halo'() {
    const c = chart(true);
    c.send('wheel', [0, 0.5], IN);
    const classes = c.root.querySelector('.ol').children.map((t) => t.getAttribute('class'));
    assert.deepStrictEqual(classes, ['oh', null]);
  },

  'dragging moves what is seen, once it is not all'() {
    const c = chart(true);
    const whole = c.view();
    c.send('pointerdown', [0.5, 0.5]);
    c.send('pointermove', [0.2, 0.5]);
    assert.deepStrictEqual(c.view(), whole);
    c.send('wheel', [0, 0.5], IN);
    c.send('pointerdown', [0.5, 0.5]);
    c.send('pointermove', [0.25, 0.5]);
    assert(Math.abs(c.view()[0] - whole[2] / 16) < 1);
    c.send('pointerup', [0.25, 0.5]);
    c.send('pointermove', [0, 0.5]);
    assert(Math.abs(c.view()[0] - whole[2] / 16) < 1);
    c.send('pointerdown', [0.5, 0.5]);
    c.send('pointermove', [0, 0.5], { buttons: 0 }); // released outside of the window
    assert(Math.abs(c.view()[0] - whole[2] / 16) < 1);
  },

  'a double click shows everything again'() {
    const c = chart(true);
    const whole = c.view();
    c.send('wheel', [0.3, 0.5], IN);
    assert.strictEqual(c.root.querySelector('.oz').style.display, 'none');
    c.send('dblclick', [0.5, 0.5]);
    assert.deepStrictEqual(c.view(), whole);
    assert.strictEqual(c.root.querySelector('.oz').style.display, '');
    assert.deepStrictEqual(c.names(), ['b, attempt 3', 'c', '<d>']);
  },

  'patterns keep their size, but not those of the legend'() {
    const c = chart(true);
    c.send('wheel', [0, 0.5], IN);
    for (const pattern of c.root.querySelectorAll('pattern')) {
      const scale = (pattern.getAttribute('patternTransform') || '').match(/scale\(([\d.]+)/);
      if (pattern.id.includes('k-')) {
        assert(!scale || Math.round(+scale[1]) !== 25);
      } else {
        assert.strictEqual(Math.round(+scale[1]), 25);
      }
    }
  },
});

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log('ok ' + name);
  } catch (problem) {
    failed++;
    console.log('not ok ' + name + '\n' + problem.stack);
  }
}
process.exit(failed > 0 ? 1 : 0);
