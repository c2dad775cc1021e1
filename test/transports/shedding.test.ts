import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { CallQueue, withQueue } from '../../src/transports/http/shedding.ts';

/** An event loop that is played: `turn` takes in so many calls, each of which takes so many milliseconds once begun. */
function playedLoop() {
  let now = 1000;
  let next: (() => void)[] = [];
  const queue = new CallQueue({ now: () => now, afterTurn: (then) => void next.push(then) });
  const begun: number[] = [];
  let calls = 0;
  const turn = (count: number, ms: number): number => {
    let refused = 0;
    for (let i = 0; i < count; i++) {
      const call = calls++;
      const taken = queue.take(() => {
        begun.push(call);
        now += ms;
      });
      if (!taken) refused++;
    }
    const due = next;
    next = [];
    for (const then of due) then();
    return refused;
  };
  const idle = (ms: number): void => {
    now += ms;
  };
  return { queue, turn, idle, begun, time: () => now };
}

describe('calls', () => {
  test('begin in the turn that they come in while there is time for them, and together', () => {
    const { queue, turn, idle, begun } = playedLoop();
    for (let i = 0; i < 100; i++) {
      expect(turn(4, 1)).toBe(0);
      expect([queue.waiting, begun.length]).toEqual([0, 4 * (i + 1)]);
      idle(1);
    }
    const ended: (() => void)[] = [];
    const together = new CallQueue({ now: () => 0, afterTurn: (then) => void ended.push(then) });
    const started: number[] = [];
    for (let i = 0; i < 64; i++) together.take(() => void started.push(i));
    expect(started).toEqual([]);
    only(ended)();
    expect(started).toHaveLength(64);
  });

  test('that come together are all served, in their order, and seen 5 ms apart', () => {
    const { queue, turn, begun, time } = playedLoop();
    expect(turn(90, 1)).toBe(0);
    while (queue.waiting > 0) {
      const before = time();
      turn(0, 1);
      expect(time() - before).toBeLessThanOrEqual(5);
    }
    expect(begun).toEqual(Array.from({ length: 90 }, (_, i) => i));
    expect(queue.refused).toBe(0);
  });

  test('are not refused for a pause, however long, even while others wait', () => {
    const { queue, turn, idle } = playedLoop();
    for (let i = 0; i < 5; i++) {
      idle(2000);
      expect(turn(60, 1)).toBe(0);
      idle(2000);
      expect(turn(30, 1)).toBe(0);
      while (queue.waiting > 0) turn(0, 1);
    }
    expect(queue.refused).toBe(0);
  });

  test('are not refused because others wait through a pause of the process', () => {
    const { queue, turn, idle } = playedLoop();
    for (let i = 0; i < 5; i++) {
      expect(turn(60, 1)).toBe(0);
      expect(queue.waiting).toBeGreaterThan(0);
      idle(2000);
      expect(turn(60, 1)).toBe(0);
      while (queue.waiting > 0) turn(0, 1);
    }
    expect(queue.refused).toBe(0);
  });

  test('at three times the load: a third is served, none after it has waited for long, and none is forgotten', () => {
    const { queue, turn, begun } = playedLoop();
    // 5 ms of work fit a turn, 15 come with each.
    let refused = 0;
    for (let i = 0; i < 1000; i++) refused += turn(15, 1);
    expect(begun.length / 15_000).toBeGreaterThan(0.33);
    // What waits is the work of the longest wait, three times as much when it grew unseen.
    expect(queue.waiting).toBeLessThanOrEqual(3 * 100 + 15);
    while (queue.waiting > 0) turn(0, 1);
    expect(begun.length + refused).toBe(15_000);
    expect(queue.refused).toBe(refused);
    expect(turn(4, 1)).toBe(0);
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
    next.shift()?.();
    expect(() => next.shift()?.()).toThrow('broken');
    next.shift()?.();
    expect(served).toBe(true);
  });

  test('beyond the most that may wait are refused', () => {
    const { queue, turn } = playedLoop();
    expect(turn(5_000 + 7, 5)).toBe(7);
    expect(queue.waiting).toBeLessThanOrEqual(5_000);
  });
});

describe('a refusal', () => {
  let server: Server;
  let origin: string;
  let answered = 0;
  beforeAll(async () => {
    const full = { take: () => false } as unknown as CallQueue;
    const listener = withQueue(
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
