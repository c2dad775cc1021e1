import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
});
afterAll(() => server?.close());

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;
async function ok(op: string, input: object, by = staff.owner): Promise<Any> {
  const { status, body } = await server.call('http', op, input as Record<string, unknown>, by);
  expect(status, `${op}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body;
}

/** What the audit log says of sets, the oldest first. */
async function logged(): Promise<string[]> {
  const { items } = await ok('list_audit_log', { limit: 100 });
  return items
    .filter(({ target }: Any) => target.type === 'set')
    .map(({ action, target, details: { from, to, name, access } }: Any) =>
      [action, target.name, from, to, name, access].filter((one) => one !== undefined).join(' '),
    )
    .reverse();
}

it('has what becomes of a set and of its shares, also those that end with a team or a member', async () => {
  const content = fileOf({ north: cell(0.2, 1.2, 1, 1) });
  await ok('create_area_set', { name: 'kept', visibility: 'restricted', content });
  await ok('create_area_set', { name: 'dropped', visibility: 'restricted', content });
  await ok('create_team', { slug: 'carto', name: 'Carto' });
  const { items: members } = await ok('list_members', {});
  const [first, second] = members.filter(({ role }: Any) => role === 'viewer' || role === 'member');
  await ok('share_area_set', { name: 'kept', team: 'carto', access: 'write' });
  await ok('share_area_set', { name: 'kept', user: first.email, access: 'read' });
  await ok('share_area_set', { name: 'dropped', user: second.email, access: 'read' });
  const before = await logged();
  await ok('delete_team', { team: 'carto' });
  await ok('remove_member', { user_id: first.id });
  await ok('delete_area_set', { name: 'dropped' });
  expect(before).toEqual([
    'set.create kept',
    'set.create dropped',
    'set.share kept Carto write',
    `set.share kept ${first.email} read`,
    `set.share dropped ${second.email} read`,
  ]);
  expect((await logged()).slice(before.length)).toEqual([
    'set.unshare kept Carto write',
    `set.unshare kept ${first.email} read`,
    'set.delete dropped',
  ]);
  expect((await ok('get_area_set', { name: 'kept' })).shares).toEqual([]);
});
