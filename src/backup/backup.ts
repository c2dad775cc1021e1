import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { extension } from '../../workers/formats/registry.ts';
import { blobName } from '../adapters/blobs.ts';
import type { Storage } from '../adapters/storage.ts';
import { defined, only } from '../common/elements.ts';
import { readVersion } from '../common/version.ts';
import { writeAll } from '../common/write_all.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Blob } from '../domain/library/blobs.ts';
import { type ArchiveWriter, isArchive, type Manifest, verifyArchive, writeArchive } from './archive.ts';
import { copyLine } from './copy_text.ts';

/** The sources of a backup. */
export interface BackupSource {
  /** Must be able to read every table and sequence: connect as the tables' owner if the service has another role. */
  readonly db: Database;
  /** The bytes of the library. */
  readonly library: Storage;
  readonly progress: (message: string) => void;
}

/** The result of a backup. */
export interface BackupReport {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Size of the archive. */
  readonly bytes: number;
  /** Content of library files that the store does not have: `sha256.extension`. */
  readonly missing: readonly string[];
}

/** Tables left out: migrations are in the manifest, and parts of jobs are rebuilt. So are unlogged tables. */
export const EXCLUDED_TABLES: readonly string[] = ['schema_migration', 'job_part'];

/** Uncompressed size of a member with rows. */
const PART_BYTES = 8 * 1024 * 1024;
/** Target size of one FETCH, estimated from the rows before. */
const FETCH_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 2000;
const FIRST_ROWS = 16;
/** gzip level: the fastest one compresses the text of rows to a third. */
const LEVEL = 1;
/** Timeout of one page of a table: large rows take longer than a request may. */
const STATEMENT_MS = 3_600_000;
const BLOB_PAGE = 500;
/** How many snapshots are tried when library files were saved and deleted just before each. */
const TRIES = 20;

const compress = promisify(gzip);

/** A library file was saved after the last copy and deleted since, so the snapshot refers to deleted content. */
class SnapshotMoved extends Error {}

/**
 * Writes all data of the service to one file that only its owner can read: a consistent snapshot of all tables, and the
 * content of the library. Other sessions can read and write meanwhile; an embedded database has only one session, so
 * requests that need it wait while its tables are read. The file gets its name when it is complete and verified.
 *
 * The content of the library is copied before the tables are read: it never changes but may be deleted at any time.
 */
export async function backUp(file: string, source: BackupSource): Promise<BackupReport> {
  const draft = `${file}.partial`;
  await removeLeftovers(dirname(file));
  const archive = await writeArchive(draft);
  const blob = await openUnnamed(`${file}.${randomUUID()}.blob`);
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
    await blob.close();
  }
}

async function write(archive: ArchiveWriter, draft: FileHandle, source: BackupSource): Promise<Manifest> {
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
  /** Copies the content of library files that is not copied yet; records what the store does not have as missing. */
  copyNamed(): Promise<void>;
  /** The same for the snapshot. @throws SnapshotMoved when some of it was deleted */
  copyNew(tx: Queryable): Promise<void>;
  report(): Manifest['library'];
}

/** Copies the content of the library, each once. Takes about 100 bytes of memory per file. */
function copyLibrary(archive: ArchiveWriter, draft: FileHandle, { db, library, progress }: BackupSource): LibraryCopy {
  const copied = new Set<string>();
  const missing = new Set<string>();
  let bytes = 0;

  /** Adds content to the archive if the store has it undamaged; returns whether it has. */
  async function copy(blob: Blob): Promise<boolean> {
    const name = blobName(blob.sha256, extension(blob.format));
    if ((await library.size(name)) !== blob.bytes) return false;
    // To a temporary file first: the hash is known only at the end.
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
      const page = await from.query(loadQuery('file_blob_page'), [last, BLOB_PAGE]);
      for (const blob of page) if (!copied.has(blob.sha256) && !missing.has(nameOf(blob))) yield blob;
      if (page.length < BLOB_PAGE) return;
      last = defined(page.at(-1)).sha256;
    }
  }

  return {
    async copyNamed() {
      for await (const blob of named(db)) {
        if (await copy(blob)) continue;
        // Deleted meanwhile, or lost: only a lost one is still in the table.
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

const nameOf = ({ sha256, format }: Blob): string => blobName(sha256, extension(format));

/** Replaces the content of a file by an object of the store. Returns its SHA-256 (hex), or null if it was deleted. */
async function fetchTo(out: FileHandle, library: Storage, name: string): Promise<string | null> {
  try {
    const hash = createHash('sha256');
    await out.truncate(0);
    let at = 0;
    for await (const some of await library.read(name)) {
      hash.update(some);
      await writeAll(out, some, at);
      at += some.byteLength;
    }
    return hash.digest('hex');
  } catch (error) {
    if ((await library.size(name)) === null) return null;
    throw error;
  }
}

/** Opens a new file without a name, so that nothing of it stays when the process is killed. */
async function openUnnamed(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** Age of a file, in milliseconds since its last change, from which no process writes it any more. */
const LEFT_MS = 86_400_000;

/** Removes from a folder what killed backups left: drafts, and the copies that earlier releases made. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.blob$/.test(name) && !name.endsWith('.partial')) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < LEFT_MS) continue;
    if (name.endsWith('.blob') || (await isArchive(path))) await rm(path, { force: true });
  }
}

async function copyTables(
  archive: ArchiveWriter,
  tx: Queryable,
  progress: (message: string) => void,
): Promise<Manifest['tables']> {
  const tables: Record<string, Manifest['tables'][string]> = {};
  const all = await tx.query(loadQuery('backup_tables'), [EXCLUDED_TABLES]);
  for (const [i, table] of all.entries()) {
    progress(`backup: table ${i + 1} of ${all.length}, ${table.name}`);
    tables[table.name] = { rows: await copyTable(archive, tx, table), columns: table.columns };
  }
  return tables;
}

/** A table and its statements, as the query backup_tables returns them. */
export interface TableStatements {
  readonly name: string;
  readonly columns: readonly string[];
  readonly reading: string;
  readonly writing: string;
  readonly counting: string;
}

/** Adds the rows of a table in parts of about PART_BYTES; returns the number of rows. */
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

/** The name of the member with a part of a table; parts start at 1. */
export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`;

async function readSequences(tx: Queryable): Promise<Manifest['sequences']> {
  const sequences: Record<string, Manifest['sequences'][string]> = {};
  for (const { name, reading } of await tx.query(loadQuery('backup_sequences'))) {
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
