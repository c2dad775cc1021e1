import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { mayChange, mayRemove, type Role } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { DatabaseError } from '../../db/database_error.ts';
import { loadQuery } from '../../db/query.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import { putAudit } from './audit.ts';
import {
  type ActingMember,
  dropMember,
  findMember,
  lockOrg,
  type Member,
  type OrgRow,
  requireOtherOwner,
  requireRole,
  toMember,
} from './members.ts';
import type { OAuth } from './oauth.ts';
import { dropOrg, putOrg, requirePlan } from './org_rows.ts';
import type { KeyRevocation, RevokeAccess } from './revocation.ts';
import type { Sessions } from './sessions.ts';
import { dropSharesOf } from './shares.ts';
import { slugOf, slugTaken } from './slugs.ts';

/** Organizations that one person can own, besides their personal one. */
const MAX_ORGS = 50;
const ORGS_A_DAY: Allowance = { times: 10, windowS: 'utc day', what: 'new organizations today' };

/** An organization as one of its members sees it. */
export interface Org {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  /** Whether this is a person's own organization, which exists as long as their account. */
  readonly personal: boolean;
  /** Role of the person who asks. */
  readonly role: Role;
  readonly created_at: string;
}

/** What gives a person access to an organization besides the membership itself. */
export interface Access {
  readonly keys: KeyRevocation;
  readonly sessions: Pick<Sessions, 'leaveOrg' | 'forget'>;
  readonly oauth: Pick<OAuth, 'revokeAll' | 'forget'>;
}

/** Organizations and memberships; owns those tables. */
export interface Orgs {
  /** Returns an account's organizations, its personal one first; `only` restricts the list to one id. */
  list(account: string, only?: string): Promise<Org[]>;
  /** Returns the organization with this id or slug. @throws not_found if the account is not a member */
  find(account: string, idOrSlug: string): Promise<Org>;
  /** Creates an organization owned by the account. @throws invalid_input (slug taken, also once; too many) */
  create(
    account: string,
    org: { name: string; slug?: string; plan: string },
    actorIn: (org: string) => Actor,
  ): Promise<Org>;
  /** Changes name and slug. @throws invalid_input if the slug is taken */
  update(by: ActingMember, change: { name?: string; slug?: string }): Promise<Org>;
  /** Deletes the organization with all its content. @throws invalid_input for a personal one */
  remove(by: ActingMember): Promise<void>;
  members(org: string, page: { limit: number; offset: number }): Promise<{ items: Member[]; total: number }>;
  /**
   * Changes a member's role.
   * @throws not_found, unauthorized (not allowed with the caller's role) and invalid_input (the last owner, or the
   * owner of a personal organization)
   */
  updateMember(by: ActingMember, account: string, role: Role): Promise<Member>;
  /**
   * Removes a member with their keys, grants, sessions and shares in the organization; members can remove themselves.
   * @throws as updateMember does
   */
  removeMember(by: ActingMember, account: string): Promise<void>;
  /** Call forget() after the transaction commits. */
  readonly revokeAccess: RevokeAccess;
  /** Applies changed roles and memberships at once in this process; other processes notice within 5 s. */
  forget(): void;
}

