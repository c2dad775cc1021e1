import type { Actor } from '../access.ts';
import type { Queryable } from '../db/connect.ts';

/** Revokes keys for those who take a person's access away. */
export interface KeyRevocation {
  /** Revokes keys in the caller's transaction; call forget() once it is kept. Null: of any organization, of anyone. */
  revokeAll(tx: Queryable, of: { org: string | null; account: string | null }, actor: Actor): Promise<void>;
  /** Looks all callers up again: a key, a role or a membership has changed. */
  forget(): void;
}

/** Ends whatever lets a member act in an organization, audited. */
export type RevokeAccess = (tx: Queryable, account: string, org: string, actor: Actor) => Promise<void>;
