import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/connect.ts';
import { keepCompiled } from './compiled.ts';
import { copyFilled, copyTemplate } from './embedded.ts';
import { administer, copyOf, databaseUrlOf, dropDatabase, ensureFilled, ensureTemplate } from './native.ts';
import { borrow, dropShared, giveBack } from './shared.ts';

/** A database under test. */
export interface TestDatabase {
  readonly db: Database;
  /** A temporary folder. Holds the database if that is embedded and its `own`. */
  readonly dataDir: string;
  /** Null when the database is embedded. */
  readonly databaseUrl: string | null;
  /** Closes and deletes the database. */
  close(): Promise<void>;
}

/** Fixture data: loaded once per run into a template, which test databases are copied from. */
export interface Fixture {
  readonly name: string;
  /** Loads the data into an empty migrated database. */
  fill(db: Database): Promise<unknown>;
  /** The file of a packed embedded database that holds just this already (src/db/prepared.ts), where there is one. */
  prepared?(): string | null;
}

interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  readonly world?: Fixture;
  /** Whether an embedded database is stored in `dataDir`, so that other processes can open it once it is closed. */
  readonly own?: boolean;
  /** Whether it is embedded where TEST_DATABASE_URL is set, too: to compare the two kinds. */
  readonly embedded?: boolean;
}

/** Whether the suite runs on a native database. */
export const isNative = Boolean(process.env.TEST_DATABASE_URL);

/** The embedded database of this process, and the test file that opened it. */
let embedded: { readonly file: string | undefined; readonly opened: Promise<TestDatabase> } | null = null;
let count = 0;

/**
 * A migrated database for a test file, empty except for its `world`: native when TEST_DATABASE_URL is set (its user
 * must be allowed to create databases), embedded otherwise. An embedded one takes about 1 GB, so a test process has
 * only one at a time; without options, one instance is lent to test files in turn and cleaned between them.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'boundary-test-'));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const { embedded: beside = false, ...others } = options;
    const server = beside ? undefined : process.env.TEST_DATABASE_URL;
    return await (server ? openNative(server, dataDir, remove, others) : openEmbedded(dataDir, remove, others));
  } catch (error) {
    await remove();
    throw error;
  }
}

type Remove = () => Promise<void>;

async function openNative(
  server: string,
  dataDir: string,
  remove: Remove,
  { world, own: _own, ...options }: TestDatabaseOptions,
): Promise<TestDatabase> {
  const run = inject('testRun');
  const template = world ? await ensureFilled(server, run, world.name, world.fill) : await ensureTemplate(server, run);
  const name = `${run}_${process.pid}_${++count}`;
  await administer(server, `create database "${name}"${copyOf(template)}`);
  const databaseUrl = databaseUrlOf(server, name);
  const db = await openDatabase({ ...options, databaseUrl, dataDir });
  return {
    db,
    dataDir,
    databaseUrl,
    async close() {
      await db.close();
      await dropDatabase(server, name);
      await remove();
    },
  };
}

async function openEmbedded(
  dataDir: string,
  remove: Remove,
  { world, own: isOwn = false, ...options }: TestDatabaseOptions,
): Promise<TestDatabase> {
  const file = expect.getState().testPath;
  if (embedded?.file === file) throw new Error('This test process has an embedded database open already.');
  // Close what an earlier file could not because it failed while opening, so that this file does not fail too.
  const left = embedded;
  await left?.opened.then(
    (database) => database.close(),
    () => undefined,
  );
  const isShared = !isOwn && world === undefined && Object.keys(options).length === 0;
  const open = async (): Promise<TestDatabase> => {
    if (isShared) {
      const db = await borrow();
      return {
        db,
        dataDir,
        databaseUrl: null,
        async close() {
          await db.close();
          await giveBack();
          if (embedded === own) embedded = null;
          await remove();
        },
      };
    }
    await dropShared();
    if (world) await copyFilled(join(inject('buildFolder'), world.name), world, dataDir);
    else await copyTemplate(dataDir);
    const db = await openDatabase({ ...options, databaseUrl: null, dataDir });
    return {
      db,
      dataDir,
      databaseUrl: null,
      async close() {
        await keepCompiled();
        await db.close();
        if (embedded === own) embedded = null;
        await remove();
      },
    };
  };
  const own = { file, opened: open() };
  embedded = own;
  return own.opened.catch((error) => {
    if (embedded === own) embedded = null;
    throw error;
  });
}
