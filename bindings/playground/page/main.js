// The page of the playground.

import { $, element, say, showCharts, tableOf } from './dom.js';
import { learn, makeEditor } from './editor.js';
import { Engine } from './engine.js';
import { makeGuide } from './guide.js';
import { makePrompt } from './prompt.js';
import { makeSession } from './session.js';
import { begin, link, remember } from './state.js';

const FIRST = `-- Long and wide jobs first.
return {
  name = "mine",
  about = "Processors squared times time: wide jobs count more than long ones.",
  priority = function(job, view)
    return job.procs ^ 2 * job.time
  end,
}
`;

const page = { policies: [], logs: 0, made: {} };
let prompt = null;

const engine = new Engine({
  printed: (text, isError) => prompt.print(text, isError),
  posted: ({ done, total }) => {
    $('progress').value = done / total;
    say(done + ' of ' + total + ' simulations');
  },
  changed: (isBusy) => {
    document.body.classList.toggle('busy', isBusy);
    if (!isBusy) { $('progress').value = 0; }
  },
});

// --- what is asked -------------------------------------------------------------------------------

const number = (id) => $(id).value === '' ? undefined : Number($(id).value);

function rivals() {
  return Array.from(document.querySelectorAll('#rivals input:checked'), (box) => box.value);
}

// What every request says: the jobs, and the policy of the editor.
function request(more) {
  return Object.assign({ log: $('log').value || undefined, day: $('day').value || undefined,
    procs: number('procs'), q: number('q'), batch: $('batch').checked,
    walltimes: $('walltimes').value || undefined, text: page.editor.text }, more);
}

function state() {
  return { text: page.editor.text, log: $('log').value, day: $('day').value,
    procs: $('procs').value, q: $('q').value, batch: $('batch').checked,
    walltimes: $('walltimes').value, runs: $('runs').value, rivals: rivals(), session: page.session.state(), printed: prompt.lines() };
}

// --- what results belong to ------------------------------------------------------------------------

// What the result in a place is made from, as it is chosen now.
const CHOICES = {
  result: () => request({ rivals: rivals(), runs: number('runs') }),
  charts: () => request({}),
  sessions: () => request({ text: page.session.isOwn() ? page.editor.text : undefined }),
};
const chosen = (place) => JSON.stringify(CHOICES[place]());

// A result of other choices than those of now is greyed, and says so.
function markStale() {
  for (const [place, made] of Object.entries(page.made)) {
    $(place).classList.toggle('stale', made !== chosen(place));
  }
}

// The result in a place is made from `choices`, which chosen() gave before it was asked for.
function made(place, choices) {
  page.made[place] = choices;
  markStale();
}

function keep() {
  markStale();
  remember(state());
}

// Does what a button asks, and says how it went.
async function attempt(what, work) {
  say(what);
  const from = performance.now();
  try {
    await work();
    say('Done in ' + ((performance.now() - from) / 1000).toFixed(2) + ' s.');
  } catch (problem) {
    say(problem.message, true);
  }
  keep();
}

const titleOf = (name) => name === 'mine' ? 'your policy' : name;

function draw() {
  return attempt('The schedule is being drawn.', async () => {
    const names = ['mine'];
    const choices = chosen('charts');
    const { html } = await engine.ask('charts', request({ policies: names,
      titles: names.map(titleOf) }));
    showCharts($('charts'), html, 'Gantt chart of your policy');
    made('charts', choices);
  });
}

function compare() {
  return attempt('The policies are being compared.', async () => {
    const names = ['mine', ...rivals()];
    if (names.length < 2) { throw new Error('Choose at least one policy to compare with.'); }
    const titles = names.map(titleOf);
    const choices = [chosen('result'), chosen('charts')];
    const found = await engine.ask('compare', request({ policies: names, titles,
      runs: number('runs') }));
    const notes = Array.isArray(found.notes) ? found.notes : [];
    names.forEach((name, i) => { found.rows[i + 1][0] = titles[i]; });
    $('result').replaceChildren(tableOf(found.rows, found.title),
      ...[found.last, ...notes].map((text) => element('p', { className: 'soft', textContent: text })));
    made('result', choices[0]);
    const { html } = await engine.ask('charts', request({ policies: names.slice(0, 2), titles }));
    showCharts($('charts'), html, 'Gantt charts of ' + titles.slice(0, 2).join(' and '));
    made('charts', choices[1]);
  });
}

// --- the log -------------------------------------------------------------------------------------

