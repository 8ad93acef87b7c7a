// The editor of the policy: CodeMirror, with completion and hover from the reference.

import { autocompletion, completionKeymap, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, StreamLanguage, syntaxHighlighting }
  from '@codemirror/language';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers }
  from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { element } from './dom.js';

// Colours that both the light and the dark page have (page.css).
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--keyword)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
]);

// What values of a class of the reference are usually called in a policy, besides its own name.
const USUAL = { view: 'sim', other: 'job', next: 'job', first: 'job', head: 'job' };

let members = new Map(); // by name of a value: its members

export function learn(reference) {
  members = new Map();
  for (const one of reference) { // names stand for several classes; policies for jobs come first
    if (one.shown && !members.has(one.shown)) { members.set(one.shown, one.members); }
  }
  for (const [name, as] of Object.entries(USUAL)) { members.set(name, members.get(as)); }
  const policy = reference.find((one) => one.name === 'Policy');
  if (policy) { members.set('', policy.members); }
}

function optionOf(member) {
  return { label: member.name, type: member.type.startsWith('(') ? 'function' : 'property',
    detail: member.unit ? member.type + ', ' + member.unit : member.type, info: member.about };
}

function complete(context) {
  const word = context.matchBefore(/(?:([A-Za-z_]\w*)[.:])?\w*/);
  if (!word || (word.from === word.to && !context.explicit)) { return null; }
  const [, owner] = /^(?:([A-Za-z_]\w*)[.:])?/.exec(word.text);
  const list = members.get(owner || '');
  return list ? { from: owner ? word.from + owner.length + 1 : word.from,
    options: list.map(optionOf), validFor: /^\w*$/ } : null;
}

const hover = hoverTooltip((view, at) => {
  const { from, text } = view.state.doc.lineAt(at);
  for (const found of text.matchAll(/([A-Za-z_]\w*)[.:](\w+)|(\w+)\s*=/g)) {
    if (at < from + found.index || at > from + found.index + found[0].length) { continue; }
    const name = found[2] || found[3];
    const member = (members.get(found[1] || '') || []).find((one) => one.name === name);
    if (member) {
      return { pos: from + found.index, end: from + found.index + found[0].length, above: true,
        create: () => ({ dom: element('div', { className: 'tip' },
          element('code', { textContent: member.written + ': ' + member.type }),
          element('div', { textContent: member.about })) }) };
    }
  }
  return null;
});

// An editor in `place`. run: what Ctrl-Enter does; changed(text).
export function makeEditor(place, text, label, run, changed) {
  const view = new EditorView({
    parent: place,
    state: EditorState.create({ doc: text, extensions: [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(),
      closeBrackets(), highlightActiveLine(), StreamLanguage.define(lua),
      syntaxHighlighting(colours), autocompletion({ override: [complete] }), hover,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorState.tabSize.of(2),
      keymap.of([{ key: 'Mod-Enter', run: () => { run(); return true; } }, ...completionKeymap,
        ...defaultKeymap, ...historyKeymap,
        indentWithTab]), // Escape and then Tab leaves
      EditorView.updateListener.of((update) => {
        if (update.docChanged) { changed(update.state.doc.toString()); }
      }),
    ] }),
  });
  return {
    view,
    get text() { return view.state.doc.toString(); },
    set text(value) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
    },
  };
}
