import { expect, it } from 'vitest';
import { SingleFlight, singleFlight } from '../../src/common/single_flight.ts';

it('calls for a key share one run and its failure, and the next call starts again', async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  const work = async (): Promise<number> => {
    runs++;
    await new Promise((resolve) => setImmediate(resolve));
    if (runs === 1) throw new RangeError('first');
    return runs;
  };
  const first = [flights.run('a', work), flights.run('a', work)];
  expect(flights.running('a')).toBe(first[0]);
  expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(1);
  expect(flights.running('a')).toBeUndefined();
  expect(await Promise.all([flights.run('a', work), flights.run('b', work), flights.run('a', work)])).toEqual([
    3, 3, 3,
  ]);
  expect(runs).toBe(3);
});

it('a function that is run single-flight shares its run', async () => {
  let runs = 0;
  const next = singleFlight(async () => ++runs);
  expect(await Promise.all([next(), next()])).toEqual([1, 1]);
  expect(await next()).toBe(2);
});
