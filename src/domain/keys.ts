import { type Actor, type Caller, holdsAllKeys, keyRole, type Role, systemActor } from '../access.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { problem } from '../errors.ts';
import { personalOrg, putAccount, readEmail } from './accounts.ts';
import { hashKey, isKey, newKey } from './api_keys.ts';
import { putAudit } from './audit.ts';
import { newId } from './new_id.ts';
import { type OrgRow, requirePlan, setPlan, sharedOrg } from './orgs.ts';

/** A person holds at most this many active keys, over all organisations. */
export const MAX_KEYS = 20;
/** The plan of organisations made at the machine itself (`boundary key create` and the first key). */
const LOCAL_PLAN = 'self_hosted';
/** A revoked key or a changed role is noticed after this at the latest, in every process. */
const CACHE_MS = 5000;
const CACHE_ENTRIES = 10_000;

export interface NewKey {
  readonly id: string;
  /** The secret; it cannot be read again. */
  readonly key: string;
  readonly prefix: string;
  readonly name: string;
  readonly created_at: string;
  readonly account: { readonly id: string; readonly email: string };
  readonly org: { readonly id: string; readonly slug: string; readonly plan: string };
}

export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null };
}

/** Who holds keys: a person in an organisation, with the role they act with. */
export interface Holder {
  readonly account: string;
  readonly org: string;
  readonly role: Role;
}

/** API keys; owns their table. */
export interface Keys {
  /** Who sends this key. Throws invalid_key when it does not exist or was revoked. */
  authenticate(key: string): Promise<Caller>;
  /**
   * Makes a key for the person with this email, and the account, its personal organisation and the organisation
   * `orgSlug` where they are missing. Who is not yet in an existing `orgSlug` becomes a member. For those who run the
   * service: it asks for nobody's consent. Throws invalid_input (email, slug, plan) and too_many_keys.
   */
  create(options: {
    email: string;
    orgSlug?: string;
    plan?: string;
    operator?: boolean;
    name?: string;
  }): Promise<NewKey>;
  /** A further key of an account in an organisation it is in. Throws too_many_keys, and unauthorized for who left. */
  add(account: string, org: string, name: string, actor: Actor): Promise<NewKey>;
  /** Active keys, newest first: all of the organisation for its admins, otherwise the holder's own. */
  list(holder: Holder): Promise<KeyEntry[]>;
  /** False when it is no active key of theirs (of the organisation, for admins). Noticed at once here, within 5 s elsewhere. */
  revoke(id: string, holder: Holder, actor: Actor): Promise<boolean>;
  /** Revokes keys in the caller's transaction; call forget() once it is kept. Null: of any organisation, of anyone. */
  revokeAll(tx: Queryable, of: { org: string | null; account: string | null }, actor: Actor): Promise<void>;
  /** Looks all callers up anew: a key, a role or a membership has changed. */
  forget(): void;
  /** Whether any key was ever made. */
  exist(): Promise<boolean>;
}

interface CallerRow {
  key_id: string;
  key_name: string;
  operator: boolean;
  account_id: string;
  email: string;
  name: string | null;
  org_id: string;
  slug: string;
  plan: string;
  role: Role;
  touch: boolean;
}
interface EntryRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  account: string;
  email: string;
  account_name: string | null;
}
interface RevokedRow {
  id: string;
  org: string;
  account: string;
  name: string;
  prefix: string;
}

