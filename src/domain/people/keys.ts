import { only } from '../../common/elements.ts';
import { type Actor, type Caller, keyRole, systemActor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { holdsAllKeys, type Role } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { CallerCache } from '../caller_cache.ts';
import { newId } from '../new_id.ts';
import { personalOrg, putAccount } from './accounts.ts';
import { hashKey, isKey, newKey } from './api_keys.ts';
import { putAudit } from './audit.ts';
import { readEmail } from './mail_address.ts';
import type { OrgRow } from './members.ts';
import { requirePlan, setPlan, sharedOrg } from './org_rows.ts';
import type { KeyRevocation } from './revocation.ts';

/** Maximum active keys of a person, over all organizations. */
export const MAX_KEYS = 20;
/** Plan of organizations created on the machine itself (`boundary key create` and the first key). */
const LOCAL_PLAN = 'self_hosted';

export interface NewKey {
  readonly id: string;
  /** The secret; it cannot be read again. */
  readonly key: string;
  readonly prefix: string;
  readonly name: string;
  readonly created_by_key: string | null;
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
  /** Null: it is active. */
  readonly revoked_at: string | null;
  /** The key that created it; null: a person did. */
  readonly created_by_key: string | null;
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null };
}

/** A holder of keys: a person in an organization, with the role they act with. */
export interface Holder {
  readonly account: string;
  readonly org: string;
  readonly role: Role;
}

/** API keys; owns their table. */
export interface Keys extends KeyRevocation {
  /** The caller with this key. @throws invalid_key if it does not exist or was revoked */
  authenticate(key: string): Promise<Caller>;
  /** Whether another key created this one. */
  isMadeByKey(id: string): Promise<boolean>;
  /**
   * Creates a key for the person with this email; also their account, its personal organization and the organization
   * `orgSlug` if they are missing. A person who is not in an existing `orgSlug` becomes a member. For operators: no one
   * is asked for consent.
   * @throws invalid_input (email, slug, plan) and too_many_keys
   */
  create(options: {
    email: string;
    orgSlug?: string;
    plan?: string;
    operator?: boolean;
    name?: string;
  }): Promise<NewKey>;
  /**
   * Creates another key of an account in an organization it is in; `madeBy` is the key that asks for it, if any.
   * @throws too_many_keys, unauthorized if the account left, and invalid_key if `madeBy` was revoked meanwhile
   */
  add(account: string, org: string, name: string, actor: Actor, madeBy?: string | null): Promise<NewKey>;
  /** Keys, newest first: the organization's for its admins, otherwise the holder's own; revoked ones if `revoked`. */
  list(
    holder: Holder,
    page: { revoked: boolean; limit: number; offset: number },
  ): Promise<{ items: KeyEntry[]; total: number }>;
  /**
   * Revokes a key and, unless `cascade` is false, all keys it created, directly or through others, each audited. Returns
   * the ids of those that were active: none if the key is not the holder's (for admins: not of the organization). Takes
   * effect at once in this process and within 5 s in others; a revoked key cannot create another from that moment.
   */
  revoke(id: string, holder: Holder, actor: Actor, cascade?: boolean): Promise<readonly string[]>;
  /** Whether any key was ever created. */
  exist(): Promise<boolean>;
}

interface RevokedRow {
  id: string;
  org: string;
  account: string;
  name: string;
  prefix: string;
}

