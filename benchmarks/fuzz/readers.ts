import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FileTally, FileWork } from './file_thread.ts';
import type { FileFormat } from './files.ts';

/** Most processor milliseconds for one small file, and the interval between checks. */
const MOST_MS = 2000;
const LOOK_MS = 200;
/** Most milliseconds for a file that waits without using the processor. */
const TIMEOUT_MS = 30_000;
/** Heap limit of the thread in MB. */
const HEAP_MB = 512;

/** Reads damaged files in a thread, which is terminated when a file takes too long. */
export class Readers {
  private readonly format: FileFormat;
  private readonly seed: number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'boundary-fuzz-files-'));
  private readonly at = new Int32Array(new SharedArrayBuffer(4));
  private worker: Worker | null = null;
  private came: (found: FileTally | string) => void = () => undefined;

  constructor(format: FileFormat, seed: number) {
    this.format = format;
    this.seed = seed;
  }

  /** Reads the files from number `from` up to, but not including, `to`. */
  async read(from: number, to: number): Promise<FileTally> {
    const found = await this.some(from, to);
    if (typeof found !== 'string') return found;
    // The counts of earlier files were lost with the thread: read those again, without the bad file.
    const file = Atomics.load(this.at, 0);
    const before = await this.read(from, file);
    const after = file + 1 < to ? await this.read(file + 1, to) : NOTHING;
    return {
      accepted: before.accepted + after.accepted,
      refused: before.refused + after.refused,
      longestMs: Math.max(MOST_MS, before.longestMs, after.longestMs),
      mostMb: Math.max(before.mostMb, after.mostMb),
      findings: [...before.findings, { file, wrong: found, content: '' }, ...after.findings],
    };
  }

  close(): void {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  /** The outcome of files, or the reason why the thread ended. */
  private some(from: number, to: number): Promise<FileTally | string> {
    if (from >= to) return Promise.resolve(NOTHING);
    this.worker ??= this.start();
    const { worker } = this;
    Atomics.store(this.at, 0, -1);
    return new Promise((resolve) => {
      let [file, cpu, wall] = [-1, process.cpuUsage(), performance.now()];
      const watch = setInterval(() => {
        const now = Atomics.load(this.at, 0);
        const { user, system } = process.cpuUsage(cpu);
        if (now === -1 || now !== file) [file, cpu, wall] = [now, process.cpuUsage(), performance.now()];
        else if ((user + system) / 1000 > MOST_MS) this.end(`it took more than ${MOST_MS} ms of a processor`);
        else if (performance.now() - wall > TIMEOUT_MS) this.end(`it took more than ${TIMEOUT_MS} ms`);
      }, LOOK_MS);
      this.came = (found) => {
        clearInterval(watch);
        resolve(found);
      };
      worker.postMessage({ from, to });
    });
  }

  private start(): Worker {
    const worker = startThread({ format: this.format, seed: this.seed, folder: this.folder, at: this.at.buffer });
    worker.on('message', (tally: FileTally) => this.came(tally));
    worker.on('error', (error) => this.end(`the thread ended: ${error}`));
    return worker;
  }

  private end(why: string): void {
    this.stop();
    this.came(why);
  }
}

const NOTHING: FileTally = { accepted: 0, refused: 0, longestMs: 0, mostMb: 0, findings: [] };

/** `--import tsx` has no effect on the entry of a thread in Node 20, so a line of JavaScript registers it. */
function startThread(workerData: FileWork): Worker {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = JSON.stringify(new URL('./dist/esm/api/index.mjs', tsx));
  const file = JSON.stringify(new URL('./file_thread.ts', import.meta.url));
  const script = `import(${api}).then((tsx) => { tsx.register(); return import(${file}); })`;
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  return new Worker(script, { eval: true, workerData, execArgv: [], resourceLimits });
}
