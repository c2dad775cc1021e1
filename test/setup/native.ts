import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';

const PREFIX = 'boundary_test_';
const STALE_SECONDS = 6 * 3600;

/** A name for the databases of one run, which contains its start time. */
export function newRunName(): string {
  return `${PREFIX}${Math.floor(Date.now() / 1000)}_${process.pid}`;
}

/** The URL of another database on the same server. */
export function databaseUrlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on the server's default database, outside a transaction. */
export async function administer(serverUrl: string, sql: string, values: string[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Drops a database, even if clients are connected. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, `drop database if exists "${name}" with (force)`);
}

/** Drops the databases of `run` and those of killed runs. */
export async function dropLeftovers(serverUrl: string, run: string | null): Promise<void> {
  const rows = await administer(serverUrl, 'select datname from pg_database where starts_with(datname, $1)', [PREFIX]);
  for (const row of rows) {
    const name = String(row.datname);
    const started = Number(name.slice(PREFIX.length).split('_')[0]);
    const stale = Date.now() / 1000 - started > STALE_SECONDS;
    if (stale || (run !== null && name.startsWith(run))) await dropDatabase(serverUrl, name);
  }
}

/** What a `create database` says to copy `template`: as files, in half the time that its pages take through the log. */
export function copyOf(template: string): string {
  return ` template "${template}" strategy file_copy`;
}

/** Creates a migrated template database, once for all concurrent callers. Returns its name. */
export async function ensureTemplate(serverUrl: string, run: string): Promise<string> {
  return ensureDatabase(serverUrl, `${run}_template`, null, migrate);
}

/** Creates a migrated template database filled by `fill`, once for all concurrent callers. Returns its name. */
export async function ensureFilled(
  serverUrl: string,
  run: string,
  name: string,
  fill: (db: Database) => Promise<unknown>,
): Promise<string> {
  return ensureDatabase(serverUrl, `${run}_${name}`, await ensureTemplate(serverUrl, run), fill);
}

async function ensureDatabase(
  serverUrl: string,
  name: string,
  from: string | null,
  fill: (db: Database) => Promise<unknown>,
): Promise<string> {
  const server = await openDatabase({ databaseUrl: serverUrl, dataDir: '', poolSize: 1 });
  try {
    await server.withLock(name, async () => {
      const found = await server.query('select 1 from pg_database where datname = $1', [name]);
      if (found.length > 0) return;
      const draft = `${name}_draft`;
      await server.query(`drop database if exists "${draft}" with (force)`);
      await server.query(`create database "${draft}"${from === null ? '' : copyOf(from)}`);
      const db = await openDatabase({ databaseUrl: databaseUrlOf(serverUrl, draft), dataDir: '' });
      await fill(db).finally(() => db.close());
      await server.query(`alter database "${draft}" rename to "${name}"`);
    });
  } finally {
    await server.close();
  }
  return name;
}
