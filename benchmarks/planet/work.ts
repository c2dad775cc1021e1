/**
 * One part of the planet benchmark, in its own process so that the memory is its own: `import URL FILE` stores a file,
 * `ask URL` times searches, reverse lookups and unions of the stored data. Prints one JSON document.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded as random } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { idsOf, listSubdivisions } from '../../src/domain/boundaries/children.ts';
import { boundariesAt, type Locate } from '../../src/domain/boundaries/reverse.ts';
import { createNameIndex } from '../../src/domain/read_model/name_index.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { geometryOf } from '../../src/ops/boundaries/document.ts';
import { importFile } from '../../src/sources/import.ts';

/** Figures of an import. */
export interface Imported {
  readonly seconds: number;
  /** Peak resident memory of the process, in bytes. */
  readonly peakRss: number;
  readonly boundaries: number;
  readonly broken: number;
  readonly arcs: number;
}

/** The p50 and p95 of calls, in milliseconds. */
export type Latency = readonly [p50: number, p95: number];

export interface QueryFigures {
  readonly search: Latency;
  /** The same searches with SQL statements, as when names would exceed their memory limit. */
  readonly searchDatabase: Latency;
  readonly reverse: Latency;
  readonly union: Latency;
  /** Boundaries returned by the reverse lookups: 4 or 5 of levels 2 to 10 at a place on land. */
  readonly found: number;
  /** Names in memory, their size in bytes, and the seconds to read them. */
  readonly names: { readonly count: number; readonly bytes: number; readonly seconds: number };
  /** Bytes of the boxes in memory, and resident memory after all calls. */
  readonly boxes: number;
  readonly rss: number;
}

const MIB = 2 ** 20;
const WARM_UP = 20;
const SIBLINGS = 16;

type Opened = { readonly db: Awaited<ReturnType<typeof openDatabase>>; readonly engine: Engine };

async function importInto({ db, engine }: Opened, file: string): Promise<Imported> {
  await migrate(db);
  const { seconds, peakRss, added, broken, arcs } = await importFile({ db, engine }, file, null);
  return { seconds, peakRss, boundaries: added, broken: broken.length, arcs };
}

async function ask({ db, engine }: Opened, calls: number): Promise<QueryFigures> {
  const boundaries = createBoundaries(db, { packBoxes: (boxes) => engine.points.packBoxes(boxes) });
  await boundaries.warm();
  const names = createNameIndex(db, 256 * MIB);
  const started = performance.now();
  const held = await names.warm();
  const seconds = (performance.now() - started) / 1000;
  if (!held) throw new Error('the names did not fit into memory');
  let next = random(7);
  const places = await db.query<{ id: string; name: string; lat: number; lon: number; parent: string }>(
    `select b.id, b.name, b.lat, b.lon, p.parent
     from boundary b join boundary_parent p on p.child = b.id and p.position = 2
     where b.admin_level = 8 and b.has_geometry order by md5(b.id) limit 2000`,
  );
  const any = () => defined(places[Math.floor(next() * places.length)]);
  const locate: Locate = (list, x, y) => engine.points.locate(list.map(geometryOf), x, y);
  let found = 0;
  const searchedBy = (index?: typeof names) => async () => {
    const { name } = any();
    // As people type: a full name, a prefix, or a typo.
    const kind = Math.floor(3 * next());
    const q = kind === 0 ? name : kind === 1 ? name.slice(0, 4) : `${name.slice(0, 3)}x${name.slice(4)}`;
    await searchBoundaries({ db, boundaries, names: index }, { q, limit: 10 });
  };
  const searchDatabase = await latency(calls, searchedBy());
  // Other places, which no search has used yet.
  next = random(8);
  const search = await latency(calls, searchedBy(names));
  const reverse = await latency(calls, async () => {
    const { lat, lon } = any();
    const place = { lat: lat / 1e7 + 0.02 * (next() - 0.5), lon: lon / 1e7 + 0.02 * (next() - 0.5) };
    found += await boundaries.withSnapshot(async (reading) => (await boundariesAt(reading, place, locate)).length);
  });
  const union = await latency(Math.max(20, calls / 4), async () => {
    const siblings = idsOf(await listSubdivisions(db, await boundaries.get(any().parent), {}), 0, SIBLINGS);
    const refs = (await boundaries.byIds(siblings)).map(geometryOf);
    const document = { id: null, name: 'union', properties: {}, bbox: null, attribution: '', digits: 7 };
    await engine.documents.merge(refs, [], { detail: 'medium', format: 'geojson', document });
  });
  return {
    ...{ search, searchDatabase, reverse, union, found: found / (calls + WARM_UP) },
    names: { count: held.count, bytes: held.bytes, seconds },
    boxes: defined(boundaries.held().bytes.boxes),
    rss: process.memoryUsage.rss(),
  };
}

async function latency(calls: number, call: () => Promise<void>): Promise<Latency> {
  for (let k = 0; k < WARM_UP; k++) await call();
  const times: number[] = [];
  for (let k = 0; k < calls; k++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return [defined(times[Math.floor(times.length / 2)]), defined(times[Math.floor(0.95 * times.length)])];
}

async function main([what, url, argument]: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-planet-'));
  const db = await openDatabase({ databaseUrl: url, dataDir: folder });
  const engine = new Engine(db, {
    threads: 2,
    arcBytes: 256 * MIB,
    cache: createCache(16 * MIB),
    maxResponseBytes: 64 * MIB,
  });
  try {
    const opened = { db, engine };
    const result =
      what === 'import' ? await importInto(opened, defined(argument)) : await ask(opened, Number(argument));
    process.stdout.write(JSON.stringify(result));
  } finally {
    await engine.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('planet/work.ts')) await main(process.argv.slice(2));
