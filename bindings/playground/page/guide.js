// The guide's chapters, with files that can be changed and commands that run (guide.json, which
// make cuts out of policies/README.md).

import { $, element } from './dom.js';
import { Engine } from './engine.js';

// Words as a shell has them, where nothing but quotes and ends of lines is special.
function wordsOf(line) {
  return Array.from(line.replace(/\\\n/g, ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    (found) => found[1] || found[2] || found[3]);
}

// `code`, [links](elsewhere) and **strong** words of a paragraph.
function inline(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) { return element('code', { textContent: part.slice(1, -1) }); }
    const linked = /^\[([^\]]+)\]/.exec(part);
    if (linked) { return linked[1].replace(/`/g, ''); }
    return part.startsWith('**') ? element('strong', { textContent: part.slice(2, -2) }) : part;
  });
}

function showFile(block) {
  const area = element('textarea', { value: block.text, rows: block.text.split('\n').length,
    spellcheck: false });
  area.setAttribute('aria-label', block.file);
  block.read = () => area.value;
  return [element('h3', { textContent: block.file }), area];
}

function showCommand(block, files) {
  const out = element('pre', { className: 'wide', tabIndex: 0 });
  const button = element('button', { type: 'button', textContent: 'Run' });
  const stop = element('button', { type: 'button', textContent: 'Stop', hidden: true });
  button.addEventListener('click', async () => {
    out.textContent = '';
    const engine = new Engine({ posted: () => null, changed: () => null,
      printed: (text) => { out.textContent += text; } });
    [button.disabled, stop.hidden] = [true, false];
    stop.onclick = () => engine.stop();
    for (const one of files) {
      engine.write('/home/' + one.file, new TextEncoder().encode(one.read()));
    }
    try {
      for (const line of block.text.replace(/\\\n/g, ' ').split('\n')) {
        const [program, ...words] = wordsOf(line);
        if (program === './orrery') { await engine.ask('command', { words }); }
      }
    } catch (problem) {
      out.textContent += problem.message + '\n';
    }
    engine.worker.terminate();
    [button.disabled, stop.hidden] = [false, true];
  });
  return [element('pre', { className: 'wide' }, element('code', { textContent: block.text })),
    element('div', { className: 'row' }, button, stop), out];
}

function showChapter(chapter) {
  const files = chapter.blocks.filter((block) => block.file);
  $('text').replaceChildren(...chapter.blocks.flatMap((block) => {
    if (block.file) { return showFile(block); }
    if (block.kind === 'sh') { return showCommand(block, files); }
    if (block.kind) { return [element('pre', { className: 'wide', textContent: block.text })]; }
    if (block.head) { return [element('h3', { textContent: block.head })]; }
    return [element('p', {}, ...inline(block.text))];
  }));
}

export async function makeGuide() {
  const chapters = await (await fetch('guide.json')).json();
  $('chapter').replaceChildren(...chapters.map(({ title }, i) =>
    element('option', { value: i, textContent: title })));
  $('chapter').addEventListener('change', () => showChapter(chapters[Number($('chapter').value)]));
  showChapter(chapters[0]);
}
