// As much of a browser's document as the script of a Gantt chart uses, made from the text of an SVG.
'use strict';

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescape(text) {
  return text.replace(/&(#?\w+);/g, (whole, name) =>
    name[0] === '#' ? String.fromCodePoint(+name.slice(1)) : ENTITIES[name]);
}

class Element {
  constructor(tag, attributes) {
    Object.assign(this, { tag, attributes, children: [], own: '', style: {}, listeners: {} });
    this.dataset = {};
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('data-')) { this.dataset[name.slice(5)] = value; }
    }
  }

  get id() { return this.attributes.id || ''; }
  get textContent() { return this.own + this.children.map((e) => e.textContent).join(''); }
  set textContent(text) { this.own = String(text); this.children = []; }
  getAttribute(name) { return name in this.attributes ? this.attributes[name] : null; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  appendChild(child) { this.children.push(child); }
  addEventListener(name, f) { this.listeners[name] = f; }
  getScreenCTM() { return { inverse: () => null }; }
  createSVGPoint() { return { matrixTransform() { return this; } }; }

  // TAG, .CLASS, TAG.CLASS, TAG[NAME], TAG[NAME^="BEGINNING"]
  querySelectorAll(selector) {
    const m = /^(\w*)(?:\.([\w-]+))?(?:\[([\w-]+)(?:\^="(\w+)")?\])?$/.exec(selector);
    const [, tag, name, attribute, beginning] = m;
    const found = [];
    (function visit(element) {
      for (const child of element.children) {
        const value = child.getAttribute(attribute);
        if ((!tag || child.tag === tag) &&
            (!name || (child.getAttribute('class') || '').split(' ').includes(name)) &&
            (!attribute || (value !== null && value.startsWith(beginning || '')))) {
          found.push(child);
        }
        visit(child);
      }
    })(this);
    return found;
  }

  querySelector(selector) { return this.querySelectorAll(selector)[0] || null; }

  // What a listener is given; the result says whether it kept the browser from doing what it does.
  send(name, event) {
    let prevented = false;
    this.listeners[name](Object.assign({ preventDefault() { prevented = true; } }, event));
    return prevented;
  }
}

// The root of what the text describes. The fills of boxes come from the style in it.
exports.read = function read(text) {
  const stack = [new Element('', {})];
  const tokens = /<!\[CDATA\[[^]*?\]\]>|<(\/?)(\w+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
  for (const [, end, tag, attributes, empty, words] of text.matchAll(tokens)) {
    const top = stack[stack.length - 1];
    if (words !== undefined) { top.own += unescape(words); continue; }
    if (tag === undefined) { continue; }
    if (end) { stack.pop(); continue; }
    const element = new Element(tag, Object.fromEntries(
      [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map((m) => [m[1], unescape(m[2])])));
    top.appendChild(element);
    if (!empty) { stack.push(element); }
  }
  return stack[0].children[0];
};

// Makes `document` and getComputedStyle of the root.
exports.install = function install(root, alone) {
  const style = root.querySelector('style').textContent;
  global.document = {
    documentElement: alone ? root : null,
    createElementNS: (_, tag) => new Element(tag, {}),
    querySelectorAll: () => [root],
  };
  global.getComputedStyle = (element) => {
    const name = element.getAttribute('class');
    const hex = new RegExp('\\.' + name + '\\{fill:#(\\w{6})').exec(style)[1];
    const [r, g, b] = hex.match(/../g).map((two) => parseInt(two, 16));
    return { fill: `rgb(${r}, ${g}, ${b})` };
  };
};
