import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { isComputing } from '../../src/common/computing.ts';
import { asProblem } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import { type Context, LOCAL_OPERATOR } from '../../src/core/op.ts';
import { areNested } from '../../src/domain/areas/names.ts';
import type { ResolvedBoundary } from '../../src/domain/boundaries/boundary.ts';
import { readSounds } from '../../src/domain/search/sounds_like.ts';
import { createArea } from '../../src/ops/areas/create_area.ts';
import { Hierarchy } from '../../src/ops/areas/execution/region.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { countWork } from '../setup/work.ts';

/** Counties of the country that is made here: more than the cache of boundaries of a test holds. */
const COUNTIES = 3_000;
/** Blocks of one turn: about 10 ms. Pairs of all counties would be millions. */
const MOST_IN_TURN = 120_000;

const land = { op: 'place', id: 'r9000' };
const counties = { op: 'children', of: 0, level: 6 };
const some = { op: 'named', of: 1, how: 'contains', text: 'a' };
type Steps = readonly object[];
/** Steps over the counties, all merged in the end. */
const each = (count: number, step: (i: number) => object): Steps => [
  land,
  counties,
  ...Array.from({ length: count }, (_, i) => step(i)),
  { op: 'union', of: Array.from({ length: count }, (_, i) => i + 1) },
  { op: 'union', of: [count + 1, count + 2] },
];

/** The plans that froze a server, one for each step that compares boundaries, and the longest ones. */
const PLANS: Readonly<Record<string, Steps>> = {
  'one list': [land, counties],
  '90 equal sides': each(90, () => ({ op: 'side', of: 0, direction: 'west', level: 6 })),
  '90 equal lists': each(90, () => ({ op: 'children', of: 0, level: 6 })),
  '90 filters by name': each(90, (i) => ({ op: 'named', of: 1, how: 'contains', text: 'abcdefghij'[i % 10] })),
  'some out of all': [land, counties, some, { op: 'difference', of: 1, minus: 2 }],
  'all in all': [
    land,
    counties,
    { op: 'named', of: 1, how: 'starts', text: 'county' },
    { op: 'intersection', of: 1, with: 2 },
  ],
  'lists of lists': [land, counties, { op: 'children', of: 1, level: 6 }],
  'what is largest': [land, counties, { op: 'rank', of: 1, by: 'area', order: 'most', count: COUNTIES - 1 }],
  'what is near': [land, counties, some, { op: 'within', of: 1, from: 2, km: 1 }],
  'unions of unions': [
    land,
    counties,
    ...Array.from({ length: 15 }, (_, i) => ({ op: 'union', of: Array(50).fill(i + 1) })),
  ],
};

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const country = { id: 'r9000', name: 'Wideland', kind: 'country', adminLevel: 2, countries: ['QW'] } as const;
  const world: FixtureBoundary[] = [{ ...country, box: [0, 0, 60, 50], areaKm2: 1e7, shape: true }];
  for (let i = 0; i < COUNTIES; i++) {
    const [x, y] = [i % 60, Math.floor(i / 60)];
    const name = `County ${'abcdefghij'[i % 10]} ${i}`;
    world.push({
      ...{ id: `r${10_000 + i}`, name, kind: 'county', adminLevel: 6, countries: ['QW'], parents: ['r9000'] },
      ...{ box: [x, y, x + 1, y + 1], areaKm2: i + 1, lat: y + 0.5, lon: x + 0.5 },
    });
  }
  ({ key } = await server.key('business'));
  await insertFixtures(server.services.db, world);
});
afterAll(() => server?.close());

const plan = (steps: Steps) => server.ask('POST', '/v1/areas', { key, json: { dry_run: true, plan: { steps } } });

