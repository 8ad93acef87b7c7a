// Looks at pages with charts in a real browser: node charts.js WHAT PAGE [SCHEDULE]
//
//   can                       whether a browser can be started: status 0
//   geometry PAGE SCHEDULE    what is drawn at three zooms is the schedule, to the pixel
//   hands PAGE                cards, keys, fingers, colours and darkness, of the page that
//                             browser_spec.lua makes for it
//   together PAGE             charts of a page zoom together
//   speed PAGE                "milliseconds until it is drawn, frames in a second"
//
// SCHEDULE has a line for each attempt: id, number, start, end and ranges of processors, between
// tabs. Each test prints a line; a failed one says why, and the status is 1.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const [what, page, schedule] = process.argv.slice(2);
const puppeteer = require(path.join(process.env.ORRERY_BROWSER, 'node_modules/puppeteer-core'));

async function open(browser, file, options) {
  const tab = await browser.newPage();
  const problems = [];
  tab.on('pageerror', (problem) => problems.push(problem.message));
  tab.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) { problems.push('loads ' + request.url()); }
  });
  await tab.setViewport(Object.assign({ width: 1280, height: 900 }, options));
  await tab.goto('file://' + path.resolve(file));
  await tab.evaluate(() => window.gantt.then(() => null));
  assert.deepStrictEqual(problems, []);
  return tab;
}

// What chart number n draws, as it is now; boxes are [id, number, x, y, width, height].
async function drawn(tab, n) {
  return JSON.parse(await tab.evaluate(async (i) => {
    const group = await window.gantt;
    group.paintNow();
    const found = group.charts[i].drawn();
    found.boxes = found.boxes.map((b) => [b.id, b.number, b.x, b.y, b.width, b.height]);
    return JSON.stringify(found);
  }, n || 0));
}

// The colours [red, green, blue] of the canvas at places in px.
function pixels(tab, places) {
  return tab.evaluate(async (list) => {
    const chart = (await window.gantt).charts[0];
    return list.map(([x, y]) => Array.from(chart.pen.getImageData(Math.floor(x * chart.scale),
      Math.floor(y * chart.scale), 1, 1).data.slice(0, 3)));
  }, places);
}

function show(tab, view) {
  return tab.evaluate(async (next) => (await window.gantt).show(next), view);
}

// --- geometry -----------------------------------------------------------------------------------

function readSchedule() {
  return fs.readFileSync(schedule, 'utf8').trim().split('\n').flatMap((line) => {
    const [id, number, start, end, ranges] = line.split('\t');
    return ranges.split(' ').map((range) => {
      const [low, high] = range.split('-').map(Number);
      return { id, number: +number, start: +start, end: +end, low,
        high: (high === undefined ? low : high) + 1 };
    });
  });
}

// What has to be drawn of a schedule in a view: as `drawn` has it.
function expected(rectangles, view, plot) {
  const [sx, sy] = [plot.width / (view[2] - view[0]), plot.height / (view[3] - view[1])];
  return rectangles.filter((r) => r.start < view[2] && r.end > view[0] && r.low < view[3]
    && r.high > view[1]).map((r) => [r.id, r.number, plot.x + (r.start - view[0]) * sx,
    plot.y + (view[3] - r.high) * sy, (r.end - r.start) * sx, (r.high - r.low) * sy]);
}

function inOrder(boxes) {
  return boxes.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1] || b[3] - a[3]);
}

function compare(found, wanted) {
  assert.strictEqual(found.length, wanted.length);
  inOrder(found);
  inOrder(wanted);
  for (let i = 0; i < found.length; i++) {
    for (let k = 0; k < 6; k++) {
      assert(k < 2 ? found[i][k] === wanted[i][k] : Math.abs(found[i][k] - wanted[i][k]) < 0.02,
        JSON.stringify(found[i]) + ' is drawn, ' + JSON.stringify(wanted[i]) + ' is the schedule');
    }
  }
}

// A generator of numbers in [0, 1) that gives the same ones every time.
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

