/**
 * Runs the due jobs of the database of its environment, and creates one that stores a version of the set "zones" from a
 * date on before. With a part of a statement more it is killed right after that statement has run.
 */
import { openStorage } from '../../src/adapters/open_storage.ts';
import { openApp } from '../../src/app/app.ts';
import { createJobRunner } from '../../src/app/job_runner.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { systemActor } from '../../src/core/access.ts';
import { killAfter } from '../setup/kill_after.ts';
import { cell, fileOf } from './made_set.ts';

const [validFrom = '', part = ''] = process.argv.slice(2);
const app = await openApp(loadConfig(), createLogger('silent'));
const { db, keys, jobs } = app.services;
const { account, org } = await keys.create({ email: 'storer@example.org' });
const by = { account: account.id, org: org.id, role: 'owner', actor: systemActor('test') } as const;
const [known] = (await jobs.list(by, { limit: 1, offset: 0 })).items;
if (known === undefined) {
  const input = { name: 'zones', content: fileOf({ a: cell(0.2, 0.2), b: cell(1.2, 0.2) }), valid_from: validFrom };
  const about = { op: 'create_area_set', input: JSON.stringify(input), name: 'zones', visibility: 'org' } as const;
  await jobs.create(by, org.plan, {
    ...about,
    units: 1,
    total: 0,
    mail: false,
    language: 'en',
    webhook: null,
    sets: null,
  });
}
const storage = await openStorage(null, loadConfig().DATA_DIR, 'jobs');
const services = { ...app.services, db: killAfter(db, part) };
const runner = createJobRunner({ services, storage, atOnce: 1, leaseMs: 1_000 });
// As a process does that has an embedded database to itself.
if (db.kind === 'embedded') await jobs.releaseAllClaims();
await runner.runDue();
await app.close();
