import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import type { ImportSummary } from '../../src/sources/import_summary.ts';
import { SLIVER_METERS, SLIVER_SHARE } from '../../workers/arcs/slivers.ts';
import { mergeFull, openEnvironment, type ProofEnvironment } from './environment.ts';
import { generator, type Point } from './made.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const SEED = 20261122;
const SOURCE = { source: 'overlapping', license: 'CC0-1.0', attribution: 'made', map: { id: 'id' } };

/** Cells of a grid with jagged borders that match; and areas that lie over them as postcodes and claims do. */
function madeCoverage(random: () => number, cells: number) {
  const size = 400_000;
  const origin: Point = [62_000_000, 480_000_000];
  const jitter = (spread: number) => Math.round((random() - 0.5) * spread);
  const corner = Array.from({ length: (cells + 1) ** 2 }, (_, i): Point => {
    const [column, row] = [i % (cells + 1), Math.floor(i / (cells + 1))];
    return [origin[0] + column * size + jitter(size / 3), origin[1] + row * size + jitter(size / 3)];
  });
  // A border from corner to corner is made once, so that its two sides match.
  const borders = new Map<string, Point[]>();
  const border = (from: number, to: number): Point[] => {
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    const [a, b] = [corner[Math.min(from, to)]!, corner[Math.max(from, to)]!];
    const known =
      borders.get(key) ??
      Array.from({ length: 12 }, (_, k): Point => {
        const at = (k + 1) / 13;
        return [
          Math.round(a[0] + (b[0] - a[0]) * at) + jitter(size / 20),
          Math.round(a[1] + (b[1] - a[1]) * at) + jitter(size / 20),
        ];
      });
    borders.set(key, known);
    return from < to ? known : known.toReversed();
  };
  const areas = new Map<string, Point[]>();
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const first = row * (cells + 1) + column;
      const around = [first, first + 1, first + cells + 2, first + cells + 1, first];
      const points = around.slice(0, 4).flatMap((at, k) => [corner[at]!, ...border(at, around[k + 1]!)]);
      areas.set(`cell ${row} ${column}`, points);
    }
  }
  for (let claim = 0; claim < cells; claim++) {
    const middle: Point = [origin[0] + random() * cells * size, origin[1] + random() * cells * size];
    const count = 5 + Math.floor(random() * 8);
    const points = Array.from({ length: count }, (_, k): Point => {
      const turn = ((k + random() * 0.8) / count) * 2 * Math.PI;
      const reach = size * (0.2 + random());
      return [Math.round(middle[0] + reach * Math.cos(turn)), Math.round(middle[1] + reach * Math.sin(turn))];
    });
    areas.set(`claim ${claim}`, points);
  }
  return areas;
}

const collection = (areas: ReadonlyMap<string, readonly Point[]>) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [...areas].map(([id, points]) => ({
      type: 'Feature',
      properties: { id, name: id },
      geometry: { type: 'Polygon', coordinates: [[...points, points[0]!].map(([x, y]) => [x / 1e7, y / 1e7])] },
    })),
  });

const wkt = (points: readonly Point[]) => `POLYGON((${[...points, points[0]!].map((p) => p.join(' ')).join()}))`;

