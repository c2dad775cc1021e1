import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadQuery, type StatementName } from '../../src/db/query.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { writtenStatements } from '../setup/describe_statements.ts';

const COUNT = 64_000;
const COLUMNS = 320;

/** Rows of every table of boundaries: squares of one degree or less, one in 400 a state in which the next 399 lie. */
const MADE = [
  `insert into source (id, name, licence, attribution) values ('osm', 'Made', 'CC0-1.0', 'the tests')`,
  `insert into boundary (id, source, source_id, source_version, version, type, name, names, kind, kind_known, admin_level,
     country, countries, country_code, iso, wikidata, tags, subareas, other_names, codes, ways, west, south, east, north,
     lat, lon, area_km2, has_geometry, geometry_hash, ring_hash, meta_hash)
   select 'r' || i, 'osm', 'r' || i, '1', 1, case when i % 50 = 7 then 'postal_code' else 'administrative' end,
     'Name ' || md5(i::text), '{}', case when i % 400 = 0 then 'state' else 'municipality' end, true,
     case when i % 400 = 0 then 4 else 8 end, c.code, array[c.code], case when i % 16000 = 0 then c.code end,
     case when i % 400 = 0 then c.code || '-' || i end, 'Q' || i, jsonb_build_object('note', repeat(md5(i::text), 10)), '{}',
     '[]', '{}', array[i, i + ${COUNT}], w.x, w.y, w.x + 10000000, w.y + 8000000, w.y + 4000000, w.x + 5000000, 9000, true,
     sha256(i::text::bytea), sha256(i::text::bytea), sha256(i::text::bytea)
   from generate_series(1, ${COUNT}) as i,
     lateral (select (array['AA', 'BB', 'CC', 'DD', 'EE', 'FF', 'GG', 'HH'])[1 + i / 8001] as code) c,
     lateral (select ((i % ${COLUMNS})::bigint * 11000000 - 1790000000)::integer as x, (i / ${COLUMNS}) * 8400000 - 850000000 as y) w`,
  `insert into boundary_name (boundary_id, type, lang, folded, ascii, weight)
   select 'r' || i, 'name', case when k > 0 then 'l' || k end, t.text, t.text, 3 + 5 * (random() > 0.99)::integer
   from generate_series(1, ${COUNT}) as i, generate_series(0, 2) as k,
     lateral (select case when i % 20 = 1 then 'san ' else '' end || translate(md5(i || ' ' || k), '0123456789', 'ghijklmnop') as text) t`,
  `insert into arc (id, hash, coords, weights, ends, exact, revision, area, turn, reach, box, reach_box)
   select i, sha256(i::text::bytea), '\\x00', '\\x00', '\\x00', 0, 1, 0, 0, '\\x05',
     box(point(w.x + 1000000, w.y + 1000000), point(w.x, w.y)),
     box(point(w.x + 2000000, w.y + 2000000), point(w.x - 1000000, w.y - 1000000))
   from generate_series(1, ${2 * COUNT}) as i,
     lateral (select ((i % ${COLUMNS})::bigint * 11000000 - 1790000000)::integer as x, ((i % ${COUNT}) / ${COLUMNS}) * 8400000 - 850000000 as y) w`,
  `insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom)
   select id, array[i, -(i + ${COUNT})], '{2}', '{1}', array[i, i + ${COUNT}],
     st_multi(st_makeenvelope(west / 1e7, south / 1e7, east / 1e7, north / 1e7, 4326))
   from boundary, lateral (select substr(id, 2)::bigint as i) n`,
  `insert into way (id, version, tags, node_refs, coords)
   select i, 1, '{}', array(select 8::bigint * i + k from generate_series(0, 7) as k), '\\x00'
   from generate_series(1, ${2 * COUNT}) as i`,
  `insert into boundary_parent (child, parent, share, position)
   select 'r' || i, 'r' || (i / 400) * 400, 1, 0 from generate_series(401, ${COUNT}) as i where i % 400 <> 0`,
  `insert into arc_conflict (a, b, kind, x, y)
   select i, i + 1, 'cross', 0, 0 from generate_series(1, ${COUNT}, 7) as i`,
  `insert into osm_relation (id, version, tags, member_types, member_refs, member_roles)
   select i, 1, jsonb_build_object('note', repeat(md5(i::text), 10)), 'wwn', array[i, i + ${COUNT}, i],
     '{outer,outer,label}'
   from generate_series(1, ${COUNT}) as i`,
  `insert into osm_node (id, version, tags) select i, 1, jsonb_build_object('name', md5(i::text)) from generate_series(1, ${COUNT}) as i`,
  `insert into boundary_gone (id, version, reason, name, type, kind, wikidata, iso)
   select 'r' || (i + 1000000), 1, 'deleted', 'Name', 'administrative', 'municipality', 'Q' || (i + 1000000), null
   from generate_series(1, ${COUNT}) as i`,
  `insert into upstream_fetch (key, outcome, ids, asked_at, holds_until)
   select 'r' || i, 'found', array['r' || i], now(), now() + interval '1 day' * i from generate_series(1, ${COUNT}) as i`,
  `update boundary set stale = jsonb_build_object('reason', 'missing way 1', 'since', now())
   where id in (select 'r' || i from generate_series(5, ${COUNT}, 999) as i)`,
  `insert into unshaped (boundary_id, extent, country, basis)
   select 'r' || i, st_makeenvelope(i / 400.0 - 80, 0, i / 400.0 - 79.9, 0.1, 4326), case when i % 999 = 1 then 'AA' when i % 3 = 0 then c.code end, 'points'
   from generate_series(6, ${COUNT}) as i, lateral (select chr(65 + i % 26) || chr(65 + i % 23) as code) c`,
  `update boundary set broken = jsonb_build_object('reason', 'missing way 1'), has_geometry = false
   where id in (select 'r' || i from generate_series(6, ${COUNT}, 999) as i)`,
  `insert into boundary_alias (id, boundary_id) select 'r' || (i + 9000000), 'r' || i from generate_series(1, ${COUNT}, 7) as i`,
];

