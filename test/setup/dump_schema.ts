import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/common/package_root.ts';
import { databaseUrlOf, dropLeftovers, ensureTemplate, newRunName } from './native.ts';

const run = promisify(execFile);
const DUMP_BYTES = 64 * 1024 * 1024;

/** The committed dump. */
export const schemaFile = join(packageRoot(), 'sql', 'schema.sql');

/** The major version of pg_dump on the PATH, or null if there is none. */
export async function pgDumpMajor(): Promise<number | null> {
  const version = await run('pg_dump', ['--version']).catch(() => null);
  return version === null ? null : Number(/ (\d+)/.exec(version.stdout)?.[1]);
}

/**
 * The schema of a migrated database as pg_dump writes it, without comments, session settings, tokens and extension
 * descriptions, which differ between minor versions and machines.
 */
export async function dumpSchema(url: string): Promise<string> {
  const args = ['--schema-only', '--no-owner', '--no-privileges', '--no-comments', `--dbname=${url}`];
  // Views are written with the settings of the session, which a test changes for its database.
  const env = { ...process.env, PGOPTIONS: '-c bytea_output=hex' };
  const { stdout } = await run('pg_dump', args, { maxBuffer: DUMP_BYTES, env });
  const lines = stdout.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\)/.test(line));
  return `-- The schema that the migrations make, by test/setup/dump_schema.ts; not to be edited.\n\n${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** Writes sql/schema.sql, using a fresh database on the server of TEST_DATABASE_URL. */
async function main(): Promise<void> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('Set TEST_DATABASE_URL to a native PostgreSQL whose user may create databases.');
  const name = newRunName();
  try {
    const template = await ensureTemplate(server, name);
    await writeFile(schemaFile, await dumpSchema(databaseUrlOf(server, template)));
  } finally {
    await dropLeftovers(server, name);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
