import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** A stream that pg's client uses as its socket: bytes go to the worker and come from it as messages. */
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

  /** As in net.Socket: emits `connect` when it may be written to, which is at once. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** As in net.Socket; there is nothing to set. */
  setNoDelay(): this {
    return this;
  }

  /** As in net.Socket; there is nothing to set. */
  setKeepAlive(): this {
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // A copy, because pg's buffers share memory, which a transfer would take away from pg.
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
