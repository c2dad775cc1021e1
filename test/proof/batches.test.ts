import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { importInBatches } from './importer.ts';
import { MADE_SOURCE, madeBoundary, rectangle } from './made.ts';

const data = process.env.REAL_DATA_DIR;
const file = () => join(data as string, 'osm/liechtenstein-2024.boundaries.osm.pbf');
const WHOLE = 1_000_000;
/** Less than the country's outline has: nearly every boundary is a batch of its own. */
const SMALL = 600;

let open: TestDatabase | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function withEngine<T>(test: TestDatabase, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = new Engine(test.db, {
    threads: 1,
    arcBytes: 2 ** 26,
    cache: createCache(2 ** 20),
    maxResponseBytes: 2 ** 20,
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** All that an import leaves, without the numbers and times that differ from run to run. */
async function stored({ db }: TestDatabase) {
  const [counts] = await db.query(
    `select (select count(*) from arc) as arcs, (select count(*) from way) as ways, 
            (select count(*) from osm_relation) as relations, (select count(*) from boundary_name) as names,
            (select count(*) from arc_conflict) as conflicts,
            (select count(*) from arc a where not exists (select from boundary_shape s where s.arc_ids @> array[a.id])) as dead`,
  );
  const boundaries = await db.query(
    `select b.id, b.kind, b.country, b.has_geometry, encode(b.geometry_hash, 'hex') as geometry, round(b.area_km2::numeric, 6) as area, b.stale, b.broken,
            array(select p.parent || ' ' || round(p.share::numeric, 4) from boundary_parent p where p.child = b.id order by p.position) as parents
     from boundary b order by b.id`,
  );
  const arcs = await db.query(
    `select encode(hash, 'hex') as hash, encode(sha256(weights || ends || int8send(exact)), 'hex') as tiers from arc order by hash`,
  );
  return { counts, boundaries, arcs };
}

async function importedWhole(): Promise<Awaited<ReturnType<typeof stored>>> {
  const test = await testDatabase();
  try {
    await withEngine(test, (engine) => importInBatches({ db: test.db, engine }, file(), WHOLE));
    return await stored(test);
  } finally {
    await test.close();
  }
}

describe.skipIf(!data)('an import in batches (needs REAL_DATA_DIR)', () => {
  it('stores what an import in one piece stores, and again changes nothing', async () => {
    const whole = await importedWhole();
    const test = await testDatabase();
    open = test;
    await withEngine(test, async (engine) => {
      const steps: string[] = [];
      await importInBatches({ db: test.db, engine }, file(), SMALL, (step) => steps.push(step));
      expect(steps.filter((step) => step.endsWith(' written')).length).toBeGreaterThan(5);
      expect(await stored(test)).toEqual(whole);
      const again = await importInBatches({ db: test.db, engine }, file(), SMALL);
      expect(again).toMatchObject({ added: 0, replaced: 0, reassembled: 0, unchanged: again.read });
      expect(await stored(test)).toEqual(whole);
    });
  }, 120_000);

  it.skipIf(!isNative)(
    'killed in the middle is resumed by running it again: nothing twice, nothing lost',
    async () => {
      const whole = await importedWhole();
      const test = await testDatabase();
      open = test;
      const script = join(import.meta.dirname, 'importer.ts');
      const args = ['--import', 'tsx', script, test.databaseUrl as string, file(), String(SMALL)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      let written = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.endsWith(' written') || ++written < 3) continue;
        child.kill('SIGKILL');
        break;
      }
      expect(await exit).toEqual([null, 'SIGKILL']);
      const left = await stored(test);
      expect(left.boundaries.length).toBeGreaterThan(0);
      expect(left.boundaries.length).toBeLessThan(whole.boundaries.length);
      expect(left.counts).toMatchObject({ dead: 0 });
      await withEngine(test, async (engine) => {
        const summary = await importInBatches({ db: test.db, engine }, file(), SMALL);
        // What was stored shares ways with what was not: it is made again, and comes out the same.
        expect(summary.unchanged + summary.replaced).toBe(left.boundaries.length);
        expect(summary.added).toBe(whole.boundaries.length - left.boundaries.length);
      });
      expect(await stored(test)).toEqual(whole);
    },
    120_000,
  );
});

describe('an import beside stored borders', () => {
  it('says what it works on while it compares the two', async () => {
    const test = await testDatabase();
    open = test;
    await withEngine(test, async (engine) => {
      const box = (shift: number) =>
        madeBoundary(`box ${shift}`, [rectangle(62_000_000 + shift, 495_500_000, 63_000_000 + shift, 496_000_000)]);
      const steps: string[] = [];
      for (const shift of [0, 70]) {
        const input = { source: MADE_SOURCE, file: 'made', boundaries: [box(shift)] };
        await storeBoundaries({ db: test.db, engine }, input, (step) => void (shift > 0 && steps.push(step)));
      }
      expect(steps).toContain('borders: 1 new lines beside 1 stored arcs');
      for (const what of ['weights', 'ends', 'digits'])
        expect(steps.some((step) => step.startsWith(`detail levels near stored borders: ${what} of `))).toBe(true);
    });
  }, 120_000);
});

/** A node of a plan that ran, as explain prints it. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows of a table that a plan read. */
function rowsRead(node: PlanNode, table: string): number {
  const own = node['Relation Name'] === table ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
  return (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one, table), own * node['Actual Loops']);
}

describe('arcs and their conflicts', () => {
  it('are read at a cost that grows with them, before statistics know of any', async () => {
    const test = await testDatabase();
    open = test;
    const { db } = test;
    const boxes = Array.from({ length: 80 }, (_, i) => {
      const [west, south] = [60_000_000 + 90_000 * (i % 10), 490_000_000 + 90_000 * Math.floor(i / 10)];
      return madeBoundary(`box ${i}`, [rectangle(west, south, west + 50_000, south + 50_000)]);
    });
    await withEngine(test, (engine) =>
      storeBoundaries({ db, engine }, { source: MADE_SOURCE, file: 'made', boundaries: boxes }),
    );
    const ids = (await db.query<{ id: number }>('select id from arc order by id')).map(({ id }) => id);
    expect(ids.length).toBe(80);
    // Of 45 arcs, each with each; the others have none.
    const crossing = new Set(ids.slice(0, 45));
    await db.query(
      `insert into arc_conflict (a, b, kind, x, y)
       select a, b, 'cross', 0, 0 from unnest($1::bigint[]) as a join unnest($1::bigint[]) as b on a < b`,
      [[...crossing]],
    );
    const conflicts = (45 * 44) / 2;
    const box = [59_000_000, 489_000_000, 63_000_000, 493_000_000].map((side) => [side]);
    for (const [name, values] of [
      ['store_arcs', [ids]],
      ['store_arcs_around', [...box, [13], [], 0]],
    ] as const) {
      const rows = await db.query<{ id: number; conflicted: boolean }>(loadQuery(name) as string, values);
      expect(new Map(rows.map((row) => [row.id, row.conflicted]))).toEqual(
        new Map(ids.map((id) => [id, crossing.has(id)])),
      );
      const explained = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${loadQuery(name)}`,
        values,
      );
      const read = explained.reduce((sum, row) => sum + rowsRead(row['QUERY PLAN'][0].Plan, 'arc_conflict'), 0);
      expect(read, name).toBeGreaterThan(0);
      expect(read, name).toBeLessThanOrEqual(4 * (80 + conflicts));
    }
  }, 300_000);
});

describe('batches that are built at the same time', () => {
  // A bay of 33 km, wide enough that no way around it comes into the cell of half a degree in which an islet lies.
  const bay = [
    [5.95, 49.75, 5.95, 49.45],
    [5.95, 49.45, 6.55, 49.45],
    [6.55, 49.45, 6.55, 49.75],
    [6.55, 49.75, 6.9, 49.75, 6.9, 49],
    [6.9, 49, 5.6, 49],
    [5.6, 49, 5.6, 49.75, 5.95, 49.75],
  ].map((chain) => Int32Array.from(chain, (degrees) => Math.round(degrees * 1e7)));
  const ways = new Map(
    bay.map((coords, i) => [i + 1, { id: i + 1, version: 1, tags: {}, refs: null, coords, missing: null }]),
  );
  const land = { ...madeBoundary('land', []), border: { ways: [...ways.keys()] } };
  const islet = madeBoundary('islet', [rectangle(62_000_000, 495_500_000, 63_000_000, 496_000_000)]);

  it.each([
    ['land first', [land, islet]],
    ['islet first', [islet, land]],
  ])('see each other where one lies in the reach of the other: %s', async (_, boundaries) => {
    const seen: unknown[] = [];
    for (const batchSize of [undefined, { aim: 1, most: WHOLE }]) {
      const test = await testDatabase();
      try {
        const input = { source: MADE_SOURCE, file: 'made', boundaries, ways, batchSize };
        const steps: string[] = [];
        await withEngine(test, (engine) =>
          storeBoundaries({ db: test.db, engine }, input, (step) => void steps.push(step)),
        );
        expect(steps.filter((step) => step.endsWith(' written'))).toHaveLength(batchSize ? 2 : 1);
        seen.push((await stored(test)).arcs);
      } finally {
        await test.close();
      }
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});
