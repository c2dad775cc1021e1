import { createHash } from 'node:crypto';
import { defined, only } from '../../common/elements.ts';
import { type Actor, type Caller, grantRole, SCOPES, type Scope, systemActor } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import type { Statements } from '../../db/generated/statements.ts';
import { loadQuery } from '../../db/query.ts';
import { CallerCache } from '../caller_cache.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import { putAudit } from './audit.ts';

/** Seconds after which a client is deleted if no person has authorized it. */
const UNUSED_CLIENT_S = 86_400;
/** Limits on records stored without a person's consent: per network, in total, and left after exceeding the total. */
const BOUNDS: Readonly<Record<string, { readonly network: number; readonly total: number; readonly kept: number }>> = {
  Client: { network: 100, total: 5000, kept: 4500 },
  Interaction: { network: 60, total: 5000, kept: 4500 },
};
const REGISTRATIONS: Allowance = { times: 20, windowS: 3600, what: 'registrations' };

/** A client that a person authorized to act for them in an organization. */
export interface OAuthGrant {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scope: Scope;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** Storage of one oidc-provider model; methods have the names and meanings of its adapter interface. */
export interface OAuthRecords {
  upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Record<string, unknown> | undefined>;
  /** False if the record was already consumed; of two concurrent calls only one returns true. */
  consume(id: string): Promise<boolean>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
  findByUid(uid: string): Promise<undefined>;
  findByUserCode(userCode: string): Promise<undefined>;
}

/** OAuth grants and the records of oidc-provider; owns those tables. */
export interface OAuth {
  /** Returns the caller of an access token. @throws invalid_token (unknown, expired, revoked, for another resource) */
  authenticate(token: string): Promise<Caller>;
  /** Counts a client registration against the limit of its sender. @throws rate_limited */
  countRegistration(sender: string): Promise<void>;
  /** Records a person's consent. @throws not_found if they are not a member of the organization */
  grant(
    consent: { id: string; account: string; org: string; clientId: string; clientName: string; scope: Scope },
    actor: Actor,
  ): Promise<void>;
  grants(account: string, org: string): Promise<OAuthGrant[]>;
  /**
   * False if the id is not an active grant of the account in the organization. Takes effect here at once, in other
   * processes within 5 s.
   */
  revoke(id: string, account: string, org: string, actor: Actor): Promise<boolean>;
  /**
   * Revokes all grants of an account in an organization (null: in all of them) in the caller's transaction; call
   * forget() after the commit.
   */
  revokeAll(tx: Queryable, account: string, org: string | null, actor: Actor): Promise<void>;
  /** Clears the cache of callers, after a role, a membership or a grant has changed. */
  forget(): void;
  /** Records that oidc-provider ended a grant: a token was revoked or a refresh token was reused. */
  grantEnded(id: string): Promise<void>;
  /**
   * Returns the storage of one oidc-provider model. `network` returns the network of the request that stores a record
   * (null: not a request). Clients and interactions are limited by it; the oldest are deleted.
   */
  records(model: string, network?: () => string | null): OAuthRecords;
  /** Deletes expired records and returns how many. */
  sweep(): Promise<number>;
}

interface RevokedRow {
  id: string;
  account: string;
  org: string;
  client_name: string;
  scope: Scope;
}

const hashOf = (id: string) => createHash('sha256').update(id).digest('hex');

function invalidToken(): Error {
  return problem('invalid_token', 'The access token is invalid or expired.');
}

/** Returns the strongest scope of a space-separated list, or null if it has none. */
function strongestScope(scopes: string): Scope | null {
  const named = new Set(scopes.split(' '));
  return SCOPES.findLast((scope) => named.has(scope)) ?? null;
}

/** Creates the OAuth service of a database. `resources`: the accepted resource indicators (RFC 8707) of tokens. */
export function createOAuth(db: Database, resources: readonly string[]): OAuth {
  const cache = new CallerCache<Caller>(db);

  async function lookUp(hash: string, expiresAt: (moment: number) => void): Promise<Caller> {
    const [row] = await db.query(loadQuery('oauth_caller'), [hash]);
    if (!row || row.audience === null || !resources.includes(row.audience)) throw invalidToken();
    const granted = strongestScope(row.token_scope ?? '');
    if (granted === null) throw invalidToken();
    const scope = defined(SCOPES[Math.min(SCOPES.indexOf(granted), SCOPES.indexOf(row.grant_scope))]);
    expiresAt(row.expires * 1000);
    if (row.touch) await db.query(loadQuery('oauth_touch_grant'), [row.grant_id]);
    return {
      account: { id: row.account_id, email: row.email, name: row.name },
      org: { id: row.org_id, slug: row.slug, plan: row.plan },
      role: grantRole(row.role, scope),
      credential: { kind: 'oauth_client', id: row.grant_id, name: row.client_name, scope },
      // Operating the service requires a session, or a key created for it.
      operator: false,
    };
  }

  async function revoke(
    tx: Queryable,
    values: Statements['oauth_revoke_grants']['values'],
    actor: Actor,
  ): Promise<RevokedRow[]> {
    const rows = await tx.query(loadQuery('oauth_revoke_grants'), values);
    if (rows.length === 0) return rows;
    await tx.query(loadQuery('oauth_drop_grant'), [rows.map(({ id }) => id)]);
    for (const row of rows) {
      await putAudit(tx, actor, row.org, {
        action: 'oauth_grant.revoke',
        target: { type: 'oauth_grant', id: row.id, name: row.client_name },
        details: { account: row.account, scope: row.scope },
      });
    }
    return rows;
  }

  return {
    authenticate(token) {
      const hash = hashOf(token);
      return cache.find(hash, (expiresAt) => lookUp(hash, expiresAt));
    },

    countRegistration: (sender) => countAttempt(db, 'oauth_registration', sender, REGISTRATIONS),

    async grant(consent, actor) {
      await db.transaction(async (tx) => {
        const { id, account, org, clientId, clientName, scope } = consent;
        const values = [id, account, org, clientId, clientName, scope];
        const rows = await tx.query(loadQuery('oauth_put_grant'), values);
        if (rows.length === 0) throw problem('not_found', 'You are not a member of that organization.');
        await tx.query(loadQuery('oauth_keep_client'), [hashOf(clientId)]);
        await putAudit(tx, actor, org, {
          action: 'oauth_grant.create',
          target: { type: 'oauth_grant', id, name: clientName },
          details: { client_id: clientId, scope },
        });
      });
    },

    async grants(account, org) {
      const rows = await db.query(loadQuery('oauth_grants'), [account, org]);
      return rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }));
    },

    async revoke(id, account, org, actor) {
      const rows = await db.transaction((tx) => revoke(tx, [id, account, org], actor));
      cache.clear();
      return rows.length > 0;
    },

    async revokeAll(tx, account, org, actor) {
      await revoke(tx, [null, account, org], actor);
    },

    forget: () => cache.clear(),

    async grantEnded(id) {
      await db.transaction((tx) => revoke(tx, [id, null, null], systemActor('oauth')));
      cache.clear();
    },

    records: (model, network = () => null) => recordsOf(db, model, network),

    async sweep() {
      const { records } = only(await db.query(loadQuery('oauth_sweep')));
      return records;
    },
  };
}

