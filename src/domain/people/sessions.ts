import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../../core/access.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { CallerCache } from '../caller_cache.ts';
import { newId } from '../new_id.ts';

/** A cookie: 256 random bits in base64url. */
const COOKIE = /^[\w-]{43}$/;

/** Lifetime of a session in seconds, however much it is used; an unused session ends after 30 days. */
const SESSION_S = 90 * 86_400;

/** A new session. */
export interface NewSession {
  readonly id: string;
  /** The secret stored by the browser; it cannot be read again. */
  readonly cookie: string;
  /** Seconds after which the session ends, however much it is used. */
  readonly maxAgeS: number;
}

export interface SessionEntry {
  readonly id: string;
  readonly created_at: string;
  /** Accurate to the hour. */
  readonly last_seen_at: string;
}

/** Sessions of signed-in browsers; owns their table. */
export interface Sessions {
  /** Returns the caller of a session cookie, or null if no live session has it. */
  authenticate(cookie: string): Promise<Caller | null>;
  /** Starts a session that acts in `org`, of which the account is a member. */
  start(tx: Queryable, account: string, org: string | null): Promise<NewSession>;
  /** Returns the account's live sessions, newest first. */
  list(account: string): Promise<SessionEntry[]>;
  /**
   * Ends a session. Takes effect at once in this process, in others usually at once and within 5 s at most. The same
   * holds for the changes below; after a transaction, call forget().
   */
  end(id: string): Promise<void>;
  /** Ends all sessions of an account: signs the person out everywhere. */
  endAll(tx: Queryable, account: string): Promise<void>;
  /** Switches a session to another organization. False if the person is not a member of it. */
  switchOrg(id: string, org: string): Promise<boolean>;
  /** Moves an account's sessions from an organization to another of theirs; they stay signed in. */
  leaveOrg(tx: Queryable, account: string, org: string): Promise<void>;
  /** Clears the cache of callers, after a role, a membership or a session has changed. */
  forget(): void;
}

/** SHA-256 in hexadecimal. A secret of 256 random bits does not need a slow hash. */
const hashOf = (cookie: string) => createHash('sha256').update(cookie).digest('hex');

/** Creates the sessions service of a database, with a cache of callers. */
export function createSessions(db: Database): Sessions {
  const cache = new CallerCache<Caller | null>(db);

  async function lookUp(hash: string, expiresAt: (moment: number) => void): Promise<Caller | null> {
    const [row] = await db.query(loadQuery('session_by_hash'), [hash]);
    if (!row) return null;
    if (row.touch) await db.query(loadQuery('session_touch'), [row.id]);
    else expiresAt(row.expires * 1000);
    return {
      account: { id: row.account_id, email: row.email, name: row.name },
      org: row.org_id === null ? null : { id: row.org_id, slug: row.slug, plan: row.plan },
      role: row.org_id === null ? null : row.role,
      credential: { kind: 'session', id: row.id },
      operator: row.operator,
    };
  }

  return {
    async authenticate(cookie) {
      if (!COOKIE.test(cookie)) return null;
      const hash = hashOf(cookie);
      return cache.find(hash, (expiresAt) => lookUp(hash, expiresAt));
    },

    async start(tx, account, org) {
      const id = newId('ses');
      const cookie = randomBytes(32).toString('base64url');
      await tx.query(loadQuery('session_put'), [id, hashOf(cookie), account, org]);
      return { id, cookie, maxAgeS: SESSION_S };
    },

    async list(account) {
      const rows = await db.query(loadQuery('session_list'), [account]);
      return rows.map(({ id, created_at, last_seen_at }) => ({
        id,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
      }));
    },

    async end(id) {
      await db.query(loadQuery('session_end'), [id]);
      cache.clear();
    },

    async endAll(tx, account) {
      await tx.query(loadQuery('session_end_all'), [account]);
      cache.clear();
    },

    async switchOrg(id, org) {
      const rows = await db.query(loadQuery('session_switch'), [id, org]);
      cache.clear();
      return rows.length > 0;
    },

    async leaveOrg(tx, account, org) {
      await tx.query(loadQuery('session_leave'), [account, org]);
      cache.clear();
    },

    forget: () => cache.clear(),
  };
}
