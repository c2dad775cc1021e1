import { problem } from './errors.ts';

/** Who may call: anyone, whoever sends a valid key, or those who run the service. */
export type Access = 'public' | 'key' | 'operator';

/** Roles of a member in an organisation, strongest first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Who is calling. Anonymous: all null, not an operator. A local operator may have no account. */
export interface Caller {
  readonly account: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly org: { readonly id: string; readonly slug: string; readonly plan: string } | null;
  readonly keyId: string | null;
  readonly operator: boolean;
  readonly role: Role | null;
}

export const ANONYMOUS: Caller = { account: null, org: null, keyId: null, operator: false, role: null };
/** The person at the machine itself: the control socket and local commands. Unmetered unless a key is named. */
export const LOCAL_OPERATOR: Caller = { ...ANONYMOUS, operator: true };

/** The role a key acts with: its creator's role now, at most admin (owners sign in for what only owners do). */
export function keyRole(role: Role): Role {
  return role === 'owner' ? 'admin' : role;
}

/** Throws unauthorized unless the caller may use an operation of this access. Operators may use every one. */
export function authorise(access: Access, caller: Caller): void {
  if (access === 'public' || caller.operator) return;
  if (access === 'operator') throw problem('unauthorized', 'This operation is for those who run the service.');
  if (!caller.account) {
    throw problem('unauthorized', 'This operation needs an API key: send Authorization: Bearer <API_KEY>.');
  }
}
