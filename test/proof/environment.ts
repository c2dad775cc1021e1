import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import type { BoundaryRef } from '../../src/geometry/engine_model.ts';
import { importFile } from '../../src/sources/import.ts';
import type { ImportSummary } from '../../src/sources/import_summary.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { luxembourg, luxembourgAndCounties } from '../setup/luxembourg.ts';
import { seeded } from '../setup/seeded.ts';

export const dataDir = process.env.REAL_DATA_DIR;

/** An empty database with an engine, and imported files of the real data. */
export interface ProofEnvironment {
  readonly test: TestDatabase;
  readonly engine: Engine;
  readonly summaries: ImportSummary[];
  close(): Promise<void>;
}

export async function openEnvironment(...files: string[]): Promise<ProofEnvironment> {
  const test = await testDatabase();
  return enter(test, files, () => test.close());
}

/** The same with Luxembourg, which is imported once per run, and then `files`. Luxembourg has no summary. */
export async function openLuxembourg(...files: string[]): Promise<ProofEnvironment> {
  const test = await testDatabase({ world: luxembourg });
  return enter(test, files, () => test.close());
}

/** Luxembourg beside the counties of the United States (source `us`), which are imported once per run, and then `files`. */
export async function openCounties(...files: string[]): Promise<ProofEnvironment> {
  const test = await testDatabase({ world: luxembourgAndCounties });
  return enter(test, files, () => test.close());
}

/** A database with the seed data, and an engine. */
export async function openSeededEnvironment(): Promise<ProofEnvironment> {
  const test = await testDatabase({ world: seeded });
  return enter(test, [], () => test.close());
}

async function enter(
  test: TestDatabase,
  files: readonly string[],
  leave: () => Promise<void>,
): Promise<ProofEnvironment> {
  const engine = new Engine(test.db, { threads: 2, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
  const summaries: ImportSummary[] = [];
  for (const file of files) {
    summaries.push(await importFile({ db: test.db, engine }, join(dataDir as string, file), null));
  }
  return {
    test,
    engine,
    summaries,
    async close() {
      await engine.close();
      await leave();
    },
  };
}

/**
 * Opens test environments in turn in one database, which is emptied for each: opening an embedded one takes seconds.
 */
export async function openEnvironments(): Promise<{ open(): Promise<ProofEnvironment>; close(): Promise<void> }> {
  const test = await testDatabase();
  // Skip the audit log, whose trigger before truncate rejects it (32 and 2 in tgtype).
  const tables = await test.db.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgtype & 34 = 34)`,
  );
  const rows = tables.map(({ name }) => `select '${name}' as name where not exists (select from ${name})`);
  const empty = await test.db.query<{ name: string }>(rows.join(' union all '));
  const clear = `truncate ${empty.map(({ name }) => name).join()} restart identity`;
  return {
    open: () => enter(test, [], async () => void (await test.db.query(clear))),
    close: () => test.close(),
  };
}

/** Boundaries as engine input. */
export async function refsOf(server: ProofEnvironment, ids: readonly string[]): Promise<BoundaryRef[]> {
  const found = await createBoundaries(server.test.db).resolve(ids);
  return found.map(({ id, ring_hash, admin_level }) => ({
    id,
    ringHash: ring_hash as string,
    adminLevel: admin_level,
  }));
}

const document = { id: null, name: 'test', properties: {}, bbox: null, attribution: '', digits: 7 };

type Ring = [number, number][];

/**
 * Sorted rings of a GeoJSON geometry on the integer grid, each from its smallest vertex: equal for equal geometries.
 */
export function canonicalRings(geometry: { type: string; coordinates: unknown }): string[] {
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Ring[][];
  return polygons.flat().map(canonicalRing).sort();
}

function canonicalRing(ring: Ring): string {
  const points = ring.slice(0, -1).map(([x, y]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`);
  const turn = (list: string[]) => {
    let start = 0;
    for (let i = 1; i < list.length; i++) if (defined(list[i]) < defined(list[start])) start = i;
    return [...list.slice(start), ...list.slice(0, start)].join();
  };
  return defined([turn(points), turn([...points].reverse())].sort()[0]);
}

/** The union of `include` minus `exclude` at full detail, as a GeoJSON geometry with its area. */
export async function mergeFull(
  server: ProofEnvironment,
  include: readonly string[],
  exclude: readonly string[] = [],
  from?: 'arcs' | 'overlay',
): Promise<{ geometry: { type: string; coordinates: unknown }; areaKm2: number }> {
  const written = await server.engine.documents.merge(await refsOf(server, include), await refsOf(server, exclude), {
    detail: 'full',
    format: 'geojson',
    document,
    from,
  });
  return { geometry: JSON.parse(Buffer.from(written.bytes).toString()).geometry, areaKm2: written.areaKm2 };
}

/** The stored PostGIS polygons by boundary id, as EWKB (hexadecimal). */
export async function storedShapes(server: ProofEnvironment): Promise<Map<string, string>> {
  const rows = await server.test.db.query<{ id: string; wkb: string }>(
    `select boundary_id as id, geom::text as wkb from boundary_shape`,
  );
  return new Map(rows.map(({ id, wkb }) => [id, wkb]));
}
