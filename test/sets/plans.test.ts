/** Reading a set takes no longer when other organizations store more: their rows are never walked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../setup/database.ts';

/** Statements of the kinds that searches have, and what they must look up in the table of sets. */
const READS = [
  [
    'a prefix',
    "select n.boundary_id from boundary_name n where n.folded ~>=~ 'no' and n.folded ~<~ 'np' order by n.folded using ~<~ limit 20",
    'set_name',
    ['version_id', 'folded'],
  ],
  [
    'names of an area',
    "select n.folded from boundary_name n where n.boundary_id = 'set:a/b'",
    'set_name',
    ['boundary_id'],
  ],
  ['an area', "select b.name from boundary b where b.id = 'set:a/b'", 'set_boundary', ['id']],
  ['the areas of a set', "select b.id from boundary b where b.source = 'set:a'", 'set_boundary', ['version_id']],
] as const;

let opened: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  opened = await testDatabase();
  // An embedded database that has to be migrated first takes minutes on a busy machine.
}, 600_000);
afterAll(() => opened?.close());

it.each(READS)('%s is looked up by an index, today and as of a date', async (_, sql, table, columns) => {
  for (const schema of ['public_sets', 'public_as_of_sets']) {
    const plan = await opened.db.transaction(async (tx) => {
      await tx.exec(
        `set local search_path = ${schema}, public; set local enable_seqscan = off; set local boundary.set_versions = '1'; ` +
          "set local boundary.official = 'no'; set local boundary.as_of = '2020-01-01'",
      );
      const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
      return rows.map((row) => row['QUERY PLAN']);
    });
    const at = plan.findIndex((line) => line.includes(` on ${table}`) || line.includes(`on ${table} `));
    const node = plan.slice(at, at + 3).join('\n');
    const condition = /Index Cond: (.*)/.exec(node)?.[1] ?? '';
    for (const column of columns) expect(condition, plan.join('\n')).toContain(column);
  }
});
