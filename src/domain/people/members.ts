import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { atLeast, type Role, weaker } from '../../core/roles.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { putAudit } from './audit.ts';
import type { RevokeAccess } from './revocation.ts';
import { dropSetShares } from './shares.ts';
import { dropTeamMembers } from './team_members.ts';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** When the membership began. */
  readonly created_at: string;
}

/** The person who changes something in an organization, with the role that their credential gives them. */
export interface ActingMember {
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

/** An organization as stored. */
export interface OrgRow {
  id: string;
  slug: string;
  name: string;
  plan: string;
  personal_of: string | null;
}

/**
 * Locks an organization, so that changes of its memberships, invitations and teams run one after another. Returns it
 * with the acting person's present role, which may have changed since the request was authorized.
 * @throws not_found if the organization was deleted, unauthorized if the person is no longer a member
 */
export async function lockOrg(tx: Queryable, by: ActingMember): Promise<{ org: OrgRow; role: Role }> {
  const [org] = await tx.query(loadQuery('org_lock'), [by.org]);
  if (!org) throw problem('not_found', 'The organization no longer exists.');
  const [member] = await tx.query(loadQuery('org_member'), [by.org, by.account]);
  if (!member) throw problem('unauthorized', 'You are no longer in the organization.');
  return { org, role: weaker(member.role, by.role) };
}

/** @throws unauthorized unless the role is at least `wanted` */
export function requireRole(role: Role, wanted: Role): void {
  if (!atLeast(role, wanted)) {
    throw problem('unauthorized', `This needs the role ${wanted} in the organization; yours is ${role}.`);
  }
}

/** Returns a member of an organization. @throws not_found if the account is not a member */
export async function findMember(tx: Queryable, org: string, account: string): Promise<MemberRow> {
  const [member] = await tx.query(loadQuery('org_member'), [org, account]);
  if (!member) throw problem('not_found', 'The organization has no member with this id.');
  return member;
}

/** Ends a membership and the access that depends on it. The caller checks that this is allowed. */
export async function dropMember(
  tx: Queryable,
  org: string,
  member: Pick<MemberRow, 'id' | 'email' | 'role'>,
  revokeAccess: RevokeAccess,
  actor: Actor,
): Promise<void> {
  await dropTeamMembers(tx, org, { account: member.id }, actor);
  // Deleting the membership deletes the shares of area sets.
  await dropSetShares(tx, org, { account: member.id }, actor);
  // The membership first: a key or grant that is created at the same time waits for this row, then finds no membership.
  await tx.query(loadQuery('org_drop_member'), [org, member.id]);
  await revokeAccess(tx, member.id, org, actor);
  await putAudit(tx, actor, org, {
    action: 'member.remove',
    target: { type: 'account', id: member.id, name: member.email },
    details: { role: member.role },
  });
}

/** @throws invalid_input if the organization has only one owner */
export async function requireOtherOwner(tx: Queryable, org: string): Promise<void> {
  const { owners } = only(await tx.query(loadQuery('org_count_members'), [org]));
  if (owners > 1) return;
  throw problem('invalid_input', 'An organization needs an owner. Make someone else an owner first.');
}

/** Converts a row to a member as the API returns it. */
export function toMember(row: MemberRow): Member {
  return { ...row, created_at: row.created_at.toISOString() };
}
