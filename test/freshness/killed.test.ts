import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { expectSoundArrangement } from '../proof/arrangement.ts';
import { dataDir, openEnvironment } from '../proof/environment.ts';
import { isNative, testDatabase } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { hasOsmium, NEW, OLD, openFolder, realFile, stateOf } from './change_files.ts';

const folder = openFolder();
afterAll(() => folder.remove());

/** A database for processes of their own, one at a time: a data directory, or a native database. */
interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

let count = 0;
async function openPlace(): Promise<Place> {
  if (isNative) {
    const { db, dataDir, databaseUrl, close } = await testDatabase();
    await db.query('select 1');
    return { dataDir, databaseUrl: databaseUrl as string, close };
  }
  const path = join(folder.folder, `data${++count}`);
  await copyTemplate(path);
  return { dataDir: path, databaseUrl: '', close: async () => undefined };
}

/** Runs the importer; with `kill` it is killed when it says that for the nth time, else it has to end well. */
async function runImporter(place: Place, what: string, file: string, kill?: RegExp): Promise<boolean> {
  const args = ['--import', import.meta.resolve('tsx'), 'test/freshness/importer.ts'];
  const child: ChildProcess = spawn(process.execPath, [...args, place.dataDir, place.databaseUrl, what, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (text: Buffer) => {
    said += text;
    if (kill?.test(said)) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (!kill) expect([code, signal]).toEqual([0, null]);
  return signal === 'SIGKILL';
}

/** What a database holds, which has to be consistent. */
async function look({ dataDir, databaseUrl }: Place): Promise<Record<string, string[]>> {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    await expectSoundArrangement({ test: { db } });
    const [{ unused }] = await db.query<{ unused: number }>(
      `select count(*)::integer as unused from arc a
       where not exists (select from boundary_shape s where s.arc_ids @> array[a.id])`,
    );
    expect(unused).toBe(0);
    const [{ halves }] = await db.query<{ halves: number }>(
      `select count(*)::integer as halves from boundary
       where has_geometry and (ring_hash is null or geometry_hash is null)`,
    );
    expect(halves).toBe(0);
    return await stateOf(db);
  } finally {
    await db.close();
  }
}

describe.skipIf(!dataDir || !hasOsmium)('a process that is killed', { timeout: 600_000 }, () => {
  /** What an import into an empty database gives, in one piece. */
  let wanted: Record<string, string[]>;
  beforeAll(async () => {
    const server = await openEnvironment(NEW);
    try {
      wanted = await stateOf(server.test.db);
    } finally {
      await server.close();
    }
  });

  it('in an import leaves whole batches, and again it goes on', async () => {
    const place = await openPlace();
    try {
      let halfway = 0;
      for (const at of [/batch 1\//, /batch 2\//]) {
        await runImporter(place, 'import', realFile(NEW), at);
        if ((await look(place)).boundaries.length < wanted.boundaries.length) halfway++;
      }
      expect(halfway).toBeGreaterThan(0);
      await runImporter(place, 'import', realFile(NEW));
      expect(await look(place)).toEqual(wanted);
    } finally {
      await place.close();
    }
  });

  it('in an update leaves nothing of the change, and again it is taken in', async () => {
    const place = await openPlace();
    try {
      await runImporter(place, 'import', realFile(OLD));
      const before = await look(place);
      const change = folder.derive(OLD, NEW);
      expect(await runImporter(place, 'update', change, /names/)).toBe(true);
      expect(await look(place)).toEqual(before);
      await runImporter(place, 'update', change);
      expect(await look(place)).toEqual(wanted);
    } finally {
      await place.close();
    }
  });
});