describe('the work of a plan', () => {
  it.each(Object.entries(PLANS))('%s leaves turns to others', async (_name, steps) => {
    await plan([land, counties]);
    const ends: (string | number)[] = [];
    const work = await countWork(async () => {
      const planned = plan(steps).then(({ status }) => ends.push(status));
      await server.get('/healthz').then(({ status }) => ends.push(`health ${status}`));
      await planned;
    });
    expect(ends).toEqual(['health 200', 200]);
    expect(work.longest).toBeLessThan(MOST_IN_TURN);
  });

  it('of equal steps is done once', async () => {
    await plan([land, counties]);
    const side = { op: 'side', of: 0, direction: 'west', level: 6 };
    const one = await countWork(() => plan([land, side]));
    const many = await countWork(() =>
      plan([land, ...Array(90).fill(side), { op: 'union', of: Array.from({ length: 90 }, (_, i) => i + 1) }]),
    );
    expect(many.total).toBeLessThan(2 * one.total);
  });

  it('is limited, and so is the size of what its steps repeat', async () => {
    const doubled = Array.from({ length: 9 }, (_, i) => [
      { op: 'clip', of: 2 * i + 1, direction: 'north' },
      { op: 'union', of: [2 * i + 1, 2 * i + 2] },
    ]).flat();
    const huge = await plan([land, counties, ...doubled]);
    expect([huge.status, huge.text]).toEqual([422, expect.stringContaining('repeats its parts too often')]);
    const more = (i: number) => ({ op: 'measured', of: 1, by: 'area', is: 'more', than: i / 1e3 });
    const filters = Array.from({ length: 48 }, (_, i) => more(1000 * (i + 1)));
    const clips = filters.map((_, i) => ({ op: 'difference', of: 1, minus: i + 2 }));
    const much = await plan([land, counties, ...filters, ...clips, { op: 'union', of: clips.map((_, i) => i + 50) }]);
    expect([much.status, much.text]).toEqual([422, expect.stringContaining('compares too many')]);
  });

  it('of a refused description is little more than that of one that is understood', async () => {
    const dry = (description: string) => server.ask('POST', '/v1/areas', { key, json: { dry_run: true, description } });
    const names = Array.from({ length: 41 }, (_, i) => `County ${'abcdefghij'[i % 10]} ${i}`);
    const [listed, half] = [names.join('; '), names.slice(0, 20).join('; ')];
    await dry(listed);
    // A name that is not found has tables read, once.
    await readSounds();
    await dry('Zorgly; County a 0');
    const right = await countWork(async () => expect((await dry(listed)).status).toBe(200));
    const words = Array.from({ length: 290 }, (_, i) => `qx${'abcdefghijklmnopqrst'[i % 20]}`);
    const refused: readonly [string, string | null][] = [
      [`${listed} in winter`, listed],
      [`${half}/${names.slice(20).join('; ')}`, null],
      [`Zorgly, ${listed}`, listed],
      [words.join(' '), null],
      [words.join(' ').replaceAll('q', 'Q'), null],
      [`County a 10 with ${words.slice(0, 280).join(' ')}`, 'County a 10'],
    ];
    for (const [description, rewording] of refused) {
      const about = description.slice(0, 60);
      const work = await countWork(async () => {
        const { json } = await dry(description);
        expect(json, about).toMatchObject({ code: 'could_not_map', rewording });
      });
      expect(work.total, about).toBeLessThan(3 * right.total);
      expect(work.longest, about).toBeLessThan(3 * MOST_IN_TURN);
    }
  });

  it('beyond what one request may do counts as several', async () => {
    const counted: [number, string | undefined][] = [];
    const input = { dry_run: true, plan: { steps: each(90, (i) => filter(i)) } };
    await invoke(createArea, input, {
      ...contextWith(new AbortController().signal),
      countRequests: async (requests, whose) => void counted.push([requests - 1, whose]),
    });
    expect(counted.reduce((sum, [requests]) => sum + requests, 0)).toBeGreaterThan(10);
    expect(new Set(counted.map(([, whose]) => whose))).toEqual(new Set(['any']));
  });

  it('is done for four plans at once; of many, those that would wait too long are refused', async () => {
    const running = new Set<AbortSignal>();
    let most = 0;
    const calls = Array.from({ length: 80 }, async () => {
      const { signal } = new AbortController();
      const context = contextWith(signal);
      const input = { dry_run: true, plan: { steps: [land, counties, filter(1)] } };
      running.add(signal);
      try {
        return (await invoke(createArea, input, context)).status;
      } catch (error) {
        return asProblem(error)?.code;
      } finally {
        running.delete(signal);
      }
    });
    const over = Promise.all(calls);
    for (let ended = false; !ended; ) {
      most = Math.max(most, [...running].filter(isComputing).length);
      ended = await Promise.race([over.then(() => true), new Promise<false>((next) => setImmediate(next, false))]);
    }
    const outcomes = await over;
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    expect(outcomes.filter((one) => one === 200).length).toBeGreaterThanOrEqual(64);
    expect(outcomes.filter((one) => one !== 200 && one !== 'rate_limited')).toEqual([]);
    expect(outcomes).toContain('rate_limited');
  });

  it('ends with the call', async () => {
    const controller = new AbortController();
    const input = { dry_run: true, plan: { steps: each(90, (i) => filter(i)) } };
    const call = () => invoke(createArea, input, contextWith(controller.signal));
    const whole = await countWork(call);
    let ended = false;
    const cut = await countWork(async () => {
      const running = call().catch((error: unknown) => {
        ended = error === gone;
      });
      for (let turn = 0; turn < 3; turn++) await new Promise((next) => setImmediate(next));
      controller.abort(gone);
      await running;
      // What the work would go on with happens in these turns.
      for (let turn = 0; turn < 200; turn++) await new Promise((next) => setImmediate(next));
    });
    expect(ended).toBe(true);
    // Reading the plan, and what the process does beside it, are in both.
    expect(cut.total).toBeLessThan((whole.total * 2) / 3);
  });
});

const filter = (i: number) => ({ op: 'measured', of: 1, by: 'area', is: 'more', than: i / 1e3 });

const contextWith = (signal: AbortSignal): Context => ({
  ...{ caller: LOCAL_OPERATOR, requestId: 'test', address: null, signal, transport: 'rpc' as const },
  ...{ deadline: Date.now() + 60_000, services: server.services, baseUrl: 'https://maps.example', headers: {} },
});

const gone = new Error('the client is gone');

describe('a hierarchy', () => {
  it('finds what is nested as a comparison of all finds it', () => {
    const random = seeded(7);
    const pick = (most: number): number => Math.floor(random() * most);
    const made = Array.from({ length: 300 }, (_, i) => ({
      id: `r${i}`,
      boundary: { parents: Array.from({ length: pick(4) }, () => ({ id: `r${pick(300)}` })) },
    })) as unknown as ResolvedBoundary[];
    const listed = made.slice(0, 200);
    const hierarchy = new Hierarchy(listed);
    for (const one of made) expect(hierarchy.related(one)).toEqual(listed.filter((other) => areNested(one, other)));
  });
});
