/** The jobs of an operator in the database of the environment, for programs of tests that are killed in the middle. */
import { openStorage } from '../../src/adapters/open_storage.ts';
import { openApp } from '../../src/app/app.ts';
import { createJobRunner } from '../../src/app/job_runner.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { ANONYMOUS, actorOf, systemActor } from '../../src/core/access.ts';
import type { Context } from '../../src/core/op.ts';
import { keepForDay } from '../../src/ops/boundaries/kept_file.ts';
import { fileOf } from '../sets/made_set.ts';
import { killAfter } from '../setup/kill_after.ts';

/**
 * Opens the service of the environment with an operator. The process is killed right after its jobs have run a statement
 * that has `part` in its text; '' lets it live.
 */
export async function openJobsOfOperator(part: string) {
  const app = await openApp(loadConfig(), createLogger('silent'));
  const { db, keys, jobs } = app.services;
  const services = { ...app.services, db: killAfter(db, part) };
  const storage = await openStorage(null, loadConfig().DATA_DIR, 'jobs');
  const runner = createJobRunner({ services, storage, atOnce: 1, leaseMs: 1_000 });
  // As a process does that has an embedded database to itself.
  if (db.kind === 'embedded') await jobs.releaseAllClaims();
  const { account, org } = await keys.create({ email: 'operator@example.org', operator: true });
  const by = { account: account.id, org: org.id, role: 'owner', actor: systemActor('test') } as const;

  async function create(op: string, name: string, input: object): Promise<void> {
    const about = { op, name, visibility: 'restricted', units: 0, total: 0 } as const;
    const ends = { mail: false, language: 'en', webhook: null, sets: null, isAlone: true } as const;
    await jobs.create(by, org.plan, { ...about, input: JSON.stringify(input), ...ends });
  }

  return {
    db,
    /** Whether a job was created before, by this process or an earlier one. */
    isKnown: async () => (await jobs.list(by, { limit: 1, offset: 0 })).total > 0,
    /** Creates the job that imports areas as a source. */
    async createImport(source: string, areas: Parameters<typeof fileOf>[0]): Promise<void> {
      const caller = { ...ANONYMOUS, account: { ...account, name: null }, org, role: 'owner' } as const;
      const call = { caller, requestId: 'test', address: null };
      const ctx = { ...call, services, baseUrl: '', signal: new AbortController().signal } as unknown as Context;
      actorOf(call);
      const file = { name: `${source}.geojson`, format: 'geojson', madeBy: 'import_file' } as const;
      const { id } = await keepForDay(ctx, [Buffer.from(fileOf(areas))], file);
      const map = { id: 'id', name: 'name' };
      const where = { adminLevel: 8, country: 'CH', replace: true };
      const options = { source, license: 'CC0', attribution: 'test', ...where, map };
      await create('import_file', source, { file_id: id, options });
    },
    /** Creates the job that removes a source. */
    createRemoval: (source: string) => create('remove_source', source, { source }),
    /** Runs the due jobs. */
    run: () => runner.runDue(),
    /** Runs the due jobs, and forgets them. */
    async runAndForget(): Promise<void> {
      await runner.runDue();
      const failed = await db.query<{ error: unknown }>("select error from job where state <> 'done'");
      if (failed.length > 0) throw new Error(`a job failed: ${JSON.stringify(failed)}`);
      await db.query('delete from job');
    },
    close: () => app.close(),
  };
}
