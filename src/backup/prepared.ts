import type { Storage } from '../adapters/storage.ts';
import type { Database } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import { checkBackup, restoreBackup } from './restore.ts';

/**
 * Puts the seed data of a backup that was made with the program (db/prepared.ts) into a native database that nothing was
 * stored in yet, which takes seconds where an import takes minutes. Of several processes that start at once, one does it
 * and the others wait. Gives whether this one did. `db`: of the role that owns the tables, or is to own them.
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
