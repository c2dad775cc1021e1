import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

/** Enough rows that a look-up by index is cheaper than reading all of them. */
const COUNT = 600;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ own: true });
  const world: FixtureBoundary[] = Array.from({ length: COUNT }, (_, i) => ({
    ...{
      id: `r${i + 1}`,
      name: `Place ${i}`,
      kind: 'municipality',
      adminLevel: 8,
      countries: ['PT'],
      wikidata: `Q${i}`,
    },
    box: [i / 10, 0, (i + 1) / 10, 0.1],
    shape: true,
  }));
  await insertFixtures(database.db, world);
  // Without a seed boundary, a plan that begins with them ends there.
  await database.db.query('update source set seed = true');
});
afterAll(() => database?.close());

interface Node {
  readonly Plans?: readonly Node[];
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
}

/** Rows that the nodes of a plan looked at. */
const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);

test('the places of one country are not compared with each other in an import, before there are statistics', async () => {
  const ids = Array.from({ length: COUNT }, (_, i) => `r${i + 1}`);
  const made = await database.db.query(loadQuery('replace_written'), [ids]);
  const [row] = await database.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) ${loadQuery('replace_candidates')}`,
    [JSON.stringify(made)],
  );
  const rows = rowsOf((row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan);
  expect(rows).toBeGreaterThan(COUNT);
  expect(rows).toBeLessThan(60 * COUNT);
});
