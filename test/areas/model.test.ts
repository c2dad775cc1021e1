import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openAreaPlanner } from '../../src/adapters/area_planner.ts';

let server: Server | null = null;

/** A chat endpoint that answers as the test says. */
async function scripted(answer: RequestListener, deadlineMs = 5_000) {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const settings = { AREA_PLANNER_URL: `http://127.0.0.1:${port}/v1`, AREA_PLANNER_KEY: 'k', AREA_PLANNER_MODEL: 'm' };
  const planner = openAreaPlanner(settings, deadlineMs);
  if (!planner) throw new Error('a planner is expected');
  return () => planner.ask([{ role: 'user', content: 'Texas' }], new AbortController().signal);
}

describe('a chat endpoint that plans areas', () => {
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('is off when no address is set', () => {
    const none = { AREA_PLANNER_URL: undefined, AREA_PLANNER_KEY: undefined, AREA_PLANNER_MODEL: undefined };
    expect(openAreaPlanner(none)).toBeNull();
  });

  it('is asked with its key, and its message is given', async () => {
    const seen: (string | undefined)[] = [];
    const ask = await scripted((request, response) => {
      seen.push(request.url, request.headers.authorization);
      response.end(JSON.stringify({ choices: [{ message: { content: '{"steps":[]}' } }] }));
    });
    expect(await ask()).toBe('{"steps":[]}');
    expect(seen).toEqual(['/v1/chat/completions', 'Bearer k']);
  });

  it.each<[string, RequestListener, string]>([
    ['an error', (_, response) => void response.writeHead(500).end('no'), 'status 500'],
    ['no JSON', (_, response) => void response.end('hello'), 'not JSON'],
    ['no message', (_, response) => void response.end('{"choices":[]}'), 'no message'],
    ['an endless text', (_, response) => void response.end('x'.repeat(300_000)), 'too long'],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      'no connection',
    ],
  ])('that answers with %s is refused', async (_what, answer, reason) => {
    const ask = await scripted(answer);
    await expect(ask()).rejects.toThrow(reason);
  });

  it('that does not answer is given up', async () => {
    const ask = await scripted(() => {}, 50);
    await expect(ask()).rejects.toThrow('no answer in time');
  });
});
