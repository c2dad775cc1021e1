import type { Mailer } from '../adapters/mail.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Statements } from '../db/statements.ts';
import { only } from '../elements.ts';
import { BATCH, createDeliveries, type Deliveries } from './deliveries.ts';
import { newId } from './new_id.ts';

/** Who claims a mail has so long to send it; after that another process may. */
const CLAIM_S = 120;
const LIFETIME_S = 3 * 86_400;

/** What a mail says. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

/** The kinds of mail with a token in them, which is made when the mail is sent. */
export type TokenMail = 'sign_in' | 'invite';

/**
 * Writes a mail about the thing with this id, with a new token that works from now on; null when the thing is over (used,
 * revoked, expired) and no mail is needed. Called once for each attempt to send.
 */
export type MailWriter = (id: string) => Promise<MailContent | null>;

/** A mail to be sent: a text without secrets, or a kind and the id of what it is about. */
export type OutgoingMail = (MailContent | { readonly kind: TokenMail; readonly about: string }) & {
  readonly to: string;
  /** Seconds after which it is worth nothing and is not sent any more; 3 days when absent. */
  readonly lifetimeS?: number;
};

/** Told what became of mail; never an address or a text. */
export type OutboxLog = (message: string, fields: { mail: string; attempts?: number; err?: unknown }) => void;

/**
 * Mail on its way; owns its table. A mail is sent when the transaction that wrote it was kept, and at least once: it is
 * sent a second time only when the process dies, or loses the database, between the server's taking it and the row's
 * being dropped. Both then carry one Message-ID, and the tokens of both work: a token is nowhere but in its mail, so
 * that a second mail has to have one of its own.
 */
export interface Outbox extends Pick<Deliveries, 'sendDue' | 'start' | 'close'> {
  /** Writes a mail in the caller's transaction; gives its id. */
  put(tx: Queryable, mail: OutgoingMail): Promise<string>;
  /** Drops what was not sent in its time; gives how many. */
  sweep(): Promise<number>;
}

type MailRow = Statements['outbox_claim']['row'];

/** The outbox of a database. `writers` write the mails that hold a token. */
export function createOutbox(
  db: Database,
  mailer: Mailer,
  log: OutboxLog,
  writers: Partial<Readonly<Record<TokenMail, MailWriter>>> = {},
): Outbox {
  async function contentOf({ kind, reference, subject, text }: MailRow): Promise<MailContent | null> {
    if (reference === null) return { subject: subject ?? '', text: text ?? '' };
    const write = writers[kind as TokenMail];
    if (!write) throw new Error(`this process cannot write mail of the kind ${kind}`);
    return write(reference);
  }

  const deliveries = createDeliveries<MailRow>({
    claim: () => db.query(loadQuery('outbox_claim'), [BATCH, CLAIM_S]),
    async deliver(row) {
      const content = await contentOf(row);
      if (content === null) return false;
      await mailer.send({ id: row.id, to: row.recipient, ...content });
      return true;
    },
    isFinal: (error) => mailer.isFinal(error),
    drop: (id) => db.query(loadQuery('outbox_sent'), [id]),
    retry: (id, seconds) => db.query(loadQuery('outbox_retry'), [id, seconds]),
    failed(row, err, isFinal) {
      if (!row) log('the outbox could not be read', { mail: '', err });
      else {
        const message = isFinal ? 'a mail was refused for good' : 'a mail could not be sent yet';
        log(message, { mail: row.id, attempts: row.attempts, err });
      }
    },
  });

  return {
    async put(tx, { to, lifetimeS = LIFETIME_S, ...mail }) {
      const id = newId('mail');
      const [kind, about, subject, text] =
        'kind' in mail ? [mail.kind, mail.about, null, null] : ['text', null, mail.subject, mail.text];
      await tx.query(loadQuery('outbox_put'), [id, to, kind, about, subject, text, lifetimeS]);
      deliveries.soon();
      return id;
    },
    async sweep() {
      const { dropped } = only(await db.query<{ dropped: number }>(loadQuery('outbox_sweep')));
      return dropped;
    },
    sendDue: deliveries.sendDue,
    start: deliveries.start,
    close: deliveries.close,
  };
}
