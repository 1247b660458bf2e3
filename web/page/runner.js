// SPDX-License-Identifier: Apache-2.0
// Commands in a worker. One runs at a time; to cancel is to end the worker and start another: the simulator has no
// place where it would look for a wish to stop, and needs none.

class Cancelled extends Error {}

class Runner {
  // wasm: a promise of the program's bytes. files: [[name, text]] for every command.
  constructor(source, wasm, files) {
    Object.assign(this, {wasm, files, job: null, last: 0});
    this.url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
    this.start();
  }
  start() {
    const worker = new Worker(this.url);
    this.worker = worker;
    this.ready = new Promise((done, failed) => {
      worker.onmessage = ({data}) => data.ready ? done() : this.hear(data);
      worker.onerror = (e) => {
        failed(new Error(e.message));
        if (this.job) this.job.failed(new Error(e.message));
      };
    });
    this.wasm.then((bytes) => worker.postMessage({wasm: bytes, files: this.files}));
  }
  hear(data) {
    const job = this.job;
    if (!job || data.id !== job.id) return;
    if (!data.results) return job.tell(data.step, data.share);
    this.job = null;
    job.done({results: data.results, files: new Map(data.files)});
  }
  // tell(step, share): how far it is.
  async run(files, steps, want, tell = () => {}) {
    const id = ++this.last;
    await this.ready;
    return new Promise((done, failed) => {
      this.job = {id, done, failed, tell};
      this.worker.postMessage({id, files, steps, want});
    });
  }
  cancel() {
    const job = this.job;
    if (!job) return;
    this.job = null;
    this.worker.terminate();
    this.start();
    job.failed(new Cancelled());
  }
}

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
