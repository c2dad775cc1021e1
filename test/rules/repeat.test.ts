import { expect, it } from 'vitest';
import { repeat } from '../../src/common/repeat.ts';

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

it('rounds do not pile up: one at a time, however long it takes', async () => {
  let begun = 0;
  let ends: (() => void)[] = [];
  const failures: unknown[] = [];
  const work = () => {
    begun++;
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const repeated = repeat(1, work, (error) => failures.push(error));
  await until(() => begun === 1);
  // Many rounds would have been due by now.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(begun).toBe(1);
  for (const end of ends.splice(0)) end();
  await until(() => begun === 2);

  let stopped = false;
  const stopping = repeated.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(stopped).toBe(false);
  for (const end of ends) end();
  ends = [];
  await stopping;
  expect([begun, failures]).toEqual([2, []]);
});

it('a round that fails is reported, and the next comes', async () => {
  const failures: unknown[] = [];
  let begun = 0;
  const work = () => {
    begun++;
    throw new Error(`round ${begun}`);
  };
  const repeated = repeat(1, work, (error) => failures.push((error as Error).message));
  await until(() => failures.length >= 2);
  await repeated.stop();
  expect(failures.slice(0, 2)).toEqual(['round 1', 'round 2']);
});
