// The program, in a worker: requests that are answered by promises, and an end at any time.

const FAILED = 'the program stopped working and was started again';

export class Engine {
  // hooks: printed(text, isError), posted(value), changed(isBusy)
  constructor(hooks) {
    this.hooks = hooks;
    this.files = new Map(); // by path: bytes; they survive an end
    this.start();
  }

  start() {
    this.worker = new Worker('worker.js');
    this.waiting = new Map();
    this.number = 0;
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.restart((event.message || 'no answer') + ': ' + FAILED);
    };
    for (const [path, bytes] of this.files) { this.worker.postMessage({ path, bytes }); }
  }

  hear(data) {
    if (data.posted) {
      this.hooks.posted(data.posted);
    } else if (data.printed !== undefined) {
      this.hooks.printed(data.printed, data.isError);
    } else if (data.broken) {
      this.restart(data.broken + ': ' + FAILED);
    } else {
      const { resolve, reject } = this.waiting.get(data.number);
      this.waiting.delete(data.number);
      this.hooks.changed(this.waiting.size > 0);
      if (data.problem !== undefined) { reject(new Error(data.problem)); } else { resolve(data.value); }
    }
  }

  // Ends whatever runs. Those who wait for it hear why.
  restart(why) {
    this.worker.terminate();
    const { waiting } = this;
    this.start();
    for (const { reject } of waiting.values()) { reject(new Error(why)); }
    this.hooks.changed(false);
  }

  stop() { this.restart('stopped'); }

  write(path, bytes) {
    this.files.set(path, bytes);
    this.worker.postMessage({ path, bytes });
  }

  ask(what, request) {
    const number = ++this.number;
    const answer = new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
    });
    this.worker.postMessage({ number, request: Object.assign({ what }, request) });
    this.hooks.changed(true);
    return answer;
  }
}
