// What if: a session at a time, a fork of it with a change, both pictures, and their difference.

import { $, element, say, showCharts } from './dom.js';

const plain = (id, label, properties) => element('label', {}, label + ' ',
  element('input', Object.assign({ id, type: 'number', min: 0, value: 0 }, properties)));

// request(more): what is asked of the program; policies(): those that are shipped.
export function makeSession(engine, request, attempt, policies, changed) {
  let branches = []; // the session, and the fork of it
  let told = [];

  // Fields of the change that is chosen.
  const FIELDS = {
    policy: () => [element('label', {}, 'policy ', element('select', { id: 'to' },
      element('option', { value: 'mine', textContent: 'your policy' }),
      ...policies().filter(({ kind }) => kind === 'dispatch').map(({ name }) =>
        element('option', { value: name, textContent: name }))))],
    procs: () => [plain('to', 'processors that are left', { value: Math.floor(told[0].procs / 2) }),
      plain('hours', 'for hours', { value: 6, min: 0.1, step: 'any' })],
    fault: () => [jobs('running', 'under job')],
    submit: () => [plain('to', 'processors', { value: 1024, min: 1 }),
      plain('hours', 'hours', { value: 2, min: 0.1, step: 'any' })],
    cancel: () => [jobs('waiting', 'job')],
  };

  function jobs(which, label) {
    const list = Array.isArray(told[0][which]) ? told[0][which] : [];
    return element('label', {}, label + ' ', element('select', { id: 'to' }, ...list.map((job) =>
      element('option', { value: job.id, textContent: job.id + ' (' + job.procs + ')' }))));
  }

  // The change that the fields say, as orrery's fork has it.
  function change() {
    const to = $('to').value;
    if (to === '') { throw new Error('There is no such job at this time.'); }
    return { policy: () => ({ policy: to }), 
      procs: () => ({ procs: { procs: Number(to), until: Number($('now').value)
        + 3600 * Number($('hours').value) } }),
      fault: () => ({ fault: { job: to } }),
      submit: () => ({ submit: { id: 'new', procs: Number(to),
        runtime: 3600 * Number($('hours').value) } }),
      cancel: () => ({ cancel: to }) }[$('change').value]();
  }

  const titleOf = (made) => Object.entries(made).map(([name, value]) =>
    name + ' ' + (typeof value === 'object' ? Object.values(value).join(' ') : value)).join();

  function showFields() {
    if (told.length > 0) { $('details').replaceChildren(...FIELDS[$('change').value]()); }
  }

  // A job of the picture that was clicked: the change is about it, where it can be.
  function pick(id) {
    const has = (which) => Array.isArray(told[0][which]) && told[0][which].some((job) => job.id === id);
    const kind = has('running') ? 'fault' : has('waiting') ? 'cancel' : null;
    if (!kind) {
      say('Job ' + id + ' neither runs nor waits at this time.');
      return;
    }
    $('change').value = kind;
    showFields();
    $('to').value = id;
    say('Job ' + id + ': ' + (kind === 'fault' ? 'its node fails' : 'it is cancelled')
      + ', if you fork.');
  }

  async function listen(frame) {
    const group = await frame.contentWindow.gantt;
    for (const chart of group.charts) {
      chart.canvas.addEventListener('click', () => {
        if (chart.chosen >= 0) { pick(chart.s.id[chart.s.job[chart.chosen]]); }
      });
    }
  }

  async function show() {
    const found = await engine.ask('branches', request({ branches, now: Number($('now').value) }));
    told = found.told;
    $('now').max = Math.ceil(found.last);
    $('clock').textContent = told.map((one) => one.clock).join(' and ');
    $('branches').hidden = false;
    const frame = showCharts($('sessions'), found.html, 'Gantt charts of the session and its fork');
    frame.addEventListener('load', () => listen(frame));
    $('diff').textContent = found.diff || told[0].text;
    $('drop-fork').disabled = branches.length < 2;
    showFields();
  }

  const again = () => attempt('The session goes there.', show);

  async function open() {
    const policy = $('under').value;
    branches = [{ policy, title: policy === 'mine' ? 'your policy' : policy, steps: [] }];
    $('now').value = 0;
    await show();
    $('now').value = Math.round(Number($('now').max) / 3);
    await show();
  }

  $('open').addEventListener('click', () => attempt('The session is being opened.', open));
  $('now').addEventListener('change', again);
  $('change').addEventListener('change', showFields);
  $('fork').addEventListener('click', () => attempt('The session is being forked.', async () => {
    const at = Number($('now').value);
    const made = change();
    branches = [branches[0], { policy: branches[0].policy, title: titleOf(made),
      steps: [{ at, change: made }] }];
    try {
      await show();
    } catch (problem) {
      branches.pop();
      throw problem;
    }
    $('now').value = $('now').max;
    await show();
  }));
  $('drop-fork').addEventListener('click', () => {
    branches = branches.slice(0, 1);
    again();
  });

  return {
    state: () => ({ branches, now: $('now').value }),
    async restore(state) {
      if (!state || !Array.isArray(state.branches) || state.branches.length === 0) { return; }
      ({ branches } = state);
      await attempt('The session is being opened.', async () => {
        await show();
        $('now').value = state.now;
        await show();
      });
      changed();
    },
  };
}
