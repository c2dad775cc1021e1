import { resolve } from 'node:path';
import { z } from 'zod';
import { openStorage } from '../../adapters/open_storage.ts';
import { backUp } from '../../backup/backup.ts';
import { openDatabase } from '../../db/connect.ts';
import { command } from './command.ts';

/** Statement timeout while a page of rows is read. */
const STATEMENT_MS = 3_600_000;

export const backupCommands = {
  backup: command({
    input: z.strictObject({ file: z.string().min(1) }),
    async run({ services }, { file }, progress) {
      const { config } = services;
      const library = await openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'library');
      if (!config.MIGRATE_DATABASE_URL || !config.DATABASE_URL) {
        return backUp(resolve(file), { db: services.db, library, progress });
      }
      // The role of DATABASE_URL may not be allowed to read every sequence.
      const owner = { databaseUrl: config.MIGRATE_DATABASE_URL, dataDir: config.DATA_DIR, deadlineMs: STATEMENT_MS };
      const db = await openDatabase({ ...owner, poolSize: 2 });
      return backUp(resolve(file), { db, library, progress }).finally(() => db.close());
    },
  }),
};
