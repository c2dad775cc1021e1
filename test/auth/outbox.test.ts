import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMailer, type Mail } from '../../src/adapters/mail.ts';
import { defined, only } from '../../src/common/elements.ts';
import { createOutbox } from '../../src/domain/delivery/outbox.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type MailServer, startMailServer } from './mail_server.ts';

const FROM = 'Boundary Lookup <noreply@maps.example>';
let database: TestDatabase;
let sink: MailServer;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  sink = await startMailServer();
  folder = await mkdtemp(join(tmpdir(), 'boundary-mail-'));
});
afterEach(async () => {
  sink.mails.length = 0;
  sink.behavior.refuse = null;
  sink.behavior.cutAfterData = false;
  await database.db.query('delete from outbox');
});
afterAll(async () => {
  await sink.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const files: string[] = [];
const mailerTo = (smtpUrl: string | null) =>
  createMailer({ smtpUrl, from: FROM, folder, onFile: (path) => void files.push(path) });
function outboxTo(smtpUrl: string) {
  const logged: { message: string; attempts?: number }[] = [];
  const log = (message: string, { attempts }: { attempts?: number }) => void logged.push({ message, attempts });
  return { ...createOutbox(database.db, mailerTo(smtpUrl), log), logged };
}
const count = async (): Promise<number> =>
  only(await database.db.query<{ n: number }>('select count(*) as n from outbox')).n;
/** Lets every wait and claim end. */
const later = () => database.db.query("update outbox set next_at = now() - interval '1 second'");
const letter = (n: number) =>
  ({ to: `p${n}@example.org`, subject: `Letter ${n}`, text: `Dear ${n},\nhello.\n`, language: 'en' }) as const;

describe('the outbox', () => {
  test('sends what a transaction kept, once, and nothing of one that was rolled back', async () => {
    const { put, sendDue } = outboxTo(sink.url);
    await database.db.transaction((tx) => put(tx, letter(1)));
    await database.db
      .transaction(async (tx) => {
        await put(tx, letter(2));
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await sendDue()).toBe(1);
    await later();
    expect(await sendDue()).toBe(0);
    expect(sink.mails).toHaveLength(1);
    expect(sink.mails[0]).toMatchObject({ from: 'noreply@maps.example', to: ['p1@example.org'] });
    expect(defined(sink.mails[0]).raw).toMatch(/^Subject: Letter 1\r$/m);
    expect(defined(sink.mails[0]).raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(defined(sink.mails[0]).raw).toMatch(/^Content-Language: en\r$/m);
    expect(defined(sink.mails[0]).raw).toMatch(/^Message-ID: <mail_\w+@maps\.example>\r$/m);
  });

  test('four senders at once send each of forty mails once', async () => {
    const senders = Array.from({ length: 4 }, () => outboxTo(sink.url));
    await database.db.transaction(async (tx) => {
      for (let n = 0; n < 40; n++) await defined(senders[0]).put(tx, letter(n));
    });
    const sent = await Promise.all(senders.map(({ sendDue }) => sendDue()));
    expect(sent.reduce((a, b) => a + b)).toBe(40);
    expect(new Set(sink.mails.map(({ to }) => to[0])).size).toBe(40);
    expect(sink.mails).toHaveLength(40);
    expect(await count()).toBe(0);
  });

  test('tries again after 5, 10, 20 … seconds while the server refuses for now, or is away', async () => {
    const { put, sendDue, logged } = outboxTo(sink.url);
    await put(database.db, letter(1));
    sink.behavior.refuse = 451;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await sendDue()).toBe(0);
      // Not due again before its wait is over.
      expect(await sendDue()).toBe(0);
      const { wait } = only(
        await database.db.query<{ wait: number }>(
          'select round(extract(epoch from next_at - now()))::integer as wait from outbox',
        ),
      );
      waits.push(wait);
      await later();
    }
    expect(waits).toEqual([5, 10, 20, 40]);
    expect(logged.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4]);
    expect(JSON.stringify(logged)).not.toContain('example.org');
    await database.db.query('update outbox set attempts = 30');
    await sendDue();
    const { wait } = only(
      await database.db.query<{ wait: number }>(
        'select round(extract(epoch from next_at - now()))::integer as wait from outbox',
      ),
    );
    expect(wait).toBe(3600);
    await later();
    sink.behavior.refuse = null;
    expect(await sendDue()).toBe(1);
    expect(sink.mails).toHaveLength(1);

    // No one listens there.
    const closed = createServer();
    await new Promise<void>((resolve) => {
      closed.listen(0, '127.0.0.1', resolve);
    });
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const away = outboxTo(`smtp://127.0.0.1:${port}`);
    await away.put(database.db, letter(2));
    expect(await away.sendDue()).toBe(0);
    expect(await count()).toBe(1);
    await later();
    expect(await sendDue()).toBe(1);
    expect(sink.mails.map(({ to }) => to[0])).toEqual(['p1@example.org', 'p2@example.org']);
  });

  test('gives up at once when the address is refused for good', async () => {
    const { put, sendDue, logged } = outboxTo(sink.url);
    await put(database.db, letter(1));
    sink.behavior.refuse = 550;
    expect(await sendDue()).toBe(0);
    expect(await count()).toBe(0);
    expect(logged).toEqual([{ message: 'a mail was refused permanently', attempts: 1 }]);
  });

  test('one that fails does not hold back the others', async () => {
    const { put, sendDue, logged } = outboxTo(sink.url);
    await put(database.db, { ...letter(1), to: `${'x'.repeat(70)}@${'y'.repeat(300)}.example` });
    for (let n = 2; n < 12; n++) await put(database.db, letter(n));
    sink.behavior.refuse = null;
    await sendDue();
    expect(logged).toEqual([{ message: 'a mail was refused permanently', attempts: 1 }]);
    for (let n = 2; n < 12; n++) expect(sink.mails.some(({ to }) => to[0] === `p${n}@example.org`)).toBe(true);
  });

  test('a sender that dies before it sends loses nothing; its claim ends after two minutes', async () => {
    const { put, sendDue } = outboxTo(sink.url);
    await put(database.db, letter(1));
    // Claims, and never comes back.
    let claimed = () => {};
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    const dead = createOutbox(
      database.db,
      {
        send: () => {
          claimed();
          return new Promise(() => undefined);
        },
        isFinal: () => false,
      },
      () => undefined,
    );
    void dead.sendDue();
    await isClaimed;
    expect(await sendDue()).toBe(0);
    const { held } = only(
      await database.db.query<{ held: number }>(
        'select round(extract(epoch from next_at - now()))::integer as held from outbox',
      ),
    );
    expect(held).toBeGreaterThan(100);
    expect(held).toBeLessThanOrEqual(120);
    // Its other slots would claim the letters of later tests.
    await dead.close();
    await later();
    expect(await sendDue()).toBe(1);
    expect(sink.mails).toHaveLength(1);
  });

  test('when no one knows whether the server took it, it is sent again under the same Message-ID', async () => {
    const { put, sendDue } = outboxTo(sink.url);
    await put(database.db, letter(1));
    sink.behavior.cutAfterData = true;
    expect(await sendDue()).toBe(0);
    sink.behavior.cutAfterData = false;
    await later();
    expect(await sendDue()).toBe(1);
    expect(sink.mails).toHaveLength(2);
    const ids = sink.mails.map(({ raw }) => /^Message-ID: (\S+)/m.exec(raw)?.[1]);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
  });

  test('what its time has passed for is not sent and is dropped', async () => {
    const { put, sendDue, sweep } = outboxTo(sink.url);
    await put(database.db, { ...letter(1), lifetimeS: 900 });
    await database.db.query("update outbox set expires_at = expires_at - interval '901 seconds'");
    expect(await sendDue()).toBe(0);
    expect(sink.mails).toEqual([]);
    expect(await sweep()).toBe(1);
    expect(await count()).toBe(0);
  });

  test('sends by itself once it was started, and waits for what runs when it is closed', async () => {
    const outbox = outboxTo(sink.url);
    outbox.start();
    await database.db.transaction((tx) => outbox.put(tx, letter(1)));
    await expect.poll(() => sink.mails.length, { timeout: 20_000 }).toBe(1);
    await database.db.transaction((tx) => outbox.put(tx, letter(2)));
    await expect.poll(() => sink.mails.length, { timeout: 20_000 }).toBe(2);
    await outbox.close();
    await outbox.put(database.db, letter(3));
    expect(await count()).toBe(1);
  });
});

describe('a mail with a token', () => {
  const tokens: string[] = [];
  let fate: 'written' | 'over' | 'broken' = 'written';
  const write = async (id: string) => {
    if (fate === 'over') return null;
    if (fate === 'broken') throw new Error('the database is away');
    tokens.push(`${id}-${tokens.length}`);
    return { subject: 'A link', text: `https://maps.example/?token=${tokens.at(-1)}\n` };
  };
  const log = () => undefined;
  const outbox = () => createOutbox(database.db, mailerTo(sink.url), log, { sign_in: write });
  const put = () =>
    outbox().put(database.db, { to: 'p1@example.org', kind: 'sign_in', about: 'lnk_1', language: 'en' });
  const rows = async () => JSON.stringify(await database.db.query('select * from outbox'));

  test('holds none while it waits, and gets a new one at each attempt to send it', async () => {
    await put();
    expect(tokens).toEqual([]);
    sink.behavior.refuse = 451;
    expect(await outbox().sendDue()).toBe(0);
    expect(await rows()).not.toContain(tokens[0]);
    sink.behavior.refuse = null;
    await later();
    expect(await outbox().sendDue()).toBe(1);
    expect(tokens).toHaveLength(2);
    expect(defined(sink.mails[0]).raw).toContain(tokens[1]);
  });

  test('is not sent when what it is about is over', async () => {
    await put();
    fate = 'over';
    expect(await outbox().sendDue()).toBe(0);
    expect([sink.mails, await count()]).toEqual([[], 0]);
  });

  test('waits while it cannot be written, and for a process that can', async () => {
    await put();
    fate = 'broken';
    expect(await outbox().sendDue()).toBe(0);
    fate = 'written';
    await later();
    expect(await createOutbox(database.db, mailerTo(sink.url), log).sendDue()).toBe(0);
    await later();
    expect(await outbox().sendDue()).toBe(1);
  });
});

describe('a mail', () => {
  const hostile: Mail = {
    id: 'mail_1',
    to: 'a@example.org',
    subject: 'Hello\r\nBcc: everyone@example.org\r\n\r\nBody',
    text: 'Line\r\n.\r\nQUIT\r\nMAIL FROM:<x@y.example>\r\n',
    language: 'en',
  };

  test('has no more headers and recipients than were meant', async () => {
    await mailerTo(sink.url).send(hostile);
    expect(sink.mails).toHaveLength(1);
    const { raw, to } = defined(sink.mails[0]);
    expect(to).toEqual(['a@example.org']);
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
    expect(raw).toContain('QUIT');
  });

  test('an address in which another one hides reaches no one else', async () => {
    for (const to of [
      'a@example.org\r\nRCPT TO:<b@example.org>',
      'a@example.org>\r\nRCPT TO:<b@example.org',
      'a@example.org, b@example.org',
    ]) {
      await mailerTo(sink.url)
        .send({ ...hostile, to })
        .catch(() => undefined);
    }
    expect(sink.mails.flatMap((mail) => mail.to)).not.toContain('b@example.org');
  });

  test('without a mail server is a file that only its owner reads, with the link on one line', async () => {
    const link = `https://a-rather-long-name.maps.example/base/sign-in/confirm?token=${'t'.repeat(32)}`;
    await mailerTo(null).send({
      id: 'mail_2',
      to: 'ü@example.org',
      subject: 'Größe',
      text: `Hello\n\n${link}\n`,
      language: 'en',
    });
    await mailerTo(null).send({
      id: 'mail_2',
      to: 'ü@example.org',
      subject: 'Größe',
      text: `Hello\n\n${link}\n`,
      language: 'en',
    });
    expect(await readdir(folder)).toEqual(['mail_2.eml']);
    const path = join(folder, 'mail_2.eml');
    expect(files).toEqual([path, path]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    expect(text.split('\n')).toContain(link);
    expect(text).toMatch(/^To: ü@example\.org$/m);
    await mailerTo(null).send({ ...hostile, id: 'mail_3' });
    const [headers] = (await readFile(join(folder, 'mail_3.eml'), 'utf8')).split('\n\n');
    expect(headers).not.toMatch(/^Bcc:/m);
  });
});
