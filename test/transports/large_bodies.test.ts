/** Large bodies that an organization sends at a time take no place of those of others. */
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';

let server: LibraryTestServer;
beforeAll(async () => {
  server = await openLibraryTestServer();
});
afterAll(() => server?.close());

const tableOf = (rows: number) => ({
  '/v1/match': `name\n${'Avalon\n'.repeat(rows)}`,
  '/v1/locate?levels=8': `lat,lon\n${'1.5,2.5\n'.repeat(rows)}`,
});
const LARGE = tableOf(160_000);
const SMALL = tableOf(1);

/** A table whose end is not sent yet; with `length`, its length is said before it. */
function sendTable({ key }: OrgMember, path: keyof typeof LARGE, tables: typeof LARGE, said: boolean) {
  const table = tables[path];
  const length = said ? { 'Content-Length': String(table.length) } : {};
  const sent: ClientRequest = request(`${server.address}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv', ...length },
  });
  const answer = new Promise<{ status: number; retryAfter: string | undefined; text: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text });
    });
  });
  sent.write(table.slice(0, -1));
  return { answer, end: () => sent.end(table.slice(-1)) };
}

it.each([
  ['/v1/match', true],
  ['/v1/match', false],
  ['/v1/locate?levels=8', true],
] as const)(
  '%s, length said: %s: eight of one organization, and those of another beside them',
  async (path, said) => {
    const { member: busy } = await server.staff('self_hosted');
    const { member: other } = await server.staff('self_hosted');
    const sent = Array.from({ length: 9 }, () => sendTable(busy, path, LARGE, said));
    // One of nine is refused, whichever comes last.
    const [refused, which] = await Promise.race(sent.map(async ({ answer }, i) => [await answer, i] as const));
    expect([refused.status, refused.retryAfter, JSON.parse(refused.text).code]).toEqual([429, '5', 'rate_limited']);
    const held = sent.filter((_, i) => i !== which);
    const beside = [
      sendTable(other, path, LARGE, said),
      // Small bodies have no such limit.
      ...Array.from({ length: 9 }, (_, i) => sendTable(busy, path, SMALL, i % 2 === 0)),
    ];
    for (const { end } of beside) end();
    for (const { answer } of beside) expect((await answer).status).not.toBe(429);
    for (const { end } of held) end();
    for (const { answer } of held) expect((await answer).status).not.toBe(429);
    const again = sendTable(busy, path, LARGE, said);
    again.end();
    expect((await again.answer).status).not.toBe(429);
  },
  60_000,
);

it.each([
  ['/v1/imports?dry_run=true', 'application/geo+json', 64],
  ['/v1/sets?name=zones', 'application/geo+json', 64],
  ['/v1/sets?name=zones&keep_file=true', 'application/octet-stream', 64],
  ['/v1/boundaries/compare', 'application/geo+json', 64],
  ['/v1/match', 'text/csv', 32],
])('%s refuses a body that is said to be too large before any of it comes', async (path, type, mebibytes) => {
  const { slug } = await server.staff('self_hosted');
  const email = `announcer-${slug}@example.org`;
  const { key } = await server.services.keys.create({ email, orgSlug: slug, operator: true });
  const most = mebibytes * 1024 * 1024;
  const answered = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type, 'Content-Length': String(most + 1) };
    const sent = request(`${server.address}${path}`, { method: 'POST', agent: false, headers });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, text });
      sent.destroy();
    });
    sent.flushHeaders();
  });
  const { code, detail } = JSON.parse(answered.text);
  expect([answered.status, code], answered.text).toEqual([413, 'too_large']);
  expect(detail).toContain(mebibytes === 32 ? '32 MiB' : String(most));
});
