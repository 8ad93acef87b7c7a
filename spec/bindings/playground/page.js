// Looks at the playground in a real browser: node page.js can | node page.js FOLDER [PICTURES]
//
// FOLDER is build/playground, which a server of its own serves. Each test prints a line; a failed
// one says why, and the status is 1. PICTURES is a folder for screenshots.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const [folder, pictures] = process.argv.slice(2);
const puppeteer = require(path.join(process.env.ORRERY_BROWSER, 'node_modules/puppeteer-core'));

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.wasm': 'application/wasm' };

function serve() {
  return new Promise((resolve) => {
    const server = http.createServer((request, answer) => {
      const { pathname } = new URL(request.url, 'http://localhost');
      const file = path.join(folder, pathname === '/' ? 'index.html' : path.basename(pathname));
      fs.readFile(file, (problem, bytes) => {
        answer.writeHead(problem ? 404 : 200, { 'content-type': TYPES[path.extname(file)]
          || 'application/octet-stream' });
        answer.end(bytes);
      });
    }).listen(0, '127.0.0.1', () => resolve(server));
  });
}

// What the line of the page says.
const status = (tab) => tab.$eval('#status', (element) => element.textContent);

// Waits until what was asked is done, or has failed.
async function done(tab) {
  await tab.waitForFunction(() => {
    const line = document.getElementById('status');
    return !document.body.classList.contains('busy')
      && (line.textContent.startsWith('Done') || line.classList.contains('problem'));
  }, { timeout: 60000 });
}

async function press(tab, id) {
  await tab.$eval('#status', (element) => { element.textContent = ''; element.className = ''; });
  await tab.$eval('#' + id, (element) => element.click());
}

async function choose(tab, id, value) {
  await tab.$eval('#status', (element) => { element.textContent = ''; element.className = ''; });
  await tab.select('#' + id, value);
}

// The places whose results belong to earlier choices.
const stale = (tab) => tab.$$eval('.stale', (places) => places.map(({ id }) => id).join(' '));

// Drops the first fork.
async function drop(tab) {
  await tab.$eval('#status', (element) => { element.textContent = ''; element.className = ''; });
  await tab.$eval('#forks button', (element) => element.click());
  await done(tab);
}

async function write(tab, text) {
  await tab.focus('.cm-content');
  await tab.keyboard.down('Control');
  await tab.keyboard.press('a');
  await tab.keyboard.up('Control');
  await tab.keyboard.press('Delete');
  await tab.evaluate((value) => document.execCommand('insertText', false, value), text);
}

// The charts in a frame: what they draw.
function drawn(tab, place) {
  return tab.$eval(place + ' iframe', async (frame) => {
    const group = await frame.contentWindow.gantt;
    group.paintNow();
    return group.charts.map((chart) => ({ view: chart.view.slice(),
      boxes: chart.drawn().boxes.length }));
  });
}

async function upload(tab, name, text) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-')), name);
  fs.writeFileSync(file, text);
  await tab.$eval('#status', (element) => { element.textContent = ''; element.className = ''; });
  await (await tab.$('#file')).uploadFile(file);
  await done(tab);
  fs.rmSync(path.dirname(file), { recursive: true });
}

const MINE = 'return { name = "mine", priority = function(job) return -job.procs end }';
const LOOP = 'return { name = "loop", dispatch = function(sim) while true do end end }';
const LOG = 'id,submit,procs,runtime\na,0,4,3600\nb,60,8,7200\nc,120,2,1800\n';

