import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../src/common/elements.ts';

/** A request: a path for GET, or a path and body for POST. */
export type LoadRequest = string | { readonly path: string; readonly json: unknown };

/** One round of requests. */
export interface Round {
  readonly milliseconds: number;
  /** Body bytes received. */
  readonly bytes: number;
  /** Share of the time that this process was busy: near 1 it would be the bottleneck. */
  readonly busy: number;
  /** Milliseconds of each answer, from writing its request to reading its last byte. */
  readonly times: readonly number[];
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const PIECE = 256 * 1024;
/** Most bytes of a failure that are reported. */
const MOST_SAID = 500;
/** Milliseconds before a refused request is sent again. */
const AGAIN_MS = 20;

/**
 * A lean load generator with `connections` sockets, each with one request in flight. Requests are prebuilt buffers;
 * responses are read into one buffer per socket, and only their status line and Content-Length are parsed. `paths` are
 * requested in turn. HTTP clients for Node parse headers and create streams and objects per response, which costs more
 * at this rate than the server does. A request refused with 429 ("server at capacity") is sent again, at most `count`
 * times in all; the wait counts.
 * @returns the round, when `count` responses have arrived
 * @throws Error on any other status than 200 and 204
 */
export async function drive(
  port: number,
  paths: readonly LoadRequest[],
  headers: Readonly<Record<string, string>>,
  count: number,
  connections: number,
): Promise<Round> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((asked) => {
    const common = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}`;
    if (typeof asked === 'string') return Buffer.from(`GET ${asked} ${common}\r\n`);
    const body = JSON.stringify(asked.json);
    const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return Buffer.from(`POST ${asked.path} ${common}${about}\r\n${body}`);
  });
  const first = defined(paths[0]);
  const called = typeof first === 'string' ? `GET ${first.slice(0, 60)}` : `POST ${first.path}`;
  const sockets: Socket[] = [];
  let sent = 0;
  let bytes = 0;
  let refused = 0;
  const times: number[] = [];
  const before = performance.eventLoopUtilization();
  const started = performance.now();
  try {
    const all = Array.from({ length: connections }, () => {
      return new Promise<void>((resolve, reject) => {
        const state = { left: 0, head: Buffer.alloc(0), since: 0, asked: 0, isRefused: false };
        const next = () => {
          if (sent >= count) return resolve();
          state.since = performance.now();
          state.asked = sent++ % requests.length;
          socket.write(defined(requests[state.asked]));
        };
        const take = (size: number, piece: Uint8Array): boolean => {
          let body = size;
          if (state.left === 0) {
            state.head = Buffer.concat([state.head, piece.subarray(0, size)]);
            const end = state.head.indexOf(END_OF_HEAD);
            if (end < 0) return true;
            const head = state.head.toString('latin1', 0, end);
            const isEmpty = head.startsWith('HTTP/1.1 204');
            const length = isEmpty ? '0' : /^content-length: (\d+)/im.exec(head)?.[1];
            state.isRefused = head.startsWith('HTTP/1.1 429') && ++refused <= count;
            if ((!isEmpty && !state.isRefused && !head.startsWith('HTTP/1.1 200')) || length === undefined) {
              const said = state.head.toString('utf8', end, end + MOST_SAID);
              reject(new Error(`${called}: ${head.slice(0, head.indexOf('\r\n'))} ${said}`));
              return false;
            }
            state.left = Number(length);
            body = state.head.length - end - END_OF_HEAD.length;
            state.head = Buffer.alloc(0);
          }
          bytes += body;
          state.left -= body;
          if (state.left > 0) return true;
          if (state.isRefused) {
            setTimeout(() => socket.write(defined(requests[state.asked])), AGAIN_MS);
            return true;
          }
          times.push(performance.now() - state.since);
          next();
          return true;
        };
        const buffer = Buffer.allocUnsafe(PIECE);
        const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: take } }, next);
        socket.on('error', reject);
        socket.on('close', () => reject(new Error(`${called}: the server closed a connection`)));
        sockets.push(socket);
      });
    });
    const timeout = sleep(120_000, null, { ref: false }).then(() => {
      throw new Error(`${called}: ${count} answers took more than two minutes`);
    });
    await Promise.race([Promise.all(all), timeout]);
    const milliseconds = performance.now() - started;
    return { milliseconds, bytes, times, busy: performance.eventLoopUtilization(before).utilization };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
