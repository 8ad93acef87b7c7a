// The axes of a chart in a page, what is seen of it, and times as texts.

const DAY = 86400;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
  43200, DAY, 2 * DAY, 7 * DAY]; // s between two ticks of a clock
const MONTHLY = [1, 2, 3, 6, 12, 24, 60, 120]; // months between two ticks
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov',
  'Dec'];

// --- axes ---------------------------------------------------------------------------------------

// The shortest step of 1, 2 or 5 times a power of ten that divides the span at most `most` times.
function roundStep(span, most) {
  const power = Math.pow(10, Math.floor(Math.log10(span / most)));
  const factor = [1, 2, 5].find((f) => f * power * most >= span * (1 - 1e-9)) || 10;
  return factor * power;
}

function twoDigits(n) { return (n < 10 ? '0' : '') + n; }

// What clocks show (s since 1970) on an axis whose ticks are `step` s apart.
function dateText(time, step) {
  const date = new Date(time * 1000);
  if (time % DAY === 0) { return date.getUTCDate() + ' ' + MONTHS[date.getUTCMonth()]; }
  return twoDigits(date.getUTCHours()) + ':' + twoDigits(date.getUTCMinutes()) +
    (step < 60 ? ':' + twoDigits(date.getUTCSeconds()) : '');
}

// Adds ticks at the first of months, or of years: at most `most` or so to the whole axis.
function monthTicks(low, span, whole, most, clock, ticks) {
  const months = MONTHLY.find((n) => whole / (n * 30.4 * DAY) <= most) || 1200;
  const first = new Date((low + clock) * 1000);
  for (let n = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months);; n++) {
    const [year, month] = [Math.floor(n * months / 12), n * months % 12];
    const time = Date.UTC(year, month, 1) / 1000 - clock;
    if (time > low + span) { return; }
    if (time >= low) {
      ticks.push({ time, text: months >= 12 ? String(year) : MONTHS[month] + ' ' + year,
        strong: month === 0 });
    }
  }
}

// What clocks show at time 0, as they are set at a time.
function shownAt(clock, time) {
  return clock.reduce((shown, part) => part[0] <= time ? part[1] : shown, clock[0][1]);
}

// The ticks of `span` s from `low` on, on an axis `width` px long: { time, text, strong }.
//   unit   s of a unit of the axis, where there is no clock
//   clock  [from, what the clocks show at time 0 (s since 1970)] for each part of the time in which
//          they are not changed, or null; an hour that they show twice has its ticks twice
function timeTicks(low, span, width, unit, clock) {
  const ticks = [];
  if (clock === null) {
    const step = roundStep(span / unit, width / 85);
    for (let n = Math.ceil(low / unit / step); n * step * unit <= low + span; n++) {
      ticks.push({ time: n * step * unit, text: String(+(n * step).toPrecision(10)) });
    }
    return ticks;
  }
  let step = STEPS.find((s) => span / s <= width / 64);
  if (span < width / 64) { step = roundStep(span, width / 85); }
  clock.forEach(([from, shown], i) => {
    const first = i === 0 ? low : Math.max(low, from);
    const last = Math.min(low + span, i + 1 < clock.length ? clock[i + 1][0] - 1e-3 : Infinity);
    if (last < first) { return; }
    if (!step) { monthTicks(first, last - first, span, width / 70, shown, ticks); return; }
    for (let n = Math.ceil((first + shown) / step); n * step <= last + shown; n++) {
      ticks.push({ time: n * step - shown, text: dateText(n * step, step),
        strong: n * step % DAY === 0 });
    }
  });
  return ticks;
}

// The numbers at the axis of processors: `span` of them from `low` on, on `height` px.
//   few    one number for each processor, of which there are `procs`
function processorTicks(low, span, height, procs, few) {
  const ticks = [];
  const step = few ? 1 : Math.max(1, roundStep(span, height / 40));
  const first = few ? Math.floor(low) : Math.ceil(low / step); // one may be seen in part
  for (let n = first; n * step <= low + span; n++) {
    if (!few || n < procs) { ticks.push(n * step); }
  }
  return ticks;
}

// --- times as texts -----------------------------------------------------------------------------

// "2.5 h"
function spanText(seconds) {
  const [name, unit] = [['d', DAY], ['h', 3600], ['min', 60]]
    .find((one) => Math.abs(seconds) >= one[1]) || ['s', 1];
  return String(+(seconds / unit).toPrecision(3)) + ' ' + name;
}

// "2019-06-14 06:00:00", or without a clock "21600 s".
function instantText(time, clock) {
  return clock === null ? +time.toPrecision(10) + ' s'
    : new Date((time + shownAt(clock, time)) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

// --- what is seen -------------------------------------------------------------------------------

// A view is [time, processor, time, processor]: at the left, at the bottom, at the right, at the
// top; `home` is the whole.

const CLOSEST = 1e-7; // share of the whole

// The view moved into the whole.
function clipped(view, home) {
  const next = view.slice();
  for (const axis of [0, 1]) {
    const size = Math.min(view[axis + 2] - view[axis], home[axis + 2] - home[axis]);
    next[axis] = Math.max(home[axis], Math.min(view[axis], home[axis + 2] - size));
    next[axis + 2] = next[axis] + size;
  }
  return next;
}

// The view after zooming by a factor along axis 0 (time) or 1 (processors); what is at the share
// `at` of it stays where it is. least: the smallest view.
function zoomed(view, home, axis, at, factor, least) {
  const share = Math.max(0, Math.min(1, at));
  const size = view[axis + 2] - view[axis];
  const whole = home[axis + 2] - home[axis];
  const next = view.slice();
  const wanted = Math.max(least, whole * CLOSEST, Math.min(whole, size * factor));
  next[axis] += share * (size - wanted);
  next[axis + 2] = next[axis] + wanted;
  return clipped(next, home);
}

// The view moved by shares of itself.
function moved(view, home, dx, dy) {
  const [x, y] = [dx * (view[2] - view[0]), dy * (view[3] - view[1])];
  return clipped([view[0] + x, view[1] + y, view[2] + x, view[3] + y], home);
}

// How a name so many px long (in letters of 12 px) stands in a rectangle of w x h px: the size of
// its letters, and whether it is turned; null: it does not fit.
function fit(length, w, h) {
  for (const size of [12, 10]) {
    const needed = length * size / 12 + 6;
    if (w >= needed && h >= size + 2) { return { size, turned: false }; }
    if (h >= needed && w >= size + 2) { return { size, turned: true }; }
  }
  return null;
}
