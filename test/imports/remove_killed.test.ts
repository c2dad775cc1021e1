/** Removals of a source beside seed data and a second source of the same places, in a process that is killed. */
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

const folder = mkdtempSync(join(tmpdir(), 'boundary-removals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Statements after which the process is killed: of the removal, of the seed data that comes back, of the source and of the
 * end of the job. One more, and the last run would be one attempt too many (MOST_ATTEMPTS).
 */
const STATEMENTS = [
  'delete from boundary ',
  'insert into boundary_shape ',
  'delete from source ',
  'update job set state',
];

const run = (base: Base, step: 'store' | 'import' | 'run', killAfter?: string): Promise<void> =>
  runKilled('test/imports/remover.ts', base, [step], killAfter);

/** All that is stored of boundaries; a ring as its points, as an import may begin the rings of its neighbors elsewhere. */
async function stored({ dataDir, databaseUrl }: Base) {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    const boundaries = await db.query<Any>(
      `select b.id, source, source_id, source_version, version, name, kind, country, codes, code_ids, area_km2,
              st_astext(st_normalize(s.geom)) as shape, cardinality(s.arc_ids) as arcs
       from boundary b join boundary_shape s on s.boundary_id = b.id order by b.id`,
    );
    const names = await db.query<Any>('select boundary_id, folded from boundary_name order by 1, 2');
    const sources = await db.query<Any>('select id, seed from source order by id');
    const imports = await db.query<Any>('select source, file from import_run order by 1, 2');
    const kept = await db.query<Any>('select id, heir from boundary_replaced order by id');
    const [arcs] = await db.query<Any>('select count(*)::integer as n from arc');
    const aliases = await db.query<Any>('select id, boundary_id from boundary_alias order by id');
    const [tombstones] = await db.query<Any>('select count(*)::integer as n from boundary_gone');
    const [audits] = await db.query<Any>("select count(*)::integer as n from audit_log where action = 'data.remove'");
    const [job] = await db.query<Any>('select state, done, report from job');
    return { data: { boundaries, names, sources, imports, kept, arcs, tombstones }, aliases, audits, job };
  } finally {
    await db.close();
  }
}

it('a process that is killed leaves the source whole, and another removes it once', { timeout: 600_000 }, async () => {
  const base = await openBase(folder);
  try {
    await run(base, 'store');
    const before = await stored(base);
    expect(before.data.boundaries.map(({ source, name }: Any) => [source, name])).toEqual([
      ['seeds', 'Area a'],
      ['seeds', 'Area d'],
      ['others', 'Area b'],
      ['others', 'Area e'],
    ]);
    await run(base, 'import');
    const { job: queued, ...whole } = await stored(base);
    const seed = before.data.boundaries[0].id;
    // It took the place of a seed boundary, and stands beside the second source.
    expect([queued.state, whole.data.boundaries.length, whole.data.kept.map(({ id }: Any) => id)]).toEqual([
      'queued',
      6,
      [seed],
    ]);
    for (const statement of drawnIfEmbedded(STATEMENTS)) {
      await run(base, 'run', statement);
      const { job, ...left } = await stored(base);
      expect([job.state, left], statement).toEqual(['running', whole]);
      // Until its lease is over.
      await sleep(1_200);
    }
    await run(base, 'run');
    const { job, data, aliases, audits } = await stored(base);
    expect([job.state, job.report]).toEqual(['done', { source: 'zones', removed: 3, restored: 1 }]);
    expect([data, audits]).toEqual([before.data, { n: 1 }]);
    // The id of a boundary that another source has, too, leads to that one.
    const idOf = (of: typeof before, source: string, name: string) =>
      of.data.boundaries.find((one: Any) => one.source === source && one.name === name)?.id;
    expect(aliases).toEqual([
      { id: idOf({ ...before, ...whole }, 'zones', 'Area b'), boundary_id: idOf(before, 'others', 'Area b') },
    ]);
  } finally {
    await base.close();
  }
});
