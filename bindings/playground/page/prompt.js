// The prompt: entries of Lua, and what is printed.

import { $, element } from './dom.js';

const MOST = 200; // lines that are kept to be brought back

// policy: gives the text of the editor; lines: what was typed before; changed: after an entry.
export function makePrompt(engine, policy, lines, changed) {
  const typed = lines.slice(-MOST);
  let at = typed.length;

  function print(text, isError) {
    $('printed').append(element('span', { textContent: text, className: isError ? 'problem' : '' }));
    $('printed').scrollTop = $('printed').scrollHeight;
  }

  async function run(code) {
    print('> ' + code + '\n');
    if (typed[typed.length - 1] !== code) { typed.push(code); }
    at = typed.length;
    changed();
    try {
      await engine.ask('evaluate', { code, text: policy() });
    } catch (problem) {
      print(problem.message + '\n', true);
    }
  }

  async function complete() {
    const line = $('line');
    const before = line.value.slice(0, line.selectionStart);
    const { found, tail } = await engine.ask('complete', { before });
    if (!Array.isArray(found) || found.length === 0) { return; }
    let shared = found[0];
    for (const one of found) {
      while (!one.startsWith(shared)) { shared = shared.slice(0, -1); }
    }
    let size = Math.min(shared.length, before.length); // of what is typed of the word
    while (!before.endsWith(shared.slice(0, size))) { size -= 1; }
    if (found.length > 1) { print(found.slice(0, 60).join('  ') + '\n'); }
    const head = before + shared.slice(size) + (found.length === 1 ? tail || '' : '');
    line.value = head + line.value.slice(line.selectionStart);
    line.setSelectionRange(head.length, head.length);
  }

  function bring(by) {
    at = Math.max(0, Math.min(typed.length, at + by));
    $('line').value = typed[at] || '';
  }

  $('entry').addEventListener('submit', (event) => {
    event.preventDefault();
    const code = $('line').value;
    if (code.trim() === '') { return; }
    $('line').value = '';
    run(code);
  });
  $('line').addEventListener('keydown', (event) => {
    const actions = { ArrowUp: () => bring(-1), ArrowDown: () => bring(1) };
    if (event.key === 'Tab' && !event.shiftKey && /[\w.:"/]$/.test($('line').value)) {
      event.preventDefault();
      complete();
    } else if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  });
  return { print, lines: () => typed.slice(-MOST) };
}
