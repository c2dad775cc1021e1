import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A request that the server received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
}

/** The response of an interpreter to a query, as text; null: no elements. */
export type World = (query: string) => string | null;

/** How to handle one interpreter request; `good` is the body of a correct response. */
export type Behavior = (exchange: { response: ServerResponse; socket: Socket; good: string }) => void | Promise<void>;

/** A server on loopback that speaks Overpass's protocol and misbehaves on request. */
export interface OverpassServer {
  /** The value for UPSTREAM_URL. */
  readonly url: string;
  readonly seen: ReceivedRequest[];
  /** Number of interpreter requests so far. */
  readonly requestCount: () => number;
  /** The largest number of concurrent requests so far. */
  readonly maxConcurrent: () => number;
  /** Behaviors for the next interpreter requests, in order; then requests succeed again. */
  next(...behaviors: Behavior[]): void;
  /** A behavior for every interpreter request, until reset with null. */
  always(behavior: Behavior | null): void;
  /** Sets the text of /api/status; null: the truth (two slots). */
  status(text: string | null): void;
  /** Replaces the map data. */
  world(world: World): void;
  /** Milliseconds before a correct response. */
  delay(ms: number): void;
  /** Stops listening; start() listens again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  forget(): void;
  close(): Promise<void>;
}

const SLOTS = 2;

/** Headers and page as Overpass API 0.7.62 sends them (dispatcher errors are XHTML whatever format was requested). */
export function page(message: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">',
    '<head><title>OSM3S Response</title></head>',
    '<body>',
    '<p>The data included in this document is from www.openstreetmap.org.</p>',
    `<p><strong style="color:#FF0000">Error</strong>: ${message} </p>`,
    '</body>',
    '</html>',
  ].join('\n');
}

/** An Overpass document with these elements. */
export function answer(elements: readonly object[], remark?: string): string {
  return JSON.stringify(
    {
      version: 0.6,
      generator: 'Overpass API 0.7.62 7c32a7d5',
      osm3s: { timestamp_osm_base: '2026-11-20T00:00:00Z', copyright: 'OpenStreetMap contributors, ODbL' },
      elements,
      ...(remark === undefined ? {} : { remark }),
    },
    null,
    1,
  );
}

const send = (response: ServerResponse, status: number, type: string, body: string | Buffer, headers: object = {}) => {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
};
const html = (status: number, message: string): Behavior => {
  return ({ response }) => send(response, status, 'text/html; charset=utf-8', page(message));
};
const json = (make: (good: string) => string): Behavior => {
  return ({ response, good }) => send(response, 200, 'application/json', make(good));
};
const dispatcher = 'runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::';

/** A correct response with changed elements. */
const withElements = (good: string, change: (elements: object[]) => object[], remark?: string) =>
  answer(change(JSON.parse(good).elements as object[]), remark);

