import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openOtlp } from '../../src/adapters/otlp.ts';
import { type App, openApp } from '../../src/app/app.ts';
import { defined } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import {
  beginTrace,
  isTracing,
  readTraceparent,
  type Span,
  startRecording,
  traced,
  traceHeaders,
} from '../../src/common/tracing.ts';
import { loadConfig } from '../../src/config.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid } from '../ops/fixture_world.ts';
import { testDatabase } from '../setup/database.ts';
import { type Collector, type SentSpan, startCollector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const span = (name: string): Span => ({
  traceId: TRACE,
  spanId: PARENT,
  parentSpanId: null,
  name,
  kind: 1,
  start: 1_700_000_000_000.25,
  end: 1_700_000_000_001.5,
  attributes: { text: 'x', whole: 3, part: 0.5, yes: true },
  failed: true,
});

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterEach(() => {
  collector.spans.length = 0;
  collector.requests.length = 0;
  collector.status = 200;
});
afterAll(() => collector?.close());

describe('traceparent', () => {
  test.each([
    [`00-${TRACE}-${PARENT}-01`, { traceId: TRACE, spanId: PARENT, sampled: true }],
    [`00-${TRACE}-${PARENT}-00`, { traceId: TRACE, spanId: PARENT, sampled: false }],
    [`00-${'0'.repeat(32)}-${PARENT}-01`, null],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
    [`ff-${TRACE}-${PARENT}-01`, null],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, null],
    [`00-${TRACE}-${PARENT}-01-more`, null],
    [`00-${TRACE}-${PARENT}-01\n`, null],
    ['', null],
    [undefined, null],
  ])('%j', (header, read) => {
    expect(readTraceparent(header)).toEqual(read);
  });
});

describe('recording', () => {
  test('off: nothing is begun, and work runs as it is', async () => {
    expect([isTracing(), beginTrace(`00-${TRACE}-${PARENT}-01`, 'server'), traceHeaders()]).toEqual([false, null, {}]);
    expect(await traced('x', {}, async () => 7)).toBe(7);
  });

  test('a caller who says that a trace is not sampled gets no spans, and the ratio decides for the others', async () => {
    const taken: Span[] = [];
    let stop = startRecording((one) => taken.push(one), 1);
    const unsampled = beginTrace(`00-${TRACE}-${PARENT}-00`, 'server');
    await unsampled?.run(async () => {
      expect(traceHeaders()).toEqual({ traceparent: `00-${TRACE}-${PARENT}-00` });
      await traced('inside', {}, async () => undefined);
    });
    unsampled?.end('request', {}, false);
    stop();
    stop = startRecording((one) => taken.push(one), 0);
    beginTrace(undefined, 'server')?.end('request', {}, false);
    expect(taken).toEqual([]);
    beginTrace(`00-${TRACE}-${PARENT}-01`, 'server')?.end('request', {}, false);
    expect(taken).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT }]);
    stop();
  });

  test('work that fails is a failed span, and fails alike', async () => {
    const taken: Span[] = [];
    const stop = startRecording((one) => taken.push(one), 1);
    const error = new Error('no');
    const root = beginTrace(undefined, 'server');
    await expect(root?.run(() => traced('inside', {}, () => Promise.reject(error)))).rejects.toBe(error);
    stop();
    expect(taken).toMatchObject([{ name: 'inside', failed: true }]);
  });
});

describe('the exporter', () => {
  const open = (waitMs = 10) => {
    const lost: unknown[] = [];
    const options = {
      endpoint: collector.url,
      headers: { authorization: 'Basic c2VzYW1l' },
      waitMs,
      deadlineMs: 300,
    };
    const otlp = openOtlp({ ...options, resource: { 'service.name': 'test' }, onLost: (error) => lost.push(error) });
    return { otlp, lost };
  };

  test('sends spans as OTLP has them, with its headers', async () => {
    const { otlp, lost } = open();
    otlp.take(span('one'));
    await expect.poll(() => collector.spans).toHaveLength(1);
    await otlp.close();
    expect(collector.requests).toEqual([
      { path: '/v1/traces', type: 'application/json', authorization: 'Basic c2VzYW1l' },
    ]);
    expect(collector.spans[0]).toEqual({
      traceId: TRACE,
      spanId: PARENT,
      name: 'one',
      kind: 1,
      startTimeUnixNano: '1700000000000250000',
      endTimeUnixNano: '1700000000001500000',
      attributes: [
        { key: 'text', value: { stringValue: 'x' } },
        { key: 'whole', value: { intValue: '3' } },
        { key: 'part', value: { doubleValue: 0.5 } },
        { key: 'yes', value: { boolValue: true } },
      ],
      status: { code: 2 },
    });
    expect([otlp.lost, lost]).toEqual([0, []]);
  });

  test('loses what a collector refuses, says so once, and goes on', async () => {
    const { otlp, lost } = open();
    collector.status = 503;
    otlp.take(span('one'));
    await expect.poll(() => otlp.lost).toBe(1);
    otlp.take(span('two'));
    await expect.poll(() => otlp.lost).toBe(2);
    collector.status = 200;
    otlp.take(span('three'));
    await otlp.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['three']);
    expect(lost).toHaveLength(1);
  });

  test('keeps a bounded number of spans for a collector that does not answer', async () => {
    const { otlp } = open();
    collector.status = 0;
    for (let i = 0; i < 6000; i++) otlp.take(span(`${i}`));
    await expect.poll(() => collector.requests).toHaveLength(1);
    for (let i = 0; i < 6000; i++) otlp.take(span(`${i}`));
    // 4,096 wait and at most 512 are on their way.
    expect(otlp.lost).toBeGreaterThanOrEqual(12_000 - 4096 - 512);
    await otlp.close();
    expect(otlp.lost).toBe(12_000);
  });
});