/** Creates the organization service of a database. */
export function createOrgs(db: Database, access: Access): Orgs {
  /** Runs `work` while the organization's memberships are locked, then clears the cached callers. */
  async function change<T>(by: ActingMember, work: (tx: Queryable, org: OrgRow, role: Role) => Promise<T>): Promise<T> {
    const result = await db.transaction(async (tx) => {
      const { org, role } = await lockOrg(tx, by);
      return work(tx, org, role);
    });
    forget();
    return result;
  }

  function forget(): void {
    access.keys.forget();
    access.sessions.forget();
    access.oauth.forget();
  }

  async function revokeAccess(tx: Queryable, account: string, org: string, actor: Actor): Promise<void> {
    await access.sessions.leaveOrg(tx, account, org);
    await access.keys.revokeAll(tx, { org, account }, actor);
    await access.oauth.revokeAll(tx, account, org, actor);
    await dropSharesOf(tx, org, { account }, actor);
  }

  return {
    list: (account, only) => orgsOf(db, account, only ?? null),

    async find(account, idOrSlug) {
      const [row] = await db.query(loadQuery('org_find'), [account, idOrSlug]);
      if (!row) throw problem('not_found', 'You are not in an organization with this id or slug.');
      return orgOf(db, account, row.id);
    },

    create: (account, { name, slug, plan }, actorIn) =>
      db.transaction(async (tx) => {
        await requirePlan(tx, plan);
        await tx.query(loadQuery('accounts_lock'), [account]);
        const { orgs } = only(await tx.query(loadQuery('org_count_owned'), [account]));
        // Counted per creation: deleting an organization does not restore the allowance.
        await countAttempt(tx, 'org', account, ORGS_A_DAY);
        if (orgs >= MAX_ORGS)
          throw problem('invalid_input', `You own ${MAX_ORGS} organizations, the maximum. Delete one first.`);
        const org = await putOrg(
          tx,
          slug ?? slugOf(name, 'org'),
          name,
          plan,
          { id: account, personal: false },
          actorIn,
          slug === undefined,
        );
        if (!org) throw slugTaken();
        await tx.query(loadQuery('org_put_member'), [org.id, account, 'owner']);
        return orgOf(tx, account, org.id);
      }),

    update: (by, { name, slug }) =>
      change(by, async (tx, org, role) => {
        requireRole(role, 'admin');
        const rows = await tx.query(loadQuery('org_update'), [org.id, name ?? null, slug ?? null]);
        if (rows.length === 0) throw slugTaken();
        const details = changesOf(org, { name, slug });
        const target = { type: 'org', id: org.id, name: name ?? org.name };
        if (details !== null) await putAudit(tx, by.actor, org.id, { action: 'org.update', target, details });
        return orgOf(tx, by.account, org.id);
      }).catch((error: unknown) => {
        // Another organization took the slug concurrently.
        if (error instanceof DatabaseError && error.code === '23505') throw slugTaken();
        throw error;
      }),

    remove: (by) =>
      change(by, async (tx, org, role) => {
        requireRole(role, 'owner');
        if (org.personal_of) {
          throw problem('invalid_input', 'A personal organization can only be deleted with its account.');
        }
        await dropOrg(tx, org, revokeAccess, by.actor);
      }),

    async members(org, { limit, offset }) {
      const rows = await db.query(loadQuery('org_members'), [org, limit, offset]);
      const items = rows.map(({ total: _, ...row }) => toMember(row));
      if (rows.length > 0 || offset === 0) return { items, total: rows[0]?.total ?? 0 };
      const { members } = only(await db.query(loadQuery('org_count_members'), [org]));
      return { items, total: members };
    },

    updateMember: (by, account, to) =>
      change(by, async (tx, org, role) => {
        const member = await findMember(tx, org.id, account);
        if (!mayChange(role, member.role, to)) {
          throw problem('unauthorized', `As ${role} you may not make ${article(to)} of ${article(member.role)}.`);
        }
        if (to === member.role) return toMember(member);
        if (org.personal_of === account) {
          throw problem(
            'invalid_input',
            'A personal organization must be owned by its person: this role cannot be changed.',
          );
        }
        if (member.role === 'owner') await requireOtherOwner(tx, org.id);
        await tx.query(loadQuery('org_set_role'), [org.id, account, to]);
        await putAudit(tx, by.actor, org.id, {
          action: 'member.update',
          target: { type: 'account', id: account, name: member.email },
          details: { from: member.role, to },
        });
        return toMember({ ...member, role: to });
      }),

    removeMember: (by, account) =>
      change(by, async (tx, org, role) => {
        const member = await findMember(tx, org.id, account);
        const self = account === by.account;
        if (!mayRemove(role, member.role, self)) {
          throw problem('unauthorized', `As ${role} you may not ${self ? 'leave' : `remove ${article(member.role)}`}.`);
        }
        if (org.personal_of === account) {
          throw problem('invalid_input', 'You cannot leave a personal organization. It is deleted with the account.');
        }
        if (member.role === 'owner') await requireOtherOwner(tx, org.id);
        await dropMember(tx, org.id, member, revokeAccess, by.actor);
      }),

    revokeAccess,
    forget,
  };
}

async function orgsOf(db: Queryable, account: string, only: string | null): Promise<Org[]> {
  const rows = await db.query(loadQuery('org_list'), [account, only]);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Returns an organization as the account sees it. @throws not_found if the account is not a member */
export async function orgOf(db: Queryable, account: string, org: string): Promise<Org> {
  const [found] = await orgsOf(db, account, org);
  if (!found) throw problem('not_found', 'You are no longer in that organization.');
  return found;
}

/** Returns the changed fields in the form of the audit log, or null if nothing changes. */
export function changesOf<T extends object>(
  before: T,
  after: { [K in keyof T]?: unknown },
): Record<string, { from: unknown; to: unknown }> | null {
  const entries = Object.entries(after).filter(([key, to]) => to !== undefined && before[key as keyof T] !== to);
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(([key, to]) => [key, { from: before[key as keyof T], to }]));
}

function article(role: Role): string {
  return role === 'owner' || role === 'admin' ? `an ${role}` : `a ${role}`;
}
