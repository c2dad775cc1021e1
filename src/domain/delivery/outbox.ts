import type { Mailer } from '../../adapters/mail.ts';
import { only } from '../../common/elements.ts';
import type { Language } from '../../common/languages.ts';
import { type PlainWords, plainWordsIn } from '../../common/texts/tables.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import type { Statements } from '../../db/generated/statements.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';

/** Mails that one process sends at once. */
const SLOTS = 5;
/** Seconds that a claim on a mail lasts; then another process may claim and send it. */
const CLAIM_S = 120;
/** Default seconds after which an unsent mail is dropped. */
const LIFETIME_S = 3 * 86_400;

/** Letters of a name in the subject of a mail: the words behind it stay. */
const MOST_IN_SUBJECT = 120;

/** A name as a subject has it: shortened between two letters, without control characters. */
export function inSubject(name: string): string {
  const letters = [...name.replace(/\p{Cc}/gu, ' ')];
  return letters.length > MOST_IN_SUBJECT ? `${letters.slice(0, MOST_IN_SUBJECT - 1).join('')}…` : letters.join('');
}

/** The content of a mail. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

/** Kinds of mail that contain a token; the token is created when the mail is sent. */
export type TokenMail = 'sign_in' | 'invite';

/**
 * Returns a mail about the thing with this id, in the language of the words, with a new token that is valid at once; null if the thing has ended
 * (used, revoked, expired) and no mail is needed. Called once per attempt.
 */
export type MailWriter = (id: string, words: PlainWords) => Promise<MailContent | null>;

/** A mail to send: either a text without secrets, or a kind and the id of its subject. */
export type OutgoingMail = (MailContent | { readonly kind: TokenMail; readonly about: string }) & {
  readonly to: string;
  /** Language of its reader. */
  readonly language: Language;
  /** Seconds after which the mail is useless and is not sent any more; default 3 days. */
  readonly lifetimeS?: number;
};

/** Logs failures to send mail; never gets an address or a text. */
export type OutboxLog = (message: string, fields: { mail: string; attempts?: number; err?: unknown }) => void;

/**
 * A queue of mails to send; owns its table. A mail is sent after the transaction that wrote it commits, at least once.
 * It is sent twice only if the process dies or loses the database after the mail server accepted the mail and before
 * the row is deleted. Both copies have the same Message-ID, and both tokens work: a token is stored only in its mail,
 * so the second copy needs a new one.
 */
export interface Outbox extends Pick<Deliveries, 'sendDue' | 'start' | 'close'> {
  /** Writes a mail in the caller's transaction and returns its id. */
  put(tx: Queryable, mail: OutgoingMail): Promise<string>;
  /** Deletes mails that were not sent within their lifetime and returns how many. */
  sweep(): Promise<number>;
}

type MailRow = Statements['outbox_claim']['row'];

/** Creates the outbox of a database. `writers` write the mails that contain a token. */
export function createOutbox(
  db: Database,
  mailer: Mailer,
  log: OutboxLog,
  writers: Partial<Readonly<Record<TokenMail, MailWriter>>> = {},
): Outbox {
  async function contentOf({ kind, reference, subject, text, language }: MailRow): Promise<MailContent | null> {
    if (reference === null) return { subject: subject ?? '', text: text ?? '' };
    const write = writers[kind as TokenMail];
    if (!write) throw new Error(`this process cannot write mail of the kind ${kind}`);
    return write(reference, plainWordsIn(language));
  }

  const deliveries = createDeliveries<MailRow>({
    slots: SLOTS,
    claim: (most) => db.query(loadQuery('outbox_claim'), [most, CLAIM_S]),
    async deliver(row) {
      const content = await contentOf(row);
      if (content === null) return false;
      const { language } = plainWordsIn(row.language);
      await mailer.send({ id: row.id, to: row.recipient, language, ...content });
      return true;
    },
    isFinal: (error) => mailer.isFinal(error),
    drop: (id) => db.query(loadQuery('outbox_sent'), [id]),
    retry: (id, seconds) => db.query(loadQuery('outbox_retry'), [id, seconds]),
    failed(row, err, isFinal) {
      if (!row) log('the outbox could not be read', { mail: '', err });
      else {
        const message = isFinal ? 'a mail was refused permanently' : 'a mail could not be sent yet';
        log(message, { mail: row.id, attempts: row.attempts, err });
      }
    },
  });

  return {
    async put(tx, { to, language, lifetimeS = LIFETIME_S, ...mail }) {
      const id = newId('mail');
      const [kind, about, subject, text] =
        'kind' in mail ? [mail.kind, mail.about, null, null] : ['text', null, mail.subject, mail.text];
      await tx.query(loadQuery('outbox_put'), [id, to, kind, about, subject, text, lifetimeS, language]);
      deliveries.pollSoon();
      return id;
    },
    async sweep() {
      const { dropped } = only(await db.query(loadQuery('outbox_sweep')));
      return dropped;
    },
    sendDue: deliveries.sendDue,
    start: deliveries.start,
    close: deliveries.close,
  };
}
