import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasHidden } from '../../src/common/plain_text.ts';
import { readEmail } from '../../src/domain/people/mail_address.ts';
import { ORIGIN, openBrowser, recordingMailer, signIn } from '../auth/browser.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

const mailer = recordingMailer();
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

/** By what they do to "Acme" for a reader. */
const HIDDEN: Readonly<Record<string, string>> = {
  'a right-to-left override': 'Ac\u202Eem',
  'a right-to-left mark': 'Acme\u200F',
  'an isolate': '\u2066Acme\u2069',
  'a zero-width space': 'Ac\u200Bme',
  'a joiner between Latin letters': 'Ac\u200Dme',
  'a non-joiner between Latin letters': 'Ac\u200Cme',
  'a soft hyphen': 'Ac\u00ADme',
  'a byte order mark': '\uFEFFAcme',
  'a Hangul filler': '\u3164Acme',
  'a blank Braille cell': 'Acme\u2800',
  'tag letters': 'Acme\u{E0041}',
  'a variation selector': 'Acme\uFE0F',
  'a newline': 'Ac\nme',
  'a line separator': 'Ac\u2028me',
  'a null': 'Ac\0me',
  'half of a surrogate pair': 'Acme\uD800',
};

test.each(Object.entries(HIDDEN))('%s hides', (_what, text) => {
  expect(hasHidden(text)).toBe(true);
});

test.each([
  'Łódź',
  'Zoë & Söhne',
  'علی‌رضا',
  'क्‍षितिज',
  '葛󠄀飾',
  '李 明',
  "O'Brien",
  '👩‍👩‍👧 Maps',
  'Maps ❤️',
  'עיריית תל אביב',
])('the name %s is taken', (name) => expect(hasHidden(name)).toBe(false));

describe.each(Object.entries(HIDDEN))('a name with %s is refused', (_what, text) => {
  test('of an organization, a team, a person, a program and an app', async () => {
    const { key } = await server.key();
    for (const [method, path, json] of [
      ['POST', '/v1/orgs', { name: text }],
      ['PATCH', '/v1/orgs/current', { name: text }],
      ['POST', '/v1/orgs/teams', { name: text }],
      ['POST', '/v1/api-keys', { name: text }],
      ['PUT', '/v1/reviews/me', { rating: 5, display_name: text }],
    ] as const) {
      const { status, json: body } = await server.ask(method, path, { key, json });
      // Line ends and blanks around a name are dropped where it is read, which leaves "Acme".
      if (text.trim() === 'Acme') continue;
      expect([status, body.code], `${method} ${path}`).toEqual([400, 'invalid_input']);
    }
    const app = await openBrowser(server).ask('POST', '/oauth/reg', {
      json: { client_name: text, redirect_uris: ['http://127.0.0.1:7777/callback'] },
    });
    expect([app.status, app.json.error]).toEqual([400, 'invalid_client_metadata']);
    const program = await server.ask('POST', '/v1/auth/device/code', { json: { client_name: text } });
    if (text.trim() !== 'Acme') expect(program.status).toBe(400);
  });
});

test('a person signs in under no hidden name', async () => {
  for (const name of ['Ann\u202Enna', 'Ann\u200B', 'Ann\u3164']) {
    await expect(signIn(server, mailer.mails, `ann${name.length}@example.org`, name)).rejects.toThrow(/not signed in/);
    await server.database.db.query('delete from attempt');
  }
});

describe('a mail address', () => {
  test.each([
    ['Ann@Example.ORG', 'ann@example.org'],
    [' ann@example.org ', 'ann@example.org'],
    ['ann@Bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@ｅｘａｍｐｌｅ.org', 'ann@example.org'],
    ['ann@example。org', 'ann@example.org'],
    ['jose\u0301@example.org', 'josé@example.org'],
    [`o'neil+maps@example.org`, `o'neil+maps@example.org`],
  ])('%s is %s', (text, email) => expect(readEmail(text)).toBe(email));

  test.each([
    'ann@example',
    'ann@example.org.',
    'ann@.example.org',
    'ann@example..org',
    'ann@127.0.0.1',
    'ann@0x7f.1',
    'ann@[::1]',
    'ann@exa mple.org',
    'ann@exa_mple.org',
    'ann@example.org/path',
    'ann@example.org?x',
    'ann@example.org#x',
    'ann@ex%61mple.org',
    'ann@example.org:25',
    'ann@xn--a.example',
    'ann\u200B@example.org',
    'ann@exam\u00ADple.org',
    'ann\u202E@example.org',
    'ann\uD800@example.org',
    'bob@x@example.org',
    `${'a'.repeat(65)}@example.org`,
    '@example.org',
    'ann',
    '',
  ])('%j is none', (text) => expect(() => readEmail(text)).toThrow(/email/));
});
