/** A row, and how alike its name is to a query, from 0 to 1. */
export interface Alike {
  readonly i: number;
  readonly likeness: number;
}

/**
 * Returns the `most` rows that are most alike, those of the same likeness in the order of `compare`. Computes the likeness
 * only of rows that can be among them: those with the greatest bounds first, and of one bound in that order, until no other
 * can come before the last one. So a bound that thousands share costs their sorting and about `most` comparisons, if most of
 * them are as alike as their bound says.
 * @param bounds upper bounds of the likenesses of `rows`; few different ones
 */
export function mostAlike(
  rows: readonly number[],
  bounds: readonly number[],
  most: number,
  { likenessOf, compare }: { likenessOf(i: number): number; compare(a: number, b: number): number },
): Alike[] {
  const byBound = new Map<number, number[]>();
  rows.forEach((i, k) => {
    const bound = bounds[k] as number;
    const others = byBound.get(bound);
    if (others) others.push(i);
    else byBound.set(bound, [i]);
  });
  const first: Alike[] = [];
  const isBefore = (a: Alike, b: Alike): boolean =>
    a.likeness === b.likeness ? compare(a.i, b.i) < 0 : a.likeness > b.likeness;
  for (const bound of [...byBound.keys()].sort((a, b) => b - a)) {
    for (const i of (byBound.get(bound) as number[]).sort(compare)) {
      const last = first[most - 1];
      if (last && isBefore(last, { i, likeness: bound })) break;
      const one = { i, likeness: likenessOf(i) };
      if (last && isBefore(last, one)) continue;
      let [low, high] = [0, first.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (isBefore(first[middle] as Alike, one)) low = middle + 1;
        else high = middle;
      }
      first.splice(low, 0, one);
      first.length = Math.min(first.length, most);
    }
  }
  return first;
}
