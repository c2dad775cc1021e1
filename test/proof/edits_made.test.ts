import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import type { ProofEnvironment } from './environment.ts';
import { generator, MADE_SOURCE, madeBoundary, madeGrid, rectangle, storeMade } from './made.ts';
import { drawn, rounds } from './rounds.ts';
import { provingStates } from './states.ts';

const { after } = provingStates();

type World = Map<string, SourceBoundary>;
type Random = () => number;

/** What is made of a world at each step: boundaries to store, and ids within the source of those that go. */
interface Step {
  readonly store: readonly SourceBoundary[];
  readonly gone: readonly string[];
}

/** Makes a step; what does not assemble any more goes, too. Gives the ids within the source of what is there then. */
async function storeStep(server: ProofEnvironment, { store, gone }: Step): Promise<Set<string>> {
  const rows = () =>
    server.test.db.query<{ id: string; source_id: string; whole: boolean }>(
      'select id, source_id, has_geometry and stale is null as whole from boundary',
    );
  const version = 1_000;
  const remove = (some: Awaited<ReturnType<typeof rows>>) =>
    some.map(({ id }) => ({ id, version, reason: 'deleted' as const }));
  const deps = { db: server.test.db, engine: server.engine };
  const input = { source: MADE_SOURCE, file: 'made' };
  const going = (await rows()).filter(({ source_id }) => gone.includes(source_id));
  await storeBoundaries(deps, { ...input, boundaries: store, deleted: remove(going) });
  const broken = (await rows()).filter(({ whole }) => !whole);
  if (broken.length > 0) await storeBoundaries(deps, { ...input, boundaries: [], deleted: remove(broken) });
  return new Set((await rows()).map(({ source_id }) => source_id));
}

const named = (boundaries: readonly SourceBoundary[]): World => new Map(boundaries.map((one) => [one.sourceId, one]));

/** The same boundary with its places mapped. */
function mapped(one: SourceBoundary, version: number, to: (x: number, y: number) => [number, number]): SourceBoundary {
  if (!('rings' in one.border)) return one;
  const rings = one.border.rings.map((ring) => {
    const copy = Int32Array.from(ring);
    for (let i = 0; i < copy.length; i += 2) copy.set(to(defined(copy[i]), defined(copy[i + 1])), i);
    copy.set(copy.subarray(0, 2), copy.length - 2);
    return copy;
  });
  return { ...one, version: String(version), border: { rings } };
}

/** Some places moved by up to `reach`, each the same way wherever it is named; a place on the antimeridian stays. */
function mover(random: Random, part: number, reach: number): (x: number, y: number) => [number, number] {
  const places = new Map<string, [number, number]>();
  return (x, y) => {
    const known = places.get(`${x} ${y}`);
    if (known) return known;
    const by = () => Math.round((random() - 0.5) * 2 * reach);
    const to: [number, number] = random() < part && Math.abs(x) < 1_800_000_000 ? [x + by(), y + by()] : [x, y];
    places.set(`${x} ${y}`, to);
    return to;
  };
}

/** Random edits: places that move for all, for one boundary alone, boundaries that go, come, and come again. */
function randomSteps(seed: number, world: World, count: number, reach: number): { steps: Step[]; last: World } {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]) => defined(list[Math.floor(random() * list.length)]);
  const left = new Map(world);
  const held = new Map<string, SourceBoundary>();
  const steps: Step[] = [{ store: [...world.values()], gone: [] }];
  for (let step = 2; step < count + 2; step++) {
    const kind = random();
    const store: SourceBoundary[] = [];
    const gone: string[] = [];
    if (kind < 0.35) {
      const to = mover(random, 0.03, reach);
      for (const one of left.values()) {
        const moved = mapped(one, step, to);
        if (JSON.stringify(moved.border) !== JSON.stringify(one.border)) store.push(moved);
      }
    } else if (kind < 0.6) {
      const one = pick([...left.values()]);
      store.push(mapped(one, step, mover(random, 0.2, reach)));
    } else if (kind < 0.85 || held.size === 0) {
      for (let i = 0; i < 3; i++) {
        const name = pick([...left.keys()]);
        if (left.size < 3 || gone.includes(name)) continue;
        gone.push(name);
        held.set(name, left.get(name) as SourceBoundary);
        left.delete(name);
      }
    } else {
      const name = pick([...held.keys()]);
      store.push({ ...(held.get(name) as SourceBoundary), version: String(step) });
      held.delete(name);
    }
    for (const one of store) left.set(one.sourceId, one);
    steps.push({ store, gone });
  }
  return { steps, last: left };
}

