import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL, fillLibrary, reader } from '../../benchmarks/library_fill.ts';
import { permanentBlobs } from '../../src/adapters/blobs.ts';
import { openFolder } from '../../src/adapters/folder.ts';
import { only } from '../../src/common/elements.ts';
import type { Database } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createFileBlobs } from '../../src/domain/library/blobs.ts';
import type { Files, Reader } from '../../src/domain/library/file_entry.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe.skipIf(!isNative)('list_files over 100,000 files and 50 teams', () => {
  let test: TestDatabase;
  let files: Files;
  let statements = 0;
  beforeAll(async () => {
    test = await testDatabase();
    await fillLibrary(test.db, FULL);
    const counted: Database = {
      ...test.db,
      kind: test.db.kind,
      query: (...asked: Parameters<Database['query']>) => {
        statements++;
        return test.db.query(...asked);
      },
    } as Database;
    const storage = await openFolder(`${test.dataDir}/library`);
    files = createFiles(counted, createFileBlobs(counted, storage, permanentBlobs(storage)), () => undefined);
  });
  afterAll(() => test?.close());

  /** Who asks, from which offset, and the tables that may be read whole: where most of it is theirs, it has to be counted. */
  const CASES: readonly [string, Reader, number, readonly string[]][] = [
    ['a member of three teams', reader(7, 'member'), 0, []],
    ['a member of all teams', reader(0, 'member'), 0, ['file_share']],
    ['a viewer', reader(9, 'viewer'), 0, []],
    ['an admin', reader(3, 'admin'), 0, []],
    ['an owner, page 50', reader(3, 'owner'), 1000, []],
  ];

  it.each(CASES)('%s: one statement, that walks to the page along indexes', async (_who, by, offset, counted) => {
    statements = 0;
    const { items, total } = await files.list(by, { limit: 20, offset });
    expect([statements, items.length]).toEqual([1, 20]);
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());

    const admin = by.role === 'admin' || by.role === 'owner';
    const nodes = await plan([by.org, by.account, admin, 20, offset, null, null]);
    const large = ['file', 'file_share', 'file_blob'].filter((table) => !counted.includes(table));
    const whole = nodes.filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? '') && node['Actual Loops'] > 0,
    );
    expect(whole.map((node) => node['Relation Name'])).toEqual([]);
    // The page is walked along an index: nothing but what is theirs alone is sorted.
    const walked = nodes.filter(
      (node) => /^file_newest/.test(node['Index Name'] ?? '') && node['Node Type'] === 'Index Only Scan',
    );
    expect(walked.some((node) => node['Actual Loops'] > 0 && node['Actual Rows'] <= 20 + offset)).toBe(true);
    expect(total).toBe(admin ? FULL.files : 70_000 + (await restrictedFor(by)));
  });

  it('what a member of all teams sees is counted once, until something of the library changes', async () => {
    const by = reader(0, 'member');
    const { total } = await files.list(by, { limit: 20, offset: 0 });
    const { revision } = only(
      await test.db.query<{ revision: number }>('select revision from file_count where org = $1', [by.org]),
    );
    const nodes = await plan([by.org, by.account, false, 20, 0, revision, total - 70_000]);
    const read = nodes
      .filter((node) => node['Relation Name'] === 'file_share')
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    // The newest of every team, and of each file on the page.
    expect(Math.max(...read)).toBeLessThanOrEqual(20 * FULL.teams);
    expect(await files.list(by, { limit: 20, offset: 0 })).toMatchObject({ total });

    await test.db.query('delete from file_share where team is not null');
    const left = 70_000 + (await restrictedFor(by));
    expect(left).toBeLessThan(total);
    expect(await files.list(by, { limit: 20, offset: 0 })).toMatchObject({ total: left });
  });

  async function plan(values: unknown[]): Promise<Node[]> {
    const sql = `explain (analyze, format json) ${loadQuery('file_list')}`;
    const row = only(await test.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(sql, values));
    return nodesOf(row['QUERY PLAN'][0].Plan);
  }

  /** How many restricted files someone sees, found another way. */
  async function restrictedFor({ account }: Reader): Promise<number> {
    const { n } = only(
      await test.db.query<{ n: number }>(
        `select count(*)::integer as n from file f where f.visibility = 'restricted' and (
         f.creator = $1
         or exists (select from file_share s where s.file = f.id and s.account = $1)
         or exists (select from file_share s join team_member t on t.team = s.team where s.file = f.id and t.account = $1)
       )`,
        [account],
      ),
    );
    return n;
  }
});
