import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { storeEdition } from '../../src/sources/editions.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureBoundary, ringsOf } from '../ops/fixture_world.ts';
import { MADE, type MadeArea, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
}, 120_000);
afterAll(() => server.close());

const area = (id: string, name: string, cells: MadeArea['cells'], level = 8): MadeArea => ({ id, name, cells, level });
const row = (n: number) => Array.from({ length: n }, (_, i) => i);
const MANY = [...row(6)].map((i) => area(`m${i}`, `Mun ${i}`, rowOf(0, 2 * i, 2 * i + 2)));
const MOVED = MANY.map((one, i) =>
  i === 0 ? { ...one, cells: rowOf(0, 0, 1) } : i === 1 ? { ...one, cells: rowOf(0, 1, 4) } : one,
);
const CANTONS = [area('m0', 'Canton A', rowOf(0, 0, 6), 4), area('m1', 'Canton B', rowOf(0, 6, 12), 4)];

const tables = [
  'boundary',
  'boundary_shape',
  'boundary_name',
  'boundary_parent',
  'arc',
  'arc_conflict',
  'source',
  'import_run',
];
/** A hash of each table of today. */
async function today(): Promise<Record<string, unknown>> {
  const hashes: Record<string, unknown> = {};
  for (const table of tables) {
    const [one] = await server.services.db.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ${table} t`,
    );
    hashes[table] = one?.hash;
  }
  return hashes;
}
/** What is stored of a source, by what does not depend on numbers that sequences give. */
const intervals = (source: string) =>
  server.services.db.query(
    `select i.boundary_id, b.name, encode(b.geometry_hash, 'hex') as shape, i.valid_from::text, i.valid_to::text,
            array(select p.parent from edition_parent p where p.state = i.state order by p.parent) as parents,
            array(select encode(a.hash, 'hex') from edition_shape s cross join unnest(s.arc_ids) r (id)
                  join edition_arc a on a.id = r.id where s.id = b.shape order by 1) as arcs
     from edition_interval i join edition_boundary b on b.state = i.state
     where i.source = $1 and i.recorded_to is null order by 1, 4`,
    [source],
  );

it('gives the same store in any order, and changes nothing of today', async () => {
  await storeMade(server, null, MANY);
  const before = await today();
  const editions = { '2010-01-01': MANY, '2015-01-01': MOVED, '2020-01-01': [...MOVED.slice(1)] };
  const orders = [
    ['2010-01-01', '2015-01-01', '2020-01-01'],
    ['2010-01-01', '2020-01-01', '2015-01-01'],
    ['2020-01-01', '2015-01-01', '2010-01-01'],
  ] as const;
  const stores: unknown[] = [];
  for (const order of orders) {
    for (const date of order) await storeMade(server, date, editions[date]);
    stores.push(await intervals('made'));
    await server.services.db.query('delete from edition_interval');
    await server.services.db.query('delete from edition');
  }
  // Two borders moved in 2015; without Mun 0, the border of Mun 1 is cut into other arcs in 2020.
  expect((stores[0] as unknown[]).length).toBe(9);
  expect(stores[1]).toEqual(stores[0]);
  expect(stores[2]).toEqual(stores[0]);
  expect(await today()).toEqual(before);
}, 120_000);

it('keeps the id of today where editions are stored after an import without a date', async () => {
  const coverage = { ...MADE, source: 'after' };
  const ids = async () => {
    const rows = await server.services.db.query<{ source_id: string; ids: string[] }>(
      `select regexp_replace(source_id, '^.*/', '') as source_id, array_agg(distinct id) as ids
       from (select source_id, id, source from boundary union all select source_id, id, source from edition_boundary) b
       where source = 'after' group by 1 order by 1`,
    );
    return rows.map(({ source_id, ids: some }) => [source_id, ...some]);
  };
  await storeMade(server, null, MANY, coverage);
  const before = await ids();
  await storeMade(server, '2010-01-01', MANY, coverage);
  await storeMade(server, '2015-01-01', MOVED, coverage);
  expect(await ids()).toEqual(before);
  // The same code at another level is another area.
  await storeMade(server, '2015-01-01', CANTONS, coverage);
  expect((await ids()).map((of) => of.length - 1)).toEqual([2, 2, 1, 1, 1, 1]);
}, 60_000);

it('refuses an edition with the id that another source has today, other than seed data', async () => {
  const { db, engine } = server.services;
  const id = 'r4242';
  const named = (name: string, seed: boolean) => ({
    source: { id: name, name, url: null, license: 'CC0', attribution: '', resolution: null, seed },
    file: name,
  });
  const square = ringsOf([[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]]); // biome-ignore format: one point after the other
  const boundaries = [fixtureBoundary(id, 'Taken', square)];
  await storeBoundaries({ db, engine }, { ...named('mapped', false), boundaries });
  const about = named('other', false);
  const store = () => storeEdition({ db, engine }, about, [{ ...about, boundaries }], '2010-01-01');
  await expect(store()).rejects.toThrow(`${id} is the id of another boundary`);
  await db.query("update source set seed = true where id = 'mapped'");
  expect((await store()).inEdition).toBe(1);
}, 60_000);

it('stores what editions have in common once', async () => {
  const first = await storeMade(server, '2010-01-01', MANY);
  const again = await storeMade(server, '2011-01-01', MANY);
  expect([first.inEdition, again.inEdition]).toEqual([6, 6]);
  expect([again.newArcs, again.newShapes, again.newStates]).toEqual([0, 0, 0]);
}, 60_000);

it('makes one arrangement of files of one source and date, with parents among them', async () => {
  const { source, ...rest } = {
    source: 'layers',
    license: 'CC0',
    attribution: 'Made',
    country: 'TD',
    map: { id: 'id', name: 'name', admin_level: 'level' },
  };
  for (const [date, files] of [
    ['2010-01-01', [MANY, CANTONS]],
    ['2012-01-01', [CANTONS, MANY]],
  ] as const) {
    for (const areas of files) await storeMade(server, date, areas, { source, ...rest });
  }
  const stored = (await intervals('layers')) as unknown as {
    boundary_id: string;
    name: string;
    parents: string[];
    valid_from: string;
    valid_to: string | null;
  }[];
  // The second edition is the same, though its files came in another order.
  expect(stored.map(({ valid_from, valid_to }) => [valid_from, valid_to])).toEqual(
    stored.map(() => ['2010-01-01', null]),
  );
  const canton = stored.find(({ name }) => name === 'Canton A')?.boundary_id;
  expect(
    stored
      .filter(({ parents }) => parents.includes(canton ?? ''))
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Mun 0', 'Mun 1', 'Mun 2']);
}, 60_000);

it('stores a second file of editions of which another source has some arcs and shapes', async () => {
  for (const [source, municipalities] of [
    ['one', MANY],
    ['two', MOVED],
  ] as const) {
    await storeMade(server, '2010-01-01', municipalities, { ...MADE, source });
    expect((await storeMade(server, '2010-01-01', CANTONS, { ...MADE, source })).inEdition).toBe(8);
  }
}, 60_000);

it('keeps nothing of an edition whose import fails at its end', async () => {
  const before = await intervals('made');
  const { db } = server.services;
  await db.exec(`create function refuse_edition() returns trigger language plpgsql as
                 $$ begin raise exception 'no edition now'; end $$;
                 create trigger refuse_edition before insert on edition_layer execute function refuse_edition()`);
  await expect(storeMade(server, '2016-01-01', MOVED)).rejects.toThrow('no edition now');
  await db.exec('drop trigger refuse_edition on edition_layer; drop function refuse_edition()');
  expect(await intervals('made')).toEqual(before);
  expect((await storeMade(server, '2016-01-01', MOVED)).inEdition).toBe(6);
}, 60_000);

it('hides every column of the tables of today behind the views of a date', async () => {
  const rows = await server.services.db.query<{ table_name: string; columns: string }>(
    `select table_name, table_schema = current_schema() || '_as_of' as past, string_agg(column_name || ' ' || udt_name, ',' order by column_name) as columns
     from information_schema.columns
     where table_name in ('boundary', 'boundary_shape', 'boundary_name', 'boundary_parent', 'arc', 'arc_conflict', 'source')
       and table_schema in (current_schema(), current_schema() || '_as_of') and column_name <> 'recorded_in'
     group by 1, 2 order by 1, 2`,
  );
  expect(rows.length).toBe(14);
  for (let i = 0; i < rows.length; i += 2) expect(rows[i + 1]?.columns).toBe(rows[i]?.columns);
});

it('looks boundaries of a date up by their ids in the tables of editions and of today', async () => {
  const plan = await server.services.db.transaction(async (tx) => {
    await tx.query(loadQuery('edition_as_of'), ['2012-01-01']);
    await tx.query('set local enable_seqscan = off');
    await tx.query('set local enable_hashjoin = off');
    await tx.query('set local enable_mergejoin = off');
    const rows = await tx.query<{ 'QUERY PLAN': string }>(
      `explain select b.name, s.arcs from unnest(array['r1', 'r2']) k (id)
       join boundary b on b.id = k.id join boundary_shape s on s.boundary_id = b.id`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  for (const scanned of ['edition_boundary b', 'boundary b_1', 'edition_boundary b_2', 'boundary_shape s']) {
    expect(plan, scanned).toMatch(new RegExp(`Index Scan using \\w+ on ${scanned} .*\\n\\s*Index Cond: `));
  }
});

/** The plan of a join of two boundaries by id with their shapes and names, over the views that `prepare` sets. */
async function planOver(prepare: (tx: Queryable) => Promise<unknown>): Promise<string> {
  return server.services.db.transaction(async (tx) => {
    await prepare(tx);
    await tx.query('set local enable_seqscan = off');
    await tx.query('set local enable_hashjoin = off');
    await tx.query('set local enable_mergejoin = off');
    const rows = await tx.query<{ 'QUERY PLAN': string }>(
      `explain select b.name, s.arcs, n.folded from unnest(array['r1', 'set:a/b']) k (id)
       join boundary b on b.id = k.id join boundary_shape s on s.boundary_id = b.id
       join boundary_name n on n.boundary_id = b.id`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

const TODAY = ['boundary', 'boundary_shape', 'boundary_name'];
const DATED = [...TODAY, 'edition_boundary', 'edition_name', 'edition_shape'];
const SETS = ['set_boundary', 'set_shape', 'set_name'];
const PAST = ['past_boundary', 'past_boundary_shape', 'past_boundary_name'];

it.each([
  {
    what: 'areas of sets and boundaries of a date',
    tables: [...DATED, ...SETS],
    prepare: async (tx: Queryable) => {
      await tx.query(loadQuery('edition_as_of'), ['2012-01-01']);
      await tx.query(loadQuery('sets_view'), ['1', true]);
    },
  },
  {
    what: 'areas of sets and boundaries of today',
    tables: [...TODAY, ...SETS],
    prepare: (tx: Queryable) => tx.query(loadQuery('sets_view'), ['1', true]),
  },
  {
    what: 'boundaries of a date in a past state',
    tables: [...DATED, ...PAST],
    prepare: async (tx: Queryable) => {
      await tx.query(loadQuery('data_as_recorded'), ['1', '']);
      await tx.query(loadQuery('edition_as_of'), ['2012-01-01']);
    },
  },
])('looks $what up by the indexes of all tables', async ({ prepare, tables }) => {
  const plan = await planOver(prepare);
  expect(plan, plan).not.toMatch(/Seq Scan on|Subquery Scan/);
  const indexes = await server.services.db.query<{ index: string; table: string; first: string }>(
    `select c.relname as index, t.relname as table, a.attname as first
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     join pg_attribute a on a.attrelid = i.indexrelid and a.attnum = 1
     where t.relnamespace = current_schema()::regnamespace`,
  );
  const scans = [...plan.matchAll(/Index (?:Only )?Scan (?:using|on) (\w+).*\n\s*(.*)/g)].map(
    ([, index, condition]) => ({
      ...indexes.find((one) => one.index === index),
      condition,
    }),
  );
  expect(new Set(scans.map(({ table }) => table)), plan).toEqual(new Set(tables));
  // Without a condition on its first column an index is walked from its first entry to its last.
  for (const { first, condition } of scans) expect(condition, plan).toMatch(new RegExp(`Index Cond: \\(+${first} = `));
});
