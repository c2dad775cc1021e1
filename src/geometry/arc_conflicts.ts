import { defined } from '../common/elements.ts';

/** Recorded conflicts: arc id to the ids of arcs that it meets other than at its ends. Nearly always empty. */
export type Conflicts = ReadonlyMap<number, readonly number[]>;

interface Arcs {
  /** Signed arc ids. */
  readonly arcs: Float64Array;
  /** Conflicts are recorded among the arcs of one: its arrangement, of one date. */
  readonly conflictScope: string;
}

interface Leased {
  readonly shapes: readonly Arcs[];
  /** Per shape, its arcs as signed slots. */
  readonly refs: readonly Int32Array[];
  readonly conflicts: readonly Conflicts[];
}

/** The recorded conflicts among the arcs of leases, as pairs of slots. */
export function conflictSlots(leases: readonly Leased[]): Int32Array {
  const maps = leases.flatMap(({ conflicts }) => conflicts).filter(({ size }) => size > 0);
  if (maps.length === 0) return new Int32Array(0);
  const slots = new Map<number, number>();
  for (const map of maps) for (const [id, partners] of map) for (const one of [id, ...partners]) slots.set(one, -1);
  for (const { shapes, refs } of leases) {
    shapes.forEach((shape, s) => {
      const own = defined(refs[s]);
      for (let i = 0; i < shape.arcs.length; i++) {
        const id = Math.abs(defined(shape.arcs[i]));
        const ref = defined(own[i]);
        if (slots.has(id)) slots.set(id, ref < 0 ? ~ref : ref);
      }
    });
  }
  const pairs: number[] = [];
  for (const map of maps) {
    for (const [id, partners] of map) {
      for (const other of partners) {
        const [a, b] = [slots.get(id) as number, slots.get(other) as number];
        if (a >= 0 && b >= 0) pairs.push(a, b);
      }
    }
  }
  return Int32Array.from(pairs);
}

/**
 * Whether two arcs of the shapes may meet other than at their ends: those of different arrangements may. A record on one
 * of the two suffices: the younger arc of a pair was loaded after the pair was recorded, the older one perhaps before.
 */
export function hasConflict(shapes: readonly Arcs[], maps: readonly Conflicts[]): boolean {
  if (shapes.some(({ conflictScope }) => conflictScope !== shapes[0]?.conflictScope)) return true;
  if (maps.every((map) => map.size === 0)) return false;
  const named = new Set<number>();
  for (const shape of shapes) for (const ref of shape.arcs) named.add(Math.abs(ref));
  return maps.some((map) =>
    [...map].some(([id, partners]) => named.has(id) && partners.some((partner) => named.has(partner))),
  );
}

/**
 * Returns a test of whether two shapes, given by index, have arcs that may meet other than at their ends: those of
 * different arrangements, and those that are recorded. Each shape is scanned once.
 */
export function crossings(shapes: readonly Arcs[], maps: readonly Conflicts[]): (a: number, b: number) => boolean {
  const partners = new Map<number, number[]>();
  const pair = (one: number, other: number) => {
    const list = partners.get(one);
    if (list) list.push(other);
    else partners.set(one, [other]);
  };
  // The record may be on either arc of a pair.
  for (const map of maps) {
    for (const [id, list] of map) {
      for (const other of list) {
        pair(id, other);
        pair(other, id);
      }
    }
  }
  const lists: number[][] = [];
  const partnersOf = (i: number) => {
    lists[i] ??= [...defined(shapes[i]).arcs].flatMap((ref) => partners.get(Math.abs(ref)) ?? []);
    return lists[i];
  };
  const sets: Set<number>[] = [];
  const isOf = (i: number, id: number) => {
    sets[i] ??= new Set(defined(shapes[i]).arcs.map(Math.abs));
    return sets[i].has(id);
  };
  return (a: number, b: number) => {
    if (defined(shapes[a]).conflictScope !== defined(shapes[b]).conflictScope) return true;
    if (partners.size === 0) return false;
    const [few, many] = partnersOf(a).length < partnersOf(b).length ? [a, b] : [b, a];
    return partnersOf(few).some((id) => isOf(many, id));
  };
}
