// The data of a chart in a page: columns of numbers and texts (columns.c, chart.lua), read into
// arrays. All times are in seconds.

// The bytes of a column: zlib's, in base64.
async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) { bytes[i] = letters.charCodeAt(i); }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The whole numbers of a column: 7 bits to the byte, the lowest first; odd ones are negative.
function numbersOf(bytes) {
  const numbers = new Float64Array(bytes.reduce((count, byte) => count + (byte < 128), 0));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    let value = 0;
    let weight = 1;
    for (; bytes[at] >= 128; weight *= 128) { value += (bytes[at++] - 128) * weight; }
    value += bytes[at++] * weight;
    numbers[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  return numbers;
}

// Every number becomes the sum of those up to it.
function summed(numbers) {
  for (let i = 1; i < numbers.length; i++) { numbers[i] += numbers[i - 1]; }
  return numbers;
}

function textsOf(bytes) { return new TextDecoder().decode(bytes).split('\n').slice(0, -1); }

// The rectangles of attempts, one for each range of processors: the attempt, and the first
// processor and the one behind the last.
function rectanglesOf(ranges, attempts) {
  const count = (ranges.length - attempts) / 2;
  const owner = new Uint32Array(count);
  const low = new Float64Array(count);
  const high = new Float64Array(count);
  for (let i = 0, r = 0; i < attempts; i++) {
    for (let k = 0, end = 0; k < ranges[i]; k++, r++) {
      owner[r] = i;
      low[r] = end + ranges[attempts + r];
      high[r] = low[r] + ranges[attempts + count + r] + 1;
      end = high[r] + 1;
    }
  }
  return { count, owner, low, high };
}

// The steps of the jobs that wait, from submissions, starts, and ends after which jobs wait again.
function waitingOf(s) {
  const changes = [];
  const again = new Set([OUTCOMES.failed, OUTCOMES.preempted, OUTCOMES.node_failure,
    OUTCOMES.redirected]);
  for (const time of s.submit) { changes.push([time, 1]); }
  s.start.forEach((time, i) => {
    changes.push([time, -1]);
    if (again.has(s.outcome[i])) { changes.push([s.end[i], 1]); }
  });
  changes.sort((a, b) => a[0] - b[0]);
  const times = [];
  const waiting = [];
  for (let i = 0, sum = 0; i < changes.length;) {
    const time = changes[i][0];
    for (; i < changes.length && changes[i][0] === time; i++) { sum += changes[i][1]; }
    if (sum !== (waiting.length > 0 ? waiting[waiting.length - 1] : 0)) {
      times.push(time);
      waiting.push(sum);
    }
  }
  return { times, waiting };
}

// As in columns.c.
const OUTCOMES = { running: 0, completed: 1, failed: 2, killed: 3, preempted: 4, cancelled: 5,
  node_failure: 6, redirected: 7 };

const LABELS = ['user', 'queue', 'partition', 'account', 'qos', 'array'];

// The schedule of a chart: arrays by job (id, submit, walltime, LABELS, needs by name), by attempt
// (job, number, start, end, outcome), and rectangles. columns: a promise of bytes for each name.
async function readSchedule(head, columns) {
  const names = Object.keys(columns);
  const bytes = await Promise.all(names.map((name) => columns[name]));
  const found = Object.fromEntries(names.map((name, i) => [name, bytes[i]]));
  const numbers = (name) => found[name] && numbersOf(found[name]);
  const times = (list) => list && list.map((ticks) => ticks * head.tick);
  const s = { job: summed(numbers('job')), number: numbers('number'),
    outcome: numbers('outcome'), position: summed(numbers('position')) };
  s.id = found.id ? textsOf(found.id) : Array.from(summed(numbers('id_number')), String);
  s.jobs = s.position.length;
  s.count = s.job.length;
  const submit = numbers('submit') && summed(numbers('submit'));
  const [wait, time] = [numbers('wait'), numbers('time')];
  s.start = new Float64Array(s.count);
  s.end = new Float64Array(s.count);
  for (let i = 0; i < s.count; i++) {
    const follows = i > 0 && s.job[i] === s.job[i - 1];
    s.start[i] = wait[i] + (follows ? s.end[i - 1] : submit ? submit[s.job[i]] : 0);
    s.end[i] = s.start[i] + time[i];
  }
  [s.start, s.end, s.submit] = [times(s.start), times(s.end), times(submit)];
  const walltime = numbers('walltime');
  s.walltime = walltime && walltime.map((ticks) => ticks < 0 ? ticks : ticks * head.tick);
  for (const name of LABELS) {
    s[name] = found[name] && textsOf(found[name]);
    s[name + '_of'] = numbers(name + '_of');
  }
  s.needs = {};
  for (const name of names.filter((one) => one.startsWith('needs.'))) {
    s.needs[name.slice('needs.'.length)] = numbers(name);
  }
  s.rectangles = rectanglesOf(numbers('ranges'), s.count);
  s.waiting = found.steps
    ? { times: times(summed(numbers('steps'))), waiting: summed(numbers('waiting')) }
    : head.strip ? waitingOf(s) : null;
  s.over = (head.over || []).map(([attempt, start, end, look]) => ({ attempt, start, end, look }));
  return s;
}
