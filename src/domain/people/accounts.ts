import { only } from '../../common/elements.ts';
import { type Actor, systemActor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Role } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import { putAudit } from './audit.ts';
import { readEmail } from './mail_address.ts';
import { dropMember, type OrgRow } from './members.ts';
import type { OAuth } from './oauth.ts';
import { dropOrg, putOrg } from './org_rows.ts';
import type { Orgs } from './orgs.ts';
import type { Profile } from './profile.ts';
import type { KeyRevocation } from './revocation.ts';
import type { Sessions } from './sessions.ts';
import { slugOf } from './slugs.ts';

const CLAIMS: Allowance = { times: 20, windowS: 3600, what: 'attempts from your network' };

/** Email of the first key's account until the owner claims it. No mail can be sent there. */
export const FIRST_OWNER = 'you@localhost.localdomain';

/** Accounts; owns their table. */
export interface Accounts {
  /** The account and its role in an organization; null if it is not a member. */
  profile(account: string, org: string): Promise<Profile | null>;
  /**
   * Grants the operator role, creating the account if it is missing, or revokes it.
   * @throws invalid_input for an invalid email address, and not_found when it revokes the role of an account that is
   * not an operator
   */
  setOperator(email: string, operator: boolean): Promise<{ id: string; email: string; operator: boolean }>;
  /**
   * Changes the email address of an account. Its person signs in with the new one from then on, and is signed out
   * everywhere. The account of the first key becomes an operator's with it, its keys do not. For operators.
   * @throws not_found, and invalid_input for a text that is not an email address or the address of another account
   */
  changeEmail(from: string, to: string): Promise<{ id: string; email: string }>;
  /** Counts an attempt from a network to claim the first account. @throws rate_limited */
  countClaim(network: string): Promise<void>;
  /** Whether an address is FIRST_OWNER, that of the unclaimed first account. */
  isUnclaimed(email: string): boolean;
  /**
   * Changes the address of the first account to its owner's, who becomes an operator.
   * @throws as changeEmail(): not_found if it was claimed
   */
  claim(email: string): Promise<{ id: string; email: string }>;
  /**
   * Deletes the account with its personal organization, the others it is alone in, its keys, sessions, grants and
   * memberships; audit entries stay.
   * @throws invalid_input, naming the organization, if other members would be left without an owner or are in the
   * personal organization
   */
  remove(account: string, actor: Actor): Promise<void>;
}

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

interface MembershipRow {
  id: string;
  slug: string;
  name: string;
  personal: boolean;
  role: Role;
  members: number;
  owners: number;
}

/** The services that delete what belongs to an account. */
export interface AccountDependents {
  readonly orgs: Pick<Orgs, 'revokeAccess' | 'forget'>;
  readonly keys: Pick<KeyRevocation, 'revokeAll'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly oauth: Pick<OAuth, 'revokeAll'>;
}