// At places all over the plot: inside of a box there is its colour, where none is near there is
// no colour. How many places of both kinds there were.
async function comparePixels(tab, boxes, plot, names, last) {
  const random = generator(7);
  const colours = await tab.evaluate(async () => {
    const chart = (await window.gantt).charts[0];
    const { classes, of } = chart.colourBy('job');
    return Object.fromEntries(Array.from(of, (c, i) =>
      [chart.s.id[chart.s.job[i]], classes[c][0]]));
  });
  const isInName = (x, y) => names.some((one) => Math.max(Math.abs(x - one.x - one.w / 2),
    Math.abs(y - one.y - one.h / 2)) < one.length / 2 + 12);
  const places = [];
  const wanted = [];
  for (let n = 0; n < 600; n++) {
    let [x, y] = [plot.x + random() * plot.width, plot.y + random() * plot.height];
    if (n % 2 === 0) { // most places are in no box
      const box = boxes[Math.floor(random() * boxes.length)];
      [x, y] = [box[2] + random() * box[4], box[3] + random() * box[5]];
    }
    if (x < plot.x + 2 || x > plot.x + plot.width - 2 || y < plot.y + 2
      || y > plot.y + plot.height - 2 || isInName(x, y)) { continue; }
    const near = (reach) => boxes.filter((b) => x > b[2] - reach && x < b[2] + b[4] + reach
      && y > b[3] - reach && y < b[3] + b[5] + reach);
    const [inside, around] = [near(-2), near(2)];
    if (inside.length === 1 && around.length === 1) {
      if (inside[0][1] < last.get(inside[0][0])) { continue; } // it failed: there is a pattern
      places.push([x, y]);
      wanted.push(colours[inside[0][0]]);
    } else if (around.length === 0) {
      places.push([x, y]);
      wanted.push(null);
    }
  }
  const found = await pixels(tab, places);
  wanted.forEach((colour, i) => {
    if (colour) {
      assert.deepStrictEqual(found[i], colour, 'at ' + places[i]);
    } else { // paper, or a line of the axes
      const spread = Math.max(...found[i]) - Math.min(...found[i]);
      assert(spread < 12 && found[i][0] > 200, found[i] + ' at ' + places[i]);
    }
  });
  return [wanted.filter(Boolean).length, wanted.filter((colour) => !colour).length];
}

// Every name stands in a box of its own job, and fits.
function compareNames(names, boxes) {
  for (const one of names) {
    assert(boxes.some((b) => b[0] === one.name && one.x >= b[2] - 0.02 && one.y >= b[3] - 0.02
      && one.x + one.w <= b[2] + b[4] + 0.02 && one.y + one.h <= b[3] + b[5] + 0.02), one.name);
    assert(Math.max(one.w, one.h) >= one.length && Math.min(one.w, one.h) >= 12, one.name);
  }
}

async function geometry(browser) {
  const tab = await open(browser, page);
  const rectangles = readSchedule();
  const least = rectangles.reduce((a, r) => Math.min(a, r.start), Infinity);
  const most = rectangles.reduce((a, r) => Math.max(a, r.end), -Infinity);
  const home = (await drawn(tab)).view;
  assert.deepStrictEqual([home[0], home[1], home[2]], [least, 0, most]);
  const span = most - least;
  const rest = Math.min(1, 40 / rectangles.length); // so that boxes can be told apart
  const last = new Map(); // the number of the last attempt of each job
  for (const r of rectangles) { last.set(r.id, Math.max(r.number, last.get(r.id) || 0)); }
  let inside = 0;
  let outside = 0;
  for (const [share, procs] of [[1, 1], [0.4 * Math.sqrt(rest), 1], [0.3 * rest, 0.5]]) {
    const from = least + 0.35 * span;
    const view = share === 1 ? home
      : [from, 0, from + share * span, Math.max(1, procs * home[3])];
    await show(tab, view);
    const found = await drawn(tab);
    assert.deepStrictEqual(found.view, view);
    const wanted = expected(rectangles, view, found.plot);
    assert(wanted.length > 0);
    compare(found.boxes, wanted);
    compareNames(found.names, wanted);
    if (wanted.length < 3000) {
      const [hits, gaps] = await comparePixels(tab, wanted, found.plot, found.names,
        last);
      inside += hits;
      outside += gaps;
    }
    console.log('ok ' + wanted.length + ' rectangles, ' + found.names.length + ' names');
  }
  assert(inside > 20 && outside > 0, inside + ' places in boxes, ' + outside + ' beside them');
}

// --- hands --------------------------------------------------------------------------------------