const TESTS = {
  async 'the first picture comes by itself'(tab) {
    const [chart] = await drawn(tab, '#charts');
    assert(chart.boxes > 100, String(chart.boxes));
  },

  async 'a policy is written and compared, with intervals'(tab) {
    await write(tab, MINE);
    await press(tab, 'compare');
    await done(tab);
    assert.match(await status(tab), /^Done/);
    const table = await tab.$eval('#result', (element) => element.innerText);
    assert.match(table, /your policy\t[\d.]+ ± [\d.]+/);
    assert.match(table, /dispatch\/shelf\t[\d.]+ ± [\d.]+/);
    await tab.waitForSelector('#charts iframe[data-drawn]');
    assert.strictEqual((await drawn(tab, '#charts')).length, 2);
  },

  async 'charts zoom together'(tab) {
    const before = await drawn(tab, '#charts');
    const frame = await (await tab.$('#charts iframe')).contentFrame();
    await frame.focus('.chart canvas');
    await tab.keyboard.press('+');
    const after = await drawn(tab, '#charts');
    assert.notDeepStrictEqual(after[0].view, before[0].view);
    assert.deepStrictEqual(after[0].view, after[1].view);
  },

  async 'names are completed and explained'(tab) {
    await write(tab, 'return { priority = function(job) return job.');
    await tab.keyboard.press('Escape');
    await tab.keyboard.down('Control');
    await tab.keyboard.press('Space');
    await tab.keyboard.up('Control');
    await tab.waitForSelector('.cm-tooltip-autocomplete');
    const list = await tab.$eval('.cm-tooltip-autocomplete', (element) => element.innerText);
    assert.match(list, /procs/);
    await tab.keyboard.press('Escape');
    await write(tab, MINE);
  },

  async 'a session goes to a time, is forked, and the difference is said'(tab) {
    await press(tab, 'open');
    await done(tab);
    assert.strictEqual(await tab.$eval('#branches', (element) => element.hidden), false);
    await choose(tab, 'change', 'procs');
    await press(tab, 'fork');
    await done(tab);
    assert.match(await status(tab), /^Done/);
    await tab.waitForSelector('#sessions iframe[data-drawn]');
    assert.strictEqual((await drawn(tab, '#sessions')).length, 2);
    assert.match(await tab.$eval('#diff', (element) => element.textContent), /jobs differ/);
    await tab.$eval('#now', (element) => {
      document.getElementById('status').textContent = '';
      element.value = element.max / 2;
      element.dispatchEvent(new Event('change'));
    });
    await done(tab);
    assert.match(await status(tab), /^Done/);
  },

  async 'a node fails, a job is submitted, another policy takes over'(tab) {
    for (const change of ['fault', 'submit', 'policy']) {
      await drop(tab);
      await choose(tab, 'change', change);
      await press(tab, 'fork');
      await done(tab);
      assert.match(change + ': ' + await status(tab), /: Done/);
      assert.match(await tab.$eval('#diff', (element) => element.textContent), /differ/);
    }
  },

  async 'forks stand beside each other, and are forked'(tab) {
    for (const of of ['1', '2']) {
      await choose(tab, 'of', of);
      await choose(tab, 'change', 'submit');
      await press(tab, 'fork');
      await done(tab);
      assert.match(of + ': ' + await status(tab), /: Done/);
    }
    await tab.waitForSelector('#sessions iframe[data-drawn]');
    assert.strictEqual((await drawn(tab, '#sessions')).length, 4);
    const [names, text] = await tab.evaluate(() => [
      Array.from(document.querySelectorAll('#of option'), (one) => one.textContent),
      document.getElementById('diff').textContent]);
    assert.match(names[3], /^fork 3: [^,]*, new: 1024 processors, 2 h, new-2: /);
    assert.match(names[2], /^fork 2: /);
    assert.match(text, /^Fork 1, [^]*\nFork 2, [^]*\nFork 3, /);
    assert.strictEqual(await tab.$eval('#fork', (element) => element.disabled), true);
    await drop(tab);
    await drop(tab);
    assert.strictEqual((await tab.$$('#of option')).length, 2);
  },

  async 'a job that is clicked is the one that a fork is about'(tab) {
    await drop(tab);
    await tab.waitForSelector('#sessions iframe[data-drawn]');
    await done(tab);
    await tab.$eval('#now', (element) => {
      document.getElementById('status').textContent = '';
      element.value = element.max / 4;
      element.dispatchEvent(new Event('change'));
    });
    await done(tab);
    await tab.waitForSelector('#sessions iframe[data-drawn]');
    const frame = await (await tab.$('#sessions iframe')).contentFrame();
    const [id, x, y] = await frame.evaluate(async () => {
      const [chart] = (await window.gantt).charts;
      const { boxes, plot } = chart.drawn();
      const now = plot.x + plot.width * (chart.head.now - chart.view[0])
        / (chart.view[2] - chart.view[0]);
      const box = boxes.filter((one) => one.x < now - 4 && one.x + one.width > now + 1)
        .sort((a, b) => b.height - a.height)[0];
      chart.canvas.scrollIntoView();
      const at = chart.canvas.getBoundingClientRect();
      return [box.id, at.left + (box.x + now) / 2, at.top + box.y + box.height / 2];
    });
    const at = await (await frame.frameElement()).boundingBox();
    await tab.mouse.click(at.x + x, at.y + y);
    await tab.waitForFunction(() => document.getElementById('change').value === 'fault');
    assert.strictEqual(await tab.$eval('#to', (element) => element.value), id);
  },

  async 'processors that are pulled along on the axis are drained'(tab) {
    const frame = await (await tab.$('#sessions iframe')).contentFrame();
    const spot = await frame.evaluate(async () => {
      const [chart] = (await window.gantt).charts;
      chart.canvas.scrollIntoView();
      const at = chart.canvas.getBoundingClientRect();
      const { top, height } = chart.at;
      return { x: at.left + 20, from: at.top + top + height * 0.75, to: at.top + top + height * 0.5,
        procs: chart.head.procs };
    });
    const at = await (await frame.frameElement()).boundingBox();
    await tab.mouse.move(at.x + spot.x, at.y + spot.from);
    await tab.mouse.down();
    await tab.mouse.move(at.x + spot.x, at.y + spot.to, { steps: 5 });
    await tab.mouse.up();
    await tab.waitForFunction(() => document.getElementById('change').value === 'drain');
    const [first, last] = (await tab.$eval('#to', (element) => element.value)).split('-').map(Number);
    assert(Math.abs(first - spot.procs / 4) < spot.procs / 50, 'from ' + first);
    assert(Math.abs(last - spot.procs / 2) < spot.procs / 50, 'to ' + last);
    await press(tab, 'fork');
    await done(tab);
    assert.match(await status(tab), /^Done/);
    assert.match(await tab.$eval('#forks', (element) => element.textContent),
      new RegExp(first + '-' + last + ' drained for 6 h'));
    assert.match(await tab.$eval('#diff', (element) => element.textContent), /[1-9]\d* of 120 jobs differ/);
  },

  async 'the prompt evaluates and completes'(tab) {
    await tab.focus('#line');
    await tab.keyboard.type('#month, 2^10');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction(() => /4699[^]*1024/.test(
      document.getElementById('printed').textContent));
    await tab.keyboard.type('orrery.comp');
    await tab.keyboard.press('Tab');
    await tab.waitForFunction(() => /compare/.test(document.getElementById('line').value));
    await tab.$eval('#line', (element) => { element.value = ''; });
  },

  async 'a policy that loops is ended with a message'(tab) {
    await write(tab, LOOP);
    await press(tab, 'draw');
    await done(tab);
    assert.match(await status(tab), /more than 5 s/);
    await write(tab, MINE);
    await press(tab, 'draw');
    await done(tab);
    assert.match(await status(tab), /^Done/);
  },

  async 'Stop ends an endless line of the prompt, and all goes on'(tab) {
    await tab.focus('#line');
    await tab.keyboard.type('while true do end');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction(() => document.body.classList.contains('busy'));
    await press(tab, 'stop');
    await tab.waitForFunction(() => !document.body.classList.contains('busy'));
    await press(tab, 'draw');
    await done(tab);
    assert.match(await status(tab), /^Done/);
  },

  async 'memory that runs out is a message'(tab) {
    await tab.focus('#line');
    await tab.keyboard.type('t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1e6) .. i end');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction(() => /not enough memory/.test(
      document.getElementById('printed').textContent), { timeout: 120000 });
    await press(tab, 'draw');
    await done(tab);
    assert.match(await status(tab), /^Done/);
  },

  async 'a log of one\'s own is read, a damaged one is a message'(tab) {
    const before = await stale(tab);
    await upload(tab, 'bad.csv', 'no log at all\n\u0000\u0001\n');
    assert.strictEqual(await stale(tab), before); // the log is that of before
    assert.match(await status(tab), /bad\.csv/);
    assert.strictEqual(await tab.$eval('#log', (element) => element.value), '');
    await upload(tab, 'hurt.csv', LOG.replace('7200', 'soon').replace('1800', '-1'));
    const notes = await tab.$eval('#notes', (element) => element.innerText);
    assert.match(notes, /left out: .*line 3.*soon/);
    assert.strictEqual(notes.match(/left out/g).length, 2, notes); // for each reason one
    assert.strictEqual(await stale(tab), 'result charts sessions');
    await upload(tab, 'hurt.csv', LOG);
    assert.match(await tab.$eval('#told', (element) => element.textContent), /^3 jobs/);
    assert.strictEqual(await tab.$eval('#notes', (element) => element.innerText), '');
    await tab.$eval('#procs', (element) => { element.value = 8; });
    await press(tab, 'draw');
    await done(tab);
    assert.match(await status(tab), /^Done/);
    await tab.waitForSelector('#charts iframe[data-drawn]');
    assert.strictEqual((await drawn(tab, '#charts'))[0].boxes >= 3, true);
    assert.strictEqual(await stale(tab), 'result sessions');
    await write(tab, MINE + '\n');
    assert.strictEqual(await stale(tab), 'result charts sessions');
    await tab.$eval('#procs', (element) => { element.value = ''; });
    await choose(tab, 'log', '');
    await done(tab);
  },

  async 'a log of one\'s own is run as it happened'(tab) {
    const settings = () => tab.evaluate(() => [document.getElementById('batch').checked,
      ...['q', 'walltimes'].map((id) => document.getElementById(id).value)]);
    await tab.$eval('#batch', (element) => { element.checked = true; });
    await tab.$eval('#q', (element) => { element.value = 0.05; });
    await upload(tab, 'asked.csv', 'id,submit,procs,runtime,walltime\na,0,4,3600,7200\n');
    assert.deepStrictEqual(await settings(), [false, '0', 'log']);
    await upload(tab, 'plain.csv', LOG);
    assert.deepStrictEqual(await settings(), [false, '0', '']);
    await upload(tab, 'waits.txt', 'JobIDRaw|State|Submit|Start|ElapsedRaw|NCPUS\n'
      + '1|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:05:00|60|1\n');
    await tab.$eval('#procs', (element) => { element.value = 8; });
    await press(tab, 'compare');
    await done(tab);
    const found = await tab.$eval('#result', (element) => element.innerText);
    assert.strictEqual(found.match(/fidelity/g).length, 1, found); // not once more as a last line
    await tab.$eval('#procs', (element) => { element.value = ''; });
    await choose(tab, 'log', '');
    await done(tab);
  },

  async 'a chapter of the guide runs'(tab) {
    await tab.$eval('#text button', (element) => element.click());
    await tab.waitForFunction(() => /significant/.test(
      document.getElementById('text').textContent), { timeout: 60000 });
  },

  async 'what is typed survives a reload, and a link holds it'(tab, url) {
    await write(tab, MINE + '\n-- kept');
    await tab.reload();
    await tab.evaluate(() => window.playground);
    assert.match(await tab.$eval('.cm-content', (element) => element.innerText), /-- kept/);
    await press(tab, 'share');
    await tab.waitForFunction(() => location.hash.length > 10);
    const shared = await tab.evaluate(() => location.href);
    await tab.evaluate(() => localStorage.clear());
    await tab.goto('about:blank');
    await tab.goto(shared);
    await tab.evaluate(() => window.playground);
    assert.match(await tab.$eval('.cm-content', (element) => element.innerText), /-- kept/);
    assert(shared.startsWith(url));
  },

  async 'everything has a name for readers of screens'(tab) {
    const nameless = await tab.evaluate(() => Array.from(
      document.querySelectorAll('button, select, input, textarea, progress, iframe'),
      (one) => one.textContent.trim() || one.getAttribute('aria-label') || one.title
        || (one.labels && one.labels.length > 0) ? null : one.outerHTML).filter(Boolean));
    assert.deepStrictEqual(nameless, []);
  },

  async 'on a narrow screen nothing is wider than it'(tab) {
    await tab.setViewport({ width: 390, height: 800 });
    assert(await tab.evaluate(() => document.documentElement.scrollWidth) <= 390);
  },
};

