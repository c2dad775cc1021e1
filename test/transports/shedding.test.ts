import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallQueue, queued } from '../../src/transports/http/shedding.ts';

/**
 * An event loop that is played: `turn` takes in so many calls, each of which works for so many milliseconds once begun.
 * As in a server, a call works in what follows its start, and that is done before the next callback of the loop.
 */
function playedLoop() {
  let now = 1000;
  let next: (() => void)[] = [];
  const queue = new CallQueue({ now: () => now, afterTurn: (then) => void next.push(then) });
  const begun: number[] = [];
  let calls = 0;
  const turn = async (count: number, ms: number): Promise<number> => {
    let refused = 0;
    for (let i = 0; i < count; i++) {
      const call = calls++;
      const taken = queue.take(() => {
        begun.push(call);
        queueMicrotask(() => {
          now += ms;
        });
      });
      if (!taken) refused++;
      await null;
    }
    const due = next;
    next = [];
    for (const then of due) {
      then();
      await null;
    }
    return refused;
  };
  const idle = (ms: number): void => {
    now += ms;
  };
  return { queue, turn, idle, begun, time: () => now };
}

describe('calls', () => {
  test('begin at once while there is time for them', async () => {
    const { queue, turn, idle, begun } = playedLoop();
    for (let i = 0; i < 100; i++) {
      expect(await turn(4, 1)).toBe(0);
      expect([queue.waiting, begun.length]).toEqual([0, 4 * (i + 1)]);
      idle(1);
    }
  });

  test('that come together are all served, in their order, and new ones are seen 65 ms apart', async () => {
    const { queue, turn, begun, time } = playedLoop();
    for (let count = 120; count > 0 || queue.waiting > 0; count = 0) {
      const before = time();
      expect(await turn(count, 1)).toBe(0);
      expect(time() - before).toBeLessThanOrEqual(65);
    }
    expect(begun).toEqual(Array.from({ length: 120 }, (_, i) => i));
    expect(queue.refused).toBe(0);
  });

  test('are not refused for a pause, however long, even while others wait', async () => {
    const { queue, turn, idle } = playedLoop();
    for (let i = 0; i < 5; i++) {
      idle(2000);
      expect(await turn(60, 1)).toBe(0);
      idle(2000);
      expect(await turn(30, 1)).toBe(0);
      while (queue.waiting > 0) await turn(0, 1);
    }
    expect(queue.refused).toBe(0);
  });

  test('are not refused because others wait through a pause of the process', async () => {
    const { queue, turn, idle } = playedLoop();
    for (let i = 0; i < 5; i++) {
      expect(await turn(100, 1)).toBe(0);
      expect(queue.waiting).toBeGreaterThan(0);
      idle(2000);
      expect(await turn(60, 1)).toBe(0);
      while (queue.waiting > 0) await turn(0, 1);
    }
    expect(queue.refused).toBe(0);
  });

  test('at three times the load: a third is served, none after it has waited for long, and none is forgotten', async () => {
    const { queue, turn, begun, time } = playedLoop();
    // Each call works for 1 ms, and three come in a millisecond.
    let refused = 0;
    let all = 0;
    const start = time();
    for (let count = 15; time() - start < 5000; ) {
      const before = time();
      refused += await turn(count, 1);
      all += count;
      count = Math.max(1, 3 * (time() - before));
    }
    expect(begun.length / all).toBeGreaterThan(0.33);
    // What waits came in the longest wait, or in the turn that saw it.
    expect(queue.waiting).toBeLessThanOrEqual(3 * (100 + 65));
    while (queue.waiting > 0) await turn(0, 1);
    expect(begun.length + refused).toBe(all);
    expect(queue.refused).toBe(refused);
    expect(await turn(4, 1)).toBe(0);
  });

  test('that each take long begin one by one, once that is known', async () => {
    const { queue, turn, begun } = playedLoop();
    for (let i = 0; i < 10; i++) await turn(i === 0 ? 200 : 0, 100);
    const before = begun.length;
    await turn(0, 100);
    expect([begun.length - before, queue.waiting > 0]).toEqual([1, true]);
  });

  test('that throw hold no one up', () => {
    const next: (() => void)[] = [];
    let now = 0;
    const queue = new CallQueue({ now: () => now, afterTurn: (then) => void next.push(then) });
    queue.take(() => {
      now += 10;
    });
    queue.take(() => {
      throw new Error('broken');
    });
    let served = false;
    queue.take(() => {
      served = true;
    });
    const thrown: unknown[] = [];
    while (next.length > 0) {
      try {
        next.shift()?.();
      } catch (error) {
        thrown.push(error);
      }
    }
    expect([String(thrown), thrown.length, served]).toEqual(['Error: broken', 1, true]);
  });

  test('beyond the most that may wait are refused', async () => {
    const { queue, turn } = playedLoop();
    expect(await turn(5_001 + 1 + 7, 5)).toBe(7 + 1);
    expect(queue.waiting).toBeLessThanOrEqual(5_000);
  });
});

describe('a refusal', () => {
  let server: Server;
  let origin: string;
  let answered = 0;
  beforeAll(async () => {
    const full = { take: () => false } as unknown as CallQueue;
    const listener = queued(
      full,
      (_request, response) => {
        answered++;
        response.end('served');
      },
      'https://maps.example',
    );
    server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('is a problem document that says when to come back', async () => {
    const headers = { 'X-Request-Id': 'my-request-17' };
    const answer = await fetch(`${origin}/v1/boundaries/search?q=a`, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBe('my-request-17');
    expect(await answer.json()).toEqual({
      type: 'https://maps.example/docs/errors#rate_limited',
      title: 'rate_limited',
      status: 429,
      detail: 'server at capacity',
      code: 'rate_limited',
      retry_after: 1,
      request_id: 'my-request-17',
    });
  });

  test('leaves the connection for the next call, whatever body came with it', async () => {
    for (let i = 0; i < 3; i++) {
      const body = JSON.stringify({ include: ['r1'], padding: 'x'.repeat(5000) });
      const answer = await fetch(`${origin}/v1/boundaries/union`, { method: 'POST', body });
      expect([answer.status, answer.headers.get('connection')]).toEqual([429, 'keep-alive']);
      await answer.arrayBuffer();
    }
    expect(answered).toBe(0);
  });

  test('is not for probes', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(origin + path)).status).toBe(200);
    expect(answered).toBe(3);
  });
});
