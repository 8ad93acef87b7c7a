// How rectangles become pixels. Every rectangle is drawn where and as large as it is: a pixel gets
// as much of its colour as it covers of it, so that thousands of jobs that share a pixel are a
// shade. Whatever is there at all can be seen: its pixels have LEAST of its colour.

const LEAST = 0.3;

// Where the rectangles of a schedule that touch the view are, in pixels: x, y, width and height,
// four numbers for each, and whose they are.
//   view  [time, processor, time, processor]: at the left, at the bottom, at the right, at the top
function project(rectangles, start, end, view, width, height, into) {
  const { count, owner, low, high } = rectangles;
  const out = into && into.at.length >= 4 * count ? into
    : { at: new Float64Array(4 * count), owner: new Uint32Array(count), count: 0 };
  const sx = width / (view[2] - view[0]);
  const sy = height / (view[3] - view[1]);
  let n = 0;
  for (let r = 0; r < count; r++) {
    const i = owner[r];
    if (start[i] >= view[2] || end[i] <= view[0] || low[r] >= view[3] || high[r] <= view[1]) {
      continue;
    }
    out.at[4 * n] = (start[i] - view[0]) * sx;
    out.at[4 * n + 1] = (view[3] - high[r]) * sy;
    out.at[4 * n + 2] = (end[i] - start[i]) * sx;
    out.at[4 * n + 3] = (high[r] - low[r]) * sy;
    out.owner[n++] = i;
  }
  out.count = n;
  return out;
}

// Of each pixel four numbers: red, green, blue, and how much is covered, in parts of WHOLE. They
// are differences from the pixel above, so that a rectangle changes its two edges alone,
// however high it is.
const WHOLE = 65536;
let changes = new Int32Array(0);
let column = new Int32Array(0); // the sums of a row

// Adds a colour to the column of the pixel p, from `fraction` of it on downwards.
function addEdge(p, below, share, fraction, red, green, blue) {
  const rest = Math.round(share * fraction);
  const here = share - rest;
  changes[p] += red * here;
  changes[p + 1] += green * here;
  changes[p + 2] += blue * here;
  changes[p + 3] += here;
  const q = p + below;
  changes[q] += red * rest;
  changes[q + 1] += green * rest;
  changes[q + 2] += blue * rest;
  changes[q + 3] += rest;
}

// Adds the rectangle x0 .. x1, y0 .. y1 (pixels) of a colour; all of it is in the image.
function cover(width, x0, y0, x1, y1, red, green, blue) {
  const below = 4 * width;
  const top = Math.floor(y0);
  const bottom = Math.floor(y1);
  for (let x = Math.floor(x0); x < x1; x++) {
    const share = Math.ceil(WHOLE * (Math.min(x1, x + 1) - Math.max(x0, x)));
    addEdge(top * below + 4 * x, below, share, y0 - top, red, green, blue);
    addEdge(bottom * below + 4 * x, below, -share, y1 - bottom, red, green, blue);
  }
}

// Blends what was added with an image.
function blend(data, width) {
  column.fill(0);
  for (let p = 0; p < data.length;) {
    for (let x = 0; x < 4 * width; x += 4, p += 4) {
      column[x] += changes[p];
      column[x + 1] += changes[p + 1];
      column[x + 2] += changes[p + 2];
      const covered = column[x + 3] += changes[p + 3];
      if (covered <= 0) { continue; }
      const shade = Math.min(Math.max(covered / WHOLE, LEAST), 1);
      const weight = shade / covered;
      data[p] = data[p] * (1 - shade) + column[x] * weight;
      data[p + 1] = data[p + 1] * (1 - shade) + column[x + 1] * weight;
      data[p + 2] = data[p + 2] * (1 - shade) + column[x + 2] * weight;
    }
  }
}

