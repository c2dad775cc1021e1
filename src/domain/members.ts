import type { Actor } from '../access.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import { problem } from '../errors.ts';
import { atLeast, type Role, weaker } from '../roles.ts';
import { putAudit } from './audit.ts';
import type { RevokeAccess } from './revocation.ts';
import { dropTeamMembers } from './team_members.ts';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** When they became one. */
  readonly created_at: string;
}

/** Who changes something in an organization, with the role their credential gives them. */
export interface Acting {
  readonly account: string;
  readonly org: string;
  readonly role: Role;
  readonly actor: Actor;
}

export interface MemberRow {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: Date;
}

/** An organization as it is stored. */
export interface OrgRow {
  id: string;
  slug: string;
  name: string;
  plan: string;
  personal_of: string | null;
}

/**
 * Locks an organization, so that its memberships, invitations and teams change one after the other, and gives it with
 * the role the acting person has in it at this moment, which may have changed since they were let in.
 * Throws not_found when it is gone, unauthorized when they are not in it any more.
 */
export async function lockOrg(tx: Queryable, by: Acting): Promise<{ org: OrgRow; role: Role }> {
  const [org] = await tx.query(loadQuery('org_lock'), [by.org]);
  if (!org) throw problem('not_found', 'The organization does not exist any more.');
  const [member] = await tx.query<MemberRow>(loadQuery('org_member'), [by.org, by.account]);
  if (!member) throw problem('unauthorized', 'You are not in the organization any more.');
  return { org, role: weaker(member.role, by.role) };
}

/** Throws unauthorized unless the role, read again, is still strong enough. */
export function requireRole(role: Role, wanted: Role): void {
  if (!atLeast(role, wanted)) {
    throw problem('unauthorized', `This needs the role ${wanted} in the organization; yours is ${role}.`);
  }
}

/** A member of an organization; throws not_found for everyone else. */
export async function findMember(tx: Queryable, org: string, account: string): Promise<MemberRow> {
  const [member] = await tx.query<MemberRow>(loadQuery('org_member'), [org, account]);
  if (!member) throw problem('not_found', 'The organization has no member with this id.');
  return member;
}

/** Ends a membership and what hangs on it. Whether that is allowed, the caller has asked. */
export async function dropMember(
  tx: Queryable,
  org: string,
  member: Pick<MemberRow, 'id' | 'email' | 'role'>,
  revokeAccess: RevokeAccess,
  actor: Actor,
): Promise<void> {
  await dropTeamMembers(tx, org, { account: member.id }, actor);
  // The membership before the rest: a key or grant that is made at this moment then waits, and finds none.
  await tx.query(loadQuery('org_drop_member'), [org, member.id]);
  await revokeAccess(tx, member.id, org, actor);
  await putAudit(tx, actor, org, {
    action: 'member.remove',
    target: { type: 'account', id: member.id, name: member.email },
    details: { role: member.role },
  });
}

/** Throws invalid_input when the organization has one owner only. */
export async function requireOtherOwner(tx: Queryable, org: string): Promise<void> {
  const { owners } = only(await tx.query<{ owners: number }>(loadQuery('org_count_members'), [org]));
  if (owners > 1) return;
  throw problem('invalid_input', 'The last owner stays: make someone else an owner first.');
}

/** A member as lists and answers show them. */
export function toMember(row: MemberRow): Member {
  return { ...row, created_at: row.created_at.toISOString() };
}
