import { createHash, randomBytes } from 'node:crypto';
import { only } from '../../common/elements.ts';
import type { Language } from '../../common/languages.ts';
import { HIDDEN_MESSAGE, hasHidden } from '../../common/plain_text.ts';
import type { PlainWords } from '../../common/texts/tables.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { MailContent, MailWriter, Outbox } from '../delivery/outbox.ts';
import { newId } from '../new_id.ts';
import { personalOrg, putAccount } from './accounts.ts';
import { type Allowance, countAttempt, isKnown, markKnown } from './attempts.ts';
import { readEmail } from './mail_address.ts';
import type { NewSession, Sessions } from './sessions.ts';

/** Lifetime of a sign-in link in seconds. */
const LINK_S = 900;
/** A token: 192 random bits in base64url. */
const TOKEN = /^[\w-]{32}$/;
const NAME_LENGTH = 200;

/** Seconds for which a mail can be asked for again with its link, and of the limits on the mails of an address. */
const DAY_S = 86_400;

const TO_ADDRESS = {
  what: 'sign-in mails to this address',
  instead: 'Or open the link of the last one in this browser: the page can send a link for this browser.',
} as const;
/**
 * Limits on sign-in mail: from one network (which may be a whole office), from one network to one address, and to one
 * address from all networks. An attacker with many networks can use up the last, but cannot lock out the owner of the
 * address with it: it does not apply to networks from which the owner signed in before, nor to whoever has the link of
 * an earlier mail, in whichever browser (requestAgain).
 */
const BY_SENDER: Allowance = { times: 30, windowS: 3600, what: 'sign-in mails from your network' };
const BY_PAIR: Allowance = { times: 5, windowS: LINK_S, ...TO_ADDRESS };
const BY_PAIR_AND_DAY: Allowance = { times: 20, windowS: DAY_S, ...TO_ADDRESS };
const BY_EMAIL: Allowance = { times: 10, windowS: DAY_S, ...TO_ADDRESS };
/** Seconds for which a network counts as known for an address. */
const KNOWN_S = 90 * DAY_S;

/** Origin of a request, as the audit log records it. */
export interface Requester {
  readonly requestId: string;
  readonly address: string | null;
}

/** Who asks for a link: the cookie of their browser, if any; the client as the limits count it; their language. */
export interface Asking {
  readonly browser: string | null;
  readonly sender: string;
  readonly language: Language;
}

/** A link that will be mailed: the cookie of its browser, the address and the mail's id. */
export interface MailedLink {
  readonly browser: string;
  readonly email: string;
  readonly mail: string;
}

