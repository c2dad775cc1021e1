import type { Context } from 'koa';
import { defaultPlan } from '../../config.ts';
import { problem } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import { readBytes } from '../body.ts';

const EVENT_BYTES = 1024 * 1024;

/** POST /webhooks/stripe: handles a signed event of the payment provider. */
export async function paymentEvent(ctx: Context, services: Services): Promise<void> {
  const { payments, billing, config, db, orgs, log } = services;
  if (!payments) throw problem('not_found', 'This server has no payment provider.');
  const body = await readBytes(ctx.req, EVENT_BYTES, 'The event');
  const signature = ctx.headers['stripe-signature'];
  const change = payments.read(body, typeof signature === 'string' ? signature : '');
  if (change) {
    const { changed, unwanted } = await billing.subscriptionChanged(change, defaultPlan(config, db.kind));
    if (changed) {
      orgs.forget();
      log.info({ org: change.org, event: change.event }, 'a plan changed');
    }
    for (const subscription of unwanted) {
      await payments.cancel(subscription).catch((error: unknown) => {
        log.error({ err: error, org: change.org, subscription }, 'a second subscription could not be canceled');
      });
    }
  }
  ctx.status = 204;
}