/** Every known misbehavior of an Overpass server, or of a proxy in front of it. */
export const misbehavior = {
  rateLimited: html(429, `${dispatcher}rate_limited. Please check /api/status for the quota of your IP address.`),
  overloaded: html(504, `${dispatcher}timeout. The server is probably too busy to handle your request.`),
  overloadedWith200: html(200, `${dispatcher}timeout. The server is probably too busy to handle your request.`),
  gateway: ({ response }) =>
    send(response, 504, 'text/html', '<html><head><title>504 Gateway Time-out</title></head><body>nginx</body></html>'),
  badGateway: ({ response }) => send(response, 502, 'text/html', '<html><body>502 Bad Gateway</body></html>'),
  forbidden: html(403, 'Your address is blocked.'),
  notAcceptable: ({ response }) => send(response, 406, 'text/plain', 'Please set a User-Agent.'),
  page: ({ response }) => send(response, 200, 'text/html', '<html><body>Welcome to the wifi</body></html>'),
  text: ({ response }) => send(response, 200, 'application/json', 'It works!'),
  badQuery: html(400, 'line 1: parse error: &#39;)&#39; expected - &#39;;&#39; found.'),
  serverError: ({ response }) => send(response, 500, 'text/plain', 'oops'),
  redirect: ({ response }) => send(response, 302, 'text/html', '', { Location: 'http://127.0.0.1:9/api/interpreter' }),
  timedOutEmpty: json(() => answer([], 'runtime error: Query timed out in "query" at line 1 after 26 seconds.')),
  timedOutPartly: json((good) =>
    withElements(
      good,
      (all) => all.slice(0, 3),
      'runtime error: Query timed out in "query" at line 1 after 26 seconds.',
    ),
  ),
  outOfMemory: json(() =>
    answer(
      [],
      'runtime error: Query ran out of memory in "recurse" at line 1. It would need at least 80 MB of RAM to continue.',
    ),
  ),
  otherRemark: json((good) => withElements(good, (all) => all.slice(0, 1), 'runtime error: Tags could not be read.')),
  anotherObject: json((good) => withElements(good, (all) => all.map((one) => ({ ...one, id: 4_711 })))),
  noElements: json((good) => JSON.stringify({ ...JSON.parse(good), elements: undefined })),
  oddMembers: json((good) => good.replace('"members": [', '"members": [ 7,')),
  truncatedJson: json((good) => good.slice(0, Math.floor(good.length / 2))),
  tooShort: ({ response, good }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(good) + 1000 });
    response.write(good);
    setTimeout(() => response.socket?.end(), 50);
  },
  tooLong: ({ response, good }) => {
    // Bytes beyond the announced length are not part of the response.
    response.socket?.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Math.floor(good.length / 2)}\r\n\r\n${good}`,
    );
  },
  resetBefore: ({ socket }) => void socket.resetAndDestroy(),
  resetWithin: ({ response, socket, good }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(good) });
    response.write(good.slice(0, Math.floor(good.length / 2)));
    setTimeout(() => socket.resetAndDestroy(), 50);
  },
  closedWithin: ({ response, socket, good }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' });
    response.write(good.slice(0, Math.floor(good.length / 2)));
    setTimeout(() => socket.end(), 50);
  },
  silent: () => undefined,
  slow: async ({ response, good }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(good) });
    for (const byte of good) {
      if (response.destroyed) return;
      response.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
} satisfies Record<string, Behavior>;

/** A correct response, compressed. */
export const gzipped: Behavior = ({ response, good }) =>
  send(response, 200, 'application/json', gzipSync(good), { 'Content-Encoding': 'gzip' });

/** A correct response, sent when `gate` resolves. */
export function held(gate: Promise<unknown>): Behavior {
  return async ({ response, good }) => {
    await gate;
    send(response, 200, 'application/json', good);
  };
}

/** Starts the server with map data. */
export async function startOverpassServer(first: World): Promise<OverpassServer> {
  let world = first;
  const seen: ReceivedRequest[] = [];
  const script: Behavior[] = [];
  let standing: Behavior | null = null;
  let statusText: string | null = null;
  let delayMs = 0;
  let running = 0;
  let most = 0;
  let port = 0;

  const statusNow = () =>
    [
      'Connected as: 2130706433',
      'Current time: 2026-11-21T10:00:00Z',
      'Announced endpoint: none',
      `Rate limit: ${SLOTS}`,
      running < SLOTS ? `${SLOTS - running} slots available now.` : null,
      'Currently running queries (pid, space limit, time limit, start time):',
    ]
      .filter((line) => line !== null)
      .join('\n');

  async function interpret(query: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    running++;
    most = Math.max(most, running);
    response.once('close', () => running--);
    const good = world(query) ?? answer([]);
    const behavior = script.shift() ?? standing;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (behavior) return behavior({ response, socket: request.socket, good });
    send(response, 200, 'application/json', good);
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const query = new URLSearchParams(Buffer.concat(parts).toString()).get('data') ?? '';
      const path = request.url ?? '';
      seen.push({ path, query, headers: request.headers });
      if (path === '/api/status') send(response, 200, 'text/plain', statusText ?? statusNow());
      else if (path === '/api/interpreter') void interpret(query, request, response);
      else send(response, 404, 'text/plain', 'nothing here');
    });
  });
  const start = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await start();
  return {
    url: `http://127.0.0.1:${port}/api/interpreter`,
    seen,
    requestCount: () => seen.filter(({ path }) => path === '/api/interpreter').length,
    maxConcurrent: () => most,
    next: (...behaviors) => void script.push(...behaviors),
    always(behavior) {
      standing = behavior;
    },
    status(text) {
      statusText = text;
    },
    world(next) {
      world = next;
    },
    delay(ms) {
      delayMs = ms;
    },
    start,
    stop,
    forget() {
      seen.length = 0;
      script.length = 0;
      standing = null;
      statusText = null;
      delayMs = 0;
      most = 0;
    },
    close: stop,
  };
}
