import { createHmac } from 'node:crypto';
import { CallError, type OutgoingCalls } from '../../adapters/outgoing_call.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';

/** Calls that one process makes at once. */
const SLOTS = 20;
/** Calls of one organization that are under way at once, in all processes. */
const SHARE = 2;
/** Seconds that a claim on a call lasts; then another process may claim and make it. */
const CLAIM_S = 60;
/** Seconds after which an unanswered call is dropped. */
const LIFETIME_S = 86_400;
/** Days for which the outcome of a call can be read. */
const KEPT_DAYS = 30;

/** What became of the call about the end of a job. */
export interface WebhookOutcome {
  /** `failed`: it was tried for a day. */
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly delivered_at: string | null;
  /** When the next attempt is due; null: none. */
  readonly next_at: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** Logs failures of calls; never gets their address or body. */
export type WebhookLog = (message: string, fields: { event: string; attempts?: number; err?: unknown }) => void;

/**
 * Returns the secret that signs an organization's webhook calls, derived from a server key. People who create jobs with
 * a webhook get it.
 */
export function webhookSecret(key: string, org: string): string {
  return `whsec_${createHmac('sha256', key).update(`webhook ${org}`).digest('base64url')}`;
}

/**
 * Returns the header Boundary-Signature: `t=SECONDS,v1=HEX`, with a v1 for each secret. HEX is the HMAC-SHA256 of
 * `SECONDS.BODY` with the secret. Receivers also compare SECONDS with their clock, so an old call cannot be replayed.
 */
export function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}

/**
 * A queue of calls to users' addresses; owns its table. A call is made after the transaction that wrote it commits, at
 * least once: it is retried with backoff for a day until the answer has a status of 200 to 299. Retries have the same
 * id.
 */
export interface Webhooks extends Pick<Deliveries, 'sendDue' | 'start' | 'close'> {
  /** Why a URL may not be called; null if it may, or if its name cannot be resolved now. */
  refusalOf(url: string): Promise<string | null>;
  /** Writes a call in the caller's transaction; `job` is the job whose end it is about, null for none. */
  put(
    tx: Queryable,
    to: { readonly org: string; readonly job: string | null; readonly url: string },
    event: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** What became of the calls about jobs, by job; for 30 days. */
  outcomes(from: Queryable, jobs: readonly string[]): Promise<ReadonlyMap<string, WebhookOutcome>>;
  /** Deletes calls whose outcome is no longer kept. */
  sweep(): Promise<void>;
}

/** Creates the webhooks of a database; `keys` are the server's, newest first. */
export function createWebhooks(db: Database, calls: OutgoingCalls, keys: readonly string[], log: WebhookLog): Webhooks {
  const deliveries = createDeliveries({
    slots: SLOTS,
    claim: (most) => db.query(loadQuery('webhook_claim'), [most, CLAIM_S, SHARE]),
    async deliver({ id, org, url, body }) {
      const seconds = Math.floor(Date.now() / 1000);
      const signature = signatureOf(
        keys.map((key) => webhookSecret(key, org)),
        seconds,
        body,
      );
      await calls.post(new URL(url), body, { 'Boundary-Signature': signature, 'Boundary-Event': id });
      return true;
    },
    isFinal: () => false,
    drop: (id) => db.query(loadQuery('webhook_delivered'), [id]),
    retry(id, seconds, error) {
      const reason = error instanceof CallError ? error.message : 'the call could not be made';
      return db.query(loadQuery('webhook_retry'), [id, seconds, reason]);
    },
    failed(call, err) {
      if (call) log('a webhook was not delivered', { event: call.id, attempts: call.attempts, err });
      else log('webhooks could not be read', { event: '', err });
    },
  });

  return {
    refusalOf: (url) => calls.refusalOf(new URL(url)),
    async put(tx, { org, job, url }, event) {
      const id = newId('evt');
      const body = JSON.stringify({ id, created_at: new Date().toISOString(), ...event });
      await tx.query(loadQuery('webhook_put'), [id, org, url, body, LIFETIME_S, job]);
      deliveries.pollSoon();
    },
    async outcomes(from, jobs) {
      if (jobs.length === 0) return new Map();
      const rows = await from.query(loadQuery('webhook_of_jobs'), [jobs]);
      return new Map(
        rows.map(({ job, attempts, delivered_at, over, next_at, error }): [string, WebhookOutcome] => {
          const state = delivered_at !== null ? 'delivered' : over ? 'failed' : 'pending';
          const times = {
            delivered_at: delivered_at?.toISOString() ?? null,
            next_at: next_at?.toISOString() ?? null,
          };
          return [job ?? '', { state, attempts, ...times, error }];
        }),
      );
    },
    async sweep() {
      await db.query(loadQuery('webhook_sweep'), [KEPT_DAYS]);
    },
    sendDue: deliveries.sendDue,
    start: deliveries.start,
    close: deliveries.close,
  };
}
