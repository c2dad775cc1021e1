import { z } from 'zod';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Role } from '../../core/roles.ts';
import { timestamp } from '../../core/schemas.ts';

/** A person as the members of their organization see them. */
export const person = z.object({ id: z.string(), email: z.string(), name: z.string().nullable() });

/** An API key as lists show it. */
export const keyEntry = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The beginning of the key, to identify it.'),
  created_at: timestamp,
  last_used_at: timestamp.nullable().describe('When the key was last used, to the minute.'),
  revoked_at: timestamp.nullable().describe('Null: the key is active.'),
  created_by_key: z.string().nullable().describe('Id of the key that created it; null: a person created it.'),
  creator: person,
});

/** Errors that any operation on keys may have. */
export const KEY_ERRORS = ['invalid_input', 'unauthorized', 'invalid_key', 'invalid_token', 'rate_limited'] as const;

/** The caller's account, organization and role. @throws unauthorized for a local operator, who is not a member */
export function holder(caller: Caller): { account: string; org: NonNullable<Caller['org']>; role: Role } {
  if (!caller.account || !caller.org || !caller.role) {
    throw problem('unauthorized', 'This call has no account. Send an API key.');
  }
  return { account: caller.account.id, org: caller.org, role: caller.role };
}

/** The caller's account. @throws unauthorized for a local operator, who has none */
export function accountOf(caller: Caller): NonNullable<Caller['account']> {
  if (caller.account) return caller.account;
  throw problem('unauthorized', 'This call has no account. Send an API key.');
}
