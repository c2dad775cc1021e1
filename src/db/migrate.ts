import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILE_FORMATS } from '../../workers/formats/registry.ts';
import { only } from '../common/elements.ts';
import { packageRoot } from '../common/package_root.ts';
import { DatabaseError } from './database_error.ts';
import { loadQuery } from './query.ts';
import type { Database } from './queryable.ts';

const FILE = /^(\d{6})_[a-z0-9_]+\.sql$/;
const TRANSACTION_CONTROL = /^[ \t]*(?:begin|commit|rollback)\s*;/im;

const CREATE_RECORD = `
create table if not exists schema_migration (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`;

/**
 * Milliseconds that a migration waits for a lock in its first try, and at most: longer in each. It then gives back the
 * locks that it has, and pauses as long, in which calls that waited behind it go on. While it waits for less than
 * `deadlock_timeout` (1 s), the server ends no call for a deadlock with it.
 */
const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;
/** An hour of tries. */
const TRIES = 400;
/** SQLSTATE lock_not_available and deadlock_detected: calls of running servers use the tables. */
const IN_USE = new Set(['55P03', '40P01']);

const IDENTITY = 'select current_user as role, current_database() as database';

/** A migration file. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256, in hex, of the text with \n line ends. */
  readonly sha256: string;
}

/** The outcome of a migration run, as names of files. */
export interface Migrated {
  readonly applied: string[];
  /** Applied before by a newer release; unknown to this one. */
  readonly ahead: string[];
}

/** Logs that a migration waits for calls, and each file format that is added. */
export type MigrationLog = (message: string, fields?: object) => void;

/**
 * Brings the database up to sql/migrations: each file in a transaction of its own, in order, under a lock, recorded
 * with its SHA-256. Then adds the file formats of this release that it does not know. Returns the names of the files it
 * applied, none when the database was up to date. A database that is ahead of the files (a newer release ran) keeps what
 * it has, and `ahead` has the names of its extra migrations. Where calls use its tables, a migration lets them pass and
 * tries again, for an hour.
 * @throws Error, having applied nothing, when an applied file has changed, when one is missing below a higher one, or
 * when a new one is numbered below an applied one; DatabaseError when a migration fails (those before it stay applied)
 */
export async function migrate(db: Database, log?: MigrationLog): Promise<Migrated> {
  const result = await migrateFrom(db, migrationsFolder(), { log });
  for (const { name } of await db.query(loadQuery('format_add'), [FILE_FORMATS]))
    log?.('A file format was added.', { format: name });
  return result;
}

/** As `migrate`, from the files of any folder, without file formats; only those in `names`, if given. */
export function migrateFrom(
  db: Database,
  folder: string,
  { log, names }: { readonly log?: MigrationLog; readonly names?: ReadonlySet<string> } = {},
): Promise<Migrated> {
  return db.withLock('migrate', async () => {
    const all = await readMigrations(folder);
    const migrations = names ? all.filter(({ name }) => names.has(name)) : all;
    // Checked first, because a role that may only use the tables may not even try to create one.
    const { there } = only(
      await db.query<{ there: boolean }>("select to_regclass('schema_migration') is not null as there"),
    );
    if (!there) await db.exec(CREATE_RECORD);
    const rows = await db.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
    const pending = findPending(migrations, new Map(rows.map((row) => [row.name, row.sha256])));
    for (const migration of pending) await apply(db, migration, log);
    const highest = all.at(-1)?.name ?? '';
    const ahead = rows.map(({ name }) => name).filter((name) => name > highest);
    return { applied: pending.map((migration) => migration.name), ahead: ahead.sort() };
  });
}

async function apply(db: Database, { name, sql, sha256 }: Migration, log?: MigrationLog): Promise<void> {
  for (let tries = 1; ; tries++) {
    const wait = Math.min(MOST_WAIT_MS, tries * FIRST_WAIT_MS);
    try {
      await db.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = ${wait}`);
        await tx.exec(sql);
        await tx.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
      });
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || !IN_USE.has(error.code) || tries === TRIES) throw error;
      if (tries === 1) log?.('A migration waits for calls that use its tables.', { migration: name });
      await sleep(wait);
    }
  }
}

/**
 * Migrates the database of `db` over another connection, `owner`, whose role owns the tables, and grants the role of
 * `db` their use. That role can read and write all tables but two: it can read and append to the audit log, but not
 * change, empty or unlock it, and it can only read which migrations were applied.
 * @throws Error when the two roles are the same, or when the role of `db` still owns the audit log: an owner's access
 * cannot be restricted
 */
export async function migrateAs(owner: Database, db: Database, log?: MigrationLog): Promise<Migrated> {
  const result = await migrate(owner, log);
  const { role, database } = only(await db.query<{ role: string; database: string }>(IDENTITY));
  const { apart, database: ours } = only(await owner.query(loadQuery('native/migrate_apart'), [role]));
  if (database !== ours) throw new Error('MIGRATE_DATABASE_URL and DATABASE_URL are different databases.');
  if (!apart) {
    throw new Error(
      `The audit log is not safe from the role ${role} of DATABASE_URL: it is a superuser, or owns the log or belongs to ` +
        'its owner. Use another role there, or give the tables to that of MIGRATE_DATABASE_URL (reassign owned).',
    );
  }
  const { grants } = only(await owner.query<{ grants: string }>(loadQuery('native/migrate_grants'), [role]));
  await owner.exec(grants);
  return result;
}

/** The folder of the migrations of this package. */
export function migrationsFolder(): string {
  return join(packageRoot(), 'sql', 'migrations');
}

/** The migrations in a folder, in order. @throws Error for a file that is not named or written like a migration */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const seen = new Set<string>();
  return Promise.all(
    names.map(async (name) => {
      const number = FILE.exec(name)?.[1];
      if (number === undefined) throw new Error(`${name} is not named like a migration (000001_what_it_does.sql).`);
      if (seen.has(number)) throw new Error(`Two migrations have the number ${number}.`);
      seen.add(number);
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      if (TRANSACTION_CONTROL.test(sql)) throw new Error(`${name} begins or ends a transaction; it runs inside one.`);
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function findPending(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const onDisk = new Map(migrations.map((migration) => [migration.name, migration]));
  const highestOnDisk = migrations.at(-1)?.name ?? '';
  let highestApplied = '';
  for (const [name, sha256] of applied) {
    if (name > highestApplied) highestApplied = name;
    const migration = onDisk.get(name);
    if (migration && migration.sha256 !== sha256) {
      throw new Error(`The migration ${name} has changed since it was applied. Restore it and add a new one.`);
    }
    if (!migration && name < highestOnDisk) {
      throw new Error(`The migration ${name} was applied to this database, but its file is missing.`);
    }
  }
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const late = pending.find((migration) => migration.name < highestApplied);
  if (late)
    throw new Error(`The migration ${late.name} is numbered below ${highestApplied}, which is already applied.`);
  return pending;
}
