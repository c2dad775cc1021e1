import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { type Key, TABLES } from '../../src/common/texts/tables.ts';
import { html } from '../../src/transports/pages/page.ts';
import { linkTo, wordsIn } from '../../src/transports/pages/words.ts';
import { englishIn } from '../setup/english_in.ts';
import { openTestServer, type Reply, type TestServer } from '../transports/test_server.ts';
import { type Browser, linkFor, ORIGIN, openBrowser, recordingMailer, tokenOf } from './browser.ts';

const { en } = TABLES;
const OTHERS = LANGUAGES.filter((one) => one !== 'en');
const keys = Object.keys(en) as Key[];
/** Texts that a language has in common with English. */
const SAME: Readonly<Record<Language, readonly string[]>> = {
  en: keys,
  es: ['ogc.title'],
  de: ['app.shownCode', 'ogc.parameter', 'ogc.title'],
  fr: [
    ...['kind.district', 'kind.province', 'landing.docs', 'ogc.collection', 'ogc.collections', 'ogc.description'],
    ...['ogc.docs', 'ogc.title', 'ogc.type', 'property.population'],
  ],
};
/** What of a text is filled in: its values, and the elements around its words. */
const placesIn = (text: string): string[] =>
  [...text.matchAll(/\]\((\w+)\)|\{(\w+)\}/g)].map(([, wrapper, value]) => wrapper ?? `${value}=`).sort();