/** Small islands beside a land, each in a grid of its own; boundaries that have parts on several, and holes in them. */
function archipelago(seed: number): SourceBoundary[] {
  const random = generator(seed);
  const land = madeGrid(seed, 3, 60_000_000, 490_000_000);
  const made = land.filter(({ sourceId }) => !sourceId.startsWith('block'));
  const parts: (readonly [number, number])[][] = [];
  for (let i = 0; i < 6; i++) {
    const [west, south] = [60_400_000 + 40_000 * i, 490_000_000 + Math.floor(random() * 200_000)];
    const size = 2_000 + Math.floor(random() * 20_000);
    const ring = Array.from({ length: 24 }, (_, k): [number, number] => {
      const turn = (k / 24) * 2 * Math.PI;
      const far = size * (0.6 + 0.4 * random());
      return [Math.round(west + far * Math.cos(turn)), Math.round(south + far * Math.sin(turn))];
    });
    parts.push(ring);
    if (i % 2 > 0) continue;
    const hole = rectangle(west - size / 8, south - size / 8, west + size / 8, south + size / 8).map(
      ([x, y]): [number, number] => [Math.round(x), Math.round(y)],
    );
    made.push(madeBoundary(`enclave ${i}`, [hole], 9));
    parts.push(hole);
  }
  const first = land.find(({ sourceId }) => sourceId === 'cell 0-0') as SourceBoundary;
  const own = 'rings' in first.border ? first.border.rings : [];
  const asPoints = (ring: Int32Array) =>
    Array.from({ length: ring.length / 2 - 1 }, (_, k): [number, number] => [
      defined(ring[2 * k]),
      defined(ring[2 * k + 1]),
    ]);
  made.push(madeBoundary('all of it', [...own.map(asPoints), ...parts], 4));
  made.push(madeBoundary('the first island', [defined(parts[0])], 8));
  made.push(madeBoundary('three islands', parts.slice(1, 4), 8));
  return made;
}

/** A grid along the border of a country of few and long segments, which crosses it. */
function besideLongArcs(seed: number): SourceBoundary[] {
  const grid = madeGrid(seed, 4, 60_000_000, 490_000_000);
  const country = (name: string, west: number, east: number) =>
    madeBoundary(name, [rectangle(west, 470_000_000, east, 520_000_000)], 2);
  return [...grid, country('west', 10_000_000, 60_150_000), country('east', 60_150_000, 95_000_000)];
}

const WORLDS: [string, (seed: number) => SourceBoundary[], number][] = [
  ['a land', (seed) => madeGrid(seed, 5, 60_000_000, 490_000_000), 4_000],
  ['a land of many vertices', (seed) => madeGrid(seed, 4, 60_000_000, 490_000_000, { bends: 30 }), 600],
  ['a land at the antimeridian', (seed) => madeGrid(seed, 4, 1_799_600_000, -170_000_000), 4_000],
  ['islands', archipelago, 3_000],
  ['a land beside long borders', besideLongArcs, 4_000],
];

const SEEDS = Number(process.env.EDIT_SEEDS ?? rounds(1));

describe.each(drawn(WORLDS))('%s', { timeout: 600_000 }, (name, make, reach) => {
  // Others for each world, so that a short run has all kinds of edits.
  const first = 1 + WORLDS.findIndex(([other]) => other === name) * SEEDS;
  it.each(Array.from({ length: SEEDS }, (_, i) => first + i))(
    'after random edits is stored as a fresh import (seed %i)',
    async (seed) => {
      const { steps, last } = randomSteps(seed, named(make(seed)), 6, reach);
      let there = new Set<string>();
      const edited = await after(steps, async (server: ProofEnvironment, step: Step) => {
        there = await storeStep(server, step);
      });
      const left = [...last.values()].filter(({ sourceId }) => there.has(sourceId));
      const fresh = await after([{ store: left, gone: [] }], storeStep);
      expect(edited).toEqual(fresh);
    },
  );

  it('that comes in parts, in any order, is stored as one that comes at once', async () => {
    const random = generator(7);
    const whole = make(7);
    const parts = [0, 1, 2, 3].map((): SourceBoundary[] => []);
    for (const boundary of whole) defined(parts[Math.floor(random() * parts.length)]).push(boundary);
    const store = (server: ProofEnvironment, some: readonly SourceBoundary[]) => storeMade(server, some);
    expect(await after(parts, store)).toEqual(await after([whole], store));
  });
});

describe('a shape of the seed data that gives way', { timeout: 300_000 }, () => {
  const coarse = { ...MADE_SOURCE, id: 'made-seed', seed: true };
  const store = (server: ProofEnvironment, [source, boundaries]: [typeof coarse, readonly SourceBoundary[]]) =>
    storeBoundaries({ db: server.test.db, engine: server.engine }, { source, file: 'made', boundaries });

  it.each([1, 2])('leaves the arrangement as if it had never been there (seed %i)', async (seed) => {
    const grid = madeGrid(seed, 4, 60_000_000, 490_000_000).filter(({ sourceId }) => sourceId.startsWith('cell'));
    const [old, ...others] = grid
      .map((one, i) => (i === 5 ? { ...one, wikidata: 'Q1' } : one))
      .sort((a, b) => Number(b.wikidata !== null) - Number(a.wikidata !== null));
    const better = { ...mapped(defined(old), 1, mover(generator(seed), 0.5, 3_000)), sourceId: 'better' };
    const edited = await after(
      [
        [coarse, [...others, defined(old)]],
        [MADE_SOURCE, [better]],
      ],
      store,
    );
    const fresh = await after(
      [
        [coarse, others],
        [MADE_SOURCE, [better]],
      ],
      store,
    );
    expect(edited).toEqual(fresh);
  });
});
