/** A process that is killed while it stores a version leaves the set as it was. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { type Base, openBase } from '../setup/base.ts';
import { runKilled } from '../setup/run_killed.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-killed-set-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLES = ['area_set', 'area_set_version', 'set_arc', 'set_boundary', 'set_shape', 'set_name', 'boundary', 'arc'];
/** Statements after which it is killed: of its temporary tables, of the version, and the first and last that is copied. */
const STATEMENTS = [
  'insert into boundary_shape ',
  'insert into area_set_version ',
  'delete from area_set_version',
  'insert into set_arc ',
  'insert into set_name ',
];

const run = (base: Base, date: string, x: number, killAfter?: string): Promise<void> =>
  runKilled('test/sets/storer.ts', base, [date, String(x)], killAfter);

/** The rows of a set, and of today's boundaries, which never have any of it. */
async function stored({ dataDir, databaseUrl }: Base): Promise<Record<string, string[]>> {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    const rows: Record<string, string[]> = {};
    for (const table of TABLES) {
      const found = await db.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
      rows[table] = found.map(({ row }) => row).sort();
    }
    return rows;
  } finally {
    await db.close();
  }
}

it('a version is stored whole or not at all, and again after that', { timeout: 600_000 }, async () => {
  const base = await openBase(folder);
  try {
    await run(base, '2010-01-01', 0);
    const before = await stored(base);
    const counts = (rows: Record<string, string[]>) => TABLES.map((table) => rows[table]?.length);
    expect(counts(before).slice(0, 2)).toEqual([1, 1]);
    expect(before.set_boundary).toHaveLength(3);
    expect(counts(before).slice(-2)).toEqual([0, 0]);
    for (const statement of drawnIfEmbedded(STATEMENTS)) {
      // The version of the same date, which it would replace.
      await run(base, '2010-01-01', 5e6, statement);
      expect(await stored(base), statement).toEqual(before);
    }
    await run(base, '2010-01-01', 5e6);
    const after = await stored(base);
    expect(counts(after)).toEqual(counts(before));
    expect(after.set_shape).not.toEqual(before.set_shape);
  } finally {
    await base.close();
  }
});