const all = [null, null, null];
const one = ['r8001'];
const few = ['r801', 'r802', 'r803'];

/** Every statement that a request or a change of the map waits for, with values as they come. */
const HOT: readonly (readonly [name: StatementName, values: readonly unknown[]])[] = [
  ['search_names', ['gna', 'gna', null, false, ...all, 300, null, null]],
  ['search_names', ['gna', 'gna', null, false, ...all, 300, ['r1', 'r2'], ['AA']]],
  ['search_exact', [['gna', 'sangna'], null, null, ...all, 100]],
  ['search_exact', [['gna', 'sangna'], ['r1', 'r2'], ['AA'], ...all, 100]],
  ['search_containers', [['gna', 'aa']]],
  ['search_names', ['san', 'san', 'r7', false, ['AA', 'BB'], 'municipality', 8, 300, null, null]],
  ['search_typos', ['sangna', ['sangn', 'sagna'], '!', 200, ...all, null, null]],
  ['search_near', ['san', [10, 10], [45, 47], [13, 13], ...all, 300]],
  ['search_index', ['san', 'r7', 'name', 20]],
  ['search_index_places', ['r7', 20]],
  ['reverse_candidates', [8.5, 47.2, 8.5]],
  ['reverse_candidates', [180, 47.2, -180]],
  ['reverse_candidates_of_sets', [180, 47.2, -180]],
  ['boundary_boxes', ['r801', 20]],
  ['boundary_children', ['r800', 4, 'level', null]],
  ['boundary_children', ['r800', 4, 'level', 8]],
  ['boundary_children', ['r800', 4, 'direct', null]],
  ['boundary_children', ['r800', 4, 'all', null]],
  ['boundary_has_children', ['r800', 4, 8]],
  ['boundary_neighbors', ['r801', [801, -64801], [1, 1], [0], [0], ['0000000000000000'], 'level', 8]],
  ['boundary_names', [few, ['de', 'fr']]],
  ['boundary_shapes', [few]],
  ['tile_boundaries', [5.7, 49.4, 6.6, 50.2, 8, 2_000, ['de']]],
  ['tile_boundaries', [179.9, -17, -179.9, -16, 8, 2_000, []]],
  ['boundary_resolve', [few, ['Q5', 'Q6'], ['BB-8400', 'BB']]],
  ['boundary_has_postcodes', [['AA']]],
  ['ring_hashes', [few, 0]],
  ['shape_load', [few, [], [], []]],
  ['shape_load', [[], [5, 6, 7], [1, 1], ['r801', 'r802']]],
  ['unshaped_touched', [['r801', 'r8001']]],
  ['unshaped_touched', [few]],
  ['unshaped_among', [few]],
  ['unshaped_rows', [few]],
  ['unshaped_ways', [[1, 2, 3]]],
  ['unshaped_users', [[1, 2, 3]]],
  ['unshaped_members', [few]],
  [
    'unshaped_around',
    [
      [85_000_000, 90_000_000],
      [472_000_000, 472_000_000],
      [8, 8],
    ],
  ],
  ['unshaped_carriers', [['AA', 'BB']]],
  ['unshaped_parents', [few]],
  ['unshaped_clear', [one]],
  ['store_places', [[801, 802]]],
  ['store_boundaries', [few, 'osm', ['r7', 'r8'], [5, 6]]],
  ['store_edition_days', [few, few.map(() => 'osm'), few.map(() => 'administrative'), few.map(() => 8)]],
  ['store_ways', [[1, 2, 3]]],
  ['update_ways_of_nodes', [[80_001, 90_002]]],
  ['update_known', ['relation', [1, 2, 3]]],
  ['update_known', ['way', [1, 2, 3]]],
  ['update_known', ['node', [1, 2, 3]]],
  ['update_nodes', [[1, 2, 3]]],
  ['update_ways', [[1, 2, 3]]],
  ['update_relations', [[1, 2, 3]]],
  ['update_relations_of_nodes', [[801, 802]]],
  ['update_ring_members', [[801, 802], few]],
  [
    'update_drop_nodes',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['update_drop_ways', [[1, 2], [1], ['r801']]],
  ['update_waiting', []],
  [
    'store_drop_raw',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['store_ways_of_boundaries', [few]],
  ['tombstone_find', [few]],
  ['tombstone_candidates', [few]],
  ['tombstone_put', [few, [1, 1, 1], ['deleted', 'deleted', 'deleted'], [null, null, null]]],
  ['tombstone_settle', [few]],
  ['stale_list', []],
  ['data_status', []],
  ['upstream_due', [1]],
  ['upstream_claim', ['r801', 'here', 60, false]],
  ['upstream_refetch', [few, 600]],
  ['store_arc_ids', [[Buffer.alloc(32), Buffer.alloc(32, 1)], 0]],
  ['store_arcs', [[4, 5]]],
  ['store_former_arcs', [few, 0]],
  ['store_arc_reach', [[4, 5]]],
  ['store_reach_around', [[0, 90_000_000], [0, 0], [1_000_000, 91_000_000], [1_000_000, 1_000_000], 0]],
  ['store_arcs_around', [[0, 90_000_000], [0, 0], [1_000_000, 91_000_000], [1_000_000, 1_000_000], [12, 12], [5], 0]],
  ['store_has_near', [[0, 90_000_000], [0, 0], [1_000_000, 91_000_000], [1_000_000, 1_000_000], 0]],
  ['store_conflict_partners', [[4, 5]]],
  ['store_owners', [[4, 5], few]],
  ['store_users', [[4, 5]]],
  ['store_set_ring_hashes', [few, 0]],
  ['store_drop_dead_arcs', [[4, 5]]],
  ['hierarchy_candidates', [one]],
  ['hierarchy_clear', [one]],
  ['hierarchy_descendants', [one]],
  ['hierarchy_drop_names', [one]],
  ['hierarchy_order', [few]],
  ['hierarchy_rows', [few]],
];

const SCAN =
  /Seq Scan on (boundary|boundary_name|boundary_shape|boundary_parent|boundary_alias|boundary_gone|arc|arc_conflict|way|osm_relation|osm_node|upstream_fetch|unshaped)\b/;

let test: TestDatabase;
beforeAll(async () => {
  if (!isNative) return;
  test = await testDatabase({ deadlineMs: 120_000 });
  for (const statement of MADE) await test.db.query(statement);
  await test.db.query('vacuum analyze');
}, 180_000);
afterAll(() => test?.close());

const writtenByName = new Map(writtenStatements().map((written) => [written.name, written]));

/** The plan of a statement: of a prepared one that which a session keeps, whatever the values. */
async function planOf(name: StatementName, values: readonly unknown[]): Promise<string> {
  const lines = await test.db.transaction(async (tx) => {
    await tx.query(loadQuery('search_threshold'), ['0.4']);
    if (writtenByName.get(name)?.prepared) await tx.query('set local plan_cache_mode = force_generic_plan');
    return tx.query<{ 'QUERY PLAN': string }>(`explain ${loadQuery(name)}`, values);
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe.skipIf(!isNative)(`plans over ${COUNT} boundaries (needs TEST_DATABASE_URL)`, () => {
  it('has them', async () => {
    const [row] = await test.db.query('select count(*)::integer as boundaries from boundary');
    expect(row).toEqual({ boundaries: COUNT });
    const scan = await test.db.query<{ 'QUERY PLAN': string }>("explain select id from boundary where place = 'x'");
    expect(scan[0]?.['QUERY PLAN']).toMatch(SCAN);
  });

  it.each(HOT)('%s reads no table from end to end: %j', async (name, values) => {
    const plan = await planOf(name, values);
    expect(plan).toMatch(/Index/);
    expect(plan).not.toMatch(SCAN);
  });

  it('looks at every statement that is prepared', () => {
    const prepared = [...writtenByName.values()].filter((written) => written.prepared).map(({ name }) => name);
    expect(prepared.length).toBeGreaterThan(5);
    const named = new Set<string>(HOT.map(([name]) => name));
    expect(prepared.filter((name) => !named.has(name) && name !== 'keys_by_hash')).toEqual([]);
  });

  it('looks at every statement that reads shapes or arcs for a request, or a change of the map', async () => {
    const named = new Set<string>(HOT.map(([name]) => name));
    const hot = writtenStatements()
      .map(({ name }) => name)
      .filter((name) => /^(search|reverse|shape|ring|update|gone)_/.test(name));
    // These read a setting, count up to a bound, and read how far each replication folder was taken in.
    const small = ['search_threshold', 'search_index_size', 'update_state', 'update_advance'];
    expect(hot.filter((name) => !named.has(name) && !small.includes(name))).toEqual([]);
  });
});
