import type { Mail, Mailer } from '../../src/adapters/mail.ts';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../setup/elements.ts';
import type { AskOptions, Reply, TestServer } from '../transports/test_server.ts';

export const ORIGIN = 'https://maps.example';
export const SESSION = '__Host-boundary_session';

/** A browser without scripts: keeps cookies and sends forms with its Origin. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a form; `headers` override the browser's own. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  /** Any request with the cookies; writes have the Origin. */
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>;
}

let browsers = 0;

/** A browser with its own network address, for a test server that trusts 127.0.0.1 as a proxy. */
export function openBrowser(server: TestServer): Browser {
  const address = `198.18.${++browsers >> 8}.${browsers & 255}`;
  const cookies = new Map<string, string>();
  async function ask(method: string, path: string, options: AskOptions = {}): Promise<Reply> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      'X-Forwarded-For': address,
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(method === 'GET' || method === 'HEAD' ? {} : { Origin: ORIGIN }),
      ...options.headers,
    };
    const reply = await server.ask(method, path, { ...options, headers });
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name, value] = leading(/^([^=]+)=([^;]*)/.exec(line) as RegExpExecArray, 3);
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  }
  return {
    cookies,
    ask,
    get: (path, headers) => ask('GET', path, { headers }),
    post: (path, fields, headers) =>
      ask('POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
  };
}

/** A mailer that stores its mails. */
export function recordingMailer(): Mailer & { readonly mails: Mail[] } {
  const mails: Mail[] = [];
  return {
    mails,
    async send(mail) {
      mails.push(mail);
    },
    isFinal: () => false,
  };
}

/** The path of the link in the newest mail to an address, after sending due mail. */
export async function linkFor(server: TestServer, mails: readonly Mail[], email: string): Promise<string> {
  await server.services.outbox.sendDue();
  const mail = mails.findLast(({ to }) => to === email);
  const found = /https:\/\/maps\.example(\/\S+)/.exec(mail?.text ?? '');
  if (!found) throw new Error(`no link was mailed to ${email}`);
  return defined(found[1]);
}

/** The token in a link's path. */
export function tokenOf(link: string): string {
  return new URL(link, ORIGIN).searchParams.get('token') ?? '';
}

/** Signs a person in through the pages. */
export async function signIn(server: TestServer, mails: readonly Mail[], email: string, name = ''): Promise<Browser> {
  const browser = openBrowser(server);
  await browser.post('/sign-in', { email });
  const token = tokenOf(await linkFor(server, mails, email));
  const reply = await browser.post('/sign-in/confirm', { token, name });
  if (reply.status !== 303) throw new Error(`${email} was not signed in: ${reply.text}`);
  return browser;
}