/**
 * Implements oidc-provider's adapter on a table. Ids are secrets (the codes and tokens themselves), so only their
 * hashes are stored and the payload omits them. The provider's sessions are not stored: our own sessions decide who is
 * signed in, on every request.
 */
function recordsOf(db: Database, model: string, network: () => string | null): OAuthRecords {
  const bound = BOUNDS[model];
  return {
    async upsert(id, payload, expiresIn) {
      if (model === 'Session') return;
      const { jti: _, ...kept } = payload;
      const lifetime = expiresIn ?? (model === 'Client' ? UNUSED_CLIENT_S : null);
      const grant = typeof payload.grantId === 'string' ? payload.grantId : null;
      const from = bound ? network() : null;
      const origin = from === null ? null : hashOf(from);
      await db.query(loadQuery('oauth_put'), [model, hashOf(id), JSON.stringify(kept), grant, lifetime, origin]);
      if (!bound || origin === null) return;
      await db.query(loadQuery('oauth_bound_network'), [model, origin, bound.network]);
      await db.query(loadQuery('oauth_bound_total'), [model, bound.total, bound.kept]);
    },
    async find(id) {
      if (model === 'Session') return undefined;
      const [row] = await db.query(loadQuery('oauth_get'), [model, hashOf(id)]);
      if (!row) return undefined;
      const consumed = row.consumed === null ? {} : { consumed: Math.floor(row.consumed) };
      return { ...row.payload, ...consumed, ...(model === 'Client' ? {} : { jti: id }) };
    },
    async consume(id) {
      return (await db.query(loadQuery('oauth_consume'), [model, hashOf(id)])).length > 0;
    },
    async destroy(id) {
      await db.query(loadQuery('oauth_drop'), [model, hashOf(id)]);
    },
    async revokeByGrantId(grantId) {
      await db.query(loadQuery('oauth_drop_grant'), [[grantId]]);
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}
