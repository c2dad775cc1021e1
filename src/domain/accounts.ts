import { type Caller, keyRole, type Role } from '../access.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { problem } from '../errors.ts';
import { hashKey, isKey, newKey } from './api_keys.ts';
import { newId } from './new_id.ts';

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
}

export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly org: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly plan: string;
    readonly role: Role;
  };
}

/** Accounts, organisations, memberships and API keys; owns those tables. */
export interface Accounts {
  /** Who sends this key. Throws invalid_key when it does not exist or was revoked. */
  authenticate(key: string): Promise<Caller>;
  /**
   * Makes a key for the person with this email, and the account, its personal organisation and the organisation
   * `orgSlug` where they are missing. Who is not yet in an existing `orgSlug` becomes a member. For those who run the
   * service: it asks for nobody's consent. Throws invalid_input (email, slug, plan) and too_many_keys.
   */
  createKey(options: {
    email: string;
    orgSlug?: string;
    plan?: string;
    operator?: boolean;
    name?: string;
  }): Promise<NewKey>;
  /** A further key of an account in one of its organisations. Throws too_many_keys. */
  addKey(account: string, org: { id: string; slug: string; plan: string }, name: string): Promise<NewKey>;
  /** The account's active keys in the organisation, newest first. */
  keys(account: string, org: string): Promise<KeyEntry[]>;
  /** False when it is not an active key of theirs. Noticed at once by this process, within 5 s by others. */
  revokeKey(id: string, account: string, org: string): Promise<boolean>;
  /** Null when the account is not in the organisation. */
  profile(account: string, org: string): Promise<Profile | null>;
  /** Whether any key was ever made. */
  hasKeys(): Promise<boolean>;
}

interface KeyRow {
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
interface OrgRow {
  id: string;
  slug: string;
  plan: string;
}
interface AccountRow {
  id: string;
  email: string;
}

/** The accounts of a database, with a cache of callers by key. `now` (milliseconds) is replaced in tests of the cache. */
export function createAccounts(db: Database, now: () => number = Date.now): Accounts {
  const cache = new Map<string, { until: number; caller: Promise<Caller> }>();

  async function lookUp(hash: string): Promise<Caller> {
    const [row] = await db.query<KeyRow>(loadQuery('accounts_key_by_hash'), [hash]);
    if (!row) throw invalidKey();
    if (row.touch) await db.query(loadQuery('accounts_touch_key'), [row.key_id]);
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

    async createKey(options) {
      const email = readEmail(options.email);
      return db.transaction(async (tx) => {
        if (options.plan !== undefined) await requirePlan(tx, options.plan);
        const operator = options.operator ?? false;
        const [account] = await tx.query<AccountRow>(loadQuery('accounts_put_account'), [
          newId('usr'),
          email,
          operator,
        ]);
        const personal = await personalOrg(tx, account, (options.orgSlug ? undefined : options.plan) ?? LOCAL_PLAN);
        let org = options.orgSlug ? await sharedOrg(tx, account.id, options.orgSlug, options.plan) : personal;
        if (options.plan !== undefined && org.plan !== options.plan) {
          [org] = await tx.query<OrgRow>(loadQuery('accounts_set_plan'), [org.id, options.plan]);
        }
        return insertKey(tx, account, org, options.name ?? 'command line', operator);
      });
    },

    addKey(accountId, org, name) {
      return db.transaction(async (tx) => {
        const [account] = await tx.query<AccountRow>(loadQuery('accounts_lock_account'), [accountId]);
        if (!account) throw invalidKey();
        return insertKey(tx, account, org, name, false);
      });
    },

    async keys(account, org) {
      const rows = await db.query<Omit<KeyEntry, 'created_at' | 'last_used_at'> & KeyTimes>(
        loadQuery('accounts_keys'),
        [account, org],
      );
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }));
    },

    async revokeKey(id, account, org) {
      const rows = await db.query(loadQuery('accounts_revoke_key'), [id, account, org]);
      cache.clear();
      return rows.length > 0;
    },

    async profile(account, org) {
      const [row] = await db.query<ProfileRow>(loadQuery('accounts_profile'), [account, org]);
      if (!row) return null;
      return {
        id: row.id,
        email: row.email,
        name: row.name,
        created_at: row.created_at.toISOString(),
        org: { id: row.org_id, slug: row.slug, name: row.org_name, plan: row.plan, role: row.role },
      };
    },

    async hasKeys() {
      return (await db.query(loadQuery('accounts_has_keys'))).length > 0;
    },
  };
}

