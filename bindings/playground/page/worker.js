// The worker of engine.js: the program as WebAssembly (orrery.js), and the requests to it.
/* global importScripts, Orrery, self */
'use strict';

importScripts('orrery.js');

// Lines of what is printed, posted as they end.
function printer(isError) {
  const decoder = new TextDecoder();
  let bytes = [];
  return (byte) => {
    if (byte !== null) { bytes.push(byte); }
    if (byte === 10 || byte === null) {
      if (bytes.length > 0) {
        self.postMessage({ printed: decoder.decode(new Uint8Array(bytes)), isError });
      }
      bytes = [];
    }
  };
}

const [out, err] = [printer(false), printer(true)];

const ready = Orrery({
  onPost: (text) => self.postMessage({ posted: JSON.parse(text) }),
  thisProgram: '/orrery/orrery',
  preRun: [({ ENV, FS }) => {
    FS.init(() => null, out, err);
    Object.assign(ENV, { ORRERY_HOME: '/orrery', HOME: '/home', TZ: 'UTC' });
  }],
}).then((module) => {
  module.FS.mkdirTree('/home');
  module.FS.chdir('/home');
  return { module, isOpen: false };
});

// A command of the program, with a state of its own.
function run(module, words) {
  try {
    return module.callMain(words);
  } catch (problem) {
    if (problem.name !== 'ExitStatus') { throw problem; }
    return problem.status;
  }
}

function answer(program, request) {
  const { module } = program;
  if (request.what === 'command') { return { value: run(module, request.words) }; }
  if (!program.isOpen) {
    const problem = module.ccall('orr_page_open', 'string', [], []);
    if (problem) { throw new Error(problem); }
    program.isOpen = true;
  }
  return JSON.parse(module.ccall('orr_page_ask', 'string', ['string'], [JSON.stringify(request)]));
}

self.onmessage = async ({ data }) => {
  try {
    const program = await ready;
    if (data.path) {
      program.module.FS.mkdirTree(data.path.replace(/\/[^/]*$/, '') || '/');
      program.module.FS.writeFile(data.path, data.bytes);
      return;
    }
    const found = answer(program, data.request);
    out(null);
    err(null);
    self.postMessage(Object.assign({ number: data.number }, found));
  } catch (problem) {
    self.postMessage({ broken: String(problem && problem.message || problem) });
  }
};