async function photograph(tab) {
  for (const scheme of ['light', 'dark']) {
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    for (const width of [1280, 390]) {
      await tab.setViewport({ width, height: 900 });
      await new Promise((resolve) => { setTimeout(resolve, 500); });
      await tab.screenshot({ path: path.join(pictures, scheme + width + '.png'), fullPage: true });
    }
  }
}

async function look(browser) {
  const server = await serve();
  const url = 'http://127.0.0.1:' + server.address().port + '/';
  const tab = await browser.newPage();
  const problems = [];
  tab.on('pageerror', (problem) => problems.push(problem.message));
  tab.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob|about):/.test(request.url())) {
      problems.push('loads ' + request.url());
    }
  });
  await tab.setViewport({ width: 1280, height: 900 });
  const from = Date.now();
  await tab.goto(url);
  await tab.waitForSelector('#charts iframe[data-drawn]', { timeout: 60000 });
  console.log('the first picture took ' + (Date.now() - from) + ' ms');
  await tab.evaluate(() => window.playground);
  for (const [name, test] of Object.entries(TESTS)) {
    await test(tab, url);
    assert.deepStrictEqual(problems, [], name);
    console.log('ok ' + name);
  }
  if (pictures) { await photograph(tab); }
  server.close();
}

(async () => {
  let browser;
  try {
    browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium',
      args: process.getuid() === 0 ? ['--no-sandbox'] : [], protocolTimeout: 600000 });
    if (folder !== 'can') { await look(browser); }
  } catch (problem) {
    console.log('not ok ' + problem.stack);
    process.exitCode = 1;
  }
  if (browser) { await browser.close(); }
  process.exit();
})();
