/**
 * A process of the kill test, using the database of its environment: `kill_child.ts fill` stores boundaries, `create
 * FORMAT` creates a job and prints its id, `report ID` prints the job's state and units, and the SHA-256 of its file
 * and of the one that a single call returns.
 */
import { createHash } from 'node:crypto';
import { openApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { invoke } from '../../src/core/invoke.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid } from '../ops/fixture_world.ts';

const [what, given] = process.argv.slice(2);
const app = await openApp(loadConfig(), createLogger('silent'));
const { services } = app;
const SIDE = 12;
const input = (format: string) => ({ country: 'XA', admin_level: 8, format, detail: 'full' });

async function call(name: string, asked: object): Promise<Record<string, unknown>> {
  const email = 'kill@example.org';
  const { key } = await services.keys.create({ email, name: what, plan: 'pro' });
  const caller = await services.keys.authenticate(key);
  const answer = await invoke(ops.find((op) => op.name === name) as AnyOp, asked, {
    caller,
    requestId: 'kill',
    address: null,
    signal: new AbortController().signal,
    deadline: Date.now() + 60_000,
    transport: 'rpc',
    services,
    baseUrl: services.config.BASE_URL,
    headers: {},
  });
  return answer.body as Record<string, unknown>;
}

let told: unknown = null;
if (what === 'fill') {
  const grid = new Grid();
  const country = fixtureBoundary(
    'r1',
    'Country',
    { ways: grid.around(0, 0, SIDE - 1, SIDE - 1) },
    { adminLevel: 2, countryCode: 'XA' },
  );
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) =>
    fixtureBoundary(`r${1000 + i}`, `Cell ${i}`, { ways: grid.around(i % SIDE, Math.floor(i / SIDE)) }),
  );
  const boundaries = [country, ...cells];
  await storeBoundaries(
    { db: services.db, engine: services.engine },
    { source: FIXTURE_SOURCE, file: 'made', boundaries, ways: grid.ways },
  );
}
if (what === 'create') told = (await call('create_job', { op: 'export_collection', input: input(given) })).id;
if (what === 'report') {
  const job = await call('get_job', { id: given });
  const files = await services.db.query<{ n: number }>('select count(*)::integer as n from file' as string);
  const { by_op } = await call('get_usage', {});
  const [{ reserved }] = await services.db.query<{ reserved: number }>(
    'select coalesce(sum(reserved), 0)::integer as reserved from usage_month' as string,
  );
  const read = async (): Promise<string | null> => {
    if (job.file_id === null) return null;
    const [blob] = await services.db.query<{ sha256: string; format: 'ndjson'; bytes: number }>(
      'select b.sha256, b.format, b.bytes from file f join file_blob b on b.sha256 = f.sha256 where f.id = $1' as string,
      [job.file_id],
    );
    return createHash('sha256')
      .update(await services.fileBlobs.get(blob))
      .digest('hex');
  };
  const { state, charged, done } = job;
  told = { state, charged, done, files: files[0].n, by_op, reserved, sha256: await read() };
}
if (what === 'single') told = (await call('export_collection', input(given))).sha256;
process.stdout.write(`${JSON.stringify(told)}\n`);
await app.close();