describe('a server with a collector', () => {
  let app: App;
  let listening: Listening;
  let key: string;
  let place: Awaited<ReturnType<typeof testDatabase>>;
  /** A search elsewhere that finds nothing, and the traces that it received. */
  let elsewhere: Server;
  const reported: (string | string[] | undefined)[] = [];
  beforeAll(async () => {
    elsewhere = createServer(({ headers }, response) => {
      reported.push(headers.traceparent);
      response.setHeader('Content-Type', 'application/json').end('[]');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    place = await testDatabase({ own: true });
    // The embedded database has one owner at a time.
    if (place.databaseUrl === null) await place.db.close();
    const settings = {
      DATABASE_URL: place.databaseUrl ?? '',
      DATA_DIR: place.dataDir,
      WORKER_THREADS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sesame',
      SEARCH_URL: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/search`,
      UPSTREAM_CONTACT: 'maps@example.org',
    };
    app = await openApp(loadConfig(settings), createLogger('silent'));
    listening = await listen(createHttpApp(app.services, ops).callback(), { host: '127.0.0.1', port: 0 }, '');
    const grid = new Grid();
    const cells = [0, 1].map((x) => fixtureBoundary(`r${x + 1}`, `Cell ${x}`, { ways: grid.around(x, 0) }));
    const { db, engine } = app.services;
    await storeBoundaries({ db, engine }, { source: FIXTURE_SOURCE, file: 'made', boundaries: cells, ways: grid.ways });
    ({ key } = await app.services.keys.create({ email: 'traces@example.org', plan: 'pro' }));
  });
  afterAll(async () => {
    await listening?.close();
    await app?.close();
    await place?.close();
    elsewhere?.closeAllConnections();
    elsewhere?.close();
  });

  const attribute = (one: SentSpan, key: string) => one.attributes.find((each) => each.key === key)?.value;

  test('one request is one trace: its operation, the statements and the task below it', async () => {
    const response = await fetch(`${listening.address}/v1/crosswalk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        traceparent: `00-${TRACE}-${PARENT}-01`,
        'x-request-id': 'request-of-the-test',
      },
      body: JSON.stringify({ a: ['r1'], b: ['r1', 'r2'] }),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const mine = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
    const request = () => mine().find(({ parentSpanId }) => parentSpanId === PARENT);
    await expect.poll(request, { timeout: 10_000 }).toBeDefined();
    const root = request() as SentSpan;
    expect([root.name, root.kind]).toEqual(['POST /v1/crosswalk', 2]);
    expect(attribute(root, 'http.response.status_code')).toEqual({ intValue: '200' });
    const op = mine().find(({ name }) => name === 'crosswalk') as SentSpan;
    expect(attribute(op, 'boundary.request_id')).toEqual({ stringValue: 'request-of-the-test' });
    expect(op.parentSpanId).toBe(root.spanId);
    const statement = mine().find(({ name }) => name === 'billing_reserve') as SentSpan;
    expect([statement.parentSpanId, statement.kind]).toEqual([op.spanId, 3]);
    const task = mine().find(({ name }) => name === 'task crosswalk') as SentSpan;
    expect(attribute(task, 'boundary.run_ms')).toBeDefined();
    // Every span is of the tree, within the time of the request.
    const ids = new Set(mine().map(({ spanId }) => spanId));
    for (const { name, parentSpanId } of mine()) if (name !== root.name) expect(ids).toContain(parentSpanId);
    for (const one of mine()) expect(BigInt(one.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(one.startTimeUnixNano));
    expect(defined(collector.requests[0]).authorization).toBe('Bearer sesame');
    // No key, no id of a boundary, no SQL.
    const all = JSON.stringify(mine());
    for (const secret of [key, '"r1"', 'select', 'traces@example.org']) expect(all).not.toContain(secret);
  });

  test('a service that is asked meanwhile gets the trace, and of the span that asks it', async () => {
    const traceId = TRACE.replace('4b', '6d');
    const url = `${listening.address}/v1/boundaries/search?q=Nirgendwo`;
    const headers = { authorization: `Bearer ${key}`, traceparent: `00-${traceId}-${PARENT}-01` };
    expect((await fetch(url, { headers })).status).toBe(200);
    await expect.poll(() => reported.length, { timeout: 10_000 }).toBe(1);
    const [version, trace, span, flags] = String(reported[0]).split('-');
    expect([version, trace, flags]).toEqual(['00', traceId, '01']);
    expect(span).not.toBe(PARENT);
    const mine = () => collector.spans.filter((one) => one.traceId === traceId).map(({ spanId }) => spanId);
    await expect.poll(mine, { timeout: 10_000 }).toContain(span);
  });

  test('a path that does not exist is named by its pattern, so that nothing of it is sent', async () => {
    const traceId = TRACE.replace('4b', '5c');
    await (
      await fetch(`${listening.address}/secret-of-someone`, { headers: { traceparent: `00-${traceId}-${PARENT}-01` } })
    ).arrayBuffer();
    const mine = () => collector.spans.filter((one) => one.traceId === traceId);
    await expect.poll(() => mine().map(({ name }) => name), { timeout: 10_000 }).toContain('GET none');
    expect(JSON.stringify(mine())).not.toContain('secret-of-someone');
  });
});
