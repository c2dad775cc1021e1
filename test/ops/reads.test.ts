import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import type { Boundaries } from '../../src/domain/boundaries/reads.ts';
import { boundariesAt, type Locate, type PointDegrees } from '../../src/domain/boundaries/reverse.ts';
import { watchRevision } from '../../src/domain/boundaries/revision.ts';
import { geometryOf } from '../../src/ops/boundaries/document.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { dataDir } from '../proof/environment.ts';
import { isNative } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { watchStatements } from '../setup/watched.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

/** What the database was asked about boundaries while `work` ran, looks at the revision aside. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const end = watchStatements(server.services.db, (sql) => {
    if (sql !== loadQuery('data_revision')) statements.push(sql);
  });
  try {
    await work();
  } finally {
    end();
  }
  return statements.filter((sql) => /\b(?:boundary|arc)(?:_\w+)?\b/.test(sql.replace(/--[^\n]*/g, '')));
}

const locate: Locate = (list, x, y) => server.engine.points.locate(list.map(geometryOf), x, y);
const idsAt = (boundaries: Boundaries, place: PointDegrees) =>
  boundaries.withSnapshot(async (reading) => (await boundariesAt(reading, place, locate)).map(({ id }) => id).sort());

/** The same numbers each time: a small linear congruential generator, 0 … 1. */
function generator(): () => number {
  let state = 20_261_122;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('hot reads ask the database nothing', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['reverse', () => server.get('/v1/boundaries/reverse?lat=30.4&lon=-29.6', key)],
    ['reverse on water', () => server.get('/v1/boundaries/reverse?lat=10&lon=-29.6', key)],
    ['reverse on the antimeridian', () => server.get('/v1/boundaries/reverse?lat=11&lon=180', key)],
    ['reverse named in French', () => server.get('/v1/boundaries/reverse?lat=30.4&lon=-29.6&lang=fr&names=all', key)],
    ['get', () => server.get('/v1/boundaries/r111')],
    ['get by wikidata', () => server.get('/v1/boundaries/wikidata:Q111?lang=de')],
    ['get with children', () => server.get('/v1/boundaries/iso:XA?include=children')],
    ['children', () => server.get('/v1/boundaries/r100/children')],
    ['children named in German', () => server.get('/v1/boundaries/r100/children?lang=de&names=fr')],
    ['search', () => server.get('/v1/boundaries/search?q=commune+1&names=all')],
    ['search for what is not there', () => server.get('/v1/boundaries/search?q=qqqq')],
    ['export', () => server.get('/v1/boundaries/r112/export?format=kml', key)],
    [
      'union',
      () => server.ask('POST', '/v1/boundaries/union', { key, json: { include: ['r111', 'r112', 'iso:XA-C11'] } }),
    ],
  ])('%s', async (_name, call) => {
    expect(await server.services.boundaries.warm()).toBe(true);
    const cold = await asked(call);
    expect(await asked(call)).toEqual([]);
    // Among these the first call of some finds all in memory that others have asked for.
    expect(cold.length).toBeLessThan(30);
  });

  it('who searches for the same at the same time waits for one search', async () => {
    const search = () => server.get('/v1/boundaries/search?q=commune+12');
    const statements = await asked(search);
    const together = await asked(() =>
      Promise.all(Array.from({ length: 5 }, () => server.get('/v1/boundaries/search?q=commune+13'))),
    );
    expect(together.length).toBeGreaterThan(0);
    expect(together.length).toBeLessThan(2 * statements.length);
  });

  it('a place for which no boundary is known is looked up once', async () => {
    const { boundaries } = server.services;
    expect(await boundaries.lookup(['iso:ZW'])).toEqual([null]);
    expect(await asked(() => boundaries.lookup(['iso:ZW', 'iso:zw']))).toEqual([]);
    await expect(boundaries.shapes(['r999999999'])).rejects.toThrow('No boundary r999999999');
    await expect(boundaries.shapes(['r999999999'])).rejects.toThrow('No boundary r999999999');
  });

  it('one statement for all that is missing, however many ask at once', async () => {
    const boundaries = createBoundaries(server.services.db);
    const ids = ['r101', 'r102', 'r103', 'r111', 'r112', 'r113'];
    await boundaries.get('r100');
    expect(await asked(() => Promise.all(ids.map((id) => boundaries.get(id))))).toHaveLength(1);
  });

  it('memory stays within its bound, and what does not fit is read again', async () => {
    const small = createBoundaries(server.services.db, { bytes: 40_000 });
    const all = await server.services.db.query<{ id: string }>('select id from boundary order by id');
    const ids = all.map(({ id }) => id);
    const whole = await createBoundaries(server.services.db, { bytes: 1e9 }).resolve(ids);
    for (let round = 0; round < 3; round++) {
      for (const [i, id] of ids.entries()) expect(await small.get(id)).toEqual(whole[i]);
      await small.shapes(ids);
      await small.written(
        whole.map(({ boundary }) => boundary),
        { prefer: ['fr'], names: 'all' },
      );
      await small.withSnapshot((reading) => reading.once(`answer ${round}`, async () => Buffer.alloc(1_000)));
      const { documents, shapes, names, written, answers } = small.held().bytes;
      const parts = leading([documents, shapes, names, written, answers], 5);
      expect(parts.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(40_000);
      expect(documents).toBeGreaterThan(0);
      expect(answers).toBeGreaterThan(0);
    }
  });
});

