import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { ROUTES } from '../setup/routes.ts';
import {
  type FileBody,
  type LibraryTestServer,
  type OrgMembers,
  openLibraryTestServer,
} from './library_test_server.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
});
afterAll(() => server?.close());

interface LinkShare {
  readonly grant_id: string;
  readonly team: null;
  readonly link?: { readonly expires_at: string; readonly url?: string };
}
const BOUNDARIES = ['r100', 'r101', 'r102', 'r103', 'r111', 'r112', 'r113', 'r121', 'r122', 'r123', 'r131', 'r132'];
let made = 0;
const file = (by = staff.member): Promise<FileBody> => {
  const [boundary_id, format] = [BOUNDARIES[made % BOUNDARIES.length], made < BOUNDARIES.length ? 'geojson' : 'kml'];
  made++;
  return server.ok('save_file', { boundary_id, format, visibility: 'restricted' }, by);
};
const linksIn = ({ items, shares }: FileBody): LinkShare[] =>
  ((items ?? shares ?? []) as unknown as LinkShare[]).filter(({ link }) => link !== undefined);
/** A new link: its id and its url. */
async function linkTo(id: string, by = staff.member): Promise<{ grant: string; url: string }> {
  const [link] = linksIn(await server.ok('share_file', { id, link_days: 7 }, by)).filter(({ link: one }) => one?.url);
  return { grant: link?.grant_id ?? '', url: link?.link?.url ?? '' };
}
const statusOf = async (url: string): Promise<number> => (await server.content(url)).status;

describe.each(ROUTES)('a link by %s', (route) => {
  it('gives its file to whoever has it, and no other, until it is ended', async () => {
    const [one, other] = [await file(), await file()];
    expect(await statusOf(one.url)).toBe(401);
    const before = Date.now();
    const shared = await server.call(route, 'share_file', { id: one.id, link_days: 7 }, staff.member);
    const [link] = linksIn(shared.body);
    const url = link?.link?.url ?? '';
    expect(url).toMatch(/\/v1\/files\/file_\w+\/content\?link=[\w-]{43}$/);
    const days = (Date.parse(link?.link?.expires_at ?? '') - before) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    const [theirs, mine] = [await server.content(url), await server.content(one.url, staff.member)];
    expect([theirs.status, theirs.text]).toEqual([200, mine.text]);
    expect(theirs.headers['cache-control']).toBe('private, no-cache');
    const secret = new URL(url).searchParams.get('link') ?? '';
    // Of another file, with a changed secret, its hash, nothing or two of them: as if it were not there.
    const { sha256 } = only(
      await server.services.db.query<{ sha256: string }>('select sha256 from file_link where id = $1', [
        link?.grant_id,
      ]),
    );
    const wrong = [secret.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), sha256, '', 'x'.repeat(5_000), `${secret}%00`];
    for (const given of wrong) expect(await statusOf(`${one.url}?link=${given}`), given).toBe(404);
    expect(await statusOf(`${other.url}?link=${secret}`)).toBe(404);
    expect([401, 404]).toContain(await statusOf(`${one.url}?link=${secret}&link=${secret}`));
    // Who may see its shares sees that there is a link, and not its secret.
    const got = await server.call(route, 'get_file', { id: one.id }, staff.admin);
    expect(linksIn(got.body)).toEqual([{ ...link, link: { expires_at: link?.link?.expires_at } }]);
    expect(JSON.stringify(got.body)).not.toContain(secret);
    const ended = await server.call(route, 'unshare_file', { id: one.id, grant_id: link?.grant_id }, staff.admin);
    expect(ended.status).toBe(200);
    expect(await statusOf(url)).toBe(404);
    expect(
      (await server.call(route, 'unshare_file', { id: one.id, grant_id: link?.grant_id }, staff.admin)).status,
    ).toBe(404);
    const { items } = await server.ok('list_audit_log', { limit: 20 }, staff.admin);
    const outcome = (items as unknown as { action: string; target: { id: string }; details: object }[])
      .filter(({ target }) => target?.id === one.id)
      .map(({ action, details }) => [action, details]);
    expect(outcome).toEqual([
      ['file.unshare', expect.objectContaining({ grant_id: link?.grant_id, link: true })],
      ['file.share', expect.objectContaining({ grant_id: link?.grant_id, link: true, access: 'read' })],
    ]);
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  it('is made only with admin access, by days within bounds, and instead of a team or a person', async () => {
    const { id } = await file();
    const outcome = async (input: object, by = staff.member) => {
      const { status, body } = await server.call(route, 'share_file', { id, ...input }, by);
      return [status, body.code];
    };
    expect(await outcome({ link_days: 7 }, staff.other)).toEqual([404, 'not_found']);
    expect(await outcome({ link_days: 7 }, staff.viewer)).toEqual([401, 'unauthorized']);
    await server.ok('share_file', { id, user: staff.other.email, access: 'write' }, staff.member);
    expect(await outcome({ link_days: 7 }, staff.other)).toEqual([401, 'unauthorized']);
    for (const wrong of [
      { link_days: 0 },
      { link_days: 366 },
      { link_days: 7, user: staff.other.email },
      { link_days: 7, access: 'admin' },
      {},
    ])
      expect(await outcome(wrong), JSON.stringify(wrong)).toEqual([400, 'invalid_input']);
  });
});

describe('a link', () => {
  it('ends when it expires, with its file, and while its maker may not administer the file', async () => {
    const { db, files, orgs } = server.services;
    const one = await file();
    const { grant, url } = await linkTo(one.id);
    await db.query("update file_link set expires_at = now() - interval '1 second' where id = $1", [grant]);
    expect(await statusOf(url)).toBe(404);
    expect(linksIn(await server.ok('get_file', { id: one.id }, staff.member))).toEqual([]);
    await files.sweep();
    expect(await db.query('select from file_link where id = $1', [grant])).toEqual([]);

    const byAdmin = await linkTo(one.id, staff.admin);
    expect(await statusOf(byAdmin.url)).toBe(200);
    const role = (to: string) =>
      db.query('update membership set role = $3 where org = $1 and account = $2', [staff.org, staff.admin.id, to]);
    await role('viewer');
    expect(await statusOf(byAdmin.url)).toBe(404);
    await role('admin');
    orgs.forget();
    expect(await statusOf(byAdmin.url)).toBe(200);
    await server.ok('delete_file', { id: one.id }, staff.member);
    expect(await statusOf(byAdmin.url)).toBe(404);
    const { items } = await server.ok('list_audit_log', { limit: 5 }, staff.owner);
    expect(
      (items as unknown as { action: string; details: object }[]).map(({ action, details }) => [action, details]),
    ).toContainEqual(['file.unshare', expect.objectContaining({ grant_id: byAdmin.grant, link: true })]);
  });

  it('gives the file as it is now, by a range, and a head of it', async () => {
    const one = await file();
    const { url } = await linkTo(one.id);
    const whole = await server.content(url);
    const part = await server.content(url, undefined, { Range: 'bytes=0-9' });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(0, 10)]);
    expect((await server.content(url, undefined, {}, 'HEAD')).status).toBe(200);
    expect((await server.content(url, undefined, { 'If-None-Match': String(whole.headers.etag) })).status).toBe(304);
  });

  it('is one of at most twenty of a file, also when many are made at once', async () => {
    const one = await file();
    const all = await Promise.all(
      Array.from({ length: 25 }, () => server.call('http', 'share_file', { id: one.id, link_days: 1 }, staff.member)),
    );
    const refused = all.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(5).fill([400, 'invalid_input']));
    expect(linksIn(await server.ok('get_file', { id: one.id }, staff.member)).length).toBe(20);
  });
});

