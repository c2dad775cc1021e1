import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import type { Context } from '../../src/core/op.ts';
import type { Naming } from '../../src/domain/names/languages.ts';
import { answerAt } from '../../src/ops/boundaries/reverse_boundaries.ts';
import { countryBoundary } from '../../src/sources/seed/countries.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { answerOfMemory } from './answer_of_memory.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureWorld, SOUTH, WEST } from './fixture_world.ts';

const NAMINGS: readonly Naming[] = [
  { prefer: [], names: null },
  { prefer: ['en'], names: null },
  { prefer: ['ca', 'eu'], names: ['de', 'gl'] },
  { prefer: ['fr'], names: 'all' },
];

let server: BoundaryTestServer;
let key: string;
let ctx: Context;

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const { services, engine } = server;
  ctx = { services, signal: new AbortController().signal } as unknown as Context;
  const at = { db: services.db, engine };
  const world = fixtureWorld();
  const named = world.boundaries.map((one) => ({
    ...one,
    names: { de: `${one.name} auf Deutsch`, ca: `${one.name} en català`, fr: `${one.name} en français` },
  }));
  await storeBoundaries(at, { ...world, boundaries: named });
  const corners = [-9, 37, -7, 37, -7, 42, -9, 42, -9, 37];
  const portugal = countryBoundary('PT', '1', [Int32Array.from(corners, (degrees) => degrees * 1e7)]);
  await storeBoundaries(at, { source: { ...FIXTURE_SOURCE, id: 'land' }, file: 'land', boundaries: [portugal] });
  await services.boundaries.warm();
}, 120_000);
afterAll(() => server?.close());

/** Where one test after the other asks: inside of a commune. */
const PLACE = { lat: SOUTH + 0.5, lon: WEST + 0.5 };

/** Random points in the fixture world, in Portugal and at sea, and points on borders and corners. */
function points(count: number): { lat: number; lon: number }[] {
  const next = seeded(7);
  const within = (west: number, south: number, width: number, height: number) => () => ({
    lat: Number((south + height * next()).toFixed(5)),
    lon: Number((west + width * next()).toFixed(5)),
  });
  const regions = [within(WEST - 1, SOUTH - 1, 6, 5), within(-10.5, 35.5, 14, 9), within(178, -10, 2, 20)];
  const random = Array.from({ length: count }, (_, i) => defined(regions[i % 3])());
  const corners = Array.from({ length: 36 }, (_, i) => ({ lat: SOUTH + (i % 6), lon: WEST + Math.floor(i / 6) }));
  return [...random, ...corners, { lat: -90, lon: 0 }, { lat: 90, lon: 0 }, { lat: 40, lon: -7 }, { lat: 42, lon: -9 }];
}

describe('reverse from memory', () => {
  it('gives the bytes of the answer that is read from the database, at any point and in any languages', async () => {
    let answered = 0;
    let waters = 0;
    const all = points(1_200);
    for (const [i, place] of all.entries()) {
      const naming = defined(NAMINGS[i % NAMINGS.length]);
      const read = Buffer.from((await answerAt(ctx, place, naming, []))!).toString();
      // What was read is now in memory.
      const held = await answerOfMemory(ctx, place, naming);
      if (held === null) continue;
      answered++;
      if (read.includes('nearest_waters')) waters++;
      expect(Buffer.from(held).toString(), JSON.stringify(place)).toBe(read);
    }
    expect(answered).toBe(all.length);
    expect(waters).toBeGreaterThan(20);
  }, 120_000);

  it('leaves the antimeridian, where both sides count, to the database', async () => {
    for (const lon of [180, -180]) {
      const place = { lat: 0.5, lon };
      await answerAt(ctx, place, defined(NAMINGS[0]), []);
      expect(await answerOfMemory(ctx, place, defined(NAMINGS[0]))).toBeNull();
    }
  });

  it('leaves to the database what memory does not hold in the languages of the call', async () => {
    const place = PLACE;
    const naming: Naming = { prefer: ['hu'], names: null };
    expect(await answerOfMemory(ctx, place, naming)).toBeNull();
    const read = await answerAt(ctx, place, naming, []);
    expect(Buffer.from((await answerOfMemory(ctx, place, naming))!).equals(Buffer.from(read!))).toBe(true);
  });

  it('charges a unit for each answer', async () => {
    const path = `/v1/boundaries/reverse?lat=${PLACE.lat}&lon=${PLACE.lon}`;
    const used = async () =>
      Number((await server.get('/v1/usage', key)).json.by_op.find(({ op }) => op === 'reverse_boundaries')?.units ?? 0);
    const before = await used();
    for (let i = 0; i < 5; i++) expect((await server.get(path, key)).status).toBe(200);
    expect(await used()).toBe(before + 5);
  });

  it('shows a change of the data in the next answer', async () => {
    const place = PLACE;
    const names = async () =>
      (await server.get(`/v1/boundaries/reverse?lat=${place.lat}&lon=${place.lon}`, key)).json.items.map(
        ({ name }) => name,
      );
    const before = await names();
    expect(await answerOfMemory(ctx, place, defined(NAMINGS[0]))).not.toBeNull();
    const { services, engine } = server;
    const [west, south, east, north] = [PLACE.lon - 0.1, PLACE.lat - 0.1, PLACE.lon + 0.1, PLACE.lat + 0.1];
    const corners = [west, south, east, south, east, north, west, north, west, south];
    const made = defined(fixtureWorld().boundaries[0]);
    await storeBoundaries(
      { db: services.db, engine },
      {
        source: { ...FIXTURE_SOURCE, id: 'later' },
        file: 'later',
        boundaries: [
          {
            ...made,
            id: 'r9911',
            sourceId: 'r9911',
            name: 'Later',
            adminLevel: 9,
            countryCode: null,
            wikidata: null,
            border: { rings: [Int32Array.from(corners, (degrees) => degrees * 1e7)] },
          },
        ],
      },
    );
    expect((await names()).toSorted()).toEqual([...before, 'Later'].toSorted());
    await services.boundaries.warm();
    expect((await names()).toSorted()).toEqual([...before, 'Later'].toSorted());
  });
});
