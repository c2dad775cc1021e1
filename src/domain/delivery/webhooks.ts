import { createHmac } from 'node:crypto';
import type { OutgoingCalls } from '../../adapters/outgoing_call.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { BATCH, createDeliveries, type Deliveries } from './deliveries.ts';

/** Seconds that a claim on a call lasts; then another process may claim and make it. */
const CLAIM_S = 60;
/** Seconds after which an unanswered call is dropped. */
const LIFETIME_S = 86_400;

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
  /** Writes a call in the caller's transaction. */
  put(tx: Queryable, org: string, url: string, event: Readonly<Record<string, unknown>>): Promise<void>;
  /** Deletes calls that were not delivered within their lifetime. */
  sweep(): Promise<void>;
}

/** Creates the webhooks of a database; `keys` are the server's, newest first. */
export function createWebhooks(db: Database, calls: OutgoingCalls, keys: readonly string[], log: WebhookLog): Webhooks {
  const deliveries = createDeliveries({
    claim: () => db.query(loadQuery('webhook_claim'), [BATCH, CLAIM_S]),
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
    drop: (id) => db.query(loadQuery('webhook_drop'), [id]),
    retry: (id, seconds) => db.query(loadQuery('webhook_retry'), [id, seconds]),
    failed(call, err) {
      if (call) log('a webhook was not delivered', { event: call.id, attempts: call.attempts, err });
      else log('webhooks could not be read', { event: '', err });
    },
  });

  return {
    async put(tx, org, url, event) {
      const id = newId('evt');
      const body = JSON.stringify({ id, created_at: new Date().toISOString(), ...event });
      await tx.query(loadQuery('webhook_put'), [id, org, url, body, LIFETIME_S]);
      deliveries.pollSoon();
    },
    async sweep() {
      await db.query(loadQuery('webhook_sweep'));
    },
    sendDue: deliveries.sendDue,
    start: deliveries.start,
    close: deliveries.close,
  };
}
