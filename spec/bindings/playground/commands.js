// Runs commands of the program as WebAssembly: node commands.js FOLDER FILES <LIST
//
// FOLDER is build/playground, FILES a folder whose files there are where a command runs. LIST has a
// command a line: its words as a JSON list. For each it prints a JSON line { status, out, err }.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const folder = path.resolve(process.argv[2]);
const Orrery = require(path.join(folder, 'orrery.js'));
const compiled = new WebAssembly.Module(fs.readFileSync(path.join(folder, 'orrery.wasm')));
const given = process.argv[3] ? fs.readdirSync(process.argv[3]).map((name) =>
  [name, fs.readFileSync(path.join(process.argv[3], name))]) : [];
const files = fs.readFileSync(path.join(folder, 'orrery.data'));

// One line of bytes after another; what has no end of line is the last.
function collector() {
  const bytes = [];
  return { add: (byte) => { bytes.push(byte); }, text: () => Buffer.from(bytes).toString() };
}

async function run(words) {
  const [out, err] = [collector(), collector()];
  const module = await Orrery({
    instantiateWasm(imports, done) {
      done(new WebAssembly.Instance(compiled, imports));
      return {};
    },
    thisProgram: '/orrery/orrery',
    getPreloadedPackage: () => files.buffer.slice(files.byteOffset,
      files.byteOffset + files.byteLength),
    preRun: [({ ENV, FS }) => {
      FS.init(() => null, out.add, err.add);
      Object.assign(ENV, { ORRERY_HOME: '/orrery', HOME: '/home', TZ: 'UTC' });
    }],
  });
  module.FS.mkdirTree('/home');
  module.FS.chdir('/home');
  for (const [name, bytes] of given) { module.FS.writeFile(name, bytes); }
  let status;
  try {
    status = module.callMain(words);
  } catch (problem) {
    if (problem.name !== 'ExitStatus') { throw problem; }
    status = problem.status;
  }
  return { status, out: out.text(), err: err.text() };
}

process.setMaxListeners(0); // every instance has its own

(async () => {
  for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
    process.stdout.write(JSON.stringify(await run(JSON.parse(line))) + '\n');
  }
  process.exitCode = 0; // not the status of a command
})();
