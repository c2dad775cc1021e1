import { Worker } from 'node:worker_threads';

/** Milliseconds between two looks at the memory. */
const LOOK_MS = 50;

/** In a thread, because a parser blocks the main one. */
const WATCH = `
  const { workerData: most } = require('node:worker_threads');
  setInterval(() => {
    if (process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL');
  }, ${LOOK_MS});`;

/** Ends this process with SIGKILL when it has more than `bytes` of resident memory. */
export function limitMemory(bytes: number): void {
  new Worker(WATCH, { eval: true, workerData: bytes, execArgv: [] }).unref();
}
