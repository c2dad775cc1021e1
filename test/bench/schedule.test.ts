import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, type Client, openClient } from '../../src/bench/client.ts';
import { type Outcome, runSchedule, type Sample, type Send } from '../../src/bench/schedule.ts';
import { defined } from '../../src/common/elements.ts';

/** Answers after so many milliseconds. */
const after =
  (ms: number, then: () => void = () => undefined): Send<number> =>
  (_call, done) => {
    const timer = setTimeout(() => {
      then();
      done(OK);
    }, ms);
    return () => clearTimeout(timer);
  };

const OK: Outcome = { status: 200, code: null, bytes: 1, retryAfter: false };

/** Runs a schedule and returns its samples, in the order in which they ended. */
async function samplesOf(options: {
  rate: number;
  seconds: number;
  connections?: number;
  timeoutMs?: number;
  send: Send<number>;
  signal?: AbortSignal;
}): Promise<Sample<number>[]> {
  const samples: Sample<number>[] = [];
  let count = 0;
  await runSchedule({
    connections: 1000,
    timeoutMs: 10_000,
    ...options,
    next: () => count++,
    onSample: (sample) => samples.push(sample),
  });
  return samples;
}

test('each call has its place in the schedule, whenever it is answered', async () => {
  const samples = await samplesOf({ rate: 200, seconds: 0.5, send: after(0) });
  const places = samples.map(({ call, at }) => [call, at]).sort(([a], [b]) => defined(a) - defined(b));
  expect(places).toEqual(Array.from({ length: 100 }, (_, i) => [i, i * 5]));
});

test('calls that wait for a connection count from when they were to be sent', async () => {
  const samples = await samplesOf({ rate: 100, seconds: 0.2, connections: 1, send: after(50) });
  // Twenty calls of 50 ms, one after the other: the last one ends after a second and was to be sent after 190 ms.
  const last = samples.find(({ call }) => call === 19) as Sample<number>;
  expect(last.latency).toBeGreaterThan(700);
  expect(last.service).toBeLessThan(last.latency - 600);
});

test('a call without an answer is given up, and its connection is used again', async () => {
  let begun = 0;
  const send: Send<number> = (_call, done) => {
    begun++;
    return () => done(OK);
  };
  const samples = await samplesOf({ rate: 50, seconds: 0.4, connections: 2, timeoutMs: 100, send });
  const given = (code: string) => samples.filter((sample) => sample.code === code && sample.status === 0);
  expect(given('timeout')).toHaveLength(begun);
  expect(begun).toBeGreaterThan(2);
  expect(Math.min(...given('timeout').map(({ latency }) => latency))).toBeGreaterThanOrEqual(100);
  // The others found none free.
  expect(given('no_connection')).toHaveLength(20 - begun);
  expect(Math.min(...given('no_connection').map(({ latency }) => latency))).toBeGreaterThanOrEqual(50);
});

test('with twice the calls that the connections can take, these are used for calls that are answered', async () => {
  const send: Send<number> = (_call, done) => {
    const timer = setTimeout(() => done(OK), 20);
    return () => {
      clearTimeout(timer);
      done(OK);
    };
  };
  const samples = await samplesOf({ rate: 100, seconds: 3, connections: 1, timeoutMs: 400, send });
  const codes = samples.map(({ code }) => code);
  expect(samples).toHaveLength(300);
  expect(codes.filter((code) => code === null).length).toBeGreaterThan(90);
  expect(codes.filter((code) => code === 'no_connection').length).toBeGreaterThan(40);
  expect(codes.filter((code) => code === 'timeout').length).toBeLessThan(10);
});

test('an aborted schedule ends at once', async () => {
  const abort = new AbortController();
  const send = after(0, () => abort.abort());
  const samples = await samplesOf({ rate: 10, seconds: 3600, send, signal: abort.signal });
  expect(samples.length).toBeLessThan(2);
});

let server: Server;
let origin: string;
/** Until when the server answers nothing, on the clock of performance.now(). */
let stalledUntil = 0;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const wait = stalledUntil - performance.now();
    if (wait > 0) await sleep(wait);
    if (request.url === '/busy') {
      response.writeHead(429, { 'Retry-After': '1', 'Content-Type': 'application/problem+json' });
      response.end('{"title":"rate_limited","code":"rate_limited"}');
    } else if (request.url === '/cut') {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('begun');
      setTimeout(() => response.destroy(), 20);
    } else response.end('{"ok":true}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const call = (path: string): Call => ({ kind: 'search', method: 'GET', path, headers: {}, body: null });

test('a stall of one second is in the 99th percentile (no coordinated omission)', async () => {
  const client = openClient(origin, 4);
  const latencies: number[] = [];
  const services: number[] = [];
  setTimeout(() => {
    stalledUntil = performance.now() + 1000;
  }, 1000);
  await runSchedule({
    rate: 100,
    seconds: 4,
    connections: 4,
    timeoutMs: 10_000,
    next: () => call('/'),
    send: client.send,
    onSample(sample) {
      expect(sample.code).toBe(null);
      latencies.push(sample.latency);
      services.push(sample.service);
    },
  });
  await client.close();
  expect(latencies).toHaveLength(400);
  // A hundred of the four hundred calls were to be sent in that second: they waited from nothing to a second.
  const above = (ms: number, of: number[]): number => of.filter((one) => one > ms).length;
  expect(above(900, latencies)).toBeGreaterThanOrEqual(5);
  expect(above(500, latencies)).toBeGreaterThanOrEqual(40);
  latencies.sort((a, b) => a - b);
  expect(latencies[396]).toBeGreaterThan(850);
  // Who counts from when a call was sent sees four slow ones, one for each connection.
  expect(above(500, services)).toBeLessThanOrEqual(8);
});

test('refusals, cut answers and closed ports are told apart', async () => {
  const client = openClient(origin, 2);
  const ask = (of: Client, path: string): Promise<Outcome> => new Promise((done) => of.send(call(path), done));
  expect(await ask(client, '/')).toEqual({ status: 200, code: null, bytes: 11, retryAfter: false });
  const refused = await ask(client, '/busy');
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: true });
  const cut = await ask(client, '/cut');
  expect(cut.code).toMatch(/^[A-Z_]+$/);
  await client.close();
  const closed = openClient('http://127.0.0.1:1', 1);
  expect(await ask(closed, '/')).toMatchObject({ status: 0, code: 'ECONNREFUSED' });
  await closed.close();
});