describe.skipIf(!oracleUrl)(`coverages of areas that overlap, seed ${SEED} (ORACLE_DATABASE_URL)`, () => {
  let server: ProofEnvironment;
  let oracle: pg.Client;
  let summary: ImportSummary;
  const folder = mkdtempSync(join(tmpdir(), 'overlaps-'));
  const random = generator(SEED);
  const areas = madeCoverage(random, 6);
  const names = [...areas.keys()];
  const ids = new Map<string, string>();

  beforeAll(async () => {
    server = await openEnvironment();
    oracle = new pg.Client(oracleUrl);
    await oracle.connect();
    await oracle.query('create temp table given (id text primary key, geom geometry)');
    for (const [id, points] of areas) await oracle.query('insert into given values ($1, $2)', [id, wkt(points)]);
    const path = join(folder, 'overlapping.geojson');
    writeFileSync(path, collection(areas));
    const engine = { db: server.test.db, engine: server.engine };
    summary = await importFile(engine, path, { ...SOURCE, adminLevel: 8 });
    const rows = await server.test.db.query<{ id: string; name: string }>('select id, name from boundary');
    for (const { id, name } of rows) ids.set(name, id);
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await oracle?.end();
    await server?.close();
  });

  const idsOf = (list: readonly string[]) => list.map((name) => ids.get(name) as string);

  it('are stored with the area that each had, and every overlap is listed with its own', async () => {
    expect(summary).toMatchObject({ read: areas.size, added: areas.size, skipped: [], broken: [] });
    const { rows } = await oracle.query<{ id: string; km2: number }>(
      'select id, st_area(st_setsrid(st_scale(geom, 1e-7, 1e-7), 4326)::geography) / 1e6 as km2 from given',
    );
    const given = new Map(rows.map(({ id, km2 }) => [id, km2]));
    const stored = await server.test.db.query<{ name: string; km2: number }>(
      'select name, area_km2 as km2 from boundary',
    );
    expect(stored).toHaveLength(areas.size);
    const repaired = new Map(summary.repaired.map((one) => [one.id, one]));
    for (const { name, km2 } of stored) {
      const before = given.get(name) as number;
      expect(Math.abs(km2 / before - 1), name).toBeLessThanOrEqual(SLIVER_SHARE);
      expect((repaired.get(name)?.km2Before ?? km2) / before, name).toBeCloseTo(1, 8);
      expect((repaired.get(name)?.km2After ?? km2) / km2, name).toBeCloseTo(1, 9);
    }
    const truth = await oracle.query<{ a: string; b: string; km2: number; meters: number }>(
      `select a.id as a, b.id as b, st_area(shape::geography) / 1e6 as km2,
         2 * st_area(shape::geography) / st_perimeter(shape::geography) as meters
       from given a join given b on a.id < b.id and a.geom && b.geom,
         lateral (select st_setsrid(st_scale(st_collectionextract(st_intersection(a.geom, b.geom), 3), 1e-7, 1e-7), 4326)
           as shape) s
       where st_area(shape) > 0`,
    );
    const key = (a: string, b: string) => [a, b].sort().join(' & ');
    const reported = new Map(summary.overlaps.map(({ a, b, km2 }) => [key(a, b), km2]));
    let slivers = 0;
    for (const { a, b, km2, meters } of truth.rows) {
      const least = Math.min(given.get(a) as number, given.get(b) as number);
      const own = reported.get(key(a, b));
      reported.delete(key(a, b));
      if (own === undefined) {
        expect(meters, key(a, b)).toBeLessThanOrEqual(SLIVER_METERS * 1.01);
        expect(km2, key(a, b)).toBeLessThanOrEqual(SLIVER_SHARE * least * 1.01);
        slivers++;
      } else expect(Math.abs(own - km2), key(a, b)).toBeLessThanOrEqual(SLIVER_SHARE * least * 1.01);
    }
    expect(reported).toEqual(new Map());
    expect(truth.rows.length - slivers).toBeGreaterThan(20);
  });

  it('have the unions and differences that PostGIS makes of the file', async () => {
    for (let time = 0; time < 40; time++) {
      const some = names.filter(() => random() < 0.15);
      const include = some.slice(0, 25);
      const exclude = time % 2 === 0 ? [] : names.filter((name) => !include.includes(name) && random() < 0.1);
      if (include.length === 0) continue;
      const { geometry } = await mergeFull(server, idsOf(include), idsOf(exclude));
      const { rows } = await oracle.query(
        `with ours as (select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($3), 0), 1e7, 1e7), 1) as geom),
         i as (select st_union(geom) as geom from given where id = any ($1::text[])),
         e as (select st_union(geom) as geom from given where id = any ($2::text[])),
         theirs as (select case when e.geom is null then i.geom else st_difference(i.geom, e.geom) end as geom from i, e)
         select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference,
           2 * st_perimeter(theirs.geom) as allowed from ours, theirs`,
        [include, exclude, JSON.stringify(geometry)],
      );
      expect(rows[0].valid, `${time}`).toBe(true);
      expect(rows[0].difference, `${time}`).toBeLessThanOrEqual(rows[0].allowed);
    }
  });
});
