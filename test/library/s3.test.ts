import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permanentBlobs } from '../../src/adapters/blobs.ts';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { StorageError } from '../../src/adapters/storage.ts';
import type { App } from '../../src/app/app.ts';
import type { BlobReport } from '../../src/cli/operator/blobs.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { defined } from '../../src/common/elements.ts';
import { systemActor } from '../../src/core/access.ts';
import { createFileBlobs } from '../../src/domain/library/blobs.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from './library_test_server.ts';
import { type S3Server, startS3 } from './s3_server.ts';

let s3: S3Server;
let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  s3 = await startS3();
  server = await openLibraryTestServer({ STORAGE_URL: s3.url });
  staff = await server.staff('free');
});
afterAll(async () => {
  await server?.close();
  await s3?.close();
});

/** Objects of the bucket, by their key. */
async function objects(area: string): Promise<string[]> {
  const names = await readdir(s3.folder, { recursive: true });
  return names.filter((name) => name.includes(`some/where/${area}/`) && name.endsWith('._S3rver_object'));
}
const blobs = async (repair = false) =>
  (await runCommand({ services: server.services } as App, 'admin_blobs', { repair }, () => undefined)) as BlobReport;

describe('the library in an S3-compatible store', () => {
  it('saves, serves and deletes; ten callers at once make one object', async () => {
    const input = { boundary_id: 'r100', format: 'kml', detail: 'full' };
    const saved = await Promise.all(
      Array.from({ length: 10 }, () => server.call('http', 'save_file', input, staff.member)),
    );
    expect(saved.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    const { body: file } = defined(saved[0]);
    expect(await server.used(staff.owner.key)).toBe(1);
    expect((await objects('library')).filter((name) => name.includes(file.sha256))).toHaveLength(1);
    const whole = await server.content(file.url, staff.viewer);
    expect([whole.status, whole.bytes.length, whole.headers.etag]).toEqual([200, file.bytes, `"${file.sha256}"`]);
    const part = await server.content(file.url, staff.viewer, { Range: 'bytes=10-19' });
    expect([part.status, part.bytes.equals(whole.bytes.subarray(10, 20))]).toEqual([206, true]);
    await server.ok('delete_file', { id: file.id }, staff.member);
    expect((await objects('library')).filter((name) => name.includes(file.sha256))).toEqual([]);
    expect((await server.content(file.url, staff.viewer)).status).toBe(404);
  });

  it('keeps exports there too, for every process', async () => {
    const { json } = await server.rpc('export_boundary', { id: 'r101', format: 'gml' }, staff.member.key);
    expect((await objects('exports')).filter((name) => name.includes(json.sha256))).toHaveLength(1);
    const other = await server.withLimit(64e6);
    expect((await other.ask('GET', `/v1/exports/${json.sha256}.gml`)).bytes.length).toBe(json.bytes);
  });

  it('is checked and repaired like any other', async () => {
    const file = await server.ok('save_file', { boundary_id: 'r102', format: 'wkt' }, staff.member);
    expect(await blobs()).toMatchObject({ blobs: 1, faults: [], strays: { blobs: 0 } });
    const stray = Buffer.from('left by a crash');
    await server.services.fileBlobs.put({ sha256: 'f'.repeat(64), format: 'wkt', bytes: stray.length }, stray);
    await server.services.fileBlobs.restore(
      { sha256: file.sha256, format: 'wkt', bytes: file.bytes },
      Buffer.from('overwritten by someone'),
    );
    expect(await blobs()).toMatchObject({ faults: [{ fault: 'wrong', file: { id: file.id } }], strays: { blobs: 1 } });
    expect(await blobs(true)).toMatchObject({ faults: [{ outcome: 'restored' }], strays: { removed: 1 } });
    expect(await blobs()).toMatchObject({ blobs: 1, faults: [], strays: { blobs: 0 } });
  });

  it('that does not answer fails the save, and no entry is made', async () => {
    // Nothing listens on port 9 of this machine.
    const storage = await openStorage(s3.url.replace(/:\d+&/, ':9&'), '', 'library');
    const blobs = createFileBlobs(server.services.db, storage, permanentBlobs(storage));
    const files = createFiles(server.services.db, blobs, () => undefined);
    const by = { account: staff.member.id, org: staff.org, role: 'member', actor: systemActor('test') } as const;
    const key = { boundary: 'r103', format: 'wkt', detail: 'low', visibility: 'org' } as const;
    const exported = { ...key, version: 1, sha256: 'a'.repeat(64), content: Buffer.from('x') };
    let settled = false;
    const save = files.save(by, { key, name: 'x', exported }, async () => {
      settled = true;
    });
    await expect(save).rejects.toThrow(StorageError);
    expect(settled).toBe(false);
    expect((await server.ok('list_files', {}, staff.member)).items.map((one) => one.boundary_id)).not.toContain('r103');
  });
});
