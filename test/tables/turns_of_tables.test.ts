import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { Context } from '../../src/core/op.ts';
import { inTurn, receive } from '../../src/ops/tables/match_table.ts';

const never = new AbortController().signal;
const LARGE = 100_000;

/** Work that runs until it is ended. */
function held(places: number, org: string | undefined, signal = never) {
  let end = (): void => {};
  const one = { running: false, end: () => end(), done: Promise.resolve() };
  one.done = inTurn(places, org, signal, () => {
    one.running = true;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  one.done.catch(() => {});
  return one;
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

it('runs one large table of an organization, lets those of others and small calls by, and frees places of who left', async () => {
  const [first, second, other] = [held(LARGE, 'a'), held(LARGE, 'a'), held(LARGE, 'b')];
  const small = held(10, 'a');
  await settled();
  expect([first, second, other, small].map(({ running }) => running)).toEqual([true, false, true, true]);
  small.end();
  const leaving = new AbortController();
  setMaxListeners(30, leaving.signal);
  const left = Array.from({ length: 20 }, (_, i) => held(LARGE, `c${i}`, leaving.signal));
  await settled();
  await expect(inTurn(LARGE, 'd', never, async () => {})).rejects.toMatchObject({ code: 'queue_full' });
  leaving.abort(new Error('left'));
  await expect(left[0]?.done).rejects.toThrow('left');
  const waiting = held(LARGE, 'd');
  await settled();
  expect(left.some(({ running }) => running)).toBe(false);
  first.end();
  await settled();
  // The second table of the organization goes behind those that waited meanwhile.
  expect([second.running, waiting.running]).toEqual([false, true]);
  other.end();
  await settled();
  expect(second.running).toBe(true);
  second.end();
  waiting.end();
  await Promise.all([first, second, other, small, waiting].map(({ done }) => done));
});

it('tables that an organization sends at a time leave room for those of others', async () => {
  const of = (id: string) => ({ caller: { org: { id } }, signal: never }) as unknown as Context;
  const rows = Buffer.from(`${'x'.repeat(1_000)}\n`.repeat(1_000));
  /** A table of so many megabytes, of which nothing is forgotten. */
  async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
    yield Buffer.from('name\n');
    for (let i = 0; i < count; i++) yield rows;
  }
  const receiveFor = (id: string) => receive(of(id), { chunks: megabytes(30) });
  const held = [await receiveFor('a'), await receiveFor('a')];
  await expect(receiveFor('a')).rejects.toMatchObject({ code: 'rate_limited' });
  const other = await receiveFor('b');
  for (const { release } of [...held, other]) release();
  (await receiveFor('a')).release();
});
