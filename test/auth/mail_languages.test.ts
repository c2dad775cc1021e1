import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '../../src/adapters/mail.ts';
import { defined } from '../../src/common/elements.ts';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { plainWordsIn, TABLES } from '../../src/common/texts/tables.ts';
import type { Change } from '../../src/domain/history/changes.ts';
import type { BoundaryEvent } from '../../src/domain/history/events.ts';
import { endOfJob } from '../../src/domain/jobs/job_mail.ts';
import { mailAbout } from '../../src/domain/subscriptions/messages.ts';
import { englishIn } from '../setup/english_in.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { type Browser, ORIGIN, openBrowser, recordingMailer, signIn } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

async function newestTo(email: string): Promise<Mail> {
  await server.services.outbox.sendDue();
  return defined(mails.findLast(({ to }) => to === email));
}

/** Expects a mail without a place for a value, in words of its language; names and addresses may be of any. */
function inLanguage({ subject, text }: Pick<Mail, 'subject' | 'text'>, language: Language): string {
  expect(`${subject}\n${text}`).not.toMatch(/\{\w*\}|undefined|null|\[object/);
  const words = `${subject}\n${text}`.replace(/https:\S+|"[^"]*"/g, '');
  expect(language === 'en' ? [] : englishIn(words)).toEqual([]);
  return text;
}

/** A text of a language up to its first value. */
const startOf = (language: Language, key: keyof (typeof TABLES)['en']): string =>
  defined(TABLES[language][key].split('{', 1)[0]);

describe.each([...LANGUAGES])('mail in %s', (language) => {
  const email = `reader-${language}@example.org`;
  const spoken = { 'Accept-Language': `${language.toUpperCase()}-AT, it;q=0.5` };
  let browser: Browser;

  test('a link to sign in, for the language of the page that asks for it', async () => {
    browser = openBrowser(server);
    expect((await browser.post('/sign-in', { email }, spoken)).status).toBe(200);
    const mail = await newestTo(email);
    const text = inLanguage(mail, language);
    expect([mail.language, mail.subject]).toEqual([language, TABLES[language]['mail.signIn.subject']]);
    expect(text).toMatch(/^https:\/\/maps\.example\/sign-in\/confirm\?token=[\w-]{32}$/m);
    expect(text).toContain(TABLES[language]['mail.signIn.open']);
    expect(text).toMatch(/\b15 min/i);
    const again = /token=([\w-]{32})/.exec(text)?.[1] ?? '';
    expect((await browser.post('/sign-in/again', { token: again }, { ...spoken, Accept: 'text/html' })).status).toBe(
      200,
    );
    expect((await newestTo(email)).subject).toBe(mail.subject);
  });

  test('an invitation, for the language of its sender: chosen on the dashboard, or that of the call', async () => {
    browser = await signIn(server, mails, `host-${language}@example.org`);
    browser.cookies.set('__Host-boundary_language', language);
    const invite = (guest: string, by: Browser, headers = {}) =>
      by.ask('POST', '/v1/orgs/invites', { json: { email: guest, role: 'viewer' }, headers });
    const [chosen, called] = [`chosen-${language}@example.org`, `called-${language}@example.org`];
    expect((await invite(chosen, browser, { 'Accept-Language': 'it, pl;q=0.1' })).status).toBe(201);
    browser.cookies.delete('__Host-boundary_language');
    expect((await invite(called, browser, spoken)).status).toBe(201);
    for (const guest of [chosen, called]) {
      const mail = await newestTo(guest);
      const text = inLanguage(mail, language);
      expect([mail.language, mail.subject]).toEqual([language, TABLES[language]['mail.invite.subject']]);
      expect(text).toMatch(/^ {2}https:\/\/maps\.example\/invite\?token=[\w-]{32}$/m);
      expect(text).toMatch(/^ {2}boundary accept-invite [\w-]{32}$/m);
      expect(text).toContain(TABLES[language]['role.viewer']);
      expect(text).toContain(`host-${language}@example.org`);
      expect(text).toMatch(/\b7 /);
    }
  });

  test('thanks for a review', async () => {
    const review = { json: { rating: 4, title: 'Exact' }, headers: spoken };
    expect((await browser.ask('PUT', '/v1/reviews/me', review)).status).toBe(200);
    const mail = await newestTo(`host-${language}@example.org`);
    expect(inLanguage(mail, language)).toContain(startOf(language, 'mail.review.thanks'));
    expect(mail.subject).toBe(TABLES[language]['mail.review.subject']);
    expect(mail.text).toMatch(/4 \S+ 5/);
  });

  test('the end of a job', () => {
    const words = plainWordsIn(language);
    const end = (url: string | null, reason: string | null) =>
      endOfJob({ id: 'job_1', name: 'x.csv', url, reason }, words);
    const url = 'https://maps.example/v1/files/file_1/content';
    expect(inLanguage(end(url, null), language).split('\n')).toContain(url);
    expect(end(null, null).text).toBe(`${words('mail.job.done', { id: 'job_1' })}\n`);
    const failed = end(null, 'ran out');
    expect(inLanguage(failed, language)).toContain('job_1');
    expect(failed.text).toContain('ran out');
    expect(failed.subject).toContain('x.csv');
    expect(failed.subject).not.toBe(end(url, null).subject);
    // Of a long name the subject has the start, and still says what became of the job.
    const long = endOfJob({ id: 'job_1', name: `x\r\n${'😀'.repeat(300)}`, url, reason: null }, words).subject;
    expect(long.length).toBeLessThan(300);
    expect(long).not.toMatch(/\p{Cs}|\p{Cc}/u);
    expect(
      words('mail.job.ready', { name: '…' })
        .split('…')
        .every((part) => long.includes(part)),
    ).toBe(true);
    // A name that looks like a place for a value is not one.
    expect(endOfJob({ id: 'job_1', name: '{id}', url, reason: null }, words).subject).toContain('{id}');
  });

  test('what changed', () => {
    const words = plainWordsIn(language);
    const about = { id: 'r1', name: 'Ulm', admin_level: 8 };
    const link = (n: number) => ({ id: `r${n}`, name: `N${n}`, km2: 1, share_of_it: 1, share_of_this: 1 });
    const events: BoundaryEvent[] = [
      { ...about, types: ['renamed', 'recoded', 'reshaped'], name_before: '{n}', km2_before: 1234.5, km2: null },
      { ...about, types: ['created'] },
      { ...about, types: ['ended'] },
    ];
    const changes: Change[] = [
      ...(['created', 'ended', 'split', 'border_moved', 'redrawn'] as const).map((type) => ({ ...about, type })),
      { ...about, type: 'merged', predecessors: Array.from({ length: 8 }, (_, i) => link(i + 2)) },
      ...(['renamed', 'recoded', 'moved_parent'] as const).map((type) => ({ ...about, type, from: 'A', to: null })),
    ];
    const batch = { id: 7, started_at: new Date(0), source: 'made', valid_from: '2015-01-01' };
    const noticed = { subscription: 'sub_1', about: { file_id: 'file_1' }, batch, total: 2000, events, changes };
    const { subject, text } = mailAbout(noticed, { baseUrl: ORIGIN, number: 24, words });
    inLanguage({ subject, text: text.replace('{n}', '') }, language);
    for (const said of ['{n}', 'delete_subscription', 'sub_1', 'N6', words('mail.changes.others', { n: 3 })]) {
      expect(text).toContain(said);
    }
    expect(text).toContain(
      `${(1234.5).toLocaleString(language, { minimumFractionDigits: 2, useGrouping: false })} km2`,
    );
    for (const { type } of changes) expect(text).toContain(TABLES[language][`change.${type}`]);
    expect(text).toContain(`${ORIGIN}/v1/changes?from=2014-12-31&to=2015-01-01&source=made`);
    expect(text).toContain(words('mail.changes.more', { n: 2000 - 12 }));
    expect(text).toContain(TABLES[language]['mail.changes.last']);
    expect(subject).toContain('file_1');
    const one = { ...noticed, total: 1, about: { country: 'DE' }, batch: { ...batch, source: null, valid_from: null } };
    expect(mailAbout(one, { baseUrl: ORIGIN, number: 1, words }).subject).toBe(
      words('mail.changes.subjectOfOne', { what: 'DE' }),
    );
  });
});

test('what is stored as a language is one of ours, or English is, also for jobs of before', () => {
  for (const stored of [null, '', 'it', 'fr\r\nBcc: everyone@example.org', 'toString', '__proto__'])
    expect([stored, plainWordsIn(stored).language]).toEqual([stored, 'en']);
  expect(plainWordsIn('DE-at').language).toBe('de');
});

test('mail that was written before mails had languages is in English, and so is what is asked for in no language of ours', async () => {
  const browser = openBrowser(server);
  for (const [email, header] of [
    ['old@example.org', 'fr'],
    ['other@example.org', 'it, *;q=0.5'],
  ] as const) {
    await browser.post('/sign-in', { email }, { 'Accept-Language': header });
    if (header === 'fr') await server.services.db.query('update outbox set language = null');
    const mail = await newestTo(email);
    expect([mail.language, mail.subject]).toEqual(['en', TABLES.en['mail.signIn.subject']]);
  }
});
