import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createKeys } from '../../src/domain/people/keys.ts';
import { type Machine, openMachine } from '../cli/program.ts';
import { CELLS, generation } from '../deploy/generations.ts';
import { type S3Server, startS3 } from '../library/s3_server.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { administer, databaseUrlOf, dropDatabase } from '../setup/native.ts';
import { serve, stop } from '../setup/serve.ts';

describe.skipIf(!isNative)('a service whose files are in a bucket', () => {
  const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  let folder: string;
  let machine: Machine;
  let database: TestDatabase;
  let restored: string;
  let buckets: readonly [S3Server, S3Server];
  let key: string;
  const saved: { readonly id: string; readonly sha256: string }[] = [];

  const settingsOf = (databaseUrl: string, bucket: S3Server) => ({
    DATABASE_URL: databaseUrl,
    STORAGE_URL: bucket.url,
    WORKER_THREADS: '1',
    ...KEYS,
  });
  const original = () => settingsOf(database.databaseUrl as string, buckets[0]);
  const copy = () => settingsOf(databaseUrlOf(process.env.TEST_DATABASE_URL ?? '', restored), buckets[1]);
  const file = () => join(folder, 'all.backup');
  const objects = (bucket: S3Server): string[] =>
    readdirSync(bucket.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /library\/.*\._S3rver_object$/.test(name),
    );

  /** Calls a server of its own over a place, which is ended then. */
  async function over<T>(place: Record<string, string>, work: (ask: typeof fetch) => Promise<T>): Promise<T> {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const server = await serve(
      { dataDir, databaseUrl: defined(place.DATABASE_URL), db: database.db, close: database.close },
      'server',
      place,
    );
    const ask: typeof fetch = (path, init) =>
      fetch(server.address + path, {
        ...init,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      });
    try {
      return await work(ask);
    } finally {
      await stop(server, 'SIGTERM');
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'boundary-bucket-'));
    machine = openMachine();
    database = await testDatabase();
    buckets = [await startS3(), await startS3()];
    restored = `${inject('testRun')}_bucket`;
    await administer(process.env.TEST_DATABASE_URL ?? '', `create database "${restored}"`);
    ({ key } = await createKeys(database.db).create({ email: 'files@example.org', plan: 'self_hosted' }));
    writeFileSync(machine.path('generation.osm'), generation(0));
    const imported = await machine.run(['import', 'generation.osm'], { env: original() });
    expect(imported.exit, imported.err).toBe(0);
    await over(original(), async (ask) => {
      for (const boundary_id of CELLS) {
        const body = JSON.stringify({ boundary_id, format: 'geojson', detail: 'full' });
        const reply = await ask('/v1/files', { method: 'POST', body });
        expect(reply.status).toBe(201);
        saved.push((await reply.json()) as (typeof saved)[number]);
      }
    });
  }, 120_000);
  afterAll(async () => {
    await database?.close();
    if (restored) await dropDatabase(process.env.TEST_DATABASE_URL ?? '', restored);
    for (const bucket of buckets ?? []) await bucket.close();
    machine?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is restored from a backup into another database and another bucket, its files with every byte', async () => {
    const backup = await machine.run(['backup', file()], { env: original() });
    expect([backup.exit, backup.err]).toEqual([0, expect.anything()]);
    expect(objects(buckets[1])).toEqual([]);
    const restore = await machine.run(['restore', file()], { env: copy() });
    expect(restore.exit, restore.err).toBe(0);
    const names = (bucket: S3Server) =>
      objects(bucket)
        .map((name) => /[0-9a-f]{64}/.exec(name)?.[0])
        .sort();
    expect(names(buckets[1])).toEqual([...new Set(saved.map(({ sha256 }) => sha256))].sort());
    expect(names(buckets[1])).toEqual(names(buckets[0]));
    await over(copy(), async (ask) => {
      for (const { id, sha256 } of saved) {
        const reply = await ask(`/v1/files/${id}/content`);
        const bytes = Buffer.from(await reply.arrayBuffer());
        expect([reply.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
      }
      // It saves new ones there, and not in the bucket that it came from.
      const before = objects(buckets[0]).length;
      const body = JSON.stringify({ boundary_id: CELLS[0], format: 'wkt', detail: 'full' });
      expect((await ask('/v1/files', { method: 'POST', body })).status).toBe(201);
      expect([objects(buckets[0]).length, objects(buckets[1]).length]).toEqual([before, before + 1]);
    });
    const check = await machine.run(['admin', 'blobs', '--check'], { env: copy() });
    expect(check.exit, check.out + check.err).toBe(0);
  }, 120_000);

  it('says how many files its bucket has lost, and backs the others up', async () => {
    const lost = defined(objects(buckets[0])[0]);
    rmSync(join(buckets[0].folder, lost));
    const backup = await machine.run(['backup', join(folder, 'lacking.backup')], { env: original() });
    expect(backup.exit).toBe(1);
    expect(backup.err + backup.out).toMatch(/\b1\b.*(?:content|file)/);
  }, 120_000);
});
