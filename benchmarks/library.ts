import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permanentBlobs } from '../src/adapters/blobs.ts';
import { openFolder } from '../src/adapters/folder.ts';
import { type Database, openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { createFileBlobs } from '../src/domain/library/blobs.ts';
import type { Files, Reader } from '../src/domain/library/file_entry.ts';
import { createFiles } from '../src/domain/library/files.ts';
import { BenchDatabase, server } from './import/native.ts';
import { FULL, fillLibrary, reader } from './library_fill.ts';
import type { Options, Result } from './measure.ts';

/**
 * The reader, the page, and whether the library changed since their last call, so that their files are counted again.
 */
const CASES: readonly [string, Reader, number, boolean][] = [
  ['a member of three teams', reader(7, 'member'), 0, false],
  ['a member of all 50 teams', reader(0, 'member'), 0, false],
  ['a member of all 50 teams, each time after a change', reader(0, 'member'), 0, true],
  ['a viewer of three teams', reader(9, 'viewer'), 0, false],
  ['an admin', reader(3, 'admin'), 0, false],
  ['a member, page 50', reader(7, 'member'), 1000, false],
];
const CALLS = 200;

/**
 * Measures list_files over 100,000 files, 50 teams and 90,000 shares against a no-op statement on the same connection:
 * the difference is the work. Times are medians in milliseconds; the note has the p95.
 */
export async function benchLibrary(_data: string, { smoke }: Options): Promise<Result[]> {
  const home = server();
  if (!home) return [];
  const database = new BenchDatabase(home, 'library');
  await database.empty();
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const db = await openDatabase({ databaseUrl: database.url, dataDir: folder });
  try {
    await migrate(db);
    await fillLibrary(db, smoke ? { files: 2000, teams: 10, people: 20 } : FULL);
    const storage = await openFolder(join(folder, 'library'));
    const files = createFiles(db, createFileBlobs(db, storage, permanentBlobs(storage)), () => undefined);
    const rows: Result[] = [];
    const calls = smoke ? 5 : CALLS;
    for (const [who, by, offset, changing] of CASES) {
      rows.push(await listing(db, files, { who, by, offset, changing, calls }));
    }
    return rows;
  } finally {
    await db.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function listing(
  db: Database,
  files: Files,
  { who, by, offset, changing, calls }: { who: string; by: Reader; offset: number; changing: boolean; calls: number },
): Promise<Result> {
  const ours: number[] = [];
  const nothing: number[] = [];
  let same = true;
  const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    into.push(performance.now() - started);
  };
  const list = async (): Promise<void> => {
    const { items, total } = await files.list(by, { limit: 20, offset });
    same &&= items.length === Math.min(20, Math.max(0, total - offset)) && total > 0;
  };
  await list();
  for (let i = 0; i < calls; i++) {
    if (changing) await db.query('update file_count set revision = revision + 1');
    await timed(ours, list);
    await timed(nothing, () => db.query('select 1'));
  }
  const [mine, theirs] = [ours.toSorted((a, b) => a - b), nothing.toSorted((a, b) => a - b)];
  const [median, rival] = [mine[calls >> 1], theirs[calls >> 1]];
  return {
    case: `list_files for ${who}`,
    ours_ms: median,
    rival: 'select 1',
    rival_ms: rival,
    ratio: rival / median,
    same_answer: same,
    spread: (mine[calls - 1] - mine[0]) / median,
    note: `p95 ${mine[Math.floor(calls * 0.95)].toFixed(1)} ms of ${calls} calls; select 1 is the connection alone`,
  };
}