describe('the texts of the pages of the server', () => {
  test.each(OTHERS)('%s says everything, with the same values, in words of its own', (language) => {
    const table = TABLES[language];
    expect(Object.keys(table)).toEqual(keys);
    for (const key of keys) expect([key, placesIn(table[key])]).toEqual([key, placesIn(en[key])]);
    expect(keys.filter((key) => table[key] === en[key]).sort()).toEqual(SAME[language]);
    const bare = (key: Key): string => table[key].replace(/\[[^\]]+\]\(\w+\)|\{\w+\}/g, 'x');
    expect(keys.filter((key) => bare(key).trim() === '' || / {2}|[[{]/.test(bare(key)))).toEqual([]);
  });

  test('values are escaped, filled in once, and elements are made of the words', () => {
    const words = wordsIn('de');
    const hostile = '{email} [x](again) <b>';
    expect(words('mailed.sent', { email: hostile }).text).toBe(
      'Wir haben einen Link an {email} [x](again) &lt;b&gt; gesendet.',
    );
    expect(words('used.again', { again: linkTo('/a"b') }).text).toMatch(
      /^<a href="\/a&quot;b">Fordern Sie .*<\/a>, und/,
    );
    expect(words('confirm.as', { email: html`<i>${'<'}</i>` }).text).toContain('<i>&lt;</i>');
  });
});

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

/** Expects a page in a language: as its attribute and headers say, and without English words. */
function inLanguage({ status, headers, text }: Reply, expected: number, language: Language): string {
  expect(status, text).toBe(expected);
  expect(text).toContain(`<html lang="${language}">`);
  expect(headers.vary).toBe('Accept-Language, Cookie');
  expect(headers['cache-control']).toBe('no-store');
  expect(language === 'en' ? [] : englishIn(text)).toEqual([]);
  return text;
}

/** A browser that sends its language with each request. */
function speaking(language: string): Browser {
  const browser = openBrowser(server);
  const spoken = { 'Accept-Language': language, Accept: 'text/html' };
  return {
    ...browser,
    get: (path, headers) => browser.get(path, { ...spoken, ...headers }),
    post: (path, fields, headers) => browser.post(path, fields, { ...spoken, ...headers }),
  };
}

async function invited(email: string): Promise<string> {
  const { account, org } = await server.key({
    email: `host-of-${email}`,
    orgSlug: `cartographers-${email.replace(/\W/g, '')}`,
  });
  const actor = { type: 'person', id: account.id, name: account.email, requestId: null, address: null } as const;
  const acting = { account: account.id, org: org.id, role: 'owner', actor } as const;
  await server.services.invites.create(acting, { email, role: 'viewer', language: 'en' });
  return linkFor(server, mails, email);
}

describe.each([...OTHERS])('in %s', (language) => {
  const words = wordsIn(language);
  const email = `o'b&${language}@example.org`;

  test('signing in, an invitation and signing out', async () => {
    const browser = speaking(`${language.toUpperCase()}-AT, en;q=0.5`);
    const ask = async (reply: Promise<Reply>, status = 200) => inLanguage(await reply, status, language);
    const invitation = await invited(email);
    const form = await ask(browser.get(`/sign-in?next=${encodeURIComponent(invitation)}`));
    expect(form).toContain(words('role.viewer').text);
    expect(form).toContain(words('page.docs').text);
    expect(await ask(browser.post('/sign-in', { email: 'no address' }), 400)).toContain(words('signIn.fault').text);
    const mailed = await ask(browser.post('/sign-in', { email, next: invitation }));
    expect(mailed).toContain('<strong>o&#39;b&amp;');
    const link = await linkFor(server, mails, email);
    expect(await ask(browser.get(link))).toContain(words('confirm.why').text);
    const done = await browser.post('/sign-in/confirm', { token: tokenOf(link), name: '<i>' });
    expect(done.status).toBe(303);
    expect(await ask(browser.get(link), 400)).toContain(words('used.here').text);
    expect(await ask(browser.get(invitation))).toContain(words('invite.hint').text);
    const joined = await ask(browser.post('/invite', { token: tokenOf(invitation) }));
    expect(joined).toContain(`<a href="/library">`);
    await ask(browser.get(invitation), 404);
    const you = await ask(browser.get('/sign-in'));
    expect(you).toContain('&lt;i&gt;');
    expect(you).toContain(words('signIn.sessions').text);
    await ask(browser.get('/device'));
    expect(await ask(browser.get('/device?code=BCDF-GHJK'), 404)).toContain(words('app.noCode').text);
    expect((await browser.post('/sign-out', {})).status).toBe(303);
  });

  test('an app that asks for a key', async () => {
    const code = async (): Promise<string> => {
      const { json } = await server.ask('POST', '/v1/auth/device/code', { json: { client_name: '<b>app' } });
      return String(json.user_code);
    };
    const browser = speaking(language);
    await browser.post('/sign-in', { email: `app-${language}@example.org` });
    const token = tokenOf(await linkFor(server, mails, `app-${language}@example.org`));
    await browser.post('/sign-in/confirm', { token });
    const { json } = await browser.ask('GET', '/v1/account');
    const { id: org } = json.org as { id: string };
    const first = await code();
    const shown = inLanguage(await browser.get(`/device?code=${first}`), 200, language);
    expect(shown).toContain(words('app.warning').text);
    expect(shown).toContain('&lt;b&gt;app');
    const approved = await browser.post('/device', { code: first, decision: 'approve', org });
    expect(inLanguage(approved, 200, language)).toContain(words('app.approved').text);
    const declined = await browser.post('/device', { code: await code(), decision: 'decline' });
    expect(inLanguage(declined, 200, language)).toContain(words('app.declined').text);
  });

  test('the page of the first key, and of what goes wrong', async () => {
    const browser = speaking(language);
    inLanguage(await browser.get('/claim'), 200, language);
    const wrong = await browser.post('/claim', { key: 'bnd_wrong', email });
    expect(inLanguage(wrong, 400, language)).toContain(words('claim.wrongKey').text);
    inLanguage(await browser.get('/nosuch'), 404, language);
    const foreign = await browser.post('/sign-in', { email }, { Origin: 'https://evil.example' });
    expect(inLanguage(foreign, 401, language)).toContain('<span lang="en">This was not sent by a page of');
    inLanguage(await browser.get('/oauth/interaction/none'), 400, language);
  });
});

test('the language that was chosen on the dashboard counts more than that of the browser, and only one of ours', async () => {
  const ask = (cookie: string) =>
    server.ask('GET', '/sign-in', {
      headers: { 'Accept-Language': 'fr', Cookie: `__Host-boundary_language=${cookie}` },
    });
  inLanguage(await ask('de'), 200, 'de');
  inLanguage(await ask('en'), 200, 'en');
  for (const wrong of ['', 'it', '"><script>', 'constructor', '__proto__']) inLanguage(await ask(wrong), 200, 'fr');
  inLanguage(await server.ask('GET', '/sign-in', { headers: { 'Accept-Language': 'it, *' } }), 200, 'en');
});
