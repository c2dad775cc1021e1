import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { blobName } from '../adapters/blobs.ts';
import type { Storage } from '../adapters/storage.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Blob } from '../domain/file_blobs.ts';
import { defined, only } from '../elements.ts';
import { fileExtension } from '../file_formats.ts';
import { readVersion } from '../version.ts';
import { type ArchiveWriter, type Manifest, verifyArchive, writeArchive } from './archive.ts';
import { copyLine } from './copy_text.ts';

/** What a backup is made of. */
export interface BackupSource {
  /** Reads every table and sequence: that of the owner of the tables, where the service has another role. */
  readonly db: Database;
  /** The bytes of the library. */
  readonly library: Storage;
  readonly progress: (message: string) => void;
}

/** What was written. */
export interface BackupReport {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Of the archive. */
  readonly bytes: number;
  /** Content of library files that the store does not have: `sha256.extension`. */
  readonly missing: readonly string[];
}

/**
 * Tables that are not in a backup: migrations are in the manifest, and parts of jobs are made again. What is unlogged is
 * left out too.
 */
export const LEFT_OUT: readonly string[] = ['schema_migration', 'job_part'];

/** Text of rows that becomes one member, before it is compressed. */
const PART_BYTES = 8 * 1024 * 1024;
/** Text that one FETCH is to bring, by the size of the rows before. */
const FETCH_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 2000;
const FIRST_ROWS = 16;
/** Rows are text: the fastest level makes them a third. */
const LEVEL = 1;
/** One page of a table takes longer than a call may, where rows are large. */
const STATEMENT_MS = 3_600_000;
const BLOB_PAGE = 500;
/** How often a snapshot is taken again, because library files were saved and deleted in the moment before it. */
const TRIES = 20;

const compress = promisify(gzip);

/** A library file was saved after its content was looked for, and deleted since: the snapshot names what is gone. */
class SnapshotMoved extends Error {}

/**
 * Writes everything that the service keeps into one file, readable by its owner alone: all tables as of one moment, and
 * the bytes of the library. Others go on reading and writing, except that an embedded database has one session: calls
 * that need it wait while its tables are read. The file appears under its name when it is whole and was read back.
 *
 * Bytes of the library are copied before the tables are read, as they never change but may be deleted at any time.
 */
export async function backUp(file: string, source: BackupSource): Promise<BackupReport> {
  const draft = `${file}.partial`;
  const blob = `${file}.${randomUUID()}.blob`;
  const archive = await writeArchive(draft);
  try {
    const manifest = await write(archive, blob, source);
    await archive.close();
    source.progress('backup: reading it back');
    const { sha256 } = await verifyArchive(draft);
    if (sha256 !== manifest.sha256) throw new Error('another process wrote to the same file');
    await rename(draft, file);
    await syncFolder(dirname(file));
    const tables = Object.values(manifest.tables);
    return {
      tables: tables.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.library.files,
      bytes: await sizeOf(file),
      missing: manifest.library.missing,
    };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await archive.close().catch(() => undefined);
    await rm(blob, { force: true });
  }
}

async function write(archive: ArchiveWriter, draft: string, source: BackupSource): Promise<Manifest> {
  const library = copyLibrary(archive, draft, source);
  for (let tries = 1; ; tries++) {
    await library.copyNamed();
    try {
      return await source.db.transaction(async (tx) => {
        await tx.query('set transaction isolation level repeatable read, read only');
        await library.copyNew(tx);
        const tables = await copyTables(archive, tx, source.progress);
        const { version } = only(await tx.query(loadQuery('backup_server')));
        return archive.finish({
          version: readVersion(),
          created_at: new Date().toISOString(),
          database: { kind: source.db.kind, version: version ?? '' },
          migrations: await tx.query(loadQuery('backup_migrations')),
          tables,
          sequences: await readSequences(tx),
          library: library.report(),
        });
      });
    } catch (error) {
      if (!(error instanceof SnapshotMoved) || tries === TRIES) throw error;
    }
  }
}

interface LibraryCopy {
  /** Copies what entries name now and what is not copied yet. What the store does not have is noted. */
  copyNamed(): Promise<void>;
  /** The same within the snapshot. Throws SnapshotMoved when some of it is gone. */
  copyNew(tx: Queryable): Promise<void>;
  report(): Manifest['library'];
}

