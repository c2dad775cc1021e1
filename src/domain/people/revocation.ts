import type { Actor } from '../../core/access.ts';
import type { Queryable } from '../../db/connect.ts';

/** Revokes API keys when a person loses access. */
export interface KeyRevocation {
  /** Revokes keys in the caller's transaction; call forget() after the commit. Null matches any org or account. */
  revokeAll(tx: Queryable, of: { org: string | null; account: string | null }, actor: Actor): Promise<void>;
  /** Clears the cache of callers, after a key, a role or a membership has changed. */
  forget(): void;
}

/** Revokes everything that lets a member act in an organization, with audit entries. */
export type RevokeAccess = (tx: Queryable, account: string, org: string, actor: Actor) => Promise<void>;