describe('answers', () => {
  it('are kept for one state of the data', async () => {
    const boundaries = createBoundaries(server.services.db);
    const answer = { bytes: Buffer.from('{}'), headers: { ETag: '"1"' } };
    const kept = () => boundaries.withSnapshot(async (reading) => reading.kept('get 1'));
    expect(await kept()).toBeUndefined();
    await boundaries.withSnapshot(async (reading) => reading.keep('get 1', answer));
    expect(await kept()).toBe(answer);
    await server.services.db.query("update boundary set population = population where id = 'r101'");
    await expect.poll(kept, { timeout: 2_000 }).toBeUndefined();
  });
});

describe('places', () => {
  it('are found by boxes in memory as by the database: inside, on borders, the antimeridian and the poles', async () => {
    const { db, boundaries } = server.services;
    expect(await boundaries.warm()).toBe(true);
    expect(boundaries.held().boxes).toBeGreaterThan(15);
    const without = createBoundaries(db);
    const random = generator();
    const places: PointDegrees[] = [11, 10, 12].flatMap((lat) =>
      [180, -180, 179.5, -179.5, 179.9999999].map((lon) => ({ lat, lon })),
    );
    places.push({ lat: -90, lon: 0 }, { lat: -90, lon: 180 }, { lat: 90, lon: -180 }, { lat: 31, lon: -29 });
    for (let i = 0; i < 200; i++) places.push({ lat: 29.5 + 4 * random(), lon: -30.5 + 7 * random() });
    let found = 0;
    for (const place of places) {
      const ids = await idsAt(boundaries, place);
      expect(ids, JSON.stringify(place)).toEqual(await idsAt(without, place));
      found += ids.length;
    }
    expect(found).toBeGreaterThan(200);
    expect(await asked(() => idsAt(boundaries, defined(places[0])))).toEqual([]);
  });
});

