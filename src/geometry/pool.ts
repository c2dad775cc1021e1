import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Polygons } from '../../workers/contract.ts';
import type {
  BuildResult,
  BuildTask,
  FinishTask,
  LocateTask,
  MergeTask,
  OverlayTask,
  PolygonsTask,
  RenderTask,
  ShareTask,
  WriteResult,
} from '../../workers/tasks.ts';
import { problem } from '../errors.ts';
import type { HeapHandle } from './arcs.ts';

/** What the workers can do: the task each takes and the answer it gives. */
interface Tasks {
  render: [RenderTask, WriteResult];
  merge: [MergeTask, WriteResult];
  overlayMerge: [OverlayTask, WriteResult];
  finishOverlay: [FinishTask, WriteResult];
  locateIn: [LocateTask, Int8Array];
  shares: [ShareTask, Float64Array];
  build: [BuildTask, BuildResult];
  polygonsOf: [PolygonsTask, Polygons];
}

const FLAGS = 4096;
const HALT_AFTER_MS = 5_000;

/** The geometry workers: a bounded queue in front of threads that share the arc heap. */
export class GeometryPool {
  private readonly piscina: Piscina;
  private readonly flags = new Int32Array(new SharedArrayBuffer(4 * FLAGS));
  private nextFlag = 0;

  constructor(options: { threads: number; heap: HeapHandle; maxQueue?: number }) {
    const typescript = import.meta.url.endsWith('.ts');
    this.piscina = new Piscina({
      filename: fileURLToPath(new URL(`../../workers/geometry.${typescript ? 'dev.js' : 'js'}`, import.meta.url)),
      minThreads: 1,
      maxThreads: options.threads,
      idleTimeout: 60_000,
      maxQueue: options.maxQueue ?? 512,
      workerData: { heap: options.heap, flags: this.flags.buffer },
    });
  }

  /** Tasks that wait for a thread. */
  get queued(): number {
    return this.piscina.queueSize;
  }

  /** Whether the next task would be refused. */
  get isFull(): boolean {
    return this.piscina.queueSize >= this.piscina.options.maxQueue;
  }

  /**
   * Runs a task. When `signal` aborts, the kernel is told to stop at its next look; one that does not within five
   * seconds loses its thread. A full queue is rate_limited at once, "server at capacity".
   */
  async run<K extends keyof Tasks>(
    name: K,
    task: Omit<Tasks[K][0], 'flag'>,
    signal?: AbortSignal,
    transfer?: ArrayBuffer[],
  ): Promise<Tasks[K][1]> {
    signal?.throwIfAborted();
    if (this.isFull) throw atCapacity();
    const flag = this.nextFlag++ % FLAGS;
    Atomics.store(this.flags, flag, 0);
    const halt = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      Atomics.store(this.flags, flag, 1);
      timer = setTimeout(() => halt.abort(), HALT_AFTER_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await this.piscina.run({ ...task, flag }, { name, signal: halt.signal, transferList: transfer });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof Error && /queue is at limit/i.test(error.message)) throw atCapacity();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    await this.piscina.close({ force: true });
  }
}

function atCapacity() {
  return problem('rate_limited', 'server at capacity', { retry_after: 1 });
}
