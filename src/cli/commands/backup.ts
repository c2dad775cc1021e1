import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BackupReport } from '../../backup/backup.ts';
import type { RestoreReport } from '../../backup/restore.ts';
import type { Config } from '../../config.ts';
import { command } from '../context.ts';
import { progressLine } from '../render/terminal.ts';

/**
 * Adds `boundary backup FILE` and `boundary restore FILE`, which store everything that the service keeps in one file.
 */
export function addBackupCommands(cli: Command, config: Config): void {
  cli
    .command('backup')
    .description('write the database and the library to one file, also while the server runs; the file is secret')
    .argument('<file>', 'file to write (a tar archive, mode 0600)')
    .option('--json', 'print what was written as JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      const report = (await command(config, 'backup', { file: resolve(file) })) as BackupReport;
      const { tables, rows, files, bytes } = report;
      const text = `${file}: ${rows} rows of ${tables} tables, ${files} library files, ${bytes} bytes`;
      process.stdout.write(`${flags.json ? JSON.stringify(report) : text}\n`);
      warnOfMissing(report.missing, 'The store does not have');
    });
  cli
    .command('restore')
    .description('restore a backup into an empty place: DATABASE_URL or DATA_DIR, and STORAGE_URL')
    .argument('<file>', 'written by boundary backup, on either kind of database')
    .option('--json', 'print what was restored as JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      const report = await restore(config, resolve(file));
      const { tables, rows, files, version, created_at } = report;
      const text = `${file} (${version}, ${created_at}): ${rows} rows of ${tables} tables, ${files} library files`;
      process.stdout.write(`${flags.json ? JSON.stringify(report) : text}\n`);
      warnOfMissing(report.missing, 'The backup does not have');
    });
}

/** Reports files without content. They do not stop the backup, but set the exit code to 1. */
function warnOfMissing(missing: readonly string[], what: string): void {
  if (missing.length === 0) return;
  process.stderr.write(
    `${what} the content of ${missing.length} library files: boundary admin blobs --check --repair\n`,
  );
  process.exitCode = 1;
}

async function restore(config: Config, file: string): Promise<RestoreReport> {
  const [{ checkBackup, restoreBackup }, { openDatabase }, { openStorage }, { privateFolder }, { migrateAs }] =
    await Promise.all([
      import('../../backup/restore.ts'),
      import('../../db/connect.ts'),
      import('../../adapters/open_storage.ts'),
      import('../../common/private_folder.ts'),
      import('../../db/migrate.ts'),
    ]);
  const { DATABASE_URL, MIGRATE_DATABASE_URL, DATA_DIR: dataDir, STORAGE_URL } = config;
  const line = progressLine();
  try {
    line.show('restore: reading the backup');
    const manifest = await checkBackup(file);
    await privateFolder(dataDir, 'DATA_DIR');
    const owner = (DATABASE_URL && MIGRATE_DATABASE_URL) || DATABASE_URL || null;
    const db = await openDatabase({ databaseUrl: owner, dataDir, deadlineMs: STATEMENT_MS, poolSize: 2 });
    try {
      const library = await openStorage(STORAGE_URL ?? null, dataDir, 'library');
      const report = await restoreBackup(file, manifest, { db, library, progress: line.show });
      if (DATABASE_URL && MIGRATE_DATABASE_URL) {
        const other = await openDatabase({ databaseUrl: DATABASE_URL, dataDir, poolSize: 1 });
        await migrateAs(db, other).finally(() => other.close());
      }
      return report;
    } finally {
      await db.close();
    }
  } finally {
    line.end();
  }
}

/** Statement timeout of a restore, which writes much per statement. */
const STATEMENT_MS = 3_600_000;
