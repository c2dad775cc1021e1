import { createHash, randomBytes } from 'node:crypto';
import { only } from '../../common/elements.ts';
import type { Language } from '../../common/languages.ts';
import type { PlainWords } from '../../common/texts/tables.ts';
import type { Actor } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { mayGrant, type Role } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { MailContent, MailWriter, Outbox } from '../delivery/outbox.ts';
import { newId } from '../new_id.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import { putAudit } from './audit.ts';
import { readEmail } from './mail_address.ts';
import { type ActingMember, lockOrg, requireRole } from './members.ts';
import { type Org, orgOf } from './orgs.ts';

/** Maximum open invitations of an organization, and maximum that it creates per day (UTC). */
export const MAX_INVITES = 100;
const LIFETIME_DAYS = 7;
const LIFETIME_S = LIFETIME_DAYS * 86_400;
/** The form of tokens and ids: no other text is looked for. */
const TOKEN = /^[\w-]{1,200}$/;

/**
 * Maximum invitations per day (UTC): to one address by all organizations, to one address by one person, and by one
 * person over all their organizations. Revoked ones count. One person has less than the whole allowance of an address,
 * and so cannot keep others from inviting it.
 */
const TO_EMAIL: Allowance = { times: 3, windowS: 'utc day', what: 'invitations to this address today' };
const TO_EMAIL_BY_ONE: Allowance = { times: 2, windowS: 'utc day', what: 'invitations from you to this address today' };
const BY_ONE: Allowance = { times: MAX_INVITES, windowS: 'utc day', what: 'invitations from you today' };

export interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
  readonly invited_by: { readonly id: string; readonly email: string; readonly name: string | null } | null;
}

/** Invitations to an organization; owns their table. */
export interface Invites {
  /** Open invitations, newest first. */
  list(org: string): Promise<Invite[]>;
  /**
   * Invites the reader of this email address, by a mail in a language.
   * @throws unauthorized (a role above one's own), invalid_input (a member, an open invitation, too many of them),
   * rate_limited over a daily limit
   */
  create(by: ActingMember, invite: { email: string; role: Role; language: Language }): Promise<Invite>;
  /** Revokes an invitation. @throws not_found if it is not open in the organization */
  revoke(by: ActingMember, id: string): Promise<void>;
  /**
   * The organization and role of the open invitation with this token or id; null if none is to the account's address.
   */
  preview(
    account: string,
    token: string,
  ): Promise<{ name: string; slug: string; role: Role; invited_by: string } | null>;
  /** What anyone may know who has the token or id of an open invitation; null for any other. */
  named(token: string): Promise<Invitation | null>;
  /**
   * Makes the account a member and returns the organization. An invitation is of an address, so its id, in a link that
   * the inviter passes on, counts as its token does.
   * @throws not_found for a token or id that is unknown, used, expired or revoked, is for another address, or is from
   * someone who may not give that role any more; invalid_input for a member
   */
  accept(account: string, token: string, actorIn: (org: string) => Actor): Promise<Org>;
}

