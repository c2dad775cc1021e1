import { randomBytes } from 'node:crypto';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';

/**
 * The secret of that name, made by `make` and kept in the database the first time it is asked for: every process that
 * uses the database gets the same.
 */
export async function keptSecret(db: Database, name: string, make: () => string): Promise<string> {
  const kept = async (): Promise<string | undefined> => (await db.query(loadQuery('secret_get'), [name]))[0]?.value;
  const found = await kept();
  if (found !== undefined) return found;
  await db.query(loadQuery('secret_put'), [name, make()]);
  return (await kept()) as string;
}

/** The keys for cookies and signatures, newest first: those of SECRET_KEYS, else one that is kept in the database. */
export async function secretKeys(db: Database, configured: readonly string[]): Promise<readonly string[]> {
  if (configured.length > 0) return configured;
  return [await keptSecret(db, 'signing', () => randomBytes(32).toString('base64url'))];
}
