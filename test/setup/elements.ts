type Tuple<T, N extends number, Taken extends T[] = []> = Taken['length'] extends N
  ? Taken
  : Tuple<T, N, [...Taken, T]>;

/**
 * The first `count` elements, to take apart: groups of a pattern that has matched, rows of a query, some test data.
 * @throws Error when there are fewer, or one of them is undefined
 */
export function leading<T, const N extends number>(list: Iterable<T | undefined>, count: N): Tuple<T, N> {
  const taken: T[] = [];
  for (const element of list) {
    if (taken.length === count || element === undefined) break;
    taken.push(element);
  }
  if (taken.length < count) throw new Error(`Element ${taken.length} of ${count} is missing.`);
  return taken as Tuple<T, N>;
}

/** A ring of these points: the first is repeated at the end. @throws Error for none */
export function closed<T>(points: readonly T[]): T[] {
  return [...points, ...leading(points, 1)];
}

/** Each two elements that follow each other, such as the edges of a ring. */
export function pairs<T>(list: readonly T[]): [T, T][] {
  return list.slice(1).map((to, i) => [list[i] as T, to]);
}
