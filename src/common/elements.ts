import { defined } from '../../workers/defined.ts';

export { defined };

/**
 * The only element of a list, such as the row of a statement that always returns one.
 * @throws Error for none or several
 */
export function only<T>(list: readonly T[]): T {
  const [element] = list;
  if (element === undefined || list.length > 1) throw new Error(`${list.length} elements where there must be one.`);
  return element;
}

/** The two elements of a list of two. @throws Error for any other length */
export function two<T>(list: readonly T[]): [T, T] {
  const [first, second] = list;
  if (first === undefined || second === undefined || list.length > 2) {
    throw new Error(`${list.length} elements where there must be two.`);
  }
  return [first, second];
}

/**
 * The first four of some numbers, such as west, south, east, north. `other` replaces missing ones.
 * @throws Error when one is missing and there is no `other`
 */
export function four(values: ArrayLike<number>, other?: number): [number, number, number, number] {
  const value = (i: number) => defined(values[i] ?? other);
  return [value(0), value(1), value(2), value(3)];
}
