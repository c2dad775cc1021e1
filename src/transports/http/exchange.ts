import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Context } from 'koa';
import { defined } from '../../common/elements.ts';

/**
 * A request to an operation and the head of its answer, which is written in one call. It replaces Koa's context, which
 * costs as much to create as the call itself and which few calls need.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The query of the request target, without the question mark. */
  readonly querystring: string;
  /** Header names and values, alternating. */
  private readonly head: string[];
  private readonly app: Koa;
  private made: Context | null;

  constructor(
    app: Koa,
    request: IncomingMessage,
    response: ServerResponse,
    of: { readonly requestId: string; readonly querystring: string; readonly context?: Context },
  ) {
    this.app = app;
    this.request = request;
    this.response = response;
    this.requestId = of.requestId;
    this.querystring = of.querystring;
    this.head = [];
    this.made = of.context ?? null;
  }

  /** Wraps a request that Koa has received, to answer it in place of Koa. */
  static of(context: Context): Exchange {
    const { app, req, res, querystring, state } = context;
    return new Exchange(app, req, res, { requestId: state.requestId, querystring, context });
  }

  /** Koa's view of the request, for cookies and content negotiation. */
  get context(): Context {
    this.made ??= this.app.createContext(this.request, this.response);
    return this.made;
  }

  /** Sets a header of the answer; replaces one of the same name. */
  set(name: string, value: string): void {
    const { head } = this;
    for (let i = 0; i < head.length; i += 2) {
      if (head[i] !== name) continue;
      head[i + 1] = value;
      return;
    }
    head.push(name, value);
  }

  /** Sets several headers of the answer. */
  setAll(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.set(name, defined(headers[name]));
  }

  /** Copies the headers to an answer that Koa writes. */
  handOver(context: Context): void {
    for (let i = 0; i < this.head.length; i += 2) context.set(defined(this.head[i]), defined(this.head[i + 1]));
  }

  /** Sends the head only; the body follows in parts. */
  begin(status: number): void {
    this.leaveKoa();
    this.response.writeHead(status, this.head);
    this.response.flushHeaders();
  }

  /** Sends the answer; for HEAD, Node omits the body. `body` is null for a status without one. */
  end(status: number, body: Uint8Array | null): void {
    const { head, response } = this;
    this.leaveKoa();
    if (body !== null) head.push('Content-Length', String(body.byteLength));
    response.writeHead(status, head);
    response.end(body ?? undefined);
  }

  /** Tells Koa that it has nothing left to send. */
  private leaveKoa(): void {
    if (this.made !== null) this.made.respond = false;
  }
}
