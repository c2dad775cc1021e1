import { type Dispatcher, Pool } from 'undici';
import type { Outcome, Send } from './schedule.ts';

/** A request of a mix. */
export interface Call {
  /** The kind of call: the name of its row in the report. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A client of one server with keep-alive connections. */
export interface Client {
  readonly send: Send<Call>;
  close(): Promise<void>;
}

/** How much of a failed response is kept, in bytes; problem documents are shorter. */
const PROBLEM_BYTES = 4096;
const CODE = /"code"\s*:\s*"([a-z_]{1,40})"/;

/** Returns a client for the server at `address` with at most `connections`. It does not follow redirects. */
export function openClient(address: string, connections: number): Client {
  const { origin, pathname } = new URL(address);
  const base = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    send(call, done) {
      const reader = new Reader(done);
      pool.dispatch(optionsOf(call, base), reader);
      return () => reader.giveUp();
    },
    close: () => pool.destroy(),
  };
}

function optionsOf({ method, path, headers, body }: Call, base: string): Dispatcher.DispatchOptions {
  return { method, path: base + path, headers: headers as Record<string, string>, body };
}

/** Reads a response: its status and size and, for a failure, its error code. */
class Reader implements Dispatcher.DispatchHandler {
  private readonly done: (ended: Outcome) => void;
  private controller: Dispatcher.DispatchController | null = null;
  private isGivenUp = false;
  private status = 0;
  private bytes = 0;
  private retryAfter = false;
  private problem = '';

  constructor(done: (ended: Outcome) => void) {
    this.done = done;
  }

  /** Aborts the request, or stops waiting for a connection. */
  giveUp(): void {
    this.isGivenUp = true;
    this.controller?.abort(new Error('given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isGivenUp) this.giveUp();
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
    this.done({ status, code, bytes, retryAfter });
  }
}