// The page of hands: job "b" of user ann holds processors 0 and 1 from 0 s to 50 s and fails, again
// from 50 s to 100 s; job "<c>" holds processor 2 from 0 s to 100 s.
const HANDS = {
  async 'pointing at a job shows its card'(tab) {
    const { boxes } = await drawn(tab);
    const box = boxes.find((b) => b[0] === 'b' && b[1] === 1);
    await tab.mouse.move(...await placeOf(tab, box[2] + box[4] / 4, box[3] + 5));
    assert.deepStrictEqual(await card(tab), ['job b, attempt 1: failed', '0 s to 50 s (50 s)',
      '2 processors: 0-1', 'submitted 0 s, did not wait', 'walltime 1 h', 'user ann']);
    await tab.mouse.move(5, 5);
    assert.strictEqual(await card(tab), null);
  },

  async 'a tap shows it, too'(tab) {
    const { boxes, plot } = await drawn(tab);
    const box = boxes.find((b) => b[0] === '<c>');
    await tab.touchscreen.tap(...await placeOf(tab, box[2] + 30, box[3] + 5));
    assert.strictEqual((await card(tab))[0], 'job <c>');
    await tab.touchscreen.tap(...await placeOf(tab, plot.x + 30, plot.y + 5));
    assert.strictEqual(await card(tab), null);
  },

  async 'keys go from job to job, zoom and move'(tab) {
    await tab.focus('.chart canvas');
    const seen = [];
    for (const key of ['n', 'n', 'n', 'p']) {
      await tab.keyboard.press(key);
      seen.push((await card(tab))[0]);
    }
    assert.deepStrictEqual(seen, ['job b, attempt 1: failed', 'job <c>', 'job b, attempt 2',
      'job <c>']);
    await tab.keyboard.press('Escape');
    assert.strictEqual(await card(tab), null);
    await tab.keyboard.press('+');
    assert.deepStrictEqual((await drawn(tab)).view, [25, 0, 75, 4]);
    await tab.keyboard.press('ArrowRight');
    assert.deepStrictEqual((await drawn(tab)).view, [35, 0, 85, 4]);
    await tab.keyboard.press('0');
    assert.deepStrictEqual((await drawn(tab)).view, [0, 0, 100, 4]);
  },

  async 'the wheel zooms at the pointer, dragging moves, a double click shows all'(tab) {
    const { plot } = await drawn(tab);
    const at = await placeOf(tab, plot.x + plot.width / 4, plot.y + 20);
    await tab.mouse.move(...at);
    await tab.mouse.wheel({ deltaY: -Math.log(2) / Math.log(1.0015) });
    await tab.waitForFunction(() => window.gantt.then((group) => !group.isWhole));
    let { view } = await drawn(tab);
    assert(Math.abs(view[0] - 12.5) < 0.5 && Math.abs(view[2] - 62.5) < 0.5, String(view));
    await tab.mouse.down();
    await tab.mouse.move(at[0] - plot.width / 10, at[1], { steps: 4 });
    await tab.mouse.up();
    ({ view } = await drawn(tab));
    assert(Math.abs(view[0] - 17.5) < 1, String(view));
    await tab.mouse.click(...at, { count: 2 });
    assert.deepStrictEqual((await drawn(tab)).view, [0, 0, 100, 4]);
  },

  async 'colours follow what is chosen'(tab) {
    const { boxes } = await drawn(tab);
    const box = boxes.find((b) => b[0] === '<c>');
    const place = [[box[2] + 8, box[3] + box[5] - 8]];
    const seen = new Set();
    for (const mode of await tab.$$eval('select option', (list) => list.map((o) => o.value))) {
      await tab.select('select', mode);
      await drawn(tab);
      seen.add(String(await pixels(tab, place)));
      const legend = await tab.$eval('.legend', (element) => element.textContent);
      const swatch = await tab.$eval('.legend span:nth-child(2) canvas', (canvas) =>
        Array.from(canvas.getContext('2d').getImageData(3, 3, 1, 1).data.slice(0, 3)));
      assert(mode !== 'attempt' || swatch.join() === '213,94,0', String(swatch)); // failed
      assert(mode !== 'user' || legend.includes('ann') && legend.includes('bob'), legend);
    }
    assert(seen.size >= 3, Array.from(seen).join(' '));
    await tab.select('select', 'job');
  },

  async 'in the dark the paper is dark'(tab) {
    const { plot } = await drawn(tab);
    const place = [[plot.x + 3, plot.y + 8]];
    const light = (await pixels(tab, place))[0];
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await drawn(tab);
    const dark = (await pixels(tab, place))[0];
    assert(light[0] > 240 && dark[0] < 60, light + ' and ' + dark);
    await tab.emulateMediaFeatures([]);
  },

  async 'weeks stand below each other, and one of them opens'(tab) {
    const { weeks, before } = await tab.evaluate(async () => {
      const group = await window.gantt;
      const home = group.home;
      group.home = [0, 0, 20 * 86400, 4];
      group.view = group.home;
      group.showWeeks();
      group.paintNow();
      const found = group.weeks.map((week) => week.drawn());
      const shown = Array.from(document.querySelectorAll('.chart:not([hidden])')).length;
      group.show(home);
      group.home = home;
      group.paintNow();
      return { weeks: found.map((week) => [week.view, week.boxes.length]), before: shown };
    });
    const week = 7 * 86400;
    assert.deepStrictEqual(weeks, [[[0, 0, week, 4], 3], [[week, 0, 2 * week, 4], 0],
      [[2 * week, 0, 3 * week, 4], 0]]);
    assert.strictEqual(before, 3);
    assert.deepStrictEqual((await drawn(tab)).view, [0, 0, 100, 4]);
    assert.strictEqual((await tab.$$('.chart')).length, 1);
  },

  async 'on a narrow screen nothing is wider than it'(tab) {
    await tab.setViewport({ width: 390, height: 800, hasTouch: true });
    await drawn(tab);
    assert(await tab.evaluate(() => document.documentElement.scrollWidth) <= 390);
  },
};

