import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { permanentBlobs } from '../../src/adapters/blobs.ts';
import { openStorage } from '../../src/adapters/open_storage.ts';
import type { Storage } from '../../src/adapters/storage.ts';
import { systemActor } from '../../src/core/access.ts';
import { createFileBlobs, type FileBlobs } from '../../src/domain/library/blobs.ts';
import type { Files } from '../../src/domain/library/file_entry.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from './library_test_server.ts';

type Call = 'put' | 'size' | 'remove';

let server: LibraryTestServer;
let staff: OrgMembers;
let storage: Storage;
let blobs: FileBlobs;
let files: Files;
/** What of the storage is stuck, until it is let go or fails. */
let stuck: Call | null = null;
let arrived = (): void => undefined;
let answer: (error?: Error) => void = () => undefined;

beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff('free');
  storage = await openStorage(null, server.dataDir, 'library');
  const held = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    if (stuck === call) {
      stuck = null;
      await new Promise<void>((resolve, reject) => {
        answer = (error) => (error ? reject(error) : resolve());
        arrived();
      });
    }
    return work();
  };
  const slow: Storage = {
    ...storage,
    put: (name, bytes) => held('put', () => storage.put(name, bytes)),
    size: (name) => held('size', () => storage.size(name)),
    remove: (name) => held('remove', () => storage.remove(name)),
  };
  blobs = createFileBlobs(server.services.db, slow, permanentBlobs(slow));
  files = createFiles(server.services.db, blobs, () => undefined);
});
afterAll(() => server?.close());
afterEach(() => answer());

/** Begins `work` and resolves when it has come to the call of the storage, which does not answer. */
async function until<T>(call: Call, work: () => Promise<T>): Promise<{ ended: Promise<T> }> {
  const there = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  stuck = call;
  const ended = work();
  ended.catch(() => undefined);
  await there;
  return { ended };
}

/** @throws when a transaction is open anywhere: on the embedded database this would wait, natively a row is locked */
async function nothingHeld(): Promise<void> {
  await server.services.db.transaction(async (tx) => {
    await tx.query('select from file_blob for update nowait');
    await tx.query('select from file for update nowait');
    await tx.query('select from org for update nowait');
  });
}

let count = 0;
const by = () => ({ account: staff.owner.id, org: staff.org, role: 'owner', actor: systemActor('test') }) as const;
function exportOf(boundary: string) {
  const content = Buffer.from(`bytes of ${boundary}, ${++count}`);
  const key = { boundary, format: 'wkt', detail: 'low', visibility: 'org' } as const;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { key, exported: { ...key, version: 1, sha256, content } };
}
type Made = ReturnType<typeof exportOf>;
const save = ({ key, exported }: Made) => files.save(by(), { key, name: 'x', exported }, async () => undefined);
const blobOf = ({ exported }: Made) => ({
  sha256: exported.sha256,
  format: exported.format,
  bytes: exported.content.byteLength,
});
const sizeOf = ({ exported }: Made) => storage.size(`${exported.sha256}.wkt`);
const rowOf = async ({ exported }: Made) =>
  (await server.services.db.query('select leaving_at from file_blob where sha256 = $1', [exported.sha256]))[0];

it.each(['size', 'put'] as const)('a save whose storage hangs in %s holds nothing of the database', async (call) => {
  const made = exportOf(`r-${call}`);
  const saving = await until(call, () => save(made));
  await nothingHeld();
  answer();
  expect((await saving.ended).created).toBe(true);
  expect(await blobs.state(blobOf(made))).toBe('good');
});

it('a delete whose storage hangs holds nothing, and no one names what is on its way out', async () => {
  const made = exportOf('r-remove');
  const { entry } = await save(made);
  const removing = await until('remove', () => files.remove(by(), entry.id));
  await nothingHeld();
  // The entry is gone at once; the same bytes cannot be saved before their removal has ended.
  const again = await save(made).catch((error: unknown) => error);
  expect(again).toMatchObject({ code: 'rate_limited' });
  answer();
  await removing.ended;
  expect([await sizeOf(made), await rowOf(made)]).toEqual([null, undefined]);
  expect((await save(made)).created).toBe(true);
  expect(await blobs.state(blobOf(made))).toBe('good');
});

it('bytes that are removed between their being put and named are put again', async () => {
  const made = exportOf('r-between');
  const first = await blobs.put(blobOf(made), made.exported.content);
  expect(await blobs.release(blobOf(made))).toBe(true);
  const { db } = server.services;
  expect(await db.transaction((tx) => blobs.hold(tx, first))).toBe(false);
  const second = await blobs.put(blobOf(made), made.exported.content);
  expect(await db.transaction((tx) => blobs.hold(tx, first))).toBe(false);
  expect(await db.transaction((tx) => blobs.hold(tx, second))).toBe(true);
  expect((await save(made)).created).toBe(true);
});

it('a storage that refuses to put leaves a row and no entry, which the sweep takes', async () => {
  const made = exportOf('r-refused');
  const saving = await until('put', () => save(made));
  answer(new Error('no space'));
  await expect(saving.ended).rejects.toThrow('no space');
  expect(await rowOf(made)).toEqual({ leaving_at: null });
  // It may be about to be named: the sweep lets it rest first.
  await blobs.sweep();
  expect(await rowOf(made)).toBeDefined();
  await blobs.sweep(0);
  expect(await rowOf(made)).toBeUndefined();
});

it('a storage that refuses to remove is asked again later, by a sweep or by who saves the same', async () => {
  const { db } = server.services;
  const made = exportOf('r-stays');
  const { entry } = await save(made);
  const removing = await until('remove', () => files.remove(by(), entry.id));
  answer(new Error('no answer'));
  // The entry is gone: what becomes of the bytes is not a failure of the call.
  await removing.ended;
  expect(await sizeOf(made)).toBeGreaterThan(0);
  await blobs.sweep(0);
  expect(await sizeOf(made)).toBeGreaterThan(0);
  await db.query(`update file_blob set leaving_at = leaving_at - interval '61 seconds' where leaving_at is not null`);
  expect((await save(made)).created).toBe(true);
  expect(await blobs.state(blobOf(made))).toBe('good');
});