async function showLog(day) {
  const log = $('log').value || undefined;
  const found = await engine.ask('log', { log, procs: number('procs') });
  const days = Array.isArray(found.days) ? found.days : [];
  $('day').replaceChildren(element('option', { value: '', textContent: 'all' }),
    ...days.map(([name, jobs]) => element('option', { value: name,
      textContent: name + ' (' + jobs + ' jobs)' })));
  $('day').value = days.some(([name]) => name === day) ? day : '';
  $('procs').placeholder = found.procs || 'of the machine';
  $('told').textContent = found.text;
  const notes = Array.isArray(found.notes) ? found.notes : [];
  $('notes').replaceChildren(...notes.map((text) => element('li', { textContent: text })));
  return found;
}

// A log of a user's own is run as it happened: jobs come when they were submitted, none fails, and
// the scheduler knows what users asked for.
async function showOwnLog() {
  const { walltimes } = await showLog('');
  $('batch').checked = false;
  $('q').value = 0;
  $('walltimes').value = walltimes ? 'log' : '';
}

async function takeLog(file) {
  page.logs += 1; // another file of the same name is another log
  const path = '/logs/' + page.logs + '/' + file.name.replace(/[^\w.-]/g, '_');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const before = $('log').value;
  engine.write(path, bytes);
  const option = element('option', { value: path, textContent: file.name });
  $('log').append(option);
  $('log').value = path;
  await attempt(file.name + ' is being read.', async () => {
    try {
      await showOwnLog();
    } catch (problem) {
      $('log').value = before;
      option.remove();
      throw problem;
    }
  });
}

function listenToFiles() {
  $('file').addEventListener('change', () => {
    if ($('file').files[0]) { takeLog($('file').files[0]); }
  });
  for (const name of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      $('drop').classList.toggle('over', name === 'dragover');
      if (name === 'drop' && event.dataTransfer.files[0]) { takeLog(event.dataTransfer.files[0]); }
    });
  }
}

// --- the beginning -------------------------------------------------------------------------------

function showPolicies(chosen) {
  const choices = () => page.policies.map(({ name }) =>
    element('option', { value: name, textContent: name }));
  $('example').replaceChildren(element('option', { value: '', textContent: 'yours' }), ...choices());
  $('under').replaceChildren(element('option', { value: 'mine', textContent: 'your policy' }),
    ...choices().filter((one) => one.value.startsWith('dispatch/')));
  $('under').value = 'dispatch/easy';
  $('rivals').append(...page.policies.filter(({ kind }) => kind === 'dispatch').map(({ name, about }) =>
    element('label', { title: about }, element('input', { type: 'checkbox', value: name,
      checked: chosen.includes(name), onchange: keep }), ' ' + name.replace('dispatch/', ''))));
}

function listen() {
  $('draw').addEventListener('click', draw);
  $('compare').addEventListener('click', compare);
  $('stop').addEventListener('click', () => {
    engine.stop();
    say('Stopped. The program was started again.');
  });
  $('example').addEventListener('change', () => {
    const found = page.policies.find(({ name }) => name === $('example').value);
    if (!found) { return; }
    page.editor.text = found.text;
    $('about').textContent = found.about;
    draw();
  });
  $('log').addEventListener('change', () => attempt('The log is being read.', () =>
    $('log').value === '' ? showLog('') : showOwnLog()));
  $('procs').addEventListener('change', () => attempt('The log is being read.', () =>
    showLog($('day').value)));
  for (const id of ['day', 'q', 'batch', 'walltimes', 'runs']) { $(id).addEventListener('change', keep); }
  $('day').addEventListener('change', draw);
  $('share').addEventListener('click', async () => {
    const url = await link(state());
    history.replaceState(null, '', url);
    try {
      await navigator.clipboard.writeText(url);
      say('The link is copied. It holds your policy and what is chosen, and no log.');
    } catch (problem) {
      say('The link is in the address bar.');
    }
  });
  listenToFiles();
}

async function start() {
  const found = await begin();
  prompt = makePrompt(engine, () => page.editor.text, found.printed || [], keep);
  page.editor = makeEditor($('editor'), found.text || FIRST, 'Your policy, in Lua', draw, keep);
  for (const id of ['q', 'runs', 'procs', 'walltimes']) {
    if (found[id] !== undefined) { $(id).value = found[id]; }
  }
  $('batch').checked = found.batch !== false;
  page.session = makeSession(engine, { request, attempt, policies: () => page.policies, keep,
    chosen: () => chosen('sessions'), made: (choices) => made('sessions', choices) });
  listen();
  const day = found.day === undefined ? '2019-06-14' : found.day;
  if (!found.log) { // a log of one's own is not kept
    $('day').replaceChildren(element('option', { value: day, textContent: day || 'all' }));
  }
  await draw();
  await attempt('The policies are being read.', async () => {
    page.policies = await engine.ask('policies', {});
    showPolicies(found.rivals || ['dispatch/easy', 'dispatch/shelf']);
    await showLog(found.log ? '' : day);
  });
  learn(await engine.ask('reference', {}));
  await page.session.restore(found.session);
  makeGuide();
}

window.playground = start();