/** The accounts of a database. */
export function createAccounts(db: Database, belongings: AccountDependents): Accounts {
  const { orgs, keys, sessions, oauth } = belongings;
  /** `by`: name of the operator in the audit log. */
  async function changeEmail(fromText: string, toText: string, by: string): Promise<{ id: string; email: string }> {
    const [from, to] = [readEmail(fromText), readEmail(toText)];
    const account = await db.transaction(async (tx) => {
      const [changed] = await tx.query(loadQuery('accounts_set_email'), [from, to]);
      if (!changed) {
        const [known] = await tx.query(loadQuery('accounts_by_email'), [from]);
        if (!known) throw problem('not_found', `No account has the address ${from}.`);
        throw problem(
          'invalid_input',
          `Another account has the address ${to}. Choose another address, or delete that account.`,
        );
      }
      // Whoever holds the first key read it where the server runs.
      const operator = from === FIRST_OWNER;
      if (operator) await putAccount(tx, to, operator);
      await sessions.endAll(tx, changed.id);
      const [org] = await tx.query(loadQuery('accounts_personal_org'), [changed.id]);
      if (org) {
        await putAudit(tx, systemActor(by), org.id, {
          action: 'account.update',
          target: { type: 'account', id: changed.id, name: to },
          details: { email: { from, to }, ...(operator ? { operator } : {}) },
        });
      }
      return changed;
    });
    orgs.forget();
    return { id: account.id, email: account.email };
  }

  return {
    async profile(account, org) {
      const [row] = await db.query(loadQuery('accounts_profile'), [account, org]);
      if (!row) return null;
      return {
        id: row.id,
        email: row.email,
        name: row.name,
        created_at: row.created_at.toISOString(),
        org: { id: row.org_id, slug: row.slug, name: row.org_name, plan: row.plan, role: row.role },
      };
    },

    async setOperator(text, operator) {
      const email = readEmail(text);
      const account = await db.transaction(async (tx) => {
        if (operator) return putAccount(tx, email, true);
        const [dropped] = await tx.query(loadQuery('accounts_drop_operator'), [email]);
        return dropped;
      });
      if (!account) throw problem('not_found', `${email} is not an operator.`);
      orgs.forget();
      return { id: account.id, email: account.email, operator };
    },

    changeEmail: (from, to) => changeEmail(from, to, 'boundary admin owner set'),
    claim: (email) => changeEmail(FIRST_OWNER, email, 'claim page'),
    isUnclaimed: (email) => email === FIRST_OWNER,
    countClaim: (network) => db.transaction((tx) => countAttempt(tx, 'claim', network, CLAIMS)),

    async remove(account, actor) {
      await db.transaction(async (tx) => {
        // Lock organizations before the account, as everywhere, to avoid a deadlock.
        const locked = await tx.query(loadQuery('accounts_lock_orgs'), [account]);
        await tx.query(loadQuery('accounts_lock'), [account]);
        const memberships = await tx.query(loadQuery('accounts_orgs'), [account]);
        if (memberships.some(({ id }) => !locked.some((org) => org.id === id))) {
          throw problem('invalid_input', 'You joined an organization while the account was being deleted. Try again.');
        }
        for (const org of memberships) refuseOrphans(org);
        for (const org of memberships) {
          if (org.members === 1) await dropOrg(tx, org, orgs.revokeAccess, actor);
          else {
            const { email } = only(await tx.query(loadQuery('accounts_lock'), [account]));
            await dropMember(tx, org.id, { id: account, email, role: org.role }, orgs.revokeAccess, actor);
          }
        }
        await sessions.endAll(tx, account);
        await keys.revokeAll(tx, { org: null, account }, actor);
        await oauth.revokeAll(tx, account, null, actor);
        await tx.query(loadQuery('accounts_drop'), [account]);
      });
      orgs.forget();
    },
  };
}

/** @throws invalid_input if others would be left without an owner, or are in the personal organization to be deleted */
function refuseOrphans(org: MembershipRow): void {
  const last = org.role === 'owner' && org.owners === 1;
  if (org.members === 1 || !(last || org.personal)) return;
  const way = org.personal ? 'remove them' : 'make one of them an owner, or delete it';
  throw problem('invalid_input', `Without you, ${org.slug} would have members but no owner: ${way} first.`);
}

/** Upserts the account with this email (from readEmail) and locks its row. `operator` makes it an operator. */
export async function putAccount(tx: Queryable, email: string, operator = false): Promise<AccountRow> {
  return only(await tx.query(loadQuery('accounts_put'), [newId('usr'), email, operator]));
}

/** The personal organization of an account; created if missing, with a slug after the email's local part. */
export async function personalOrg(
  tx: Queryable,
  account: { readonly id: string; readonly email: string },
  plan: string,
  actor: Actor,
): Promise<OrgRow> {
  const [existing] = await tx.query(loadQuery('accounts_personal_org'), [account.id]);
  if (existing) return existing;
  const slug = slugOf(account.email.slice(0, account.email.lastIndexOf('@')), 'org');
  const org = (await putOrg(
    tx,
    slug,
    account.email,
    plan,
    { id: account.id, personal: true },
    () => actor,
    true,
  )) as OrgRow;
  await tx.query(loadQuery('org_put_member'), [org.id, account.id, 'owner']);
  return org;
}
