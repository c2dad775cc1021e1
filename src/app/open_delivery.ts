import type { Logger } from 'pino';
import { createMailer, type Mail } from '../adapters/mail.ts';
import { outgoingCalls } from '../adapters/outgoing_call.ts';
import { readVersion } from '../common/version.ts';
import { type Config, mailFolder } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { createOutbox } from '../domain/delivery/outbox.ts';
import { createWebhooks } from '../domain/delivery/webhooks.ts';
import { inviteMail } from '../domain/people/invites.ts';
import { secretKeys } from '../domain/people/secrets.ts';
import { signInMail } from '../domain/people/sign_in.ts';

/** Deadline of a webhook delivery, in milliseconds. */
const WEBHOOK_MS = 10_000;

/**
 * Starts the queues of mail and webhooks, and reads or makes the keys that webhooks are signed with.
 * @param onMail called with each mail that is written to a file because no mail server is configured
 */
export async function openDelivery(
  config: Config,
  { db, log, onMail }: { readonly db: Database; readonly log: Logger; readonly onMail?: (mail: Mail) => void },
) {
  const warn = (message: string, fields: object): void => log.warn(fields, message);
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL ?? null,
    from: config.MAIL_FROM ?? `Boundary Lookup <noreply@${new URL(config.BASE_URL).hostname}>`,
    folder: mailFolder(config),
    onFile: (path, mail) => {
      log.info({ path }, 'mail was written to a file, because SMTP_URL is not set');
      onMail?.(mail);
    },
  });
  const outbox = createOutbox(db, mailer, warn, {
    sign_in: signInMail(db, config.BASE_URL),
    invite: inviteMail(db, config.BASE_URL),
  });
  const keys = await secretKeys(db, config.SECRET_KEYS);
  const calls = outgoingCalls({
    allowed: config.WEBHOOK_ALLOW,
    userAgent: `boundary-lookup/${readVersion()}`,
    deadlineMs: WEBHOOK_MS,
  });
  const webhooks = createWebhooks(db, calls, keys, warn);
  outbox.start();
  webhooks.start();
  return { outbox, webhooks, secretKeys: keys };
}
