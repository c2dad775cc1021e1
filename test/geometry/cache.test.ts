import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ByteCache } from '../../src/geometry/cache.ts';

interface Thing {
  readonly name: string;
  readonly size: number;
}

const cacheOf = (limit: number) => new ByteCache<{ a: Thing; b: Thing }>(limit, ['a', 'b']);
const thing = (name: string, size: number): Thing => ({ name, size });

/** Work that ends when it is canceled, and knows whether it was. */
function work(size = 10) {
  const seen = { runs: 0, stopped: 0 };
  let end = (): void => {};
  const make = async (signal: AbortSignal): Promise<Thing> => {
    seen.runs++;
    signal.addEventListener('abort', () => seen.stopped++);
    await new Promise<void>((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return thing('made', size);
  };
  return { seen, make, end: () => end() };
}

describe('bounded in bytes', () => {
  it('drops the least recently used, whatever its tier, and counts what it holds', async () => {
    const cache = cacheOf(10_000);
    for (let i = 0; i < 4; i++) cache.set(i % 2 ? 'a' : 'b', `k${i}`, thing(`t${i}`, 2_000 - 450));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    expect(cache.get('b', 'k0')?.name).toBe('t0');
    cache.set('a', 'k4', thing('t4', 2_000));
    cache.set('a', 'k5', thing('t5', 1_500));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    // k0 was asked for, so that k1 was the oldest.
    expect([cache.get('b', 'k0')?.name, cache.get('a', 'k1')]).toEqual(['t0', undefined]);
    expect(cache.tiers.a.evictions + cache.tiers.b.evictions).toBeGreaterThan(0);
    const { a, b } = cache.tiers;
    expect(a.bytes + b.bytes).toBe(cache.bytes);
    expect([b.hits, a.misses]).toEqual([2, 1]);
  });

  it('counts what a key costs: many empty values do not grow without end', () => {
    const cache = cacheOf(100_000);
    for (let i = 0; i < 5_000; i++) cache.set('a', `key ${i}`, thing('', 0));
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.tiers.a.evictions).toBeGreaterThan(4_000);
  });

  it('a value larger than a quarter of the bound is given, not kept, and drops nothing', async () => {
    const cache = cacheOf(10_000);
    cache.set('a', 'small', thing('small', 100));
    const large = await cache.getOrMake('a', 'large', async () => thing('large', 9_000));
    expect(large.name).toBe('large');
    expect([cache.get('a', 'large'), cache.get('a', 'small')?.name]).toEqual([undefined, 'small']);
  });

  it('the same key twice is counted once; tiers do not share keys', () => {
    const cache = cacheOf(10_000);
    cache.set('a', 'k', thing('one', 1_000));
    const once = cache.bytes;
    cache.set('a', 'k', thing('two', 1_000));
    expect([cache.bytes, cache.get('a', 'k')?.name, cache.get('b', 'k')]).toEqual([once, 'two', undefined]);
  });
});

describe('made once', () => {
  it('however many ask, the work is done once and all get the same', async () => {
    const cache = cacheOf(10_000);
    const { seen, make, end } = work();
    const all = Array.from({ length: 5 }, () => cache.getOrMake('a', 'k', make));
    end();
    const values = await Promise.all(all);
    expect([seen.runs, new Set(values).size]).toEqual([1, 1]);
    expect(await cache.getOrMake('a', 'k', make)).toBe(values[0]);
    expect([seen.runs, cache.tiers.a.hits, cache.tiers.a.misses]).toEqual([1, 1, 5]);
  });

  it('a failure reaches all who wait, and is not kept', async () => {
    const cache = cacheOf(10_000);
    let runs = 0;
    const fail = async (): Promise<Thing> => {
      runs++;
      throw new Error('no');
    };
    const all = await Promise.allSettled([cache.getOrMake('a', 'k', fail), cache.getOrMake('a', 'k', fail)]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
    expect((await cache.getOrMake('a', 'k', async () => thing('yes', 1))).name).toBe('yes');
  });

  it('what is passed on is not kept', async () => {
    const cache = cacheOf(10_000);
    const value = await cache.getOrMake('a', 'k', async (_signal, pass) => {
      pass();
      return thing('newer', 1);
    });
    expect([value.name, cache.get('a', 'k'), cache.bytes]).toEqual(['newer', undefined, 0]);
  });
});

describe('who goes away', () => {
  it('one of several: answered at once with the reason; the work goes on for the others', async () => {
    const cache = cacheOf(10_000);
    const { seen, make, end } = work();
    const gone = new AbortController();
    const first = cache.getOrMake('a', 'k', make, gone.signal);
    const second = cache.getOrMake('a', 'k', make, new AbortController().signal);
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect([seen.runs, seen.stopped]).toEqual([1, 0]);
    end();
    expect((await second).name).toBe('made');
    expect(cache.get('a', 'k')?.name).toBe('made');
  });

  it('the last one: the work is canceled, and the next caller begins again', async () => {
    const cache = cacheOf(10_000);
    const old = work();
    const controllers = [new AbortController(), new AbortController()];
    const waiting = controllers.map(({ signal }) => cache.getOrMake('a', 'k', old.make, signal));
    const ended = Promise.allSettled(waiting);
    defined(controllers[0]).abort(new Error('gone'));
    expect(old.seen.stopped).toBe(0);
    defined(controllers[1]).abort(new Error('gone too'));
    expect(old.seen.stopped).toBe(1);
    const fresh = work();
    const next = cache.getOrMake('a', 'k', fresh.make);
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fresh.end();
    expect((await next).name).toBe('made');
    expect([old.seen.runs, fresh.seen.runs]).toEqual([1, 1]);
    expect(cache.get('a', 'k')).toBe(await next);
  });

  it('one whose signal has aborted before starts nothing', async () => {
    const cache = cacheOf(10_000);
    const { seen, make } = work();
    await expect(cache.getOrMake('a', 'k', make, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(seen.runs).toBe(0);
  });
});