describe.each(ROUTES)('tags by %s', (route) => {
  it('are replaced as a whole, found by list_files, and bounded', async () => {
    const [one, other] = [await file(), await file()];
    const word = `maps ${route}`;
    const set = (id: string, tags: unknown, by = staff.member) => server.call(route, 'update_file', { id, tags }, by);
    const tagged = await set(one.id, [word, 'Ω', word]);
    expect((tagged.body as unknown as { tags: string[] }).tags).toEqual([word, 'Ω']);
    const found = async (tag: string, by = staff.member) =>
      (await server.call(route, 'list_files', { tag }, by)).body.items.map(({ id }) => id);
    expect(await found(word)).toEqual([one.id]);
    expect(await found('map')).toEqual([]);
    // A tag gives no one a file.
    expect(await found(word, staff.other)).toEqual([]);
    expect((await set(one.id, ['x'], staff.other)).status).toBe(404);
    await set(other.id, [word]);
    expect((await found(word)).sort()).toEqual([one.id, other.id].sort());
    // All tags of the files that the caller sees, with how many have each; only when asked for.
    const all = async (by = staff.member) =>
      (await server.call(route, 'list_files', { tags: true, limit: 1 }, by)).body as unknown as {
        tags?: { items: { tag: string; files: number }[]; total: number };
      };
    const { tags } = await all();
    expect(tags?.items.filter(({ tag }) => [word, 'Ω'].includes(tag))).toEqual([
      { tag: word, files: 2 },
      { tag: 'Ω', files: 1 },
    ]);
    expect(tags?.total).toBe(tags?.items.length);
    const theirs = (await all(staff.other)).tags?.items.map(({ tag }) => tag);
    expect(theirs).not.toContain(word);
    expect((await server.call(route, 'list_files', {}, staff.member)).body).not.toHaveProperty('tags');
    expect(((await set(one.id, [])).body as unknown as { tags: string[] }).tags).toEqual([]);
    expect(await found(word)).toEqual([other.id]);
    const wrong = [[''], ['a\nb'], ['x'.repeat(51)], Array.from({ length: 21 }, (_, i) => `t${i}`)];
    for (const tags of wrong) expect((await set(one.id, tags)).body.code, JSON.stringify(tags)).toBe('invalid_input');
    await server.ok('update_file', { id: other.id, name: `other ${route}` }, staff.member);
    expect(await found(word)).toEqual([other.id]);
  });
});
