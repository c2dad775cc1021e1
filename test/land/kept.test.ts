/** The parts of boundaries wherever they are asked for: the same after a backup, and as they were at a moment. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { backUp } from '../../src/backup/backup.ts';
import { checkBackup, restoreBackup } from '../../src/backup/restore.ts';
import { defined } from '../../src/common/elements.ts';
import { columnOf, rowOf } from '../../workers/arcs/mercator.ts';
import { openLibraryTestServer } from '../library/library_test_server.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { storeCoast, storeLake, storeSquares } from './made_coast.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-land-kept-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PARTS: readonly { readonly area?: string; readonly water?: string }[] = [
  {},
  { area: 'land' },
  { area: 'water' },
  { area: 'land', water: 'inland' },
];
const WORLD = 4096 * 2 ** 8;
const [x, y] = [columnOf(-39.5 * 1e7, WORLD), rowOf(0.5 * 1e7, WORLD)].map((place) => Math.floor(place / 4096));
const GETS = [
  '/v1/boundaries/r900',
  '/v1/boundaries/r900/export?format=kml',
  `/tiles/boundaries/8/${x}/${y}.mvt`,
  '/tiles/boundaries.json',
  '/ogc/collections/level-8/items',
  '/ogc/collections/level-8/items/r900',
];
const CALLS: readonly (readonly [op: string, input: object])[] = [
  ['union_boundaries', { include: ['r900', 'r901'], format: 'wkt' }],
  ['export_collection', { ids: ['r900', 'r901'], format: 'csv', tolerance_m: 2 }],
  ['dissolve', { groups: { all: ['r900', 'r901'] } }],
  ['crosswalk', { a: ['r900', 'r901'], b: ['r901'] }],
  ['create_area', { plan: { steps: [{ op: 'place', id: 'r900' }] } }],
];

/** What each request answers for each part, by a digest; all must be answered. */
async function answersOf(server: BoundaryTestServer, key: string, moment?: string): Promise<string[]> {
  const said: string[] = [];
  const headers: Record<string, string> = moment === undefined ? {} : { 'Boundary-Data': moment };
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  for (const part of PARTS) {
    const query = new URLSearchParams(part as Record<string, string>).toString();
    for (const path of moment === undefined ? GETS : GETS.slice(0, 2)) {
      const asked = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const { status, bytes, json } = await server.ask('GET', asked, { key, headers });
      said.push(`${asked}: ${status < 300 ? digest(bytes) : json.code}`);
    }
    for (const [op, input] of CALLS) {
      if (moment !== undefined && op === 'create_area') continue;
      const { status, json } = await server.ask('POST', `/v1/ops/${op}`, { key, json: { ...input, ...part }, headers });
      const { url, sha256, ...rest } = json as { url?: string; sha256?: string };
      said.push(`${op} ${query}: ${status < 300 ? (sha256 ?? digest(Buffer.from(JSON.stringify(rest)))) : json.code}`);
    }
  }
  return said;
}

const codes = (said: readonly string[]) => said.filter((one) => !/: [0-9a-f]{12}/.test(one)).length;

it('are answered by each of them, also after a restore, and pinned', { timeout: 600_000 }, async () => {
  const file = join(folder, 'land.backup');
  const first = await openLibraryTestServer();
  let before: string[];
  let kept: string[];
  let [dry, moment, coastal] = ['', '', ''];
  const { member } = await (async () => {
    await storeSquares(first);
    return first.staff();
  })();
  const { key } = member;
  try {
    dry = defined((await first.ask('GET', '/v1/boundaries/r900', { key })).headers['boundary-data']);
    await storeCoast(first);
    coastal = defined((await first.ask('GET', '/v1/boundaries/r900', { key })).headers['boundary-data']);
    const atCoast = await answersOf(first, key, coastal);
    await storeLake(first);
    moment = defined((await first.ask('GET', '/v1/boundaries/r900', { key })).headers['boundary-data']);
    before = await answersOf(first, key);
    expect(before.filter((one) => !/: [0-9a-f]{12}/.test(one))).toEqual([]);
    // No two parts are the same.
    const digests = before.map((one) => one.split(': ')[1]);
    expect(before.filter((_, i) => digests.indexOf(digests[i]) !== i)).toEqual([]);
    // As it was: without a coast no part is known; with it, no inland water. The land was that of now.
    const none = await answersOf(first, key, dry);
    expect(codes(none.slice(0, none.length / 4))).toBe(0);
    // A collection lists what it lacks, and has then nothing.
    expect(codes(none.slice(none.length / 4))).toBe((3 * none.length) / 4);
    expect(await answersOf(first, key, coastal)).toEqual(atCoast);
    expect(codes(atCoast.slice(0, (3 * atCoast.length) / 4))).toBe(0);
    expect(codes(atCoast.slice((3 * atCoast.length) / 4))).toBe(atCoast.length / 4);
    const ids: string[] = [];
    for (const part of PARTS) {
      ids.push((await first.ok('save_file', { boundary_id: 'r900', format: 'wkt', ...part }, member)).id);
      const input = { ids: ['r900', 'r901'], format: 'csv', ...part };
      const { id } = await first.ok('create_job', { op: 'export_collection', input }, member);
      await first.jobRunner.runDue();
      const { json } = await first.get(`/v1/jobs/${id}`, key);
      expect(json).toMatchObject({ state: 'done', file_id: expect.stringMatching(/^file_/) });
      ids.push((json as unknown as { file_id: string }).file_id);
    }
    kept = [];
    for (const id of ids) kept.push((await first.get(`/v1/files/${id}/content`, key)).text);
    expect(new Set(kept).size).toBe(kept.length);
    const library = await openStorage(null, first.dataDir, 'library');
    await backUp(file, { db: first.services.db, library, progress: () => undefined });
  } finally {
    await first.close();
  }
  const manifest = await checkBackup(file);
  const second = await openBoundaryTestServer();
  try {
    const library = await openStorage(null, second.dataDir, 'library');
    await restoreBackup(file, manifest, { db: second.services.db, library, progress: () => undefined });
    expect(await answersOf(second, key)).toEqual(before);
    // A state that was recorded has no land without lakes: no answer, in place of the one of now.
    const pinned = await answersOf(second, key, moment);
    const others = pinned.filter((one) => !before.includes(one));
    expect(others).toEqual(pinned.slice((3 * pinned.length) / 4));
    expect(codes(others)).toBe(others.length);
    // What is known of the coast goes on from there.
    await storeCoast(second);
    expect(await answersOf(second, key)).toEqual(before);
  } finally {
    await second.close();
  }
});
