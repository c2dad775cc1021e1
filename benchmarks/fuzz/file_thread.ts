/** Reads damaged files in a thread that can be terminated, and reports the outcome of each block. */
import { parentPort, workerData } from 'node:worker_threads';
import { generator } from '../../test/sources/osm_damage.ts';
import { type FileFormat, openCase } from './files.ts';
import { seedOf } from './seed.ts';

/** Most memory in MB that one small file may take. */
const MOST_MB = 256;

/** The input of the thread. */
export interface FileWork {
  readonly format: FileFormat;
  readonly seed: number;
  /** Working folder for files. */
  readonly folder: string;
  /** The number of the file that is being read. */
  readonly at: SharedArrayBuffer;
}

/** File numbers: the first, and one past the last. */
export interface FileBlock {
  readonly from: number;
  readonly to: number;
}

/** The outcome of some files. */
export interface FileTally {
  readonly accepted: number;
  readonly refused: number;
  readonly longestMs: number;
  readonly mostMb: number;
  readonly findings: { readonly file: number; readonly wrong: string; readonly content: string }[];
}

const { format, seed, folder, at } = workerData as FileWork;
const current = new Int32Array(at);
const opened = await openCase(format, folder);
// Warm up: lazy loading must not count for the first file.
await opened.try(opened.make(() => 0));
const peak = (): number => process.resourceUsage().maxRSS / 1024;

parentPort?.on('message', async ({ from, to }: FileBlock) => {
  let [accepted, refused, longestMs, mostMb] = [0, 0, 0, 0];
  const findings: FileTally['findings'] = [];
  for (let file = from; file < to; file++) {
    Atomics.store(current, 0, file);
    const made = opened.make(generator(seedOf(seed, format, file)));
    const [began, before] = [performance.now(), peak()];
    const fail = (wrong: string): void => {
      findings.push({ file, wrong, content: Buffer.from(made.bytes).toString('latin1').slice(0, 3000) });
    };
    try {
      if (await opened.try(made)) accepted++;
      else refused++;
    } catch (error) {
      fail(String(error).slice(0, 500));
    }
    longestMs = Math.max(longestMs, performance.now() - began);
    const grown = peak() - before;
    mostMb = Math.max(mostMb, grown);
    if (grown > MOST_MB) fail(`it took ${Math.round(grown)} MB`);
  }
  Atomics.store(current, 0, -1);
  parentPort?.postMessage({ accepted, refused, longestMs, mostMb, findings } satisfies FileTally);
});
