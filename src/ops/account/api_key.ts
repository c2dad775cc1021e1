import { z } from 'zod';
import { problem } from '../../errors.ts';
import type { Caller } from '../../op.ts';
import { timestamp } from '../../schemas.ts';

/** An API key as lists show it. */
export const keyEntry = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The beginning of the key, to tell it from others.'),
  created_at: timestamp,
  last_used_at: timestamp.nullable().describe('To the minute.'),
});

/** What any operation on keys may answer. */
export const KEY_ERRORS = ['invalid_input', 'unauthorized', 'invalid_key', 'invalid_token', 'rate_limited'] as const;

/** Keys belong to a person in an organisation. Throws unauthorized for a local operator, who is neither. */
export function holder(caller: Caller): { account: string; org: NonNullable<Caller['org']> } {
  if (!caller.account || !caller.org) {
    throw problem('unauthorized', 'There is no account behind this call: send an API key.');
  }
  return { account: caller.account.id, org: caller.org };
}
