/** Large bodies that an organization sends at a time take no place of those of others. */
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';

let server: LibraryTestServer;
beforeAll(async () => {
  server = await openLibraryTestServer();
});
afterAll(() => server?.close());

/** A table whose end is not sent yet. */
function sendTable({ key }: OrgMember, path: string, headers: Record<string, string> = {}) {
  const sent: ClientRequest = request(`${server.address}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv', ...headers },
  });
  const answer = new Promise<{ status: number; retryAfter: string | undefined; text: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text });
    });
  });
  sent.write('name\nAvalon\n');
  return { answer, end: () => sent.end() };
}

it.each(['/v1/match', '/v1/locate?levels=8'])(
  '%s: eight of one organization, and those of another beside them',
  async (path) => {
    const { member: busy } = await server.staff('self_hosted');
    const { member: other } = await server.staff('self_hosted');
    const held = Array.from({ length: 8 }, () => sendTable(busy, path));
    // The eight have arrived when the ninth is refused.
    await expect
      .poll(
        async () => {
          const more = sendTable(busy, path);
          more.end();
          const { status, retryAfter, text } = await more.answer;
          return [status, retryAfter, JSON.parse(text.startsWith('{') ? text : '{}').code];
        },
        { timeout: 20_000 },
      )
      .toEqual([429, '5', 'rate_limited']);
    const one = sendTable(other, path);
    one.end();
    expect((await one.answer).status).not.toBe(429);
    // Small bodies of a known length have no such limit.
    const small = sendTable(busy, path, { 'Content-Length': String('name\nAvalon\n'.length) });
    small.end();
    expect((await small.answer).status).not.toBe(429);
    for (const { end } of held) end();
    for (const { answer } of held) expect((await answer).status).not.toBe(429);
    const again = sendTable(busy, path);
    again.end();
    expect((await again.answer).status).not.toBe(429);
  },
  60_000,
);