/** The keys of a database, with a cache of callers by key. */
export function createKeys(db: Database): Keys {
  const cache = new CallerCache<Caller>(db);

  async function lookUp(hash: string): Promise<Caller> {
    const [row] = await db.query(loadQuery('keys_by_hash'), [hash]);
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
      const hash = hashKey(key);
      return cache.find(hash, () => (isKey(key) ? lookUp(hash) : Promise.reject(invalidKey())));
    },

    async isMadeByKey(id) {
      return (await db.query(loadQuery('keys_made_by_key'), [id])).length > 0;
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
        const made = { name: options.name ?? 'command line', operator, madeBy: null };
        return insertKey(tx, account, org, made, actor);
      });
      cache.clear();
      return made;
    },

    add: (account, org, name, actor, madeBy) =>
      db.transaction((tx) => addKey(tx, account, org, name, actor, madeBy ?? null)),

    async list({ account, org, role }, { revoked, limit, offset }) {
      const ask = (size: number, skip: number) =>
        db.query(loadQuery('keys_list'), [org, holdsAllKeys(role) ? null : account, revoked, size, skip]);
      const rows = await ask(limit, offset);
      // Past the end, no row carries the total: read the first one.
      const [first] = rows.length > 0 || offset === 0 ? rows : await ask(1, 0);
      const items = rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
        revoked_at: row.revoked_at?.toISOString() ?? null,
        created_by_key: row.created_by_key,
        creator: { id: row.account, email: row.email, name: row.account_name },
      }));
      return { items, total: first?.total ?? 0 };
    },

    async revoke(id, { account, org, role }, actor, cascade = true) {
      const revoked = await db.transaction(async (tx) => {
        const values = [id, org, holdsAllKeys(role) ? null : account];
        const [holder] = await tx.query(loadQuery('keys_holder'), values);
        if (!holder) return [];
        // Creating a key locks the account too, so this misses none that is created meanwhile.
        await tx.query(loadQuery('accounts_lock'), [holder.account]);
        const rows = await tx.query(loadQuery('keys_revoke_one'), [id, org, cascade]);
        for (const row of rows) await auditRevoked(tx, row, actor, row.id === id ? {} : { revoked_with: id });
        return rows;
      });
      cache.clear();
      return revoked.map((row) => row.id);
    },

    async revokeAll(tx, { org, account }, actor) {
      const rows = await tx.query(loadQuery('keys_revoke'), [org, account]);
      for (const row of rows) await auditRevoked(tx, row, actor);
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

async function auditRevoked(tx: Queryable, key: RevokedRow, actor: Actor, more: object = {}): Promise<void> {
  await putAudit(tx, actor, key.org, {
    action: 'api_key.revoke',
    target: { type: 'api_key', id: key.id, name: key.name },
    details: { account: key.account, prefix: key.prefix, ...more },
  });
}

/** Like Keys.add(), in the caller's transaction. */
export async function addKey(
  tx: Queryable,
  accountId: string,
  orgId: string,
  name: string,
  actor: Actor,
  madeBy: string | null = null,
): Promise<NewKey> {
  const [account] = await tx.query(loadQuery('accounts_lock'), [accountId]);
  // Lock the membership: a member who is being removed must not get a key that outlives it.
  const [member] = await tx.query(loadQuery('org_hold_member'), [orgId, accountId]);
  const [org] = member ? await tx.query(loadQuery('org_get'), [orgId]) : [];
  if (!account || !org) throw problem('unauthorized', 'You are no longer in that organization.');
  if (madeBy !== null && (await tx.query(loadQuery('keys_active'), [madeBy, accountId, orgId])).length === 0) {
    throw invalidKey();
  }
  return insertKey(tx, account, org, { name, operator: false, madeBy }, actor);
}

/** @throws too_many_keys if the account has the maximum of active keys */
export async function requireKeyRoom(tx: Queryable, account: string): Promise<void> {
  const { keys } = only(await tx.query(loadQuery('keys_count'), [account]));
  if (keys < MAX_KEYS) return;
  throw problem('too_many_keys', `The account has ${MAX_KEYS} active keys, the maximum. Revoke one first.`);
}

/** Inserts a key. The caller has locked the account's row: two requests cannot both create the last key allowed. */
async function insertKey(
  tx: Queryable,
  account: { id: string; email: string },
  org: OrgRow,
  { name, operator, madeBy }: { name: string; operator: boolean; madeBy: string | null },
  actor: Actor,
): Promise<NewKey> {
  await requireKeyRoom(tx, account.id);
  const secret = newKey();
  const id = newId('key');
  const values = [id, account.id, org.id, name, secret.prefix, secret.hash, operator, madeBy];
  const row = only(await tx.query(loadQuery('keys_put'), values));
  await putAudit(tx, actor, org.id, {
    action: 'api_key.create',
    target: { type: 'api_key', id, name },
    details: {
      account: account.id,
      prefix: secret.prefix,
      ...(operator ? { operator } : {}),
      ...(madeBy === null ? {} : { created_by_key: madeBy }),
    },
  });
  return {
    id,
    key: secret.key,
    prefix: secret.prefix,
    name,
    created_by_key: madeBy,
    created_at: row.created_at.toISOString(),
    account: { id: account.id, email: account.email },
    org: { id: org.id, slug: org.slug, plan: org.plan },
  };
}
