import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/**
 * Returns the secret with this name. The first call creates it with `make` and stores it in the database, so all
 * processes that use the database get the same one.
 */
export async function storedSecret(db: Database, name: string, make: () => string): Promise<string> {
  const kept = async (): Promise<string | undefined> => (await db.query(loadQuery('secret_get'), [name]))[0]?.value;
  const found = await kept();
  if (found !== undefined) return found;
  await db.query(loadQuery('secret_put'), [name, make()]);
  return (await kept()) as string;
}

/** Returns the keys for cookies and signatures, newest first: those of SECRET_KEYS, or one stored in the database. */
export async function secretKeys(db: Database, configured: readonly string[]): Promise<readonly string[]> {
  if (configured.length > 0) return configured;
  return [await storedSecret(db, 'signing', () => randomBytes(32).toString('base64url'))];
}