describe('one state of the data', () => {
  const READERS = isNative ? 64 : 8;

  /** Names a province, its communes and their country afresh, in one transaction, as an import does. */
  const rename = (db: Database, n: number) =>
    db.transaction((tx) =>
      tx.query("update boundary set name = split_part(name, ' #', 1) || ' #' || $1::text where id like 'r1__'", [
        String(n),
      ]),
    );

  /** The number in each name of an answer; 0: none. */
  const numbers = (text: string) => [
    ...new Set(
      [
        ...text.replaceAll(/"interpretation":\{[^}]*\}/g, '').matchAll(/"(?:name|local_name)":"[^"#]*?(?: #(\d+))?"/g),
      ].map(([, n]) => Number(n ?? 0)),
    ),
  ];

  const paths = [
    '/v1/boundaries/reverse?lat=31.5&lon=-27.5',
    '/v1/boundaries/r132',
    '/v1/boundaries/r101?include=children',
    '/v1/boundaries/r100/children',
    '/v1/boundaries/search?q=r131',
  ];

  it('no answer mixes two states while another process changes it, and none is a second behind', async () => {
    const { databaseUrl } = server;
    // With a native database, another pool knows nothing of what this one keeps.
    const writer = databaseUrl ? await openDatabase({ databaseUrl, dataDir: server.dataDir }) : server.services.db;
    const committed: { n: number; at: number }[] = [];
    let writing = true;
    const seen = new Set<number>();
    const read = async (reader: number) => {
      for (let i = reader; writing; i++) {
        const started = performance.now();
        const { status, text } = await server.get(defined(paths[i % paths.length]), key);
        expect(status, text).toBe(200);
        const found = numbers(text);
        expect(found, text).toHaveLength(1);
        const due = committed.filter(({ at }) => started - at >= 1000).at(-1)?.n ?? 0;
        expect(found[0]).toBeGreaterThanOrEqual(due);
        seen.add(defined(found[0]));
      }
    };
    try {
      await rename(writer, 1);
      committed.push({ n: 1, at: performance.now() });
      if (!databaseUrl) expect(numbers((await server.get(defined(paths[0]), key)).text)).toEqual([1]);
      await sleep(1000);
      const readers = Array.from({ length: READERS }, (_, i) => read(i));
      const write = async () => {
        for (let n = 2; n <= 12; n++) {
          await rename(writer, n);
          committed.push({ n, at: performance.now() });
          await sleep(n % 3 === 0 ? 1200 : 60);
        }
        writing = false;
      };
      await Promise.all([...readers, write()]);
      expect(seen.size).toBeGreaterThan(3);
    } finally {
      writing = false;
      if (writer !== server.services.db) await writer.close();
      await server.services.db.query("update boundary set name = split_part(name, ' #', 1) where id like 'r1__'");
    }
  }, 60_000);

  it('what this process commits is seen by the very next call', async () => {
    for (let n = 20; n < 30; n++) {
      await rename(server.services.db, n);
      for (const path of paths) expect(numbers((await server.get(path, key)).text)).toEqual([n]);
    }
    await server.services.db.query("update boundary set name = split_part(name, ' #', 1) where id like 'r1__'");
  });

  it('a name by which it is found belongs to it', async () => {
    const { db } = server.services;
    const ids = async () =>
      (await server.get('/v1/boundaries/search?q=zzyzx')).json.items.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual([]);
    const name = only(
      await db.query<{ folded: string }>("select folded from boundary_name where boundary_id = 'r111' limit 1"),
    );
    await db.query("update boundary_name set folded = 'zzyzx' where boundary_id = 'r111' and folded = $1", [
      name.folded,
    ]);
    expect(await ids()).toEqual(['r111']);
    await db.query("update boundary_name set folded = $1 where boundary_id = 'r111' and folded = 'zzyzx'", [
      name.folded,
    ]);
    expect(await ids()).toEqual([]);
  });

  it('what is said of a source belongs to it', async () => {
    const { db } = server.services;
    const before = (await server.get('/v1/boundaries/r111')).json.properties.attribution;
    await db.query("update source set attribution = 'others' where id = 'made'");
    expect((await server.get('/v1/boundaries/r111')).json.properties.attribution).toBe('others');
    const revision = watchRevision(db);
    const held = await revision.current();
    await db.query('update source set imported_at = now()');
    expect(await revision.current()).toBe(held);
    await db.query("update source set attribution = $1 where id = 'made'", [before]);
  });

  it('where announcements are lost, a native database is looked at again while the number is still believed', async () => {
    const { db } = server.services;
    let clock = 0;
    const deaf = { ...db, listen: () => () => undefined } as Database;
    const watch = watchRevision(deaf, () => clock);
    const first = await watch.current();
    await db.query("update boundary set population = 1 where id = 'r111'");
    clock = 290;
    expect(watch.current()).toBe(first);
    clock = 900;
    expect(await watch.current()).toBe(isNative ? first + 1 : first);
    await db.query("update boundary set population = null where id = 'r111'");
  });
});

describe.skipIf(!dataDir)('real data (needs REAL_DATA_DIR)', () => {
  it('2,000 random places and 200 corners of borders in Luxembourg are where PostGIS says they are', async () => {
    const { db, boundaries } = server.services;
    const file = join(dataDir as string, 'osm', 'luxembourg-2018-boundaries.boundaries.osm.pbf');
    await importFile({ db, engine: server.engine }, file, null);
    expect(await boundaries.warm()).toBe(true);
    const random = generator();
    const places: PointDegrees[] = Array.from({ length: 2_000 }, () => ({
      lat: Math.round((49.4 + 0.85 * random()) * 1e7) / 1e7,
      lon: Math.round((5.7 + 0.9 * random()) * 1e7) / 1e7,
    }));
    const corners = await db.query<PointDegrees>(
      `select st_y(p.geom) as lat, st_x(p.geom) as lon
       from boundary_shape s, st_dumppoints(s.geom) p where s.boundary_id ~ '^r[0-9]{4,}'
       order by md5(p.path::text || s.boundary_id) limit 200`,
    );
    places.push(...corners);
    const lats = places.map(({ lat }) => lat);
    const lons = places.map(({ lon }) => lon);
    const rows = await db.query<{ n: number; id: string }>(
      `select a.n::integer as n, s.boundary_id as id
       from unnest($1::float8[], $2::float8[]) with ordinality as a (lat, lon, n)
       join boundary_shape s on s.geom && st_setsrid(st_makepoint(a.lon, a.lat), 4326)
        and st_covers(s.geom, st_setsrid(st_makepoint(a.lon, a.lat), 4326))`,
      [lats, lons],
      { timeoutMs: 120_000 },
    );
    const expected = places.map((): string[] => []);
    for (const { n, id } of rows) defined(expected[n - 1]).push(id);
    let on = 0;
    for (const [i, place] of places.entries()) {
      const found = await idsAt(boundaries, place);
      expect(found, JSON.stringify(place)).toEqual(defined(expected[i]).sort());
      on += found.length;
    }
    expect(on).toBeGreaterThan(3_000);
  }, 180_000);
});