interface KeyTimes {
  created_at: Date;
  last_used_at: Date | null;
}
interface ProfileRow {
  id: string;
  email: string;
  name: string | null;
  created_at: Date;
  org_id: string;
  slug: string;
  org_name: string;
  plan: string;
  role: Role;
}

function invalidKey(): Error {
  return problem('invalid_key', 'The API key does not exist or was revoked.');
}

function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@<>"\0]+@[^\s@<>"\0]+\.[^\s@<>"\0]+$/.test(email)) {
    throw problem('invalid_input', 'email: must be an email address', {
      issues: [{ path: 'email', code: 'invalid_format', message: 'must be an email address' }],
    });
  }
  return email;
}

async function requirePlan(tx: Queryable, plan: string): Promise<void> {
  if ((await tx.query(loadQuery('accounts_plan_exists'), [plan])).length > 0) return;
  throw problem('invalid_input', 'plan: there is no such plan', {
    issues: [{ path: 'plan', code: 'invalid_value', message: 'there is no such plan' }],
  });
}

/** The organisation every account has of its own, made with a slug after the email's local part. */
async function personalOrg(tx: Queryable, account: AccountRow, plan: string): Promise<OrgRow> {
  const [existing] = await tx.query<OrgRow>(loadQuery('accounts_personal_org'), [account.id]);
  if (existing) return existing;
  const local = account.email.slice(0, account.email.lastIndexOf('@'));
  const slug =
    local
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 30)
      .replace(/^-+|-+$/g, '') || 'org';
  for (let attempt = 1; ; attempt++) {
    // Random rather than counted: two people with one name do not wait for each other for long.
    const candidate = attempt === 1 ? slug : `${slug}-${newId('x').slice(-6).toLowerCase()}`;
    const org = await insertOrg(tx, candidate, account.email, plan, account.id);
    if (org) return org;
    if (attempt === 5) throw new Error('no free slug was found for a personal organisation');
  }
}

async function sharedOrg(tx: Queryable, account: string, slug: string, plan: string | undefined): Promise<OrgRow> {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(slug)) {
    const message = 'must be 1 to 40 lower-case letters, digits and inner hyphens';
    throw problem('invalid_input', `org: ${message}`, { issues: [{ path: 'org', code: 'invalid_format', message }] });
  }
  const made = await insertOrg(tx, slug, slug, plan ?? LOCAL_PLAN, null);
  const org = made ?? (await tx.query<OrgRow>(loadQuery('accounts_org_by_slug'), [slug]))[0];
  await tx.query(loadQuery('accounts_put_membership'), [org.id, account, made ? 'owner' : 'member']);
  return org;
}

/** Null when the slug is taken. A personal organisation has its account as owner. */
async function insertOrg(
  tx: Queryable,
  slug: string,
  name: string,
  plan: string,
  personalOf: string | null,
): Promise<OrgRow | null> {
  const [org] = await tx.query<OrgRow>(loadQuery('accounts_put_org'), [newId('org'), slug, name, plan, personalOf]);
  if (org && personalOf) await tx.query(loadQuery('accounts_put_membership'), [org.id, personalOf, 'owner']);
  return org ?? null;
}

/** The account's row is locked by the caller, so that two requests cannot both make the last key allowed. */
async function insertKey(
  tx: Queryable,
  account: AccountRow,
  org: OrgRow,
  name: string,
  operator: boolean,
): Promise<NewKey> {
  const [{ keys }] = await tx.query<{ keys: number }>(loadQuery('accounts_count_keys'), [account.id]);
  if (keys >= MAX_KEYS) {
    throw problem('too_many_keys', `The account has ${MAX_KEYS} active keys, the most it may have.`);
  }
  const secret = newKey();
  const id = newId('key');
  const [row] = await tx.query<{ created_at: Date }>(loadQuery('accounts_put_key'), [
    id,
    account.id,
    org.id,
    name,
    secret.prefix,
    secret.hash,
    operator,
  ]);
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