// Draws rectangles, as `project` gives them, over an image (ImageData).
//   colours  { classes: [[[red, green, blue], ...], ...], of: the class of each owner, shade: the
//            colour of those that have no whole pixel along an axis, if it is another one }
function paint(image, boxes, colours) {
  const { width, height, data } = image;
  const { at, owner } = boxes;
  if (boxes.count === 0) { return; }
  if (column.length !== 4 * width || changes.length !== 4 * width * (height + 2)) {
    changes = new Int32Array(4 * width * (height + 2));
    column = new Int32Array(4 * width);
  }
  changes.fill(0);
  for (let i = 0; i < boxes.count; i++) {
    const x = at[4 * i];
    const y = at[4 * i + 1];
    const w = at[4 * i + 2];
    const h = at[4 * i + 3];
    const x0 = Math.max(x, 0);
    const y0 = Math.max(y, 0);
    const x1 = Math.min(x + Math.max(w, 0.01), width);
    const y1 = Math.min(y + Math.max(h, 0.01), height);
    if (x1 <= x0 || y1 <= y0) { continue; }
    const colour = colours.shade && (w < 1 || h < 1) ? colours.shade
      : colours.classes[colours.of[owner[i]]][0];
    cover(width, x0, y0, x1, y1, colour[0], colour[1], colour[2]);
  }
  blend(data, width);
}

// The number of the box at a place, or else of the nearest one that is at most `near` px away; -1.
function boxAt(boxes, x, y, near) {
  let best = -1;
  let least = near;
  for (let i = boxes.count - 1; i >= 0; i--) {
    const dx = Math.max(boxes.at[4 * i] - x, x - boxes.at[4 * i] - boxes.at[4 * i + 2], 0);
    const dy = Math.max(boxes.at[4 * i + 1] - y, y - boxes.at[4 * i + 1] - boxes.at[4 * i + 3], 0);
    const distance = Math.max(dx, dy);
    if (distance === 0) { return i; }
    if (distance <= least) { [best, least] = [i, distance]; }
  }
  return best;
}

// --- colours ------------------------------------------------------------------------------------

// HUES are the colours of jobs in palette.lua, AMOUNTS those of amounts: chart.lua puts them before
// this.
const NONE = [150, 154, 160];
const [NOTHING, ...SCALE] = AMOUNTS;
const BY_OUTCOME = ['#B9C7D3', '#7FA9C9', '#D55E00', '#E69F00', '#CC79A7', '#8A8A8A', '#7A2E8E',
  '#009E73'];
const SAID = ['still to come, as planned', 'completed', 'failed', 'killed at its walltime',
  'preempted', 'cancelled', 'lost to a node\'s failure', 'redirected to another group'];
const WAITS = [[0, 'none'], [60, 'up to 1 min'], [600, '10 min'], [3600, '1 h'], [21600, '6 h'],
  [86400, '1 d'], [Infinity, 'more']];
const SLOWDOWNS = [[1, '1'], [1.2, 'up to 1.2'], [2, '2'], [5, '5'], [20, '20'], [100, '100'],
  [Infinity, 'more']];

function rgbOf(text) { return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)); }

// The most frequent texts by processor-seconds have hues, the others are grey.
function byLabel(s, areas, texts, of) {
  const weights = new Map();
  for (let i = 0; i < s.count; i++) {
    const label = of[s.job[i]];
    weights.set(label, (weights.get(label) || 0) + areas[i]);
  }
  const order = Array.from(weights.keys()).filter((label) => label > 0)
    .sort((a, b) => weights.get(b) - weights.get(a)).slice(0, HUES.length - 1);
  const rank = new Map(order.map((label, i) => [label, i]));
  const classes = order.map((label, i) => [rgbOf(HUES[i]), texts[label - 1]]);
  if (weights.size > order.length) { classes.push([NONE, 'others']); }
  return { classes, of: Uint8Array.from(s.job, (job) =>
    rank.has(of[job]) ? rank.get(of[job]) : order.length) };
}

function byLimits(s, limits, value) {
  return { classes: limits.map((limit, i) => [rgbOf(SCALE[i]), limit[1]]),
    of: Uint8Array.from(s.job, (job, i) =>
      limits.findIndex((limit) => value(job, i) <= limit[0])) };
}

