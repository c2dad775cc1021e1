import { expect, it } from 'vitest';
import { DatabaseError } from '../../src/db/connect.ts';
import { coalesce } from '../../src/domain/coalesce.ts';

const outcomes = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code));

it('calls of one turn go together, and those that come meanwhile into the next batch', async () => {
  const batches: number[][] = [];
  const double = coalesce(async (_key, items: readonly number[]) => {
    batches.push([...items]);
    return items.map((item) => 2 * item);
  });
  const first = [1, 2, 3].map((n) => double('a', n));
  expect(await Promise.all(first)).toEqual([2, 4, 6]);
  expect(await Promise.all([4, 5].map((n) => double('a', n)))).toEqual([8, 10]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it('one item that no database takes does not reject its neighbors, and few statements find it', async () => {
  let statements = 0;
  const look = coalesce(async (_key, items: readonly string[]) => {
    statements++;
    if (items.includes('bad')) throw new DatabaseError('22021', 'invalid byte sequence');
    return items.map((item) => `${item}!`);
  });
  const items = Array.from({ length: 400 }, (_, i) => (i === 123 ? 'bad' : `i${i}`));
  const found = await outcomes(items.map((item) => look('', item)));
  expect(found).toEqual(items.map((item) => (item === 'bad' ? '22021' : `${item}!`)));
  // Halving: two for each of the nine steps from 400 to 1, and the first.
  expect(statements).toBeLessThanOrEqual(19);
});

it('what is not the fault of an item is not tried again', async () => {
  let statements = 0;
  const look = coalesce(async () => {
    statements++;
    throw new DatabaseError('connection_lost', 'gone');
  });
  expect(await outcomes([1, 2, 3].map((n) => look('', n)))).toEqual(Array(3).fill('connection_lost'));
  expect(statements).toBe(1);
});

it('is bounded: in the calls that wait for a key, and in the keys', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const look = coalesce(async (_key, items: readonly number[]) => {
    await gate;
    return items;
  });
  const calls = Array.from({ length: 10_002 }, (_, n) => look('a', n));
  const keys = Array.from({ length: 10_000 }, (_, n) => look(`key ${n}`, n));
  await expect(calls[10_001]).rejects.toMatchObject({ code: 'rate_limited', extra: { retry_after: 1 } });
  await expect(keys[9_999]).rejects.toMatchObject({ code: 'rate_limited' });
  open();
  const codes = [...(await outcomes(calls)), ...(await outcomes(keys))];
  expect(codes.filter((code) => code === 'rate_limited').length).toBe(3);
  expect(await look('a', 7)).toBe(7);
});
