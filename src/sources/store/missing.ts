import { defined } from '../../common/elements.ts';
import { waysOf } from './candidates.ts';
import type { Candidate, ShapeFault } from './source_rows.ts';
import type { WayRow } from './topology_writes.ts';

/**
 * Reports the first way of a border that is missing or incomplete, or null if all are complete. The place is an open
 * end of the other ways, so it is at the edge of a gap.
 */
export function missingOf(candidate: Candidate, ways: ReadonlyMap<number, WayRow>): ShapeFault | null {
  if (candidate.input && 'rings' in candidate.input.border) return null;
  const ids = waysOf(candidate);
  if (ids.length === 0) return { trouble: 'it has no ways', x: null, y: null };
  const lacking = ids.find((id) => !ways.get(id)?.coords);
  if (lacking === undefined) return null;
  const node = ways.get(lacking)?.missing;
  const [x, y] = openEnd(ids.flatMap((id) => ways.get(id)?.coords ?? [])) ?? [null, null];
  return { trouble: node ? `way ${lacking}: missing node ${node}` : `missing way ${lacking}`, x, y };
}

/** The first end point that an odd number of chains share; null if there is none. */
function openEnd(chains: readonly Int32Array[]): [number, number] | null {
  const open = new Map<string, [number, number]>();
  for (const chain of chains) {
    for (const i of [0, chain.length - 2]) {
      const place: [number, number] = [defined(chain[i]), defined(chain[i + 1])];
      if (!open.delete(place.join())) open.set(place.join(), place);
    }
  }
  return open.values().next().value ?? null;
}

/**
 * Reports a way that a border lists twice so that a ring would vanish in silence: equal ways cancel in pairs, which is
 * right for the common border of two rings that touch, but not for all ways of a ring. Two ways of the same course count
 * as one.
 */
export function lostRingOf(candidate: Candidate, ways: ReadonlyMap<number, WayRow>): ShapeFault | null {
  if (candidate.input && 'rings' in candidate.input.border) return null;
  const times = new Map<number, number>();
  const alike = new Map<string, number[]>();
  const coordsOf = (id: number) => ways.get(id)?.coords ?? new Int32Array(0);
  for (const id of waysOf(candidate)) {
    const coords = coordsOf(id);
    const key = `${coords.length} ${endsOf(coords).sort().join()}`;
    const others = alike.get(key) ?? [];
    alike.set(key, others);
    let first = others.find((other) => other === id || isSameCourse(coordsOf(other), coords));
    if (first === undefined) {
      others.push(id);
      first = id;
    }
    times.set(first, (times.get(first) ?? 0) + 1);
  }
  let paired = [...times].filter(([, count]) => count % 2 === 0).map(([id]) => id);
  // Ways with an end that no other of them has are a path between rings; what remains is a ring.
  for (let before = 0; before !== paired.length; ) {
    before = paired.length;
    const ends = new Map<string, number>();
    for (const end of paired.flatMap((id) => endsOf(coordsOf(id)))) ends.set(end, (ends.get(end) ?? 0) + 1);
    paired = paired.filter((id) => endsOf(coordsOf(id)).every((end) => ends.get(end) !== 1));
  }
  const [lost] = paired;
  if (lost === undefined) return null;
  const [x = null, y = null] = coordsOf(lost);
  return { trouble: `way ${lost} is a member twice`, x, y };
}

const endsOf = (coords: Int32Array): string[] => [coords.subarray(0, 2).join(), coords.subarray(-2).join()];

function isSameCourse(one: Int32Array, other: Int32Array): boolean {
  const n = one.length;
  if (other.length !== n) return false;
  const isForward = one.every((value, i) => value === other[i]);
  return isForward || one.every((value, i) => value === other[n - 2 - i + 2 * (i % 2)]);
}