// What a job needs, as pools.said of pools.lua.
function needText(amount, name) {
  if (name === 'exclusive') { return amount === 0 ? 'not exclusive' : name; }
  if (amount === 0) { return (name === 'nodes' ? 'any ' : 'no ') + name; }
  const least = name === 'nodes' ? Infinity : name.startsWith('mem') ? 1 : 1024 ** 2;
  const unit = [4, 3, 2, 1].find((power) => amount >= least && amount % 1024 ** power === 0) || 0;
  return amount / 1024 ** unit + ['', 'K', 'M', 'G', 'T'][unit] + ' '
    + (amount === 1 && name === 'nodes' ? 'node' : name);
}

// A colour for each amount, or where there are many for those up to the half, a quarter and so on
// of the most.
function byNeeds(s, name) {
  const [needs, most] = [s.needs[name], SCALE.length];
  let amounts = Array.from(new Set(needs)).sort((a, b) => a - b);
  const [none, many] = [amounts[0] === 0, amounts.length - (amounts[0] === 0) > most];
  amounts = amounts.slice(none);
  if (many) {
    amounts = SCALE.map((_, i) => Math.ceil(amounts[amounts.length - 1] / 2 ** (most - 1 - i)));
  }
  const classes = amounts.map((amount, i) => [
    // few amounts are spread over the scale
    rgbOf(SCALE[amounts.length < 2 ? most - 1 : Math.floor(i * (most - 1) / (amounts.length - 1))]),
    (many ? 'up to ' : '') + needText(amount, name)]);
  if (none) { classes.push([rgbOf(NOTHING), needText(0, name)]); }
  return { classes, of: Uint8Array.from(s.job, (job) => needs[job] === 0 ? amounts.length
    : amounts.findIndex((amount) => needs[job] <= amount)) };
}

// What is coloured at first: few partitions are what people look for.
function usualColour({ partition }) {
  return partition && partition.length > 1 && partition.length < 9 ? 'partition' : 'job';
}

function areasOf(s) {
  const areas = new Float64Array(s.count);
  const { count, owner, low, high } = s.rectangles;
  for (let r = 0; r < count; r++) {
    areas[owner[r]] += (high[r] - low[r]) * (s.end[owner[r]] - s.start[owner[r]]);
  }
  return areas;
}

// What jobs can be coloured by: name -> { text, of: schedule -> { classes: [[colour, text], ...],
// of: the class of each attempt } }.
const COLOURS = {
  job: { text: 'job', can: () => true, make: (s) => ({
    classes: HUES.map((hue) => [rgbOf(hue), null]), shade: rgbOf('#7FA3BF'),
    of: Uint8Array.from(s.job, (job) => (s.position[job] - 1) % HUES.length) }) },
  ...Object.fromEntries(LABELS.map((name) => [name, { text: name,
    can: (s) => s[name] && s[name].length > 0,
    make: (s) => byLabel(s, areasOf(s), s[name], s[name + '_of']) }])),
  wait: { text: 'wait', can: (s) => s.submit,
    make: (s) => byLimits(s, WAITS, (job, i) => s.start[i] - s.submit[job]) },
  slowdown: { text: 'slowdown', can: (s) => s.submit, make: (s) => byLimits(s, SLOWDOWNS,
    (job, i) => (s.end[i] - s.submit[job]) / Math.max(s.end[i] - s.start[i], 1)) },
  attempt: { text: 'how it ended', can: (s) => s.outcome.some((outcome) => outcome !== 1),
    make: (s) => ({ classes: BY_OUTCOME.map((colour, i) => [rgbOf(colour),
      s.outcome.includes(i) ? SAID[i] : null]), of: Uint8Array.from(s.outcome) }) },
};

// The colours of COLOURS for what jobs of these schedules need, under needs.NAME.
function addNeeds(schedules) {
  for (const name of new Set(schedules.flatMap((s) => Object.keys(s.needs)))) {
    COLOURS['needs.' + name] = { text: name, can: (s) => s.needs[name],
      make: (s) => byNeeds(s, name) };
  }
}
