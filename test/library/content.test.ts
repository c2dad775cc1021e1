import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { systemActor } from '../../src/core/access.ts';
import { FORMATS } from '../../workers/formats/registry.ts';
import { HOSTILE } from '../ops/fixture_world.ts';
import {
  type FileBody,
  type LibraryTestServer,
  type OrgMembers,
  openLibraryTestServer,
} from './library_test_server.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
let file: FileBody;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff('free');
  file = await server.ok('save_file', { boundary_id: 'r100', format: 'kml', visibility: 'restricted' }, staff.member);
});
afterAll(() => server?.close());

const TYPES = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  wkt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  gml: 'application/gml+xml; version=3.2',
};

describe('GET /v1/files/{id}/content', () => {
  it.each(FORMATS)('has the type and the file name of %s, and runs nothing in a browser', async (format) => {
    const entry = { boundary_id: 'r101', format, name: 'Ωmega (x, y)' };
    const { url, id } = await server.ok('save_file', entry, staff.member);
    const { status, headers } = await server.content(url, staff.viewer);
    expect([status, headers['content-type']]).toEqual([200, TYPES[format]]);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="${id}.${format}"; filename*=UTF-8''%CE%A9mega%20%28x%2C%20y%29.${format}`,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^sandbox/);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it('has a name that breaks no header, whatever the entry is called', async () => {
    const { url, name } = await server.ok('save_file', { boundary_id: 'r122' }, staff.member);
    expect(name).toContain(HOSTILE.slice(0, 4));
    const { status, headers } = await server.content(url, staff.member);
    expect([status, headers['set-cookie']]).toEqual([200, undefined]);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[ -!#-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]+$/,
    );
    const { id } = await server.ok('save_file', { boundary_id: 'r121' }, staff.member);
    for (const hostile of ['../../etc/passwd', '"; x=\\', '   . .', '..', '😀', '%00']) {
      await server.ok('update_file', { id, name: hostile }, staff.member);
      const disposition = (await server.content(`https://maps.example/base/v1/files/${id}/content`, staff.member))
        .headers['content-disposition'] as string;
      const kept = decodeURIComponent(defined(disposition.split("''")[1]));
      expect(kept, hostile).toMatch(/^[^./\\"][^/\\"]*\.geojson$/);
    }
  });

  it('HEAD has the headers and no body; If-None-Match is 304; the tag is strong and of the content', async () => {
    const tag = `"${file.sha256}"`;
    const head = await server.content(file.url, staff.member, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, tag]);
    expect(head.headers['content-length']).toBe(String(file.bytes));
    for (const sent of [tag, `"x", ${tag}`, '*', `W/${tag}`]) {
      const known = await server.content(file.url, staff.member, { 'If-None-Match': sent });
      expect([known.status, known.bytes.length, known.headers.etag], sent).toEqual([304, 0, tag]);
    }
    expect((await server.content(file.url, staff.member, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('answers a byte range, of the bytes as they are', async () => {
    const whole = (await server.content(file.url, staff.member)).bytes;
    const { bytes: size } = file;
    for (const [range, from, to] of [
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, size - 1],
      ['bytes=-10', size - 10, size - 1],
      [`bytes=5-${size * 2}`, 5, size - 1],
    ] as const) {
      const part = await server.content(file.url, staff.member, { Range: range, 'Accept-Encoding': 'gzip' });
      expect([part.status, part.headers['content-range']], range).toEqual([206, `bytes ${from}-${to}/${size}`]);
      expect(part.headers['content-encoding']).toBeUndefined();
      expect(part.bytes.equals(whole.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await server.content(file.url, staff.member, { Range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    const moved = await server.content(file.url, staff.member, { Range: 'bytes=0-9', 'If-Range': '"other"' });
    expect([moved.status, moved.bytes.length]).toEqual([200, size]);
    const held = await server.content(file.url, staff.member, { Range: 'bytes=0-9', 'If-Range': `"${file.sha256}"` });
    expect(held.status).toBe(206);
  });

  it('is compressed where that is accepted, with a tag of its own', async () => {
    const big = await server.ok('save_file', { boundary_id: 'r100', detail: 'full' }, staff.member);
    const { headers, bytes } = await server.content(big.url, staff.member, { 'Accept-Encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers.etag).toBe(`"${big.sha256}-gzip"`);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(bytes.length).toBeLessThan(big.bytes);
  });

  it('keeps its url when the entry is renamed, and serves again what was refreshed under another tag', async () => {
    const { id, url } = await server.ok('save_file', { boundary_id: 'r103' }, staff.member);
    expect((await server.ok('update_file', { id, name: 'renamed' }, staff.member)).url).toBe(url);
    expect((await server.content(url, staff.member)).headers['content-disposition']).toContain('"renamed.geojson"');
  });

  it('asks for access at each request', async () => {
    expect((await server.content(file.url, staff.other)).status).toBe(404);
    const { items } = await server.ok('share_file', { id: file.id, user: staff.other.id }, staff.member);
    expect((await server.content(file.url, staff.other)).status).toBe(200);
    const tag = { 'If-None-Match': `"${file.sha256}"` };
    await server.ok('unshare_file', { id: file.id, grant_id: defined(items[0]).grant_id }, staff.member);
    expect((await server.content(file.url, staff.other, tag)).status).toBe(404);
    expect((await server.content(file.url, undefined, tag)).status).toBe(401);
    expect((await server.content(file.url, undefined, { Authorization: 'Bearer bnd_live_x' })).status).toBe(401);
    expect((await server.content(file.url, { ...staff.member, key: 'not-a-token' })).status).toBe(401);
  });

  it('takes a session and an OAuth token as well as a key', async () => {
    const { services } = server;
    const { cookie } = await services.db.transaction((tx) => services.sessions.start(tx, staff.member.id, staff.org));
    const name = services.config.BASE_URL.startsWith('https:') ? '__Host-boundary_session' : 'boundary_session';
    const signedIn = await server.content(file.url, undefined, { Cookie: `${name}=${cookie}` });
    expect([signedIn.status, signedIn.bytes.length]).toEqual([200, file.bytes]);
    const consent = { id: 'grant-1', account: staff.member.id, org: staff.org, clientId: 'atlas', clientName: 'Atlas' };
    await services.oauth.grant({ ...consent, scope: 'read' }, systemActor('test'));
    const token = { grantId: 'grant-1', scope: 'read', aud: 'https://maps.example/v1' };
    await services.oauth.records('AccessToken').upsert('a-token-of-the-tests', token, 60);
    // The scope makes a viewer of who created the file: they read it, and no more.
    const byToken = { ...staff.member, key: 'a-token-of-the-tests' };
    expect((await server.content(file.url, byToken)).status).toBe(200);
    expect((await server.call('http', 'get_file', { id: file.id }, byToken)).body.access).toBe('read');
    await services.oauth.revoke('grant-1', staff.member.id, staff.org, systemActor('test'));
    expect((await server.content(file.url, byToken)).status).toBe(401);
  });

  it('costs nothing, and no other method is taken', async () => {
    const before = await server.used(staff.owner.key);
    for (const method of ['GET', 'HEAD']) await server.content(file.url, staff.member, {}, method);
    expect(await server.used(staff.owner.key)).toBe(before);
    const refused = await server.content(file.url, staff.member, {}, 'POST');
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await server.content('https://maps.example/base/v1/files/file_x/content', staff.member)).status).toBe(404);
  });

  it('is not a public export: the same bytes are missing without a credential, unless someone exported them', async () => {
    const saved = await server.ok('save_file', { boundary_id: 'r133', format: 'gml' }, staff.member);
    expect((await server.content(saved.url, staff.member)).status).toBe(200);
    expect((await server.get(`/v1/exports/${saved.sha256}.gml`)).status).toBe(404);
  });
});
