import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { BlobReport } from '../../src/cli/operator/blobs.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import {
  type FileBody,
  type LibraryTestServer,
  type OrgMembers,
  openLibraryTestServer,
} from './library_test_server.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
});
afterAll(() => server?.close());

const blobs = async (repair = false) =>
  (await runCommand({ services: server.services } as App, 'admin_blobs', { repair }, () => undefined)) as BlobReport;
const pathOf = (sha256: string, format: string) =>
  join(server.dataDir, 'library', sha256.slice(0, 2), `${sha256}.${format}`);
const save = (boundary_id: string, more = {}) =>
  server.ok('save_file', { boundary_id, format: 'wkt', ...more }, staff.member) as Promise<FileBody>;

/** Saves a file; while its bytes are being removed, which takes long on a busy machine, the answer is to try again. */
async function saveBesideRemoval(boundary_id: string, more = {}): Promise<FileBody> {
  for (;;) {
    const saved = await server.call('http', 'save_file', { boundary_id, format: 'wkt', ...more }, staff.member);
    if (saved.status === 429) continue;
    expect(saved.status).toBe(201);
    return saved.body as FileBody;
  }
}

describe('boundary admin blobs', () => {
  it('proves that all is there, as it was saved', async () => {
    for (const id of ['r100', 'r101', 'r102']) await save(id);
    await server.ok('save_file', { boundary_id: 'r100', format: 'wkt', visibility: 'restricted' }, staff.other);
    const report = await blobs();
    expect(report).toMatchObject({ blobs: 3, faults: [], strays: { blobs: 0, bytes: 0, removed: 0 } });
    expect(report.bytes).toBeGreaterThan(300);
  });

  it('finds what is missing, cut or changed, changes nothing unasked, and exports it again when asked to', async () => {
    const [gone, longer, changed] = [await save('r111'), await save('r112'), await save('r113')];
    await rm(pathOf(gone.sha256, 'wkt'));
    await appendFile(pathOf(longer.sha256, 'wkt'), ' ');
    await writeFile(pathOf(changed.sha256, 'wkt'), 'x'.repeat(changed.bytes));
    const expected = [
      [gone.id, 'missing'],
      [longer.id, 'wrong'],
      [changed.id, 'wrong'],
    ].sort();
    for (const [repair, outcome] of [
      [false, 'found'],
      [false, 'found'],
      [true, 'restored'],
    ] as const) {
      const { faults } = await blobs(repair);
      expect(faults.map(({ file, fault }) => [file.id, fault]).sort()).toEqual(expected);
      expect(new Set(faults.map((one) => one.outcome))).toEqual(new Set([outcome]));
    }
    expect((await blobs()).faults).toEqual([]);
    for (const { url, bytes } of [gone, longer, changed]) {
      expect((await server.content(url, staff.member)).bytes.length).toBe(bytes);
    }
  });

  it('renews what has changed since, in the same entry, and says what is lost', async () => {
    const put = (version: string, side: number) =>
      storeBoundaries(
        { db: server.services.db, engine: server.engine },
        {
          source: FIXTURE_SOURCE,
          file: version,
          boundaries: [
            fixtureBoundary('r800', 'Growing', ringsOf(rectangle(50, 50, 50 + side, 50 + side)), { version }),
          ],
        },
      );
    await put('1', 1);
    const [grown, lost] = [await save('r800'), await save('r123')];
    // Not so much that it would have to be accepted first.
    await put('2', 1.2);
    await server.services.db.query("update file set boundary = 'r12399' where id = $1", [lost.id]);
    for (const { sha256 } of [grown, lost]) await rm(pathOf(sha256, 'wkt'));
    const { faults } = await blobs(true);
    expect(faults.map(({ file, outcome }) => [file.id, outcome]).sort()).toEqual(
      [
        [grown.id, 'renewed'],
        [lost.id, 'lost'],
      ].sort(),
    );
    expect(await server.ok('get_file', { id: grown.id }, staff.viewer)).toMatchObject({
      current: true,
      url: grown.url,
    });
    expect((await server.content(grown.url, staff.viewer)).status).toBe(200);
    const left = await blobs();
    expect(left.faults).toMatchObject([{ file: { id: lost.id }, outcome: 'found', fault: 'missing' }]);
    await server.ok('delete_file', { id: lost.id }, staff.member);
    expect((await blobs()).faults).toEqual([]);
  });

  it('lists stray bytes, and removes them when asked to', async () => {
    const { bytes, sha256, id } = await save('r133');
    const content = await server.content(`https://maps.example/base/v1/files/${id}/content`, staff.member);
    await server.ok('delete_file', { id }, staff.member);
    // As a save leaves them that ends between the bytes and the entry.
    await server.services.fileBlobs.put({ sha256, format: 'wkt', bytes }, content.bytes);
    expect((await blobs()).strays).toEqual({ blobs: 1, bytes, removed: 0 });
    expect((await blobs(true)).strays).toEqual({ blobs: 1, bytes, removed: 1 });
    expect((await blobs()).strays).toEqual({ blobs: 0, bytes: 0, removed: 0 });
    expect((await blobs()).faults).toEqual([]);
  });

  it('beside saves removes nothing that they name', async () => {
    let going = true;
    const repairing = (async () => {
      while (going) await blobs(true);
    })();
    try {
      for (let round = 0; round < 6; round++) {
        const { id, url } = await saveBesideRemoval('r121', { format: 'svg' });
        expect((await server.content(url, staff.member)).status).toBe(200);
        if (round < 5) await server.ok('delete_file', { id }, staff.member);
      }
    } finally {
      going = false;
      await repairing;
    }
    expect((await blobs()).faults).toEqual([]);
  });
});
