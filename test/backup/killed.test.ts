import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { verifyArchive } from '../../src/backup/archive.ts';
import { backUp } from '../../src/backup/backup.ts';
import { restoreLibrary } from '../../src/backup/restore.ts';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { startS3 } from '../library/s3_server.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { builtMain } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { isNative } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { administer, databaseUrlOf, dropDatabase } from '../setup/native.ts';

/** Where a restore is killed first, by what it says: among the tables, and before it commits. */
const RESTORE_PLACES = drawnIfEmbedded(['restore: table file,', 'restore: checking foreign keys']);
/** Where a backup is: among the tables, and before it gets its name. */
const BACKUP_PLACES = drawnIfEmbedded([', file', 'backup: reading it back']);
/** How often each is killed, then at moments drawn from a seed: KILLS=20 repeats a long run. */
const KILLS = Number(process.env.KILLS ?? RESTORE_PLACES.length);
const SEED = Number(process.env.KILL_SEED ?? 20261122);

let folder: string;
let testServer: LibraryTestServer;
let owner: OrgMember;
let whole: string;
/** How long a backup of all takes. */
let backupMs: number;
let target: Record<string, string | undefined>;
const native = `${inject('testRun')}_killed`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-killed-'));
  testServer = await openLibraryTestServer();
  ({ owner } = await testServer.staff());
  for (let i = 0; i < 40; i++) {
    await testServer.ok(
      'save_file',
      {
        boundary_id: ['r100', 'r101', 'r102', 'r111'][i % 4],
        detail: i % 3 ? 'low' : 'full',
        format: i % 2 ? 'kml' : 'wkt',
        name: `file ${i}`,
      },
      owner,
    );
  }
  whole = join(folder, 'whole.backup');
  const library = await openStorage(null, testServer.dataDir, 'library');
  await backUp(whole, { db: testServer.services.db, library, progress: () => undefined });

  const dataDir = join(folder, 'place');
  target = { PATH: process.env.PATH, HOME: folder, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  if (isNative) {
    const server = process.env.TEST_DATABASE_URL ?? '';
    await administer(server, `create database "${native}"`);
    target.DATABASE_URL = databaseUrlOf(server, native);
  } else {
    await copyTemplate(dataDir);
  }
}, 600_000);
afterAll(async () => {
  await testServer?.close();
  if (isNative) await dropDatabase(process.env.TEST_DATABASE_URL ?? '', native);
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly exit: number | null;
  readonly err: string;
  readonly ms: number;
}

/** A module that kills the program when it says that; it says it on terminals only. */
const killingAt = (place: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  const { stderr } = process;
  const write = stderr.write.bind(stderr);
  stderr.isTTY = true;
  stderr.write = (text, ...more) => {
    if (String(text).includes(${JSON.stringify(place)})) process.kill(process.pid, 'SIGKILL');
    return write(text, ...more);
  };`)}`;

/** Runs the program; kills it at a place, or after so many milliseconds, where they are given. */
async function run(
  env: Record<string, string | undefined>,
  words: readonly string[],
  kill?: string | number,
): Promise<Ended> {
  const started = performance.now();
  const flags = typeof kill === 'string' ? ['--import', killingAt(kill)] : [];
  const args = [...flags, COMPILE_ONCE, await builtMain(), ...words];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (some: Buffer) => {
    err += some;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (typeof kill === 'number') {
    await Promise.race([sleep(kill), ended]);
    child.kill('SIGKILL');
  }
  return { exit: await ended, err, ms: performance.now() - started };
}

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it(`a restore that is killed ${KILLS} times leaves an empty place, and the next one succeeds, seed ${SEED}`, {
  timeout: 900_000,
}, async () => {
  const next = random(SEED);
  for (const place of RESTORE_PLACES.slice(0, KILLS)) {
    expect(await run(target, ['restore', whole], place)).toMatchObject({ exit: null });
  }
  // How long one takes is not known: the moments come from longer and longer times until one has succeeded.
  for (let killed = RESTORE_PLACES.length, most = 1500; killed < KILLS; killed++, most += 500) {
    const { exit, err } = await run(target, ['restore', whole], next() * most);
    if (exit === 0) break;
    // One that was killed after its commit had succeeded: the next is refused.
    if (err.includes('is not empty')) break;
    expect(err, err).toBe('');
    expect(exit).toBeNull();
  }
  const last = await run(target, ['restore', whole]);
  if (KILLS <= RESTORE_PLACES.length) expect(last).toMatchObject({ exit: 0, err: '' });
  else if (last.exit !== 0) expect(last.err).toContain('is not empty');

  // Whichever of them it was, everything is there.
  const again = join(folder, 'again.backup');
  const backup = await run(target, ['backup', again]);
  expect(backup).toMatchObject({ exit: 0 });
  backupMs = backup.ms;
  const [was, is] = [await verifyArchive(whole), await verifyArchive(again)];
  // The first process that serves makes the keys for cookies.
  const { data_change: _, secret: __, ...tables } = was.tables;
  expect(is.tables).toMatchObject(tables);
  expect(is.library).toEqual(was.library);
});

it(`a backup that is killed ${KILLS} times leaves the one before as it was`, { timeout: 900_000 }, async () => {
  const next = random(SEED + 1);
  const file = join(folder, 'again.backup');
  const before = readFileSync(file);
  for (let i = 0; i < KILLS; i++) {
    const { exit } = await run(target, ['backup', file], BACKUP_PLACES[i] ?? next() * backupMs);
    if (i < BACKUP_PLACES.length) expect([exit, existsSync(`${file}.partial`)]).toEqual([null, true]);
    if (exit === null) expect(readFileSync(file).equals(before)).toBe(true);
    else await verifyArchive(file);
    expect(readdirSync(folder).filter((name) => name.endsWith('.blob'))).toEqual([]);
  }
  // What an earlier release, and one that wrote under another name, left a day ago; and files of others.
  const draft = readFileSync(file).subarray(0, 5000);
  const old = [`old.${randomUUID()}.blob`, 'tuesday.backup.partial', 'film.partial', 'some.blob'];
  for (const name of old) {
    writeFileSync(join(folder, name), name.startsWith('tuesday') ? draft : 'x');
    utimesSync(join(folder, name), 0, Date.now() / 1000 - 90_000);
  }
  writeFileSync(join(folder, 'today.backup.partial'), draft);
  expect(await run(target, ['backup', file])).toMatchObject({ exit: 0 });
  await verifyArchive(file);
  const left = readdirSync(folder).filter((name) => /\.(?:blob|partial)$/.test(name));
  expect(left.sort()).toEqual(['film.partial', 'some.blob', 'today.backup.partial']);
});

it('content that the store has lost or changed is named, and the rest is in the backup', async () => {
  const library = await openStorage(null, testServer.dataDir, 'library');
  const stored: string[] = [];
  for await (const { name } of library.list()) stored.push(name);
  const [lost, wrong] = leading(stored.sort(), 2);
  const original = { lost: await library.get(lost), wrong: await library.get(wrong) };
  await library.remove(lost);
  await library.put(
    wrong,
    (original.wrong as Uint8Array).map((byte) => byte ^ 1),
  );
  const file = join(folder, 'lost.backup');
  const report = await backUp(file, { db: testServer.services.db, library, progress: () => undefined });
  await library.put(lost, original.lost as Uint8Array);
  await library.put(wrong, original.wrong as Uint8Array);
  expect(report.missing).toEqual([lost, wrong].sort());
  expect(report.files).toBe(stored.length - 2);
  expect((await verifyArchive(file)).library.missing).toEqual([lost, wrong].sort());
});

it('content in a bucket is in the backup, and is restored into a bucket', async () => {
  const s3 = await startS3();
  try {
    const folderStore = await openStorage(null, testServer.dataDir, 'library');
    const bucket = await openStorage(s3.url, folder, 'library');
    for await (const { name } of folderStore.list())
      await bucket.put(name, (await folderStore.get(name)) as Uint8Array);
    const file = join(folder, 'bucket.backup');
    await backUp(file, { db: testServer.services.db, library: bucket, progress: () => undefined });
    const [inBucket, inFolder] = [await verifyArchive(file), await verifyArchive(whole)];
    expect(inBucket.library).toEqual(inFolder.library);
    const other = await openStorage(s3.url.replace('some/where', 'else/where'), folder, 'library');
    await restoreLibrary(file, other, () => undefined);
    let count = 0;
    for await (const { name, size } of other.list()) {
      count++;
      expect(await bucket.size(name)).toBe(size);
    }
    expect(count).toBe(inFolder.library.files);
  } finally {
    await s3.close();
  }
});
