/** What a call reads of a set, or beside sets, does not grow with what other organizations store: rows are counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadQuery, type StatementName } from '../../src/db/query.ts';
import { oneEditAway } from '../../src/domain/search/typos.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { makeCrowd, OWN_AREAS } from './crowd.ts';

/** Beside 165,000 areas of others. An embedded database takes minutes to be filled so. */
const SIZE = { official: 80_000, others: 33 };
/** Rows of a table that a statement may read: some for each area of `own`, and areas of others at one place. */
const MOST_ROWS = 5 * OWN_AREAS;

const any = [null, null, null];
const READS: readonly (readonly [what: string, name: StatementName, values: readonly unknown[]])[] = [
  ['search by the start of a name', 'search_names', ['area 1', 'area1', null, false, ...any, 300, null, null]],
  ['search by a whole name', 'search_exact', [['area 17'], null, null, ...any, 100]],
  ['search by trigrams', 'search_typos', ['area 177', ['ara 17', 'rea 17'], '!', 200, ...any, null, null]],
  ['search by spellings', 'search_typos', [null, oneEditAway('arae'), '!', 200, ...any, null, null]],
  ['search near a point', 'search_near', ['area', [0, 0], [-30, -29], [1, 1], ...any, 300]],
  ['an area of the set by id', 'boundary_resolve', [['set:own/17'], [], []]],
  ['an official boundary by id', 'boundary_resolve', [['r17'], [], []]],
  ['names', 'boundary_names', [['set:own/17', 'r17'], ['de']]],
  ['documents', 'boundary_shapes', [['set:own/17', 'r17']]],
  ['hashes', 'ring_hashes', [['set:own/17', 'r17'], 0]],
  ['shapes', 'shape_load', [['set:own/17', 'set:own/18', 'r17'], [], [], []]],
  ['the box of an area', 'selection_shapes', [['set:own/17', 'r17']]],
  ['reverse', 'reverse_candidates_of_sets', [1.705, -29.995, 1.705]],
  ['what is near an area', 'area_near', [['set:own/17'], null, [], [], [], [], 8, 0.1, 0.1, false, 1_000]],
  ['the areas of the set', 'boundary_areas_of_set', ['set:own']],
  ['a selection of the set', 'selection_set', ['set:own', 6_000]],
  ['a tile of the set', 'tile_set_areas', ['set:own', 0, -30, 2, -28, 5_000]],
  ['children of an official boundary', 'boundary_children', ['r800', 4, 'level', null]],
  ['what an area is overlaid with', 'boundary_overlaid', ['set:own/17', 'administrative', null, 1_000]],
  ['areas beside an official boundary', 'boundary_overlaid', ['r17', 'administrative', null, 1_000]],
  ['children of places in words', 'area_children', [['r800', 'set:own/17'], [], [], [], [], 4, 300]],
  ['shores', 'area_shore_ways', [['set:own/17', 'r17']]],
  ['a selection by a country', 'selection_place', ['ZZ', null, null, 1_000, null, null, null, null]],
  ['whether it has children', 'boundary_has_children', ['r800', null, null]],
  ['nested members', 'dissolve_nested', [['set:own/17', 'r800', 'r801']]],
  ['members that are in no group', 'dissolve_unassigned', ['r800', [4], ['set:own/17'], 100]],
  ['land', 'land_of', [['set:own/17', 'r17']]],
  ['members of a tile', 'tile_members', [['set:own/17', 'r17']]],
  ['languages of members', 'tile_member_languages', [['set:own/17', 'r17']]],
  ['names of members', 'tile_member_names', [['set:own/17', 'r17'], ['de']]],
  ['the box of the set', 'tile_set_extent', ['set:own']],
  ['pages of the set', 'ogc_items', [null, null, 0, -30, 3, -28, null, 100, null, [], '[]', null, '{}', 'set:own']],
  ['codes', 'boundary_coded', [['iso:zz-17', 'set:own/17']]],
  ['neighbors', 'boundary_neighbors', ['set:own/17', [17], [1], [0], [0], ['0000000000000000'], 'level', 8]],
];

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

let opened: TestDatabase;
beforeAll(async () => {
  if (!isNative) return;
  opened = await testDatabase();
  await makeCrowd(opened.db, SIZE);
}, 600_000);
afterAll(() => opened?.close());

/** The rows that a statement reads of each table, those that a condition leaves out among them. */
async function rowsRead(
  schema: string,
  reads: readonly [versions: string, official: string],
  query: string,
  values: readonly unknown[],
) {
  return opened.db.transaction(async (tx) => {
    const path = `${schema}, public`;
    await tx.query(
      `select set_config('search_path', $1, true), set_config('boundary.set_versions', $2, true),
              set_config('boundary.official', $3, true), set_config('boundary.as_of', '2020-01-01', true)`,
      [path, ...reads],
    );
    const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${query}`, values);
    const rows = new Map<string, number>();
    const add = (node: Node): void => {
      const table = node['Relation Name'];
      if (table !== undefined) {
        const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
        rows.set(table, (rows.get(table) ?? 0) + Math.round(node['Actual Loops'] * (node['Actual Rows'] + removed)));
      }
      for (const one of node.Plans ?? []) add(one);
    };
    add((row as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan);
    return rows;
  });
}

describe.skipIf(!isNative).each([
  ['today', 'public_sets'],
  ['as of a date', 'public_as_of_sets'],
])('%s', (_, schema) => {
  it.each(READS)('%s reads no rows of other organizations', async (_, name, values) => {
    let found = 0;
    for (const reads of [
      ['1', 'no'],
      ['1', 'yes'],
      ['', 'no'],
      ['', 'yes'],
    ] as const) {
      const rows = await rowsRead(schema, reads, loadQuery(name), values);
      for (const [table, count] of rows) {
        // Without a set, not even those that are dropped: how long it takes would tell what others have there.
        const most = reads[0] === '' && table === 'set_shape' ? 0 : MOST_ROWS;
        expect(count, `${table} with the versions ${reads.join()}`).toBeLessThanOrEqual(most);
        found += count;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

describe.skipIf(!isNative)('at a place where 34 organizations have an area', () => {
  it.each(['public_sets', 'public_as_of_sets'])('reverse reads that of the caller alone, in %s', async (schema) => {
    const rows = await rowsRead(schema, ['1', 'no'], loadQuery('reverse_candidates_of_sets'), [1.745, -29.955, 1.745]);
    expect(rows.get('set_shape')).toBe(1);
  });
});
