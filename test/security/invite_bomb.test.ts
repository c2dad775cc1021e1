import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import { type OrgHarness, openOrgHarness, type Person } from '../orgs/org_harness.ts';

let stock: OrgHarness;
beforeAll(async () => {
  stock = await openOrgHarness();
});
beforeEach(() => stock.test.db.query('delete from attempt'));
afterAll(() => stock.test.close());

let people = 0;
async function host(): Promise<{ person: Person; caller: Caller }> {
  const person = await stock.person(`host${++people}@example.org`);
  const org = await stock.org(person, `Click https://evil.example number ${people}`);
  return { person, caller: await stock.session(person, org) };
}
async function invite(caller: Caller, email: string): Promise<number | string> {
  const { status, body } = await stock.call('invite_member', { email }, caller);
  if (status !== 201) return String(body.code);
  await stock.ok('revoke_invite', { id: String(body.id) }, caller);
  return status;
}

test('invite, revoke, repeat: two mails to a stranger from one person, however many organizations they found', async () => {
  const { person, caller } = await host();
  const codes = [await invite(caller, 'stranger@example.net'), await invite(caller, 'Stranger@EXAMPLE.net')];
  for (let i = 0; i < 3; i++) {
    const other = await stock.session(person, await stock.org(person, `Another ${people} ${i}`));
    codes.push(await invite(other, 'stranger@example.net'));
  }
  expect(codes).toEqual([201, 201, 'rate_limited', 'rate_limited', 'rate_limited']);
});

test('three mails a day to one address over all organizations; one person alone does not use them up', async () => {
  const codes: (number | string)[] = [];
  const hosts = [await host(), await host(), await host()];
  codes.push(
    await invite(defined(hosts[0]).caller, 'known@example.net'),
    await invite(defined(hosts[0]).caller, 'known@example.net'),
  );
  codes.push(
    await invite(defined(hosts[1]).caller, 'known@example.net'),
    await invite(defined(hosts[2]).caller, 'known@example.net'),
  );
  expect(codes).toEqual([201, 201, 201, 'rate_limited']);
});

test('one person invites a hundred a day over all their organizations', async () => {
  const { person, caller } = await host();
  await stock.test.db.query('delete from attempt');
  expect(await invite(caller, 'first@example.net')).toBe(201);
  // What the same person did this day elsewhere: the counter of the account stands at its limit.
  await stock.test.db.query('update attempt set count = 100 where count = 1');
  const other = await stock.session(person, await stock.org(person, `Elsewhere ${people}`));
  expect(await invite(other, 'second@example.net')).toBe('rate_limited');
  const { caller: stranger } = await host();
  expect(await invite(stranger, 'second@example.net')).toBe(201);
});

test('nothing that people wrote is in the subject, and no name or link of theirs in the text', async () => {
  const { caller } = await host();
  await stock.ok('invite_member', { email: 'reader@example.net' }, caller);
  const mail = await stock.mailTo('reader@example.net');
  expect(mail.subject).toBe('You are invited to an organization on Boundary Lookup');
  expect(mail.text).not.toMatch(/evil\.example|Click/);
  expect(mail.text.match(/https?:\S+/g)?.every((link) => link.startsWith('https://maps.example'))).toBe(true);
});

test('a mail that is sent after its invitation was revoked is not sent', async () => {
  const { caller } = await host();
  expect(await invite(caller, 'late@example.net')).toBe(201);
  await expect(stock.mailTo('late@example.net')).rejects.toThrow('nothing was sent');
});
