import { expect, it } from 'vitest';
import { Semaphore } from '../../src/common/semaphore.ts';

it('a gate lets one through at a time, in order, and refuses what its queue cannot hold', async () => {
  const gate = new Semaphore(1, 2);
  const order: number[] = [];
  let inside = 0;
  const work = (n: number) => async (): Promise<number> => {
    expect(++inside).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(n);
    inside--;
    if (n === 2) throw new RangeError('two');
    return n;
  };
  const results = await Promise.allSettled([1, 2, 3, 4].map((n) => gate.run(work(n))));
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason.code ?? 'thrown'))),
  ).toEqual([1, 'thrown', 3, 'queue_full']);
  expect(order).toEqual([1, 2, 3]);
  expect(gate.size).toBe(0);
  expect(await gate.run(work(5))).toBe(5);
});
