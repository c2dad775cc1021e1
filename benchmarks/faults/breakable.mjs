// Preloaded into a server: its parent terminates threads of it by messages, and SIGUSR2 makes it exhaust its memory.
import cluster from 'node:cluster';
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (const kept = []; ; ) kept.push(Buffer.alloc(2 ** 24, 1));
  });
}

if (isMainThread && process.send && cluster.isPrimary) {
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
  // The first thread started is that of the embedded database.
  process.on('message', (message) => {
    if (message === 'end first thread') void workers[0]?.terminate();
    if (message === 'end last thread') void workers.at(-1)?.terminate();
  });
  process.channel?.unref();
}
