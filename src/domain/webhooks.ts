import { createHmac } from 'node:crypto';
import type { OutgoingCalls } from '../adapters/outgoing_call.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { BATCH, createDeliveries, type Deliveries } from './deliveries.ts';
import { newId } from './new_id.ts';

/** Who claims a call has so long to make it; after that another process may. */
const CLAIM_S = 60;
const LIFETIME_S = 86_400;

/** Told what became of a call; never its address or its body. */
export type WebhookLog = (message: string, fields: { event: string; attempts?: number; err?: unknown }) => void;

/**
 * The secret that calls for an organization are signed with, of a key of the server. It is given to those who create
 * jobs with a webhook.
 */
export function webhookSecret(key: string, org: string): string {
  return `whsec_${createHmac('sha256', key).update(`webhook ${org}`).digest('base64url')}`;
}

/**
 * The header Boundary-Signature: `t=SECONDS,v1=HEX`, with a v1 for each secret. HEX is HMAC-SHA256, by the secret, of
 * `SECONDS.BODY`: who checks it compares SECONDS with their clock too, so that an old call cannot be sent once more.
 */
export function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}

/**
 * Calls to addresses of users, on their way; owns its table. Each is made when the transaction that wrote it was kept,
 * and at least once: with growing pauses for a day, until it is answered with a status of 200 to 299. One that is
 * repeated has the same id.
 */
export interface Webhooks extends Pick<Deliveries, 'sendDue' | 'start' | 'close'> {
  /** Writes a call in the caller's transaction. */
  put(tx: Queryable, org: string, url: string, event: Readonly<Record<string, unknown>>): Promise<void>;
  /** Drops calls whose time is over. */
  sweep(): Promise<void>;
}

/** The webhooks of a database; `keys` are those of the server, newest first. */
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
      if (call) log('a webhook was not taken', { event: call.id, attempts: call.attempts, err });
      else log('webhooks could not be read', { event: '', err });
    },
  });

  return {
    async put(tx, org, url, event) {
      const id = newId('evt');
      const body = JSON.stringify({ id, created_at: new Date().toISOString(), ...event });
      await tx.query(loadQuery('webhook_put'), [id, org, url, body, LIFETIME_S]);
      deliveries.soon();
    },
    async sweep() {
      await db.query(loadQuery('webhook_sweep'));
    },
    sendDue: deliveries.sendDue,
    start: deliveries.start,
    close: deliveries.close,
  };
}
