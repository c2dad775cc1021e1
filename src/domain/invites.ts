import { createHash, randomBytes } from 'node:crypto';
import { type Actor, mayGrant, type Role } from '../access.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { invalidInput, problem } from '../errors.ts';
import { readEmail } from './accounts.ts';
import { putAudit } from './audit.ts';
import { type Acting, lockOrg, requireRole } from './members.ts';
import { newId } from './new_id.ts';
import { type Org, type OrgRow, orgOf } from './orgs.ts';
import type { Outbox, OutgoingMail } from './outbox.ts';

/** An organisation has at most this many open invitations, and makes at most this many in a day (UTC). */
export const MAX_INVITES = 100;
const LIFETIME_S = 7 * 86_400;

export interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
  readonly invited_by: { readonly id: string; readonly email: string; readonly name: string | null } | null;
}

/** Invitations to an organisation; owns their table. */
export interface Invites {
  /** Open ones, newest first. */
  list(org: string): Promise<Invite[]>;
  /**
   * Invites whoever reads mail at this address. Throws unauthorized (a role above one's own), invalid_input (a member,
   * an open invitation, too many of them), rate_limited over the limit of a day.
   */
  create(by: Acting, invite: { email: string; role: Role }): Promise<Invite>;
  /** Throws not_found when it is not open in the organisation. */
  revoke(by: Acting, id: string): Promise<void>;
  /** What an open invitation with this token, to the address of the account, is to; null when there is none. */
  look(account: string, token: string): Promise<{ name: string; slug: string; role: Role; invited_by: string } | null>;
  /**
   * Makes the account a member, and gives the organisation. Throws not_found for a token that is unknown, used,
   * expired or revoked, names another address, or comes of somebody who may not give that role any more; invalid_input
   * for a member.
   */
  accept(account: string, token: string, actorIn: (org: string) => Actor): Promise<Org>;
}

interface InviteRow {
  id: string;
  email: string;
  role: Role;
  created_at: Date;
  expires_at: Date;
  inviter: string | null;
  inviter_email: string;
  inviter_name: string | null;
}

/** The invitations of a database. The mail is the only place where a token is; `baseUrl` has no slash at the end. */
export function createInvites(db: Database, outbox: Pick<Outbox, 'put'>, baseUrl: string): Invites {
  async function list(from: Queryable, org: string): Promise<Invite[]> {
    const rows = await from.query<InviteRow>(loadQuery('invite_list'), [org]);
    return rows.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      invited_by: row.inviter === null ? null : { id: row.inviter, email: row.inviter_email, name: row.inviter_name },
    }));
  }

  return {
    list: (org) => list(db, org),

    async create(by, { email: text, role: granted }) {
      const email = readEmail(text);
      return db.transaction(async (tx) => {
        const { org, role } = await lockOrg(tx, by);
        requireRole(role, 'admin');
        if (!mayGrant(role, granted)) {
          throw problem('unauthorized', `As ${role} you may not invite somebody as ${granted}.`);
        }
        await requireRoom(tx, org.id, email);
        await tx.query(loadQuery('invite_sweep'), [org.id]);
        const id = newId('inv');
        const token = randomBytes(24).toString('base64url');
        await tx.query(loadQuery('invite_put'), [id, org.id, email, granted, hashOf(token), by.account, LIFETIME_S]);
        await outbox.put(tx, inviteMail(email, org, granted, token, baseUrl));
        await putAudit(tx, by.actor, org.id, {
          action: 'invite.create',
          target: { type: 'invite', id, name: email },
          details: { role: granted },
        });
        return (await list(tx, org.id)).find((one) => one.id === id) as Invite;
      });
    },

    revoke: (by, id) =>
      db.transaction(async (tx) => {
        const { org, role } = await lockOrg(tx, by);
        requireRole(role, 'admin');
        const [invite] = await tx.query<{ email: string; role: Role }>(loadQuery('invite_revoke'), [org.id, id]);
        if (!invite) throw problem('not_found', 'The organisation has no open invitation with this id.');
        await putAudit(tx, by.actor, org.id, {
          action: 'invite.revoke',
          target: { type: 'invite', id, name: invite.email },
          details: { role: invite.role },
        });
      }),

    async look(account, token) {
      const rows = await db.query<{ name: string; slug: string; role: Role; invited_by: string }>(
        loadQuery('invite_look'),
        [hashOf(token), account],
      );
      return rows[0] ?? null;
    },

    accept: (account, token, actorIn) =>
      db.transaction(async (tx) => {
        const values = [hashOf(token), account];
        const [found] = await tx.query<{ id: string; org: string }>(loadQuery('invite_by_token'), values);
        const [org] = found ? await tx.query<OrgRow>(loadQuery('org_lock'), [found.org]) : [];
        const [invite] = org
          ? await tx.query<{ email: string; role: Role; inviter_role: Role | null }>(loadQuery('invite_accept'), [
              found.id,
            ])
          : [];
        if (!invite?.inviter_role || !mayGrant(invite.inviter_role, invite.role)) {
          throw problem('not_found', 'There is no open invitation of yours with this token.');
        }
        const { email, role } = invite;
        const joined = await tx.query(loadQuery('org_put_member'), [org.id, account, role]);
        if (joined.length === 0) throw problem('invalid_input', 'You are a member of that organisation already.');
        const actor = actorIn(org.id);
        await putAudit(tx, actor, org.id, {
          action: 'invite.accept',
          target: { type: 'invite', id: found.id, name: email },
          details: { role },
        });
        await putAudit(tx, actor, org.id, {
          action: 'member.add',
          target: { type: 'account', id: account, name: email },
          details: { role, invite: found.id },
        });
        return orgOf(tx, account, org.id);
      }),
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

async function requireRoom(tx: Queryable, org: string, email: string): Promise<void> {
  const refuse = (message: string) => invalidInput([{ path: 'email', code: 'conflict', message }]);
  if ((await tx.query(loadQuery('invite_member_by_email'), [org, email])).length > 0) {
    throw refuse('is a member already');
  }
  const [counts] = await tx.query<{ open: number; same: number; today: number; left_s: number }>(
    loadQuery('invite_counts'),
    [org, email],
  );
  if (counts.same > 0) throw refuse('is invited already; revoke that invitation first');
  if (counts.open >= MAX_INVITES) {
    throw problem('invalid_input', `${MAX_INVITES} invitations are open, the most there may be.`);
  }
  if (counts.today >= MAX_INVITES) {
    throw problem('rate_limited', `An organisation sends ${MAX_INVITES} invitations a day.`, {
      retry_after: Math.max(1, counts.left_s),
    });
  }
}

/** Names are left out but for the organisation's: nobody can put words of theirs into the mail of a stranger. */
function inviteMail(email: string, org: OrgRow, role: Role, token: string, baseUrl: string): OutgoingMail {
  return {
    to: email,
    subject: `An invitation to ${org.slug} on Boundary Lookup`,
    text: [
      `You are invited to the organisation ${org.slug} on Boundary Lookup (${baseUrl}) as ${role}.`,
      '',
      'Accept it signed in with this address:',
      '',
      `  ${baseUrl}/invite?token=${token}`,
      '',
      'or with a key of your account, on the command line:',
      '',
      `  boundary accept-invite ${token}`,
      '',
      'The invitation is good for 7 days. If you expected none, do nothing.',
      '',
    ].join('\n'),
    lifetimeS: LIFETIME_S,
  };
}
