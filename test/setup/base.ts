import { join } from 'node:path';
import { isNative, testDatabase } from './database.ts';
import { copyTemplate } from './embedded.ts';

/** A migrated database for processes of their own, one at a time: a data directory, or a native database. */
export interface Base {
  readonly dataDir: string;
  /** Empty for an embedded one. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

let count = 0;

/** Opens such a database; an embedded one lies in `folder`. */
export async function openBase(folder: string): Promise<Base> {
  if (isNative) {
    const { db, dataDir, databaseUrl, close } = await testDatabase();
    await db.query('select 1');
    return { dataDir, databaseUrl: databaseUrl as string, close };
  }
  const path = join(folder, `data${++count}`);
  await copyTemplate(path);
  return { dataDir: path, databaseUrl: '', close: async () => undefined };
}
