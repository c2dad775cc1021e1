/** Imports of a file that an operator sent, in a process that is killed. */
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

const folder = mkdtempSync(join(tmpdir(), 'boundary-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Statements after which the process is killed. */
const STATEMENTS = [
  'insert into boundary_shape ',
  'insert into audit_log',
  'update job set report',
  'update job set state',
];

const run = (base: Base, killAfter?: string): Promise<void> =>
  runKilled('test/imports/importer.ts', base, [], killAfter);

async function stored({ dataDir, databaseUrl }: Base) {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    const boundaries = await db.query<Any>(
      'select source, source_id, name, version, west, east from boundary order by id',
    );
    const shapes = await db.query<Any>('select boundary_id, arcs, arc_ids from boundary_shape order by boundary_id');
    const [arcs] = await db.query<Any>('select count(*)::integer as n from arc');
    const [job] = await db.query<Any>('select state, done, report from job');
    return { data: { boundaries, shapes, arcs }, job };
  } finally {
    await db.close();
  }
}

it('a process that is killed leaves the old data whole, and another takes the job up', {
  timeout: 600_000,
}, async () => {
  const base = await openBase(folder);
  try {
    // The first run stores the old file and creates the job that imports the new one.
    await run(base);
    const old = await stored(base);
    expect([old.job.state, old.data.boundaries.length]).toEqual(['queued', 2]);
    for (const statement of drawnIfEmbedded(STATEMENTS)) {
      await run(base, statement);
      const { data, job } = await stored(base);
      expect([job.state, data], statement).toEqual(['running', old.data]);
      // Until its lease is over.
      await sleep(1_200);
    }
    await run(base);
    const { data, job } = await stored(base);
    expect([job.state, job.done, job.report.added, job.report.replaced]).toEqual(['done', 3, 1, 2]);
    expect(data.boundaries.map(({ name }: Any) => name)).toEqual(['Area a', 'Area b', 'Area c']);
  } finally {
    await base.close();
  }
});
