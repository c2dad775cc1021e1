import type { Logger } from 'pino';
import { readVersion } from '../common/version.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/connect.ts';
import { type Migrated, type MigrationLog, migrate, migrateAs } from '../db/migrate.ts';
import { type Contents, preparedFile } from '../db/prepared.ts';

/**
 * Opens the database (embedded in DATA_DIR, or DATABASE_URL) and migrates it. A new embedded one is unpacked from a
 * prepared one with the seed data that `contents` names, if one was built.
 * @throws DatabaseError data_dir_in_use when another process owns DATA_DIR
 */
export async function openMigrated(config: Config, log: Logger, contents: Contents): Promise<Database> {
  const opened = await openDatabase({
    databaseUrl: config.DATABASE_URL ?? null,
    dataDir: config.DATA_DIR,
    prepared: config.DATABASE_URL ? null : preparedFile(contents),
    deadlineMs: config.REQUEST_DEADLINE_MS,
    log: (message, fields) => log.warn(fields ?? {}, message),
  });
  try {
    const { applied, ahead } = await bringUpToDate(config, opened, (message, fields) =>
      log.info(fields ?? {}, message),
    );
    if (applied.length > 0) log.info({ applied }, 'migrated');
    if (ahead.length > 0) {
      const release = readVersion();
      log.warn({ release, ahead }, 'the database was migrated by a newer release: install that release');
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/**
 * Migrates the database. With MIGRATE_DATABASE_URL it does so over a connection of the tables' owner, so that the role
 * of this process needs no right to change what it may only append to.
 */
async function bringUpToDate(config: Config, db: Database, log: MigrationLog): Promise<Migrated> {
  if (!config.MIGRATE_DATABASE_URL || !config.DATABASE_URL) return migrate(db, log);
  const databaseUrl = config.MIGRATE_DATABASE_URL;
  const owner = await openDatabase({ databaseUrl, dataDir: config.DATA_DIR, poolSize: 1 });
  try {
    return await migrateAs(owner, db, log);
  } finally {
    await owner.close();
  }
}
