import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { invalidInput } from '../errors.ts';
import { personalOrg, putAccount, readEmail } from './accounts.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import type { Outbox } from './outbox.ts';
import type { NewSession, Sessions } from './sessions.ts';

/** A link is good for so many seconds. */
export const LINK_S = 900;
/** 192 random bits in base64url. */
const TOKEN = /^[\w-]{32}$/;
const NAME_LENGTH = 200;

/** Mail to one address; from one network address, which may be an office's. */
const BY_EMAIL: Allowance = { times: 5, windowS: LINK_S, what: 'sign-in mails to this address' };
const BY_SENDER: Allowance = { times: 30, windowS: 3600, what: 'sign-in mails from your network' };

/** Who asked for a request, as the audit log records them. */
export interface Requester {
  readonly requestId: string;
  readonly address: string | null;
}

/** Signing in by a link in a mail; owns the links. */
export interface SignIn {
  /**
   * Mails a link to whoever reads that address, whether or not there is an account: the same work is done for both.
   * `browser`: the cookie the browser sent, if any; gives the one it must send with the link. `next`: a path under the
   * base URL to go on to. `sender`: what the limits count the client by.
   * Throws invalid_input (email) and rate_limited (with retry_after).
   */
  request(asked: { email: string; next: string; browser: string | null; sender: string }): Promise<string>;
  /** Whose open link this is in that browser, and whether they sign in for the first time; null when it is none. Changes nothing. */
  look(token: string, browser: string | null): Promise<{ email: string; first: boolean } | null>;
  /**
   * Uses the link up and begins a session; makes the account with its personal organisation at the first sign-in, when
   * the name (blank: none) is taken too. Null when it is no open link of that browser. Throws invalid_input (name).
   */
  complete(
    token: string,
    browser: string | null,
    name: string,
    by: Requester,
  ): Promise<{ session: NewSession; next: string } | null>;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** The sign-in of a database. `plan` is what new organisations are on; `baseUrl` has no slash at the end. */
export function createSignIn(
  db: Database,
  { sessions, outbox, plan, baseUrl }: { sessions: Sessions; outbox: Outbox; plan: string; baseUrl: string },
): SignIn {
  return {
    async request({ email: text, next, browser: known, sender }) {
      const email = readEmail(text);
      const browser = known !== null && TOKEN.test(known) ? known : newToken();
      const token = newToken();
      await db.transaction(async (tx) => {
        await countAttempt(tx, 'sign_in_sender', sender, BY_SENDER);
        await countAttempt(tx, 'sign_in_email', email, BY_EMAIL);
        await tx.query(loadQuery('sign_in_put'), [hashOf(token), hashOf(browser), email, next, LINK_S]);
        await outbox.put(tx, {
          to: email,
          ...linkMail(`${baseUrl}/sign-in/confirm?token=${token}`),
          lifetimeS: LINK_S,
        });
      });
      return browser;
    },

    async look(token, browser) {
      if (browser === null || !TOKEN.test(token) || !TOKEN.test(browser)) return null;
      const values = [hashOf(token), hashOf(browser)];
      const [row] = await db.query<{ email: string; first: boolean }>(loadQuery('sign_in_look'), values);
      return row ?? null;
    },

    async complete(token, browser, text, { requestId, address }) {
      if (browser === null || !TOKEN.test(token) || !TOKEN.test(browser)) return null;
      const name = readName(text);
      return db.transaction(async (tx) => {
        const values = [hashOf(token), hashOf(browser)];
        const [link] = await tx.query<{ email: string; next: string }>(loadQuery('sign_in_use'), values);
        if (!link) return null;
        const account = await putAccount(tx, link.email);
        const [marked] = await tx.query<{ name: string | null }>(loadQuery('sign_in_mark'), [account.id, name]);
        const actor = { type: 'person', id: account.id, name: marked.name ?? link.email, requestId, address } as const;
        const org = await personalOrg(tx, account, plan, actor);
        return { session: await sessions.start(tx, account.id, org.id), next: link.next };
      });
    },
  };
}

/** Drops what ended: links, sessions, device codes a day after, counts of attempts. Gives how many rows. */
export async function sweepSignIn(db: Database): Promise<number> {
  const [{ dropped }] = await db.query<{ dropped: number }>(loadQuery('sign_in_sweep'));
  return dropped;
}

/** A person's name: one line, blanks around it dropped; null when nothing is left. Throws invalid_input. */
export function readName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  const refuse = (message: string) => invalidInput([{ path: 'name', code: 'invalid_format', message }]);
  if (name.length > NAME_LENGTH) throw refuse(`must have at most ${NAME_LENGTH} characters`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) throw refuse('must be one line of text');
  return name === '' ? null : name;
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function linkMail(link: string): { subject: string; text: string } {
  return {
    subject: 'Sign in to Boundary Lookup',
    text: [
      'Open this link in the browser in which you asked for it:',
      '',
      link,
      '',
      `It is good for ${LINK_S / 60} minutes and works once. If you did not ask for it, do nothing:`,
      'nobody can sign in with it in another browser.',
      '',
    ].join('\n'),
  };
}