/** The keys of a database, with a cache of callers by key. `now` (milliseconds) is replaced in tests of the cache. */
export function createKeys(db: Database, now: () => number = Date.now): Keys {
  const cache = new Map<string, { until: number; caller: Promise<Caller> }>();

  async function lookUp(hash: string): Promise<Caller> {
    const [row] = await db.query<CallerRow>(loadQuery('keys_by_hash'), [hash]);
    if (!row) throw invalidKey();
    if (row.touch) await db.query(loadQuery('keys_touch'), [row.key_id]);
    return {
      account: { id: row.account_id, email: row.email, name: row.name },
      org: { id: row.org_id, slug: row.slug, plan: row.plan },
      credential: { kind: 'api_key', id: row.key_id, name: row.key_name },
      operator: row.operator,
      role: keyRole(row.role),
    };
  }

  return {
    authenticate(key) {
      if (!isKey(key)) return Promise.reject(invalidKey());
      const hash = hashKey(key);
      const known = cache.get(hash);
      if (known && known.until > now()) return known.caller;
      const entry = { until: now() + CACHE_MS, caller: lookUp(hash) };
      // A failure is not remembered: a key must work from the moment it is made.
      entry.caller.catch(() => {
        if (cache.get(hash) === entry) cache.delete(hash);
      });
      cache.delete(hash);
      cache.set(hash, entry);
      if (cache.size > CACHE_ENTRIES) cache.delete(cache.keys().next().value as string);
      return entry.caller;
    },

    async create(options) {
      const email = readEmail(options.email);
      const actor = systemActor('boundary key create');
      const made = await db.transaction(async (tx) => {
        if (options.plan !== undefined) await requirePlan(tx, options.plan);
        const operator = options.operator ?? false;
        const account = await putAccount(tx, email, operator);
        const personal = await personalOrg(
          tx,
          account,
          (options.orgSlug ? undefined : options.plan) ?? LOCAL_PLAN,
          actor,
        );
        let org = options.orgSlug
          ? await sharedOrg(tx, account, options.orgSlug, options.plan ?? LOCAL_PLAN, actor)
          : personal;
        if (options.plan !== undefined && org.plan !== options.plan) org = await setPlan(tx, org, options.plan, actor);
        return insertKey(tx, account, org, options.name ?? 'command line', operator, actor);
      });
      cache.clear();
      return made;
    },

    add: (account, org, name, actor) => db.transaction((tx) => addKey(tx, account, org, name, actor)),

    async list({ account, org, role }) {
      const rows = await db.query<EntryRow>(loadQuery('keys_list'), [org, holdsAllKeys(role) ? null : account]);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
        creator: { id: row.account, email: row.email, name: row.account_name },
      }));
    },

    async revoke(id, { account, org, role }, actor) {
      const revoked = await db.transaction((tx) =>
        revokeKeys(tx, [id, org, holdsAllKeys(role) ? null : account], actor),
      );
      cache.clear();
      return revoked > 0;
    },

    async revokeAll(tx, { org, account }, actor) {
      await revokeKeys(tx, [null, org, account], actor);
    },

    forget: () => cache.clear(),

    async exist() {
      return (await db.query(loadQuery('keys_exist'))).length > 0;
    },
  };
}

function invalidKey(): Error {
  return problem('invalid_key', 'The API key does not exist or was revoked.');
}

async function revokeKeys(tx: Queryable, which: (string | null)[], actor: Actor): Promise<number> {
  const rows = await tx.query<RevokedRow>(loadQuery('keys_revoke'), which);
  for (const row of rows) {
    await putAudit(tx, actor, row.org, {
      action: 'api_key.revoke',
      target: { type: 'api_key', id: row.id, name: row.name },
      details: { account: row.account, prefix: row.prefix },
    });
  }
  return rows.length;
}

/** As Keys.add, in the caller's transaction. */
export async function addKey(
  tx: Queryable,
  accountId: string,
  orgId: string,
  name: string,
  actor: Actor,
): Promise<NewKey> {
  const [account] = await tx.query<{ id: string; email: string }>(loadQuery('accounts_lock'), [accountId]);
  // Who is being removed at this moment gets no key that would outlive their membership.
  const [member] = await tx.query(loadQuery('org_hold_member'), [orgId, accountId]);
  const [org] = member ? await tx.query<OrgRow>(loadQuery('org_get'), [orgId]) : [];
  if (!account || !org) throw problem('unauthorized', 'You are not in that organisation any more.');
  return insertKey(tx, account, org, name, false, actor);
}

/** Throws too_many_keys when the account holds as many as it may. */
export async function requireKeyRoom(tx: Queryable, account: string): Promise<void> {
  const [{ keys }] = await tx.query<{ keys: number }>(loadQuery('keys_count'), [account]);
  if (keys < MAX_KEYS) return;
  throw problem('too_many_keys', `The account has ${MAX_KEYS} active keys, the most it may have.`);
}

/** The account's row is locked by the caller, so that two requests cannot both make the last key allowed. */
async function insertKey(
  tx: Queryable,
  account: { id: string; email: string },
  org: OrgRow,
  name: string,
  operator: boolean,
  actor: Actor,
): Promise<NewKey> {
  await requireKeyRoom(tx, account.id);
  const secret = newKey();
  const id = newId('key');
  const values = [id, account.id, org.id, name, secret.prefix, secret.hash, operator];
  const [row] = await tx.query<{ created_at: Date }>(loadQuery('keys_put'), values);
  await putAudit(tx, actor, org.id, {
    action: 'api_key.create',
    target: { type: 'api_key', id, name },
    details: { account: account.id, prefix: secret.prefix, ...(operator ? { operator } : {}) },
  });
  return {
    id,
    key: secret.key,
    prefix: secret.prefix,
    name,
    created_at: row.created_at.toISOString(),
    account: { id: account.id, email: account.email },
    org: { id: org.id, slug: org.slug, plan: org.plan },
  };
}
