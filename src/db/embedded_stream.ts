import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** The socket that a pg client believes it has: its bytes go to the worker and come from it as messages. */
export class WorkerStream extends Duplex {
  readonly #worker: Worker;
  readonly #receive = (message: unknown): void => {
    if (message instanceof Uint8Array) this.push(message);
  };

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#receive);
  }

  /** As net.Socket: emits `connect` when it may be written to, which is at once. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** As net.Socket; there is nothing to set. */
  setNoDelay(): this {
    return this;
  }

  /** As net.Socket; there is nothing to set. */
  setKeepAlive(): this {
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // A copy of its own: pg's buffers share memory, which a transfer would take away from it.
    const copy = new Uint8Array(chunk);
    this.#worker.postMessage(copy, [copy.buffer]);
    done();
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#receive);
    done(error);
  }
}
