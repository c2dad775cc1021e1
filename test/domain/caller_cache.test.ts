import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallerCache } from '../../src/domain/caller_cache.ts';

/** A database that announces nothing. */
const alone = { listen: () => () => undefined };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  // The cache takes a start of 0 for no start.
  vi.advanceTimersByTime(1);
});
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
/** Lets promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('who asks within five seconds gets what the first got, from one look-up', async () => {
  const cache = new CallerCache<number>(alone);
  let looks = 0;
  const find = () => cache.find('a', async () => ++looks);
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  pass(4999);
  expect(await find()).toBe(1);
  pass(2);
  expect(await find()).toBe(2);
});

test.each([-3_600_000, 3_600_000])('a clock that jumps by %d ms keeps nothing for longer', async (jump) => {
  const cache = new CallerCache<number>(alone);
  let looks = 0;
  const find = () => cache.find('a', async () => ++looks);
  expect(await find()).toBe(1);
  vi.setSystemTime(Date.now() + jump);
  pass(5001);
  expect(await find()).toBe(2);
});

test('a failure and null are not remembered', async () => {
  const cache = new CallerCache<number | null>(alone);
  await expect(cache.find('a', () => Promise.reject(new Error('none')))).rejects.toThrow('none');
  await settled();
  expect(await cache.find('a', async () => null)).toBeNull();
  await settled();
  expect(await cache.find('a', async () => 7)).toBe(7);
});

test('what ends sooner is forgotten then', async () => {
  const cache = new CallerCache<number>(alone);
  let looks = 0;
  const find = (left: number) =>
    cache.find('a', async (expiresAt) => {
      expiresAt(Date.now() + left);
      return ++looks;
    });
  expect(await find(2000)).toBe(1);
  await settled();
  pass(1999);
  expect(await find(2000)).toBe(1);
  pass(2);
  expect(await find(0)).toBe(2);
  await settled();
  expect(await find(2000)).toBe(3);
});

test('what is cleared while it is looked up is not remembered', async () => {
  const cache = new CallerCache<string>(alone);
  let answer = (_: string): void => undefined;
  const slow = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const old = cache.find('a', () => slow);
  cache.clear();
  const fresh = cache.find('a', async () => 'new');
  answer('old');
  expect([await old, await fresh]).toEqual(['old', 'new']);
  await settled();
  expect(await cache.find('a', async () => 'other')).toBe('new');
});

test('made-up credentials take no more than so much', async () => {
  const cache = new CallerCache<number>(alone);
  let looks = 0;
  for (let i = 0; i < 25_000; i++) await cache.find(String(i), async () => ++looks);
  const { keys } = (cache as unknown as { callers: { getStats(): { keys: number } } }).callers.getStats();
  expect(keys).toBeLessThanOrEqual(10_000);
});

test('forgets all when a change is announced', async () => {
  const heard: (() => void)[] = [];
  const cache = new CallerCache<number>({
    listen: (channel, hear) => {
      expect(channel).toBe('boundary_callers');
      heard.push(hear);
      return () => undefined;
    },
  });
  let asked = 0;
  const ask = () => cache.find('a', async () => ++asked);
  expect([await ask(), await ask()]).toEqual([1, 1]);
  for (const hear of heard) hear();
  expect(await ask()).toBe(2);
});
