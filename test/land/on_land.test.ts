import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import type { Context } from '../../src/core/op.ts';
import { loadQuery } from '../../src/db/query.ts';
import { answerAt } from '../../src/ops/boundaries/reverse_boundaries.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { answerOfMemory } from '../ops/answer_of_memory.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;
const NAMING = { prefer: [], names: null };

describe.skipIf(!dataDir || !oracleUrl)('what a point of Malta is on', () => {
  let server: BoundaryTestServer;
  let oracle: pg.Client;
  let key: string;
  let ctx: Context;
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    const { services, engine } = server;
    await importFile(
      { db: services.db, engine },
      join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf'),
      null,
    );
    ctx = { services, signal: new AbortController().signal } as unknown as Context;
    key = (await server.key('business')).key;
    await services.boundaries.warm();
    oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
  }, 300_000);
  afterAll(async () => {
    await oracle?.end();
    await server?.close();
  });

  const at = async (lat: number, lon: number) =>
    (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key)).json as unknown as {
      on: string;
      items: { on: string; contains: boolean }[];
    };

  it('is what the polygons of osmcoastline say, from memory as from the database', async () => {
    const next = seeded(11);
    // Half of them in all waters, half around the coast of Gozo and Comino.
    const points = Array.from({ length: 600 }, (_, i) =>
      i % 2 === 0
        ? { lat: Number((35.6 + 0.8 * next()).toFixed(6)), lon: Number((13.95 + 0.9 * next()).toFixed(6)) }
        : { lat: Number((35.99 + 0.1 * next()).toFixed(6)), lon: Number((14.17 + 0.18 * next()).toFixed(6)) },
    );
    const expected = JSON.parse(readFileSync(join(dataDir as string, 'osm/malta-2018.land.expected.geojson'), 'utf8'));
    const { rows } = await oracle.query(
      `with land as materialized (select st_setsrid(st_geomfromgeojson(g), 0) as geom from unnest($1::text[]) as g)
       select exists (select from land where st_covers(geom, st_point(x, y))) as land
       from unnest($2::float8[], $3::float8[]) with ordinality as p (x, y, n) order by n`,
      [
        expected.features.map(({ geometry }: { geometry: object }) => JSON.stringify(geometry)),
        points.map(({ lon }) => lon),
        points.map(({ lat }) => lat),
      ],
    );
    const seen = new Map<string, number>();
    for (const [i, place] of points.entries()) {
      const read = await answerAt(ctx, place, NAMING, []);
      const { on, items } = JSON.parse(Buffer.from(read as Uint8Array).toString());
      const isHeld = items.some(({ contains }: { contains: boolean }) => contains);
      if (isHeld) expect([place, on]).toEqual([place, rows[i].land ? 'land' : 'water']);
      expect(items.every((item: { on: string }) => item.on === on)).toBe(true);
      seen.set(on, (seen.get(on) ?? 0) + 1);
      const held = await answerOfMemory(ctx, place, NAMING);
      expect(Buffer.from(held as Uint8Array).equals(Buffer.from(read as Uint8Array))).toBe(true);
    }
    expect(seen.get('land')).toBeGreaterThan(60);
    expect(seen.get('water')).toBeGreaterThan(60);
  }, 300_000);

  it('is water in territorial waters and on the high seas, and unknown where no coast is stored', async () => {
    const waters = await at(35.75, 14.2);
    expect(waters.on).toBe('water');
    expect(waters.items.map(({ contains, on }) => [contains, on])).toContainEqual([true, 'water']);
    expect(await at(30, -40)).toMatchObject({ on: 'water', items: [] });
    // Beyond territorial waters, in those that count to Malta.
    expect(await at(36.2, 14.8)).toMatchObject({ on: 'water' });
    // It counts to Brazil, which is not stored.
    expect(await at(0, -30)).toMatchObject({ on: 'unknown', items: [] });
    expect((await at(48.85, 2.35)).on).toBe('unknown');
    const { json } = await server.rpc('reverse_boundaries', { lat: 35.75, lon: 14.2 }, key);
    expect((json as unknown as { on: string }).on).toBe('water');
  });

  it('takes no statement once it is in memory', async () => {
    const { db } = server.services;
    const place = { lat: 36.0444, lon: 14.2397 };
    await answerAt(ctx, place, NAMING, []);
    let statements = 0;
    const query = db.query;
    (db as { query: typeof db.query }).query = ((...given: Parameters<typeof db.query>) => {
      // The revision of the data is confirmed every now and then.
      if (given[0] !== String(loadQuery('data_revision'))) statements++;
      return query(...given);
    }) as typeof db.query;
    expect(await answerOfMemory(ctx, place, NAMING)).not.toBeNull();
    expect(JSON.parse(Buffer.from((await answerAt(ctx, place, NAMING, [])) as Uint8Array).toString()).on).toBe('land');
    (db as { query: typeof db.query }).query = query;
    expect(statements).toBe(0);
  });
});

describe('what a point is on, by boundaries that end at the shore and finer ones', () => {
  let server: BoundaryTestServer;
  let ctx: Context;
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    ctx = { services: server.services, signal: new AbortController().signal } as unknown as Context;
  });
  afterAll(() => server?.close());

  /** Says what a point is on, from the database and from memory. */
  const onAt = async (lat: number, lon: number) => {
    await server.services.boundaries.warm();
    const read = Buffer.from((await answerAt(ctx, { lat, lon }, NAMING, [])) as Uint8Array);
    const held = await answerOfMemory(ctx, { lat, lon }, NAMING);
    expect(Buffer.from(held as Uint8Array).equals(read)).toBe(true);
    return (JSON.parse(read.toString()) as { on: string }).on;
  };
  const store = (input: Omit<StoreInput, 'file'>) =>
    storeBoundaries({ db: server.services.db, engine: server.engine }, { file: 'made', ...input });
  const square = (id: string, west: number, east: number) =>
    fixtureBoundary(id, `Place ${id}`, ringsOf(rectangle(west, 0, east, 1)));

  it('is decided by the finer ones that know, or unknown, never by a coarse province in one', async () => {
    const coarse = { ...FIXTURE_SOURCE, id: 'coarse', land: true };
    await store({ source: coarse, boundaries: [square('r200', -39.5, -38.6), square('r201', -20, -19)] });
    // Nothing finer is around it.
    expect(await onAt(0.5, -39)).toBe('land');
    await store({ source: FIXTURE_SOURCE, boundaries: [square('r100', -40, -38)] });
    expect(await onAt(0.5, -39)).toBe('unknown');
    expect(await onAt(0.5, -38.3)).toBe('unknown');
    // A bay reaches into the province: land is north of it.
    const coast = [
      [-41, 0.75],
      [-39.4, 0.75],
      [-39.4, 0.4],
      [-38.7, 0.4],
      [-38.7, 0.75],
      [-37, 0.75],
    ];
    const coords = Int32Array.from(coast.flat(), (degrees) => Math.round(degrees * 1e7));
    await store({ source: FIXTURE_SOURCE, boundaries: [], coast: [{ id: 9, version: 1, coords }] });
    expect(await onAt(0.5, -39)).toBe('land');
    expect(await onAt(0.5, -39.45)).toBe('water');
    expect(await onAt(0.3, -39)).toBe('water');
    expect(await onAt(0.9, -39)).toBe('land');
    expect(await onAt(0.3, -38.3)).toBe('water');
    // Of the coarse source alone, far from that.
    expect(await onAt(0.5, -19.5)).toBe('land');
  });
});
