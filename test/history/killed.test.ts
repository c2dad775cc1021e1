import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { type Base, openBase } from '../setup/base.ts';
import { builtScript } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { editionFile, MADE, type MadeArea, rowOf } from './made_editions.ts';
import { editionRows } from './stored_editions.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-killed-edition-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const area = (id: string, from: number, to: number): MadeArea => ({
  id,
  name: `Area ${id}`,
  cells: rowOf(0, from, to),
});
const OLD = editionFile([area('a', 0, 2), area('b', 2, 4), area('c', 4, 6)]);
const NEW = editionFile([area('a', 0, 3), area('b', 3, 4), area('d', 4, 6)]);
const BETWEEN = editionFile([area('a', 0, 2), area('b', 2, 3), area('c', 3, 6)]);

/** Statements of an import after which it is killed: of its own tables, of those of editions, and the last of all. */
const STATEMENTS = ['insert into boundary_shape ', 'insert into edition_boundary ', 'insert into edition_interval '];

async function run({ dataDir, databaseUrl }: Base, file: string, date: string, killAfter?: string): Promise<void> {
  const words = [file, JSON.stringify(MADE), date, ...(killAfter === undefined ? [] : [killAfter])];
  const args = [COMPILE_ONCE, await builtScript('test/history/importer.ts'), dataDir, databaseUrl, ...words];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  expect(await once(child, 'exit')).toEqual(killAfter !== undefined ? [null, 'SIGKILL'] : [0, null]);
}

async function stored({ dataDir, databaseUrl }: Base): Promise<Record<string, string[]>> {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    return await editionRows(db);
  } finally {
    await db.close();
  }
}

it('leaves the past as it was when an import is killed, and stores the edition when it runs again', {
  timeout: 600_000,
}, async () => {
  const base = await openBase(folder);
  try {
    await run(base, OLD, '2010-01-01');
    await run(base, NEW, '2020-01-01');
    const before = await stored(base);
    expect(before.edition_interval?.length).toBeGreaterThan(5);
    for (const statement of drawnIfEmbedded(STATEMENTS)) {
      await run(base, BETWEEN, '2015-01-01', statement);
      expect(await stored(base), statement).toEqual(before);
    }
    await run(base, BETWEEN, '2015-01-01');
    const after = await stored(base);
    expect(after.edition?.length).toBe(3);
    // Area a is the same in two of the editions; what was in force until 2020 is so until 2015 of the others.
    const valid = (from: string, to: string | null) => (row: string) =>
      row.includes(`"valid_from":"${from}"`) && row.includes(`"valid_to":${JSON.stringify(to)}`);
    const intervals = (rows: Record<string, string[]>, ...when: [string, string | null]) =>
      rows.edition_interval?.filter(valid(...when)).length;
    expect([intervals(before, '2010-01-01', '2020-01-01'), intervals(after, '2010-01-01', '2020-01-01')]).toEqual([
      3, 1,
    ]);
    expect([intervals(after, '2015-01-01', '2020-01-01'), intervals(after, '2020-01-01', null)]).toEqual([2, 3]);
  } finally {
    await base.close();
  }
});
