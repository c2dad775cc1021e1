import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Context } from 'koa';
import { defined } from '../../elements.ts';

/**
 * A request to an operation and the head of its answer, which is written in one go. All that a call needs of HTTP: the
 * context that Koa makes of a request costs as much as the call itself, and few calls look at it.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Of the target, without the question mark. */
  readonly querystring: string;
  /** Header names and values in turn. */
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

  /** Answers in place of Koa a request that Koa was given. */
  static of(context: Context): Exchange {
    const { app, req, res, querystring, state } = context;
    return new Exchange(app, req, res, { requestId: state.requestId, querystring, context });
  }

  /** Koa's view of the request, for cookies and content negotiation. */
  get context(): Context {
    this.made ??= this.app.createContext(this.request, this.response);
    return this.made;
  }

  /** Adds a header to the answer, in place of one of the same name. */
  set(name: string, value: string): void {
    const { head } = this;
    for (let i = 0; i < head.length; i += 2) {
      if (head[i] !== name) continue;
      head[i + 1] = value;
      return;
    }
    head.push(name, value);
  }

  /** Adds headers to the answer. */
  setAll(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.set(name, defined(headers[name]));
  }

  /** Hands the headers over to an answer that Koa writes. */
  handOver(context: Context): void {
    for (let i = 0; i < this.head.length; i += 2) context.set(defined(this.head[i]), defined(this.head[i + 1]));
  }

  /** Sends the head alone; a body follows in parts. */
  begin(status: number): void {
    this.leaveKoa();
    this.response.writeHead(status, this.head);
    this.response.flushHeaders();
  }

  /** Sends the answer, as HEAD has it where that was asked for. Null: a status that has no body. */
  end(status: number, body: Uint8Array | null): void {
    const { head, response } = this;
    this.leaveKoa();
    if (body !== null) head.push('Content-Length', String(body.byteLength));
    response.writeHead(status, head);
    response.end(body ?? undefined);
  }

  /** Koa has nothing left to send. */
  private leaveKoa(): void {
    if (this.made !== null) this.made.respond = false;
  }
}
