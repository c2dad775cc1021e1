/** Processes that are killed while they do a job that stores a version of an area set. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { type Base, openBase } from '../setup/base.ts';
import { runKilled } from '../setup/run_killed.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const folder = mkdtempSync(join(tmpdir(), 'boundary-set-jobs-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLES = ['area_set', 'area_set_version', 'set_arc', 'set_boundary', 'set_shape', 'set_name'];
/** Statements after which its process is killed. */
const STATEMENTS = [
  'insert into boundary_shape ',
  'insert into area_set_version ',
  'update job set state',
  'insert into set_name ',
];

const run = (base: Base, killAfter?: string): Promise<void> =>
  runKilled('test/sets/job_storer.ts', base, ['2010-01-01'], killAfter);

async function stored({ dataDir, databaseUrl }: Base) {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    const counts: number[] = [];
    for (const table of TABLES) counts.push((await db.query<Any>(`select count(*)::integer as n from ${table}`))[0].n);
    const [job] = await db.query<Any>('select state, attempts, charged::integer, done from job');
    return { counts, job };
  } finally {
    await db.close();
  }
}

it('a process that is killed leaves no half set, and another takes the job up', { timeout: 600_000 }, async () => {
  const base = await openBase(folder);
  try {
    const kills = drawnIfEmbedded(STATEMENTS);
    for (const statement of kills) {
      await run(base, statement);
      const { counts, job } = await stored(base);
      expect([counts, job.state], statement).toEqual([TABLES.map(() => 0), 'running']);
      // Until its lease is over.
      await sleep(1_200);
    }
    await run(base);
    const { counts, job } = await stored(base);
    expect(counts.slice(0, 4).map((n) => n > 0)).toEqual([true, true, true, true]);
    expect([counts[1], job.state, job.done, job.charged]).toEqual([1, 'done', 2, 1]);
  } finally {
    await base.close();
  }
});
