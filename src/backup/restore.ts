import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { FILE_FORMATS } from '../../workers/formats/registry.ts';
import type { Storage } from '../adapters/storage.ts';
import { only } from '../common/elements.ts';
import { readVersion } from '../common/version.ts';
import { problem } from '../core/errors.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { migrate, migrateFrom, migrationsFolder, readMigrations } from '../db/migrate.ts';
import { loadQuery } from '../db/query.ts';
import { damaged, type Manifest, type Member, readArchive, verifyArchive } from './archive.ts';
import { EXCLUDED_TABLES, partName, type TableStatements } from './backup.ts';
import { readCopyLine } from './copy_text.ts';

/** The target of a restore. */
export interface RestoreTarget {
  /** Connected as the role that owns the tables; our tables must be absent or empty. */
  readonly db: Database;
  readonly library: Storage;
  readonly progress: (message: string) => void;
}

/** The result of a restore. */
export interface RestoreReport {
  readonly version: string;
  readonly created_at: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Content of library files that the backup does not have: `sha256.extension`. */
  readonly missing: readonly string[];
}

/** The most bytes of a member with rows, which has 8 MiB of text or one row. */
const PART_LIMIT = 512 * 1024 * 1024;
/** Text of rows that one statement writes, in bytes. */
const WRITE_BYTES = 4 * 1024 * 1024;
const STATEMENT_MS = 3_600_000;

const uncompress = promisify(gunzip);

/**
 * Checks that a backup is complete and that this release can read it. Returns its manifest.
 * @throws invalid_input if not
 */
export async function checkBackup(file: string): Promise<Manifest> {
  const manifest = await verifyArchive(file);
  const known = new Map((await readMigrations(migrationsFolder())).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of manifest.migrations) {
    if (known.get(name) === sha256) continue;
    const why = known.has(name)
      ? `the migration ${name} has other content there`
      : `it has the migration ${name}, which this release does not know`;
    const releases = `It was made by ${manifest.version}, and this is ${readVersion()}`;
    throw problem('invalid_input', `${file} needs another release: ${why}. ${releases}.`);
  }
  return manifest;
}

/**
 * Restores a backup that passed checkBackup() into an empty database. All tables are written in one transaction, which
 * counts the rows and checks every foreign key before it commits, so a restore that fails or is killed leaves an empty
 * database and can be repeated.
 * @throws invalid_input when the database is not empty, or the backup has files of formats unknown to this release
 */
export async function restoreBackup(file: string, manifest: Manifest, target: RestoreTarget): Promise<RestoreReport> {
  const { db, library, progress } = target;
  await migrateToBackup(manifest, db);
  await requireEmpty(db);
  await restoreLibrary(file, library, progress);
  const rows = await db.transaction((tx) => restoreTables(file, manifest, tx, progress));
  // Apply the migrations of newer releases. The backup may have files of formats that only they know.
  await migrate(db);
  progress('restore: statistics');
  // As after an import. After ANALYZE alone, reading ahead took half a minute on the embedded database.
  await db.query('vacuum (analyze)', [], { timeoutMs: STATEMENT_MS });
  const { version, created_at } = manifest;
  const { files, missing } = manifest.library;
  return { version, created_at, tables: Object.keys(manifest.tables).length, rows, files, missing };
}

/** Migrates the database to the schema of the backup. @throws invalid_input if it has newer migrations */
async function migrateToBackup(manifest: Manifest, db: Database): Promise<void> {
  const names = new Set(manifest.migrations.map(({ name }) => name));
  const { there } = only(await db.query(loadQuery('backup_migrations_there')));
  const applied = there ? await db.query(loadQuery('backup_migrations')) : [];
  const newer = applied.find(({ name }) => !names.has(name));
  if (newer) {
    throw problem(
      'invalid_input',
      `The database has the migration ${newer.name}, and the backup is older. Restore it into a new database.`,
    );
  }
  await migrateFrom(db, migrationsFolder(), { names });
}

async function requireEmpty(db: Queryable): Promise<void> {
  const { used } = only(await db.query(loadQuery('backup_used')));
  if (used) {
    throw problem('invalid_input', 'The database is not empty. A backup is restored into a new database only.');
  }
}

/**
 * Copies the library content of a backup to a store.
 * @throws invalid_input if a file's SHA-256 is not that of its name
 */
export async function restoreLibrary(
  file: string,
  library: Storage,
  progress: RestoreTarget['progress'],
): Promise<void> {
  let files = 0;
  for await (const member of readArchive(file)) {
    const [folder, name] = member.name.split('/');
    if (folder !== 'library' || name === undefined) continue;
    const draft = await library.draft();
    try {
      const found = await saveTo(draft.path, member);
      if (found !== name.split('.')[0]) throw damaged(file, `the content of ${name} does not match its SHA-256`);
      await draft.keep(name);
    } finally {
      await draft.drop();
    }
    if (++files % 100 === 0) progress(`restore: ${files} library files`);
  }
}

