import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import { expectSoundArrangement } from '../proof/arrangement.ts';
import { dataDir, openEnvironment } from '../proof/environment.ts';
import { drawnIfEmbedded } from '../proof/rounds.ts';
import { type Base, openBase } from '../setup/base.ts';
import { builtScript } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { hasOsmium, NEW, OLD, openFolder, realFile, stateOf } from './change_files.ts';

/** How often an import is killed: KILLS=2 kills it once more where it goes on. */
const KILLS = Number(process.env.KILLS ?? 1);
/** In the transaction of the second batch, and after the third. */
const PLACES: readonly Place[] = [
  ['batch 1/', 'names '],
  ['', 'batch 3/'],
];

/** What is killed here. */
const KILLED = drawnIfEmbedded(['an import', 'an update']);

const folder = openFolder();
afterAll(() => folder.remove());

/** Where an importer is killed: when its progress starts with `words`, after it once started with `after`. */
type Place = readonly [after: string, words: string];

/** Runs the importer until it is killed there, or ends well. */
async function runImporter(base: Base, what: string, file: string, place?: Place): Promise<void> {
  const words = [base.dataDir, base.databaseUrl, what, file, ...(place ?? [])];
  const args = [COMPILE_ONCE, await builtScript('test/freshness/importer.ts'), ...words];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  expect(await once(child, 'exit')).toEqual(place ? [null, 'SIGKILL'] : [0, null]);
}

/** What a database holds, which has to be consistent; `fill` puts something into it first. */
async function look(
  { dataDir, databaseUrl }: Base,
  fill?: (db: Database) => Promise<void>,
): Promise<Record<string, string[]>> {
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
  try {
    await fill?.(db);
    await expectSoundArrangement({ test: { db } });
    const { unused } = only(
      await db.query<{ unused: number }>(
        `select count(*)::integer as unused from arc a
       where not exists (select from boundary_shape s where s.arc_ids @> array[a.id])`,
      ),
    );
    expect(unused).toBe(0);
    const { halves } = only(
      await db.query<{ halves: number }>(
        `select count(*)::integer as halves from boundary
       where has_geometry and (ring_hash is null or geometry_hash is null)`,
      ),
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

  it.runIf(KILLED.includes('an import'))('in an import leaves whole batches, and again it goes on', async () => {
    const base = await openBase(folder.folder);
    try {
      let before = 0;
      for (const place of PLACES.slice(0, KILLS)) {
        await runImporter(base, 'import', realFile(NEW), place);
        const { length } = defined((await look(base)).boundaries);
        expect(length).toBeGreaterThan(before);
        expect(length).toBeLessThan(defined(wanted.boundaries).length);
        before = length;
      }
      await runImporter(base, 'import', realFile(NEW));
      expect(await look(base)).toEqual(wanted);
    } finally {
      await base.close();
    }
  });

  it.runIf(KILLED.includes('an update'))(
    'in an update leaves nothing of the change, and again it is taken in',
    async () => {
      const base = await openBase(folder.folder);
      try {
        const before = await look(base, async (db) => {
          const engine = new Engine(db, {
            threads: 1,
            arcBytes: 64e6,
            cache: createCache(16e6),
            maxResponseBytes: 64e6,
          });
          await importFile({ db, engine }, realFile(OLD), null).finally(() => engine.close());
        });
        const change = folder.derive(OLD, NEW);
        await runImporter(base, 'update', change, ['', 'names ']);
        expect(await look(base)).toEqual(before);
        await runImporter(base, 'update', change);
        expect(await look(base)).toEqual(wanted);
      } finally {
        await base.close();
      }
    },
  );
});
