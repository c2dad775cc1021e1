import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { TaskInput, TaskName, TaskResult } from '../../workers/tasks/index.ts';
import { run as locateIn } from '../../workers/tasks/locate_in.ts';
import { run as merge } from '../../workers/tasks/merge.ts';
import { run as render } from '../../workers/tasks/render.ts';
import { now, type TaskContext } from '../../workers/tasks/task.ts';
import { computes } from '../common/computing.ts';
import { defined } from '../common/elements.ts';
import { atCapacity } from '../core/errors.ts';
import type { HeapHandle } from './arc_leases.ts';

/** Tasks that may run in the calling thread when they are small: they never wait for anything. */
const SMALL = { render, merge, locateIn } as const;
export type SmallTask = keyof typeof SMALL;

/** Tasks by outcome. */
export interface TaskCounts {
  completed: number;
  /** Ended early because no one waited any more, whether they had started or not. */
  canceled: number;
  failed: number;
  /** Of the canceled tasks, those whose thread had to be terminated. */
  killed: number;
  /** Refused because the queue was full. */
  refused: number;
  /** Run in the caller's thread, in addition to those above. */
  small: number;
}

/** Seconds of one task: `wait` from the call to the start (queue and message), `run` at work, `back` to the result. */
export type TaskTimes = (name: TaskName, times: { wait: number; run: number; back: number }) => void;

const QUEUE = 512;
const KILL_AFTER_MS = 5_000;
/** Flags besides those of running tasks: the thread of an aborted task may still read its flag. */
const SPARE_FLAGS = 64;

/** Nice value of the threads of jobs: the lowest priority, so that everything else gets the processor first. */
const NICE = 19;

/** Threads, and the tasks that wait for one. */
interface Lane {
  readonly piscina: Piscina;
  readonly threads: number;
  /** In order of arrival. They are not given to Piscina yet, so that leaving costs nothing. */
  readonly waiting: Set<() => void>;
  running: number;
}

/** Runs tasks of the workers. GeometryPool says what each method does. */
export type TaskRunner = Pick<GeometryPool, 'run' | 'runPatiently' | 'runSmall' | 'admit'>;

/** The geometry workers: a bounded queue in front of threads that share the arc heap. */
export class GeometryPool {
  readonly counts: TaskCounts = { completed: 0, canceled: 0, failed: 0, killed: 0, refused: 0, small: 0 };
  private readonly foreground: Lane;
  /** Threads for jobs, started with the first job and stopped a minute after the last. */
  private readonly background: Lane;
  private readonly place: TaskContext;
  private readonly flags: Int32Array;
  private readonly times: Float64Array;
  /** Indexes into `flags` and `times` that no task uses, the longest unused first. */
  private readonly free: number[];
  private readonly onTimes: TaskTimes | undefined;
  readonly threads: number;
  private readonly maxQueue: number;
  private readonly killAfterMs: number;

  constructor(options: {
    threads: number;
    heap: HeapHandle;
    common: TaskContext['common'];
    maxQueue?: number;
    /** Time that an aborted task has to stop before its thread is terminated. */
    killAfterMs?: number;
    onTimes?: TaskTimes;
  }) {
    const typescript = import.meta.url.endsWith('.ts');
    const ofJobs = Math.max(1, Math.floor(options.threads / 2));
    const places = options.threads + ofJobs + SPARE_FLAGS;
    this.flags = new Int32Array(new SharedArrayBuffer(4 * places));
    this.times = new Float64Array(new SharedArrayBuffer(16 * places));
    this.free = Array.from({ length: places }, (_, place) => place);
    this.threads = options.threads;
    this.maxQueue = options.maxQueue ?? QUEUE;
    this.killAfterMs = options.killAfterMs ?? KILL_AFTER_MS;
    this.onTimes = options.onTimes;
    this.place = { common: options.common, isCanceled: () => false };
    const lane = (threads: number, more: { minThreads: number; niceIncrement?: number }): Lane => ({
      piscina: new Piscina({
        filename: fileURLToPath(new URL(`../../workers/tasks/thread.${typescript ? 'dev.js' : 'js'}`, import.meta.url)),
        maxThreads: threads,
        idleTimeout: 60_000,
        workerData: { heap: options.heap, flags: this.flags.buffer, times: this.times.buffer },
        ...more,
      }),
      threads,
      waiting: new Set(),
      running: 0,
    });
    this.foreground = lane(options.threads, { minThreads: 1 });
    this.background = lane(ofJobs, { minThreads: 0, niceIncrement: NICE });
  }

  /** Tasks that wait for a thread, including those of jobs. */
  get queued(): number {
    return this.foreground.waiting.size + this.background.waiting.size;
  }