/** Signs people in by a link in a mail; owns the links. */
export interface SignIn {
  /**
   * Mails a sign-in link to an address. The work is the same whether or not an account exists. `next` is a path under
   * the base URL to continue to. Returns the cookie that the browser must send with the link, the normalized address and the mail's id.
   * @throws invalid_input (email) and rate_limited (with retry_after)
   */
  request(asked: Asking & { readonly email: string; readonly next: string }): Promise<MailedLink>;
  /**
   * Mails a link for this browser to the address of an earlier link of the last day, open or not, from any browser: who
   * has its token reads the mail of that address. Does not count toward what others may send to it. Returns null if
   * there is no such link.
   * @throws rate_limited (with retry_after)
   */
  requestAgain(asked: Asking & { readonly token: string }): Promise<MailedLink | null>;
  /**
   * Returns the address of an unused link opened in its browser and whether this is its first sign-in; null if the link
   * is not valid. Changes nothing.
   */
  findLink(token: string, browser: string | null): Promise<{ email: string; first: boolean } | null>;
  /**
   * Uses up the link and starts a session. The first sign-in creates the account with its personal organization and
   * stores the name (blank: none). Returns null if the link is not valid in that browser.
   * @throws invalid_input (name)
   */
  complete(
    token: string,
    browser: string | null,
    name: string,
    by: Requester & { readonly sender: string },
  ): Promise<{ session: NewSession; next: string } | null>;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Creates the sign-in service of a database. `plan` is the plan of new organizations. */
export function createSignIn(
  db: Database,
  { sessions, outbox, plan }: { sessions: Sessions; outbox: Outbox; plan: string },
): SignIn {
  async function mailLink(
    tx: Queryable,
    { email, next, browser: known, sender, language }: Asking & { readonly email: string; readonly next: string },
  ): Promise<MailedLink> {
    await countAttempt(tx, 'sign_in_sender', sender, BY_SENDER);
    await countAttempt(tx, 'sign_in_pair', pairOf(email, sender), BY_PAIR);
    await countAttempt(tx, 'sign_in_pair_day', pairOf(email, sender), BY_PAIR_AND_DAY);
    const browser = known !== null && TOKEN.test(known) ? known : newToken();
    const id = newId('lnk');
    await tx.query(loadQuery('signin_put'), [id, hashOf(browser), email, next, LINK_S]);
    const mail = await outbox.put(tx, { to: email, kind: 'sign_in', about: id, language, lifetimeS: LINK_S });
    return { browser, email, mail };
  }

  return {
    async request({ email: text, ...asked }) {
      const email = readEmail(text);
      return db.transaction(async (tx) => {
        if (!(await isKnown(tx, 'sign_in_known', pairOf(email, asked.sender)))) {
          await countAttempt(tx, 'sign_in_email', email, BY_EMAIL);
        }
        return mailLink(tx, { email, ...asked });
      });
    },

    async requestAgain({ token, ...asked }) {
      if (!TOKEN.test(token)) return null;
      return db.transaction(async (tx) => {
        const [link] = await tx.query(loadQuery('signin_earlier'), [hashOf(token)]);
        return link ? mailLink(tx, { ...link, ...asked }) : null;
      });
    },

    async findLink(token, browser) {
      if (browser === null || !TOKEN.test(token) || !TOKEN.test(browser)) return null;
      const values = [hashOf(token), hashOf(browser)] as const;
      const [row] = await db.query(loadQuery('signin_look'), values);
      return row ?? null;
    },

    async complete(token, browser, text, { requestId, address, sender }) {
      if (browser === null || !TOKEN.test(token) || !TOKEN.test(browser)) return null;
      const name = readName(text);
      return db.transaction(async (tx) => {
        const values = [hashOf(token), hashOf(browser)] as const;
        const [link] = await tx.query(loadQuery('signin_use'), values);
        if (!link) return null;
        const account = await putAccount(tx, link.email);
        const marked = only(await tx.query(loadQuery('signin_mark'), [account.id, name]));
        const actor = { type: 'person', id: account.id, name: marked.name ?? link.email, requestId, address } as const;
        const org = await personalOrg(tx, account, plan, actor);
        await markKnown(tx, 'sign_in_known', pairOf(link.email, sender), KNOWN_S);
        return { session: await sessions.start(tx, account.id, org.id), next: link.next };
      });
    },
  };
}

/** Deletes expired sessions, attempt counts and (a day later) links and device codes. Returns the number of rows. */
export async function sweepSignIn(db: Database): Promise<number> {
  const { dropped } = only(await db.query(loadQuery('signin_sweep')));
  return dropped;
}

/** Returns a person's name, trimmed; null if blank. @throws invalid_input if too long or with hidden characters */
export function readName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  const refuse = (message: string) => invalidInput([{ path: 'name', code: 'invalid_format', message }]);
  if (name.length > NAME_LENGTH) throw refuse(`must have at most ${NAME_LENGTH} characters`);
  if (hasHidden(name)) throw refuse(HIDDEN_MESSAGE);
  return name === '' ? null : name;
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The limit subject of an address and a network. */
const pairOf = (email: string, sender: string): string => `${email} ${sender}`;

/** Creates the writer of sign-in mails. `baseUrl` has no trailing slash. */
export function signInMail(db: Database, baseUrl: string): MailWriter {
  return async (link, words) => {
    const token = newToken();
    const rows = await db.query(loadQuery('signin_mail'), [hashOf(token), link]);
    return rows.length === 0 ? null : linkMail(`${baseUrl}/sign-in/confirm?token=${token}`, words);
  };
}

const linkMail = (link: string, words: PlainWords): MailContent => ({
  subject: words('mail.signIn.subject'),
  text: [words('mail.signIn.open'), '', link, '', words('mail.signIn.once', { minutes: LINK_S / 60 }), ''].join('\n'),
});
