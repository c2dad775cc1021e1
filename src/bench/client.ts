import { type Dispatcher, Pool } from 'undici';
import type { Ended } from './schedule.ts';

/** A request of a mix. */
export interface Call {
  /** What kind of call it is: the name of its row in the report. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A client of one server, with connections that are kept. */
export interface Client {
  send(call: Call, signal: AbortSignal): Promise<Ended>;
  close(): Promise<void>;
}

/** A problem document is shorter; no more of a failed answer is kept. */
const PROBLEM_BYTES = 4096;
const CODE = /"code"\s*:\s*"([a-z_]{1,40})"/;

/** Returns a client for the server at `address` that opens at most so many connections. Redirects are not followed. */
export function openClient(address: string, connections: number): Client {
  const { origin, pathname } = new URL(address);
  const base = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    send(call, signal) {
      return new Promise((resolve) => pool.dispatch(optionsOf(call, base), new Reader(signal, resolve)));
    },
    close: () => pool.destroy(),
  };
}

function optionsOf({ method, path, headers, body }: Call, base: string): Dispatcher.DispatchOptions {
  return { method, path: base + path, headers: headers as Record<string, string>, body };
}

/** Reads an answer: its status and size, and of a failure the code. */
class Reader implements Dispatcher.DispatchHandler {
  private readonly signal: AbortSignal;
  private readonly resolve: (ended: Ended) => void;
  private status = 0;
  private bytes = 0;
  private retryAfter = false;
  private problem = '';

  constructor(signal: AbortSignal, resolve: (ended: Ended) => void) {
    this.signal = signal;
    this.resolve = resolve;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const abort = (): void => controller.abort(new Error('given up'));
    if (this.signal.aborted) abort();
    else this.signal.addEventListener('abort', abort, { once: true });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    this.status = status;
    this.retryAfter = headers['retry-after'] !== undefined;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (!this.isSuccess() && this.problem.length < PROBLEM_BYTES) this.problem += chunk.toString('latin1');
  }

  onResponseEnd(): void {
    const code = this.isSuccess() ? null : (CODE.exec(this.problem)?.[1] ?? String(this.status));
    this.end(code);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { code } = error as { code?: unknown };
    this.end(typeof code === 'string' ? code : error.name);
  }

  private isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  private end(code: string | null): void {
    const { status, bytes, retryAfter } = this;
    this.resolve({ status, code, bytes, retryAfter });
  }
}
