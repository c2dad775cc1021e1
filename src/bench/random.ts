import { defined } from '../common/elements.ts';

/** Returns a seeded generator of random numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one element of a list that is not empty. */
export const pick = <T>(next: () => number, list: readonly T[]): T => defined(list[Math.floor(next() * list.length)]);

/** Shuffles a list in place (Fisher and Yates) and returns it. */
export function shuffle<T>(next: () => number, list: T[]): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    const value = defined(list[last]);
    list[last] = defined(list[other]);
    list[other] = value;
  }
  return list;
}
