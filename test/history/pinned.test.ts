import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { ops } from '../../src/ops/index.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { drawn } from '../proof/rounds.ts';
import { type Call, callsOf, removeFolder, STEPS } from './pinned_world.ts';

interface Recorded {
  readonly step: string;
  readonly call: Call;
  /** The header of the answer, and a moment between it and the next change. */
  readonly moments: readonly string[];
  readonly status: number;
  readonly text: string;
}

let server: BoundaryTestServer;
let key: string;
const recorded: Recorded[] = [];

const withoutRequestId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(to: Pick<BoundaryTestServer, 'ask'>, { method, path, json }: Call, moment?: string) {
  const headers: Record<string, string> = moment === undefined ? {} : { 'Boundary-Data': moment };
  const reply = await to.ask(method, path, { key, json, headers });
  return { status: reply.status, text: withoutRequestId(reply.text), data: reply.headers['boundary-data'] };
}

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
  let ids: string[] = [];
  for (const [step, change] of STEPS) {
    await change(server);
    if (step === 'an edition of the past') {
      const rows = await server.services.db.query<{ id: string }>(
        "select id from boundary where source = 'made' order by source_id",
      );
      ids = rows.map(({ id }) => id);
    }
    if (ids.length === 0) continue;
    for (const call of callsOf(ids)) {
      const { status, text, data } = await ask(server, call);
      recorded.push({ step, call, status, text, moments: [data ?? '', new Date().toISOString()] });
    }
    await wait(20);
  }
}, 600_000);
afterAll(async () => {
  removeFolder();
  await server?.close();
});

/** Which of these recorded answers differ now, by moment. */
async function differences(
  to: Pick<BoundaryTestServer, 'ask'>,
  which: 0 | 1,
  answers: readonly Recorded[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { step, call, moments, status, text } of answers) {
    const moment = moments[which] as string;
    if (moment === '') {
      // A failure says no moment.
      if (status < 400) found.push(`no moment: ${call.path}`);
      continue;
    }
    const again = await ask(to, call, moment);
    if (again.status === status && again.text === text) continue;
    found.push(
      `after ${step}: ${call.path} ${JSON.stringify(call.json ?? '')}: ${status} ${text.slice(0, 300)} | ${again.status} ${again.text.slice(0, 300)}`,
    );
  }
  return found;
}

describe('a request with the moment of an earlier answer', () => {
  it('gets that answer, whatever changed since', async () => {
    expect(recorded.length).toBeGreaterThan(300);
    expect(recorded.filter(({ status }) => status === 200).length).toBeGreaterThan(250);
    // The world has changed: most requests have several answers, and all kinds of them.
    const answers = new Map<string, Set<string>>();
    for (const { call, text } of recorded) {
      const name = JSON.stringify(call);
      answers.set(name, (answers.get(name) ?? new Set()).add(text));
    }
    expect([...answers.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(30);
    expect(await differences(server, 0, recorded)).toEqual([]);
    expect(await differences(server, 1, drawn(recorded))).toEqual([]);
  }, 600_000);

  it('gets it from a server that was started again', async () => {
    const db = { ...server.services.db };
    const cache = createCache(16e6);
    const engine = new Engine(db, { threads: 2, arcBytes: 32e6, maxResponseBytes: 64e6, cache });
    const boundaries = createBoundaries(db, { packBoxes: (boxes) => engine.points.packBoxes(boxes) });
    const app = createHttpApp({ ...server.services, db, engine, cache, boundaries }, ops);
    const listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, BASE_URL);
    const other: Pick<BoundaryTestServer, 'ask'> = {
      async ask(method, path, { json, headers } = {}) {
        const response = await fetch(listening.address + path, {
          method,
          headers: {
            ...headers,
            authorization: `Bearer ${key}`,
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        });
        const bytes = Buffer.from(await response.arrayBuffer());
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: bytes.toString(),
          bytes,
          json: undefined as never,
        };
      },
    };
    try {
      // The last ones first, so that nothing of an earlier state is in memory.
      expect(await differences(other, 1, drawn(recorded).reverse())).toEqual([]);
    } finally {
      await listening.close();
      await engine.close();
    }
  }, 600_000);
});