async function saveTo(path: string, member: Member): Promise<string> {
  const hash = createHash('sha256');
  const out = await open(path, 'w', 0o600);
  try {
    for await (const some of member.stream()) {
      hash.update(some);
      await out.writeFile(some);
    }
  } finally {
    await out.close();
  }
  return hash.digest('hex');
}

/** Writes all tables and sequences; returns the number of rows. */
async function restoreTables(
  file: string,
  manifest: Manifest,
  tx: Queryable,
  progress: RestoreTarget['progress'],
): Promise<number> {
  const all = await tx.query(loadQuery('backup_tables'), [EXCLUDED_TABLES]);
  const tables = new Map(all.map((one) => [one.name, one]));
  checkTables(file, manifest, tables);
  const names = all.map(({ name }) => `"${name}"`).join(', ');
  await tx.exec(`lock table ${names} in access exclusive mode`);
  await requireEmpty(tx);
  // Tables are written in the order of their names, so foreign keys come later; triggers would count rows twice.
  const { drop_all, add_all } = only(await tx.query(loadQuery('backup_foreign_keys')));
  const { disable_all, enable_all } = only(await tx.query(loadQuery('backup_triggers')));
  await tx.exec(`${drop_all}; ${disable_all}; truncate ${names}`);

  const written = new Map<string, { rows: number; parts: number }>();
  for await (const member of readArchive(file)) {
    const [folder, name] = member.name.split('/');
    if (folder !== 'tables' || name === undefined) continue;
    const table = tables.get(name);
    const about = manifest.tables[name];
    const state = written.get(name) ?? { rows: 0, parts: 0 };
    if (!table || !about || member.name !== partName(name, state.parts + 1))
      throw damaged(file, `${member.name} is out of order`);
    const rows = await writePart(tx, table, about.columns, member);
    written.set(name, { rows: state.rows + rows, parts: state.parts + 1 });
    progress(`restore: table ${name}, ${state.rows + rows} of ${about.rows} rows`);
  }
  await compareCounts(file, manifest, tables, tx);
  const unknown = await tx.query(loadQuery('format_unknown'), [FILE_FORMATS]);
  if (unknown.length > 0) {
    const formats = unknown.map(({ format }) => format).join(', ');
    throw problem(
      'invalid_input',
      `${file} needs another release: it has files of formats that this release does not know (${formats}). ` +
        `It was made by ${manifest.version}, and this is ${readVersion()}.`,
    );
  }
  for (const [name, { last_value, is_called }] of Object.entries(manifest.sequences)) {
    await tx.query(loadQuery('backup_set_sequence'), [name, last_value, is_called]);
  }
  await tx.query(loadQuery('backup_restored_jobs'));
  await tx.query(loadQuery('backup_restored_revision'));
  await tx.query(loadQuery('backup_restored_arcs'));
  progress('restore: checking foreign keys');
  await tx.exec(`${enable_all}; ${add_all}`);
  return [...written.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/** Checks that the backup has the tables and columns of this database. @throws invalid_input if not */
function checkTables(file: string, manifest: Manifest, tables: ReadonlyMap<string, TableStatements>): void {
  const shape = (all: readonly { name: string; columns: readonly string[] }[]) =>
    all.map(({ name, columns }) => `${name} ${[...columns].sort().join(' ')}`).sort();
  const there = shape(Object.entries(manifest.tables).map(([name, { columns }]) => ({ name, columns })));
  const here = shape([...tables.values()]);
  const other = there.find((one) => !here.includes(one)) ?? here.find((one) => !there.includes(one));
  if (other !== undefined) throw damaged(file, `the table ${other.split(' ', 1)[0]} has other columns`);
}

/** Writes the rows of one member; returns their number. */
async function writePart(
  tx: Queryable,
  table: TableStatements,
  columns: readonly string[],
  member: Member,
): Promise<number> {
  const text = (await uncompress(await member.bytes(PART_LIMIT), { maxOutputLength: PART_LIMIT })).toString();
  let batch: (string | null)[][] = columns.map(() => []);
  let size = 0;
  let rows = 0;
  // The statement's parameters are in the order of the table's columns.
  const order = table.columns.map((column) => columns.indexOf(column));
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    await tx.query(
      table.writing,
      order.map((i) => batch[i]),
      { timeoutMs: STATEMENT_MS },
    );
    batch = columns.map(() => []);
    size = 0;
  };
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end);
    for (const [i, value] of readCopyLine(line, columns.length).entries()) batch[i]?.push(value);
    rows++;
    size += line.length + 1;
    at = end + 1;
    if (size >= WRITE_BYTES) await flush();
  }
  await flush();
  return rows;
}

async function compareCounts(
  file: string,
  manifest: Manifest,
  tables: ReadonlyMap<string, TableStatements>,
  tx: Queryable,
): Promise<void> {
  for (const [name, { rows }] of Object.entries(manifest.tables)) {
    const counting = tables.get(name)?.counting ?? '';
    const { count } = only(await tx.query<{ count: number }>(counting, [], { timeoutMs: STATEMENT_MS }));
    if (Number(count) !== rows) throw damaged(file, `${name} has ${count} rows instead of ${rows}`);
  }
}