/** Copies the bytes of the library, each once: some 100 bytes of memory for each file. */
function copyLibrary(archive: ArchiveWriter, draft: string, { db, library, progress }: BackupSource): LibraryCopy {
  const copied = new Set<string>();
  const missing = new Set<string>();
  let bytes = 0;

  /** Whether the store has the bytes as they were saved; they are added when it has. */
  async function copy(blob: Blob): Promise<boolean> {
    const name = blobName(blob.sha256, fileExtension(blob.format));
    if ((await library.size(name)) !== blob.bytes) return false;
    // To a file first: whether they are right is known at their end.
    const found = await fetchTo(draft, library, name);
    if (found !== blob.sha256) return false;
    await archive.addFile(`library/${name}`, draft, blob.bytes);
    copied.add(blob.sha256);
    bytes += blob.bytes;
    if (copied.size % 100 === 0) progress(`backup: ${copied.size} library files`);
    return true;
  }

  async function* named(from: Queryable): AsyncGenerator<Blob> {
    for (let last = ''; ; ) {
      const page = await from.query<Blob>(loadQuery('file_blob_page'), [last, BLOB_PAGE]);
      for (const blob of page) if (!copied.has(blob.sha256) && !missing.has(nameOf(blob))) yield blob;
      if (page.length < BLOB_PAGE) return;
      last = defined(page.at(-1)).sha256;
    }
  }

  return {
    async copyNamed() {
      for await (const blob of named(db)) {
        if (await copy(blob)) continue;
        // Deleted meanwhile, or lost: a lost one is still named.
        const rows = await db.query(loadQuery('file_blob_named'), [[blob.sha256]]);
        if (rows.length > 0) missing.add(nameOf(blob));
      }
    },
    async copyNew(tx) {
      for await (const blob of named(tx)) if (!(await copy(blob))) throw new SnapshotMoved();
    },
    report: () => ({ files: copied.size, bytes, missing: [...missing].sort() }),
  };
}

const nameOf = ({ sha256, format }: Blob): string => blobName(sha256, fileExtension(format));

/** Copies bytes of a store to a file of this machine; gives their SHA-256, or null when they are gone. */
async function fetchTo(path: string, library: Storage, name: string): Promise<string | null> {
  const out = await open(path, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    for await (const some of await library.read(name)) {
      hash.update(some);
      await out.writeFile(some);
    }
    return hash.digest('hex');
  } catch (error) {
    if ((await library.size(name)) === null) return null;
    throw error;
  } finally {
    await out.close();
  }
}

async function copyTables(
  archive: ArchiveWriter,
  tx: Queryable,
  progress: (message: string) => void,
): Promise<Manifest['tables']> {
  const tables: Record<string, Manifest['tables'][string]> = {};
  const all = await tx.query<TableStatements>(loadQuery('backup_tables'), [LEFT_OUT]);
  for (const [i, table] of all.entries()) {
    progress(`backup: table ${i + 1} of ${all.length}, ${table.name}`);
    tables[table.name] = { rows: await copyTable(archive, tx, table), columns: table.columns };
  }
  return tables;
}

/** A table, and the statements that backup_tables gives for it. */
export interface TableStatements {
  readonly name: string;
  readonly columns: readonly string[];
  readonly reading: string;
  readonly writing: string;
  readonly counting: string;
}

/** Adds the rows of a table in parts of about PART_BYTES; gives how many there are. */
async function copyTable(archive: ArchiveWriter, tx: Queryable, { name, columns, reading }: TableStatements) {
  await tx.query(reading);
  let rows = 0;
  let part = 0;
  let held: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (held.length === 0) return;
    const text = Buffer.from(held.join(''));
    [held, size] = [[], 0];
    await archive.add(partName(name, ++part), await compress(text, { level: LEVEL }));
  };
  for (let count = FIRST_ROWS; ; ) {
    const page = await tx.query<Record<string, string | null>>(`fetch ${count} from backup_rows`, [], {
      timeoutMs: STATEMENT_MS,
    });
    let fetched = 0;
    for (const row of page) {
      const line = copyLine(columns.map((column) => row[column] ?? null));
      fetched += line.length;
      held.push(line);
      size += line.length;
      if (size >= PART_BYTES) await flush();
    }
    rows += page.length;
    if (page.length < count) break;
    const fitting = Math.floor(FETCH_BYTES / (fetched / page.length));
    count = Math.max(1, Math.min(MOST_ROWS, 4 * count, fitting));
  }
  await flush();
  await tx.query('close backup_rows');
  return rows;
}

/** The member that has a part of a table; parts are counted from 1. */
export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`;

async function readSequences(tx: Queryable): Promise<Manifest['sequences']> {
  const sequences: Record<string, Manifest['sequences'][string]> = {};
  for (const { name, reading } of await tx.query<{ name: string; reading: string }>(loadQuery('backup_sequences'))) {
    const state = only(await tx.query<Manifest['sequences'][string]>(reading));
    sequences[name] = { last_value: state.last_value, is_called: state.is_called };
  }
  return sequences;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path, 'r');
  return file
    .stat()
    .then(({ size }) => size)
    .finally(() => file.close());
}
