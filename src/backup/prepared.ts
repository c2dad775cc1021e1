import type { Storage } from '../adapters/storage.ts';
import { only } from '../common/elements.ts';
import type { Database } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { loadQuery } from '../db/query.ts';
import { checkBackup, restoreBackup } from './restore.ts';

/**
 * Fills an empty native database with the seed data of a backup that ships with the program (db/prepared.ts). It takes
 * seconds where an import takes minutes. If several processes start at once, one does it and the others wait. Returns
 * whether this one did. `db` must be connected as the role that owns the tables or will own them.
 */
export async function fillNewDatabase(
  file: string,
  { db, library }: { readonly db: Database; readonly library: Storage },
): Promise<boolean> {
  return db.withLock('prepared', async () => {
    const { ahead } = await migrate(db);
    const { used } = only(await db.query(loadQuery('backup_used')));
    if (used || ahead.length > 0) return false;
    await restoreBackup(file, await checkBackup(file), { db, library, progress: () => undefined });
    return true;
  });
}
