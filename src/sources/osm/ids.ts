import { sharedDoubles } from './column.ts';

/** Average number of ids per bucket. Buckets of more than MANY ids are sorted by the runtime. */
const AVERAGE = 16;
const MANY = 64;

/**
 * Sorts ids in place and removes duplicates; returns a view of the same array. A bucket sort with insertion sort in
 * each bucket: the nodes of a way mostly have neighboring ids, so it takes a quarter of the time of a comparison sort.
 * Dense buckets fall back to that.
 */
export function sortedUnique(ids: Float64Array): Float64Array {
  if (ids.length > AVERAGE) sortByBuckets(ids);
  else ids.sort();
  let unique = 0;
  for (let k = 0; k < ids.length; k++) if (k === 0 || ids[k] !== ids[k - 1]) ids[unique++] = ids[k];
  return ids.subarray(0, unique);
}

/** A copy of the ids in shared memory, ascending and without duplicates. */
export function sharedIds(ids: Float64Array): Float64Array {
  const sorted = sortedUnique(ids.slice());
  const shared = sharedDoubles(sorted.length);
  shared.set(sorted);
  return shared;
}

function sortByBuckets(ids: Float64Array): void {
  let [least, greatest] = [ids[0], ids[0]];
  let ascending = true;
  for (let k = 1; k < ids.length; k++) {
    const id = ids[k];
    if (id < ids[k - 1]) ascending = false;
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  if (ascending) return;
  const buckets = Math.ceil(ids.length / AVERAGE);
  // Rounding may put an id in the next bucket, but never a larger id before a smaller one.
  const scale = buckets / (greatest - least + 1);
  const end = new Uint32Array(buckets + 1);
  const bucketOf = (id: number) => Math.min(buckets - 1, Math.floor((id - least) * scale));
  for (let k = 0; k < ids.length; k++) end[bucketOf(ids[k])]++;
  for (let b = 0, sum = 0; b <= buckets; b++) {
    const size = end[b];
    end[b] = sum;
    sum += size;
  }
  const sorted = new Float64Array(ids.length);
  for (let k = 0; k < ids.length; k++) sorted[end[bucketOf(ids[k])]++] = ids[k];
  for (let b = 0; b < buckets; b++) {
    const from = b === 0 ? 0 : end[b - 1];
    const to = end[b];
    if (to - from > MANY) sorted.subarray(from, to).sort();
    else insertionSort(sorted, from, to);
  }
  ids.set(sorted);
}

function insertionSort(ids: Float64Array, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const id = ids[k];
    let at = k;
    for (; at > from && ids[at - 1] > id; at--) ids[at] = ids[at - 1];
    ids[at] = id;
  }
}
