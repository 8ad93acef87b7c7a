// What if: a session at a time, forks of it with changes, their pictures, and how they differ.

import { $, element, say, showCharts } from './dom.js';

const MOST = 4; // pictures one below the other

const plain = (id, label, properties) => element('label', {}, label + ' ',
  element('input', Object.assign({ id, type: 'number', min: 0, value: 0 }, properties)));

// page: request(more), what is asked of the program; attempt; policies(), those that are shipped;
// keep, chosen and made, which say what the pictures belong to.
export function makeSession(engine, page) {
  const { request, attempt, policies } = page;
  let branches = []; // the session, and its forks
  let told = [];

  // Fields of the change that is chosen.
  const FIELDS = {
    policy: () => [element('label', {}, 'policy ', element('select', { id: 'to' },
      element('option', { value: 'mine', textContent: 'your policy' }),
      ...policies().filter(({ kind }) => kind === 'dispatch').map(({ name }) =>
        element('option', { value: name, textContent: name }))))],
    procs: () => [plain('to', 'processors that are left', { value: Math.floor(told[parent()].procs / 2) }),
      plain('hours', 'for hours', { value: 6, min: 0.1, step: 'any' })],
    drain: () => [element('label', {}, 'processors ', element('input', { id: 'to', size: 14,
      value: '0-' + (Math.ceil(told[parent()].procs / 4) - 1) })),
      plain('delay', 'in hours', { value: 1, min: 0.01, step: 'any' }),
      plain('hours', 'for hours', { value: 6, min: 0.1, step: 'any' })],
    fault: () => [jobs('running', 'under job')],
    submit: () => [plain('to', 'processors', { value: 1024, min: 1 }),
      plain('hours', 'hours', { value: 2, min: 0.1, step: 'any' })],
    cancel: () => [jobs('waiting', 'job')],
  };

  // The branch that the next fork is of.
  const parent = () => Math.min(Number($('of').value) || 0, branches.length - 1);

  function jobs(which, label) {
    const list = Array.isArray(told[parent()][which]) ? told[parent()][which] : [];
    return element('label', {}, label + ' ', element('select', { id: 'to' }, ...list.map((job) =>
      element('option', { value: job.id, textContent: job.id + ' (' + job.procs + ')' }))));
  }

  // The change that the fields say, as orrery's fork has it.
  function change() {
    const to = $('to').value;
    const hours = (id) => 3600 * Number($(id).value);
    const now = Number($('now').value);
    if (to === '') { throw new Error('There is no such job at this time.'); }
    return { policy: () => ({ policy: to }),
      procs: () => ({ procs: { procs: Number(to), until: now + hours('hours') } }),
      drain: () => ({ drain_at: { nodes: to, at: now + hours('delay'),
        until: now + hours('delay') + hours('hours') } }),
      fault: () => ({ fault: { job: to } }),
      submit: () => ({ submit: { id: 'new' + submitted(), procs: Number(to),
        runtime: hours('hours') } }),
      cancel: () => ({ cancel: to }) }[$('change').value]();
  }

  // What the id of a new job ends with, so that a fork of a fork has another.
  function submitted() {
    const before = branches[parent()].steps.filter((step) => step.change.submit).length;
    return before > 0 ? '-' + (before + 1) : '';
  }

  const TITLES = {
    policy: (to) => to === 'mine' ? 'your policy' : to,
    procs: ({ procs }) => procs + ' processors for ' + $('hours').value + ' h',
    drain_at: ({ nodes }) => nodes + ' drained for ' + $('hours').value + ' h',
    fault: ({ job }) => 'a node under ' + job + ' fails',
    submit: ({ id, procs, runtime }) => id + ': ' + procs + ' processors, ' + runtime / 3600 + ' h',
    cancel: (job) => job + ' is cancelled',
  };
  const titleOf = ([name, value]) => TITLES[name](value);

  function showFields() {
    if (told.length > 0) { $('details').replaceChildren(...FIELDS[$('change').value]()); }
  }

  // A job of a branch's picture that was clicked: the change is about it, where it can be.
  function pick(id, branch) {
    const has = (which) => Array.isArray(told[branch][which])
      && told[branch][which].some((job) => job.id === id);
    const kind = has('running') ? 'fault' : has('waiting') ? 'cancel' : null;
    if (!kind) {
      say('Job ' + id + ' neither runs nor waits at this time.');
      return;
    }
    $('of').value = branch;
    $('change').value = kind;
    showFields();
    $('to').value = id;
    say('Job ' + id + ': ' + (kind === 'fault' ? 'its node fails' : 'it is cancelled')
      + ', if you fork.');
  }

  // Processors that were chosen on the axis of a branch's picture are to be drained.
  function drain(first, last, branch) {
    $('of').value = branch;
    $('change').value = 'drain';
    showFields();
    $('to').value = first + '-' + last;
    say('Processors ' + first + ' to ' + last + ' are drained, if you fork.');
  }

  // Left of a picture a press and a pull choose processors; nothing else is moved by it.
  function listenAxis(chart, branch) {
    let from = null;
    const processor = (event) => {
      const y = event.clientY - chart.canvas.getBoundingClientRect().top;
      const share = (y - chart.at.top) / chart.at.height;
      const at = chart.view[3] - share * (chart.view[3] - chart.view[1]);
      return Math.min(Math.max(Math.floor(at), 0), told[branch].procs - 1);
    };
    chart.canvas.addEventListener('pointerdown', (event) => {
      if (event.clientX - chart.canvas.getBoundingClientRect().left >= chart.at.left) { return; }
      from = processor(event);
      event.stopImmediatePropagation();
    }, true);
    chart.canvas.addEventListener('pointerup', (event) => {
      if (from === null) { return; }
      const to = processor(event);
      drain(Math.min(from, to), Math.max(from, to), branch);
      from = null;
    });
  }

  async function listen(frame) {
    const group = await frame.contentWindow.gantt;
    group.charts.forEach((chart, branch) => {
      chart.canvas.addEventListener('click', () => {
        if (chart.chosen >= 0) { pick(chart.s.id[chart.s.job[chart.chosen]], branch); }
      });
      listenAxis(chart, branch);
    });
  }

  function showBranches() {
    const of = parent();
    $('of').replaceChildren(...branches.map(({ title }, i) =>
      element('option', { value: i, textContent: (i > 0 ? 'fork ' + i + ': ' : '') + title })));
    $('of').value = of;
    $('forks').replaceChildren(...branches.slice(1).map(({ title }, i) =>
      element('li', {}, 'fork ' + (i + 1) + ': ' + title + ' ', element('button', { type: 'button',
        textContent: 'Drop', onclick: () => drop(i + 1) }))));
    $('fork').disabled = branches.length >= MOST;
  }

  // How the forks differ from the session.
  function differences(list) {
    return list.length < 2 ? list[0]
      : list.map((text, i) => 'Fork ' + (i + 1) + ', ' + branches[i + 1].title + ':\n' + text)
        .join('\n\n');
  }

  async function show() {
    const choices = page.chosen();
    const found = await engine.ask('branches', request({ branches, now: Number($('now').value) }));
    told = found.told;
    $('now').max = Math.ceil(found.last);
    $('clock').textContent = Array.from(new Set(told.map((one) => one.clock))).join(' and ');
    $('branches').hidden = false;
    showBranches();
    const frame = showCharts($('sessions'), found.html, 'Gantt charts of the session and its forks');
    frame.addEventListener('load', () => listen(frame));
    $('diff').textContent = Array.isArray(found.diffs) ? differences(found.diffs) : told[0].text;
    showFields();
    page.made(choices);
  }

  function drop(branch) {
    const of = parent();
    branches.splice(branch, 1);
    $('of').value = of < branch ? of : of === branch ? 0 : of - 1;
    again();
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
  $('of').addEventListener('change', showFields);
  $('fork').addEventListener('click', () => attempt('The session is being forked.', async () => {
    const at = Number($('now').value);
    const made = change();
    const { policy, steps } = branches[parent()];
    if (steps.some((step) => step.at > at)) {
      throw new Error('At this time that fork is not yet there.');
    }
    const title = titleOf(Object.entries(made)[0]);
    branches.push({ policy, title: steps.length > 0 ? branches[parent()].title + ', ' + title : title,
      steps: steps.concat({ at, change: made }) });
    try {
      await show();
    } catch (problem) {
      branches.pop();
      throw problem;
    }
    $('now').value = $('now').max;
    await show();
  }));

  return {
    isOwn: () => branches.some(({ policy, steps }) => policy === 'mine'
      || steps.some(({ change }) => change.policy === 'mine')),
    state: () => ({ branches, now: $('now').value }),
    async restore(state) {
      if (!state || !Array.isArray(state.branches) || state.branches.length === 0) { return; }
      ({ branches } = state);
      await attempt('The session is being opened.', async () => {
        await show();
        $('now').value = state.now;
        await show();
      });
      page.keep();
    },
  };
}
