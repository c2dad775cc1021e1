/**
 * Stores a file as the source "zones" and creates a job that imports a newer one, or runs the due jobs of the database of
 * its environment if that was done before. With a part of a statement it is killed right after that statement has run.
 */
import { openStorage } from '../../src/adapters/open_storage.ts';
import { openApp } from '../../src/app/app.ts';
import { createJobRunner } from '../../src/app/job_runner.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { ANONYMOUS, actorOf, systemActor } from '../../src/core/access.ts';
import type { Context } from '../../src/core/op.ts';
import { keepForDay } from '../../src/ops/boundaries/kept_file.ts';
import { cell, fileOf } from '../sets/made_set.ts';
import { killAfter } from '../setup/kill_after.ts';

const [part = ''] = process.argv.slice(2);
const app = await openApp(loadConfig(), createLogger('silent'));
const { db, keys, jobs } = app.services;
const services = { ...app.services, db: killAfter(db, part) };
const storage = await openStorage(null, loadConfig().DATA_DIR, 'jobs');
const runner = createJobRunner({ services, storage, atOnce: 1, leaseMs: 1_000 });
// As a process does that has an embedded database to itself.
if (db.kind === 'embedded') await jobs.releaseAllClaims();

const { account, org } = await keys.create({ email: 'operator@example.org', operator: true });
const by = { account: account.id, org: org.id, role: 'owner', actor: systemActor('test') } as const;

/** Creates the job that imports areas as the source "zones". */
async function create(areas: Parameters<typeof fileOf>[0]): Promise<void> {
  const caller = { ...ANONYMOUS, account: { ...account, name: null }, org, role: 'owner' } as const;
  const call = { caller, requestId: 'test', address: null };
  const ctx = { ...call, services, baseUrl: '', signal: new AbortController().signal } as unknown as Context;
  actorOf(call);
  const file = { name: 'zones.geojson', format: 'geojson', madeBy: 'import_file' } as const;
  const { id } = await keepForDay(ctx, [Buffer.from(fileOf(areas))], file);
  const options = {
    source: 'zones',
    license: 'CC0',
    attribution: 'test',
    adminLevel: 8,
    map: { id: 'id', name: 'name' },
  };
  const about = { op: 'import_file', name: 'zones', visibility: 'restricted', units: 0, total: 0 } as const;
  const input = JSON.stringify({ file_id: id, options });
  await jobs.create(by, org.plan, {
    ...about,
    input,
    mail: false,
    language: 'en',
    webhook: null,
    sets: null,
    isAlone: true,
  });
}

const known = await jobs.list(by, { limit: 1, offset: 0 });
if (known.total > 0) await runner.runDue();
else {
  await create({ a: cell(0.2, 0.2), b: cell(1.2, 0.2) });
  await runner.runDue();
  await db.query('delete from job');
  await create({ a: cell(0.2, 0.2, 1.1), b: cell(1.3, 0.2, 0.9), c: cell(2.2, 0.2) });
}
await app.close();
