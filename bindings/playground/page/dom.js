// Elements of the page.

export const $ = (id) => document.getElementById(id);

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The lines of what is said: for readers of screens, too.
export function say(text, isProblem) {
  const line = $('status');
  line.textContent = text;
  line.classList.toggle('problem', Boolean(isProblem));
}

// A page of charts, as the program writes it, in a frame that is as high as it. Two charts stand
// side by side where there is room.
export function showCharts(place, html, title) {
  const frame = element('iframe', { title, className: 'charts' });
  const style = '<style>main{padding:0!important;max-width:none!important}'
    + '@media(min-width:56rem){main:has(section.gantt+section.gantt){display:grid;'
    + 'grid-template-columns:1fr 1fr;column-gap:1rem}main>.controls,main>.legend,main>footer,'
    + 'main>header,main>h1{grid-column:1/-1}}main>h1{display:none}</style>';
  frame.srcdoc = html.replace('</head>', style + '</head>');
  frame.addEventListener('load', () => {
    const { body } = frame.contentDocument;
    const fit = () => { frame.style.height = body.scrollHeight + 8 + 'px'; };
    new ResizeObserver(fit).observe(body);
    fit();
    frame.contentWindow.gantt.then(() => {
      fit();
      frame.dataset.drawn = 'yes';
    });
  });
  place.replaceChildren(frame);
  return frame;
}

// A table from rows of texts, the first of which are its heads.
export function tableOf(rows, caption) {
  const [heads, ...rest] = rows;
  return element('table', {}, element('caption', { textContent: caption }),
    element('thead', {}, element('tr', {},
      ...heads.map((text) => element('th', { scope: 'col', textContent: text })))),
    element('tbody', {}, ...rest.map((row) => element('tr', {},
      ...row.map((text, i) => i === 0 ? element('th', { scope: 'row', textContent: text })
        : element('td', { textContent: text }))))));
}