  /**
   * The pool for the tasks of jobs: half as many threads (at least one) besides the others, at the lowest priority, so
   * that calls neither wait for a job's task to end nor share their processors with it. It never refuses a task.
   */
  inBackground(): TaskRunner {
    const run = async <K extends TaskName>(
      name: K,
      task: TaskInput<K>,
      signal?: AbortSignal,
      transfer?: ArrayBuffer[],
    ): Promise<TaskResult<K>> => {
      signal?.throwIfAborted();
      return this.inTurn(this.background, name, task, signal, transfer);
    };
    return { run, runPatiently: run, runSmall: (name, task) => this.runSmall(name, task), admit: () => undefined };
  }

  /** Tasks that run in a thread. */
  get active(): number {
    return this.foreground.running + this.background.running;
  }

  /** Whether the next task would be refused. */
  get isFull(): boolean {
    return this.foreground.running >= this.threads && this.foreground.waiting.size >= this.maxQueue;
  }

  /**
   * Refuses work when the queue is full. Call it before fetching anything for a task that would then be refused.
   * @throws rate_limited, "server at capacity"
   */
  admit(): void {
    if (!this.isFull) return;
    this.counts.refused++;
    throw atCapacity();
  }

  /**
   * Runs a task at once in this thread, because it is shorter than the way to a worker and back.
   * @throws TooManySteps when it turns out longer than its `most`
   */
  runSmall<K extends SmallTask>(name: K, task: TaskInput<K>): TaskResult<K> {
    const run = SMALL[name] as (task: TaskInput<K>, place: TaskContext) => TaskResult<K>;
    const result = run(task, this.place);
    this.counts.small++;
    return result;
  }

  /**
   * Runs a task in a thread. When `signal` aborts, a task that still waits is dropped, and the kernel of one that runs
   * stops at its next check; if it does not stop within five seconds, its thread is terminated.
   * @throws rate_limited, "server at capacity", at once when the queue is full
   */
  async run<K extends TaskName>(
    name: K,
    task: TaskInput<K>,
    signal?: AbortSignal,
    transfer?: ArrayBuffer[],
  ): Promise<TaskResult<K>> {
    signal?.throwIfAborted();
    this.admit();
    return this.inTurn(this.foreground, name, task, signal, transfer);
  }

  /**
   * Runs a task that must not be refused, such as one of an import: it waits for a thread however long the queue is. A
   * refusal would lose what the import has done, and the import holds a session of the database meanwhile. `signal` as
   * in run().
   */
  async runPatiently<K extends TaskName>(name: K, task: TaskInput<K>, signal?: AbortSignal): Promise<TaskResult<K>> {
    signal?.throwIfAborted();
    return this.inTurn(this.foreground, name, task, signal);
  }

  private async inTurn<K extends TaskName>(
    lane: Lane,
    name: K,
    task: TaskInput<K>,
    signal?: AbortSignal,
    transfer?: ArrayBuffer[],
  ): Promise<TaskResult<K>> {
    const asked = now();
    await this.waitForThread(lane, signal);
    const place = this.free.shift() as number;
    const ended = computes(signal);
    Atomics.store(this.flags, place, 0);
    const kill = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      Atomics.store(this.flags, place, 1);
      timer = setTimeout(() => kill.abort(), this.killAfterMs);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      // The signal may have aborted between the task's turn and here.
      signal?.throwIfAborted();
      const ordered = { name, flag: place, input: task };
      const result: TaskResult<K> = await lane.piscina.run(ordered, { signal: kill.signal, transferList: transfer });
      this.counts.completed++;
      const [start, end] = [defined(this.times[2 * place]), defined(this.times[2 * place + 1])];
      this.onTimes?.(name, { wait: (start - asked) / 1e3, run: (end - start) / 1e3, back: (now() - end) / 1e3 });
      return result;
    } catch (error) {
      if (!signal?.aborted) {
        this.counts.failed++;
        throw error;
      }
      this.counts.canceled++;
      if (kill.signal.aborted) this.counts.killed++;
      throw signal.reason;
    } finally {
      clearTimeout(timer);
      ended();
      signal?.removeEventListener('abort', stop);
      this.free.push(place);
      lane.running--;
      const [next] = lane.waiting;
      next?.();
    }
  }

  /** Waits for a thread. A caller that aborts leaves the queue at once. */
  private waitForThread(lane: Lane, signal: AbortSignal | undefined): Promise<void> | void {
    if (lane.running < lane.threads) {
      lane.running++;
      return;
    }
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        lane.waiting.delete(go);
        this.counts.canceled++;
        reject(signal?.reason);
      };
      const go = () => {
        lane.waiting.delete(go);
        lane.running++;
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      lane.waiting.add(go);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.foreground, this.background].map(({ piscina }) => piscina.close({ force: true })));
  }
}