/** The invitations of a database. */
export function createInvites(db: Database, outbox: Pick<Outbox, 'put'>): Invites {
  async function list(from: Queryable, org: string): Promise<Invite[]> {
    const rows = await from.query(loadQuery('invite_list'), [org]);
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

    async create(by, { email: text, role: granted, language }) {
      const email = readEmail(text);
      return db.transaction(async (tx) => {
        const { org, role } = await lockOrg(tx, by);
        requireRole(role, 'admin');
        if (!mayGrant(role, granted)) {
          throw problem('unauthorized', `As ${role} you may not invite someone as ${granted}.`);
        }
        await requireRoom(tx, org.id, email);
        await countAttempt(tx, 'invite_account', by.account, BY_ONE);
        await countAttempt(tx, 'invite_pair', `${email} ${by.account}`, TO_EMAIL_BY_ONE);
        await countAttempt(tx, 'invite_email', email, TO_EMAIL);
        await tx.query(loadQuery('invite_sweep'), [org.id]);
        const id = newId('inv');
        await tx.query(loadQuery('invite_put'), [id, org.id, email, granted, by.account, LIFETIME_S]);
        await outbox.put(tx, { to: email, kind: 'invite', about: id, language, lifetimeS: LIFETIME_S });
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
        const [invite] = await tx.query(loadQuery('invite_revoke'), [org.id, id]);
        if (!invite) throw problem('not_found', 'The organization has no open invitation with this id.');
        await putAudit(tx, by.actor, org.id, {
          action: 'invite.revoke',
          target: { type: 'invite', id, name: invite.email },
          details: { role: invite.role },
        });
      }),

    async preview(account, token) {
      if (!TOKEN.test(token)) return null;
      const rows = await db.query(loadQuery('invite_look'), [hashOf(token), account, token]);
      return rows[0] ?? null;
    },

    async named(token) {
      if (!TOKEN.test(token)) return null;
      const rows = await db.query(loadQuery('invite_named'), [hashOf(token), token]);
      return rows[0] ?? null;
    },

    accept: (account, token, actorIn) =>
      db.transaction(async (tx) => {
        const values = [hashOf(token), account, token] as const;
        const [found] = TOKEN.test(token) ? await tx.query(loadQuery('invite_by_token'), values) : [];
        const noInvitation = () => problem('not_found', 'You have no open invitation with this token.');
        if (!found) throw noInvitation();
        const [org] = await tx.query(loadQuery('org_lock'), [found.org]);
        if (!org) throw noInvitation();
        const [invite] = await tx.query(loadQuery('invite_accept'), [found.id]);
        if (!invite?.inviter_role || !mayGrant(invite.inviter_role, invite.role)) throw noInvitation();
        const { email, role } = invite;
        const joined = await tx.query(loadQuery('org_put_member'), [org.id, account, role]);
        if (joined.length === 0) throw problem('invalid_input', 'You are already a member of that organization.');
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
    throw refuse('is already a member');
  }
  const counts = only(await tx.query(loadQuery('invite_counts'), [org, email]));
  if (counts.same > 0) throw refuse('is already invited; revoke that invitation first');
  if (counts.open >= MAX_INVITES) {
    throw problem('invalid_input', `${MAX_INVITES} invitations are open, the maximum. Revoke one first.`);
  }
  if (counts.today >= MAX_INVITES) {
    throw problem('rate_limited', `An organization can send ${MAX_INVITES} invitations a day. Try again tomorrow.`, {
      retry_after: Math.max(1, counts.left_s),
    });
  }
}

/** An open invitation: the organization, the role in it, and the address of who invites. */
export interface Invitation {
  readonly role: Role;
  readonly slug: string;
  readonly personal: boolean;
  readonly inviter: string;
}

/** Writes the mail of an invitation. `baseUrl` has no trailing slash. */
export function inviteMail(db: Database, baseUrl: string): MailWriter {
  return async (invite, words) => {
    const token = randomBytes(24).toString('base64url');
    const values = [hashOf(token), invite] as const;
    const [row] = await db.query(loadQuery('invite_mail'), values);
    return row ? inviteContent(row, token, baseUrl, words) : null;
  };
}

/**
 * The mail names the inviter by address and the organization by slug, and neither in the subject: an invitation must not
 * carry words or links of a stranger into someone's mailbox.
 */
function inviteContent(
  { inviter, role, slug, personal }: Invitation,
  token: string,
  address: string,
  words: PlainWords,
): MailContent {
  // A personal organization has the slug of its owner's address, which reads like a word.
  const organization = words(personal ? 'signIn.personal' : 'signIn.organization', { slug });
  return {
    subject: words('mail.invite.subject'),
    text: [
      words('mail.invite.by', { inviter, organization, address, role: words(`role.${role}`) }),
      '',
      words('mail.invite.open'),
      '',
      `  ${address}/invite?token=${token}`,
      '',
      words('mail.invite.command'),
      '',
      `  boundary accept-invite ${token}`,
      '',
      words('mail.invite.expires', { days: LIFETIME_DAYS }),
      '',
    ].join('\n'),
  };
}
