// Loaded into a server before it starts: its parent ends threads of it by messages.
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const workers = [];
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...of) {
      super(...of);
      workers.push(this);
      this.once('exit', () => workers.splice(workers.indexOf(this), 1));
    }
  };
  syncBuiltinESMExports();
  // The embedded database's thread is the first that is started.
  process.on('message', (message) => {
    if (message === 'end first thread') void workers[0]?.terminate();
    if (message === 'end last thread') void workers.at(-1)?.terminate();
  });
  process.channel?.unref();
}