// A place of the canvas in px of the window.
function placeOf(tab, x, y) {
  return tab.$eval('.chart canvas', (canvas, dx, dy) => {
    const box = canvas.getBoundingClientRect();
    return [box.left + dx, box.top + dy];
  }, x, y);
}

// The lines of the card; null: there is none.
function card(tab) {
  return tab.$eval('.card', (element) => element.hidden ? null
    : Array.from(element.children, (line) => line.textContent));
}

async function hands(browser) {
  const tab = await open(browser, page, { hasTouch: true });
  for (const [name, test] of Object.entries(HANDS)) {
    await test(tab);
    console.log('ok ' + name);
  }
}

async function together(browser) {
  const tab = await open(browser, page);
  const before = (await drawn(tab)).view;
  for (const isHeld of [false, true]) {
    await tab.$eval('.chart canvas', (canvas) => canvas.scrollIntoView());
    const { plot } = await drawn(tab);
    await tab.mouse.move(...await placeOf(tab, plot.x + plot.width / 2, plot.y + 20));
    if (isHeld) { await tab.keyboard.down('Control'); }
    await tab.mouse.wheel({ deltaY: -400 });
    if (!isHeld) { assert.deepStrictEqual((await drawn(tab)).view, before); } // the page scrolls
  }
  await tab.waitForFunction(() => window.gantt.then((group) => !group.isWhole));
  const [first, second] = [await drawn(tab, 0), await drawn(tab, 1)];
  assert.notDeepStrictEqual(first.view, before);
  assert.deepStrictEqual(first.view, second.view);
  console.log('ok two charts, one view');
}

// --- speed --------------------------------------------------------------------------------------

async function speed(browser) {
  const begin = performance.now();
  const tab = await open(browser, page);
  const opened = performance.now() - begin;
  const frames = await tab.evaluate(async () => {
    const group = await window.gantt;
    const from = performance.now();
    let count = 0;
    for (; performance.now() - from < 3000; count++) {
      group.zoom(0, 0.3, count % 60 < 30 ? 0.8 : 1.25);
      await new Promise(requestAnimationFrame);
    }
    return count / (performance.now() - from) * 1000;
  });
  console.log(opened.toFixed(0) + ' ' + frames.toFixed(1));
}

(async () => {
  let browser;
  try {
    browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium',
      args: process.getuid() === 0 ? ['--no-sandbox'] : [], protocolTimeout: 600000 });
    const tests = { can: async () => null, geometry, hands, together, speed };
    await tests[what](browser);
  } catch (problem) {
    console.log('not ok ' + problem.stack);
    process.exitCode = 1;
  }
  if (browser) { await browser.close(); }
})();
