/**
 * Borders as chains. A chain is the border between two vertices at which arcs end at a level; all boundaries share it.
 */
import { type ArcTable, FULL, MASKS_PER_END, type Rings } from '../contract.ts';
import { fillRing, wordsOf } from './layout.ts';
import { roundTo, unitOf } from './levels.ts';

/** The rings of a boundary, with the signed ids of its arcs, which are the same in every lease (slots are not). */
export interface NamedRings extends Rings {
  /** Parallel to refs. */
  readonly ids: Float64Array;
}

/** Boundaries as rings of chains. A chain has the direction in which its arc with the smallest id runs forward. */
export interface Chains {
  /** Chain c has the arcs `refs[end[c - 1] … end[c] - 1]`, as signed slots. */
  readonly refs: Int32Array;
  readonly end: Uint32Array;
  /** A name that identifies chain c in every lease. */
  readonly names: readonly string[];
  /** Per boundary, per polygon, per ring: its chains, `c` forward or `~c` backward. */
  readonly boundaries: readonly (readonly (readonly (readonly number[])[])[])[];
}

/**
 * The chains of boundaries at a level. Like materialize, leaves out islands that the level removes.
 * @param table the arcs, with their tiers
 * @param boundaries their rings, with what they are named by
 * @param level the level of detail, or FULL
 * @param endClass the class of levels whose boundaries these are
 */
export function chainsOf(table: ArcTable, boundaries: readonly NamedRings[], level: number, endClass: number): Chains {
  const known = new Map<string, number>();
  const names: string[] = [];
  const refs: number[] = [];
  const end: number[] = [];
  const chainOf = (slots: readonly number[], ids: readonly number[], closed: boolean): number => {
    let least = 0;
    for (let i = 1; i < ids.length; i++) if (Math.abs(ids[i]) < Math.abs(ids[least])) least = i;
    const backward = ids[least] < 0;
    // A closed chain without an end starts at its arc with the smallest id, so that it starts the same for all.
    const from = closed ? least : backward ? ids.length - 1 : 0;
    const step = backward ? -1 : 1;
    const order = ids.map((_, i) => (from + step * i + ids.length) % ids.length);
    const [first, last] = [ids[order[0]] * step, ids[order[order.length - 1]] * step];
    const name = `${first} ${last} ${ids.length}`;
    let chain = known.get(name);
    if (chain === undefined) {
      chain = names.push(name) - 1;
      known.set(name, chain);
      for (const i of order) refs.push(backward ? ~slots[i] : slots[i]);
      end.push(refs.length);
    }
    return backward ? ~chain : chain;
  };
  const found = boundaries.map((rings) => {
    const polygons: number[][][] = [];
    let ring = 0;
    for (const polygonEnd of rings.polygonEnd) {
      const kept: number[][] = [];
      const shell = ring;
      let shellGone = false;
      for (; ring < polygonEnd; ring++) {
        const from = ring === 0 ? 0 : rings.ringEnd[ring - 1];
        const gone = level !== FULL && table.weights[table.first[slotOf(rings.refs[from])]] <= level;
        if (ring === shell) shellGone = gone;
        if (!gone && !shellGone)
          kept.push(ringChains(table, rings, from, rings.ringEnd[ring], level, endClass, chainOf));
      }
      if (kept.length > 0) polygons.push(kept);
    }
    return polygons;
  });
  return { refs: Int32Array.from(refs), end: Uint32Array.from(end), names, boundaries: found };
}

const slotOf = (ref: number): number => (ref < 0 ? ~ref : ref);

type ChainOf = (slots: readonly number[], ids: readonly number[], closed: boolean) => number;

function ringChains(
  table: ArcTable,
  { refs, ids }: NamedRings,
  from: number,
  to: number,
  level: number,
  endClass: number,
  chainOf: ChainOf,
): number[] {
  const count = to - from;
  const starts: number[] = [];
  for (let i = 0; i < count; i++) if (isKept(table, refs[from + i], level, endClass)) starts.push(i);
  const slice = (begin: number, length: number, closed: boolean): number => {
    const at = Array.from({ length }, (_, i) => from + ((begin + i) % count));
    return chainOf(
      at.map((i) => refs[i]),
      at.map((i) => ids[i]),
      closed,
    );
  };
  if (starts.length === 0) return [slice(0, count, true)];
  return starts.map((start, i) => {
    const next = i + 1 < starts.length ? starts[i + 1] : starts[0] + count;
    return slice(start, next - start, false);
  });
}

/** Whether the vertex at which a walk over an arc starts remains at a level. */
function isKept({ ends }: ArcTable, ref: number, level: number, endClass: number): boolean {
  if (level === FULL) return true;
  const masks = (2 * slotOf(ref) + (ref < 0 ? 1 : 0)) * MASKS_PER_END;
  return ((ends[masks + endClass] >> level) & 1) === 0;
}

/**
 * The vertices of a chain at a level (1e-7 degrees), the same as materialize gives in every ring with this chain.
 * @param table the arcs, with their tiers
 * @param refs the signed arcs of the chain, in order
 * @param level the level of detail, or FULL
 * @param endClass the class of levels whose boundaries have it
 */
export function materializeChain(table: ArcTable, refs: Int32Array, level: number, endClass: number): Int32Array {
  const words = wordsOf(table.weights);
  let room = 2;
  for (const ref of refs) room += table.length[slotOf(ref)];
  const coords = new Int32Array(2 * room);
  let at = fillRing(table, words, refs, 0, refs.length, level, endClass, coords, 0, undefined);
  const last = ~refs[refs.length - 1];
  if (isKept(table, last, level, endClass)) {
    const arc = slotOf(last);
    const v = last < 0 ? table.first[arc] + table.length[arc] - 1 : table.first[arc];
    const masks = (2 * arc + (last < 0 ? 1 : 0)) * MASKS_PER_END;
    const whole = level === FULL || ((table.ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1;
    const unit = whole ? 1 : unitOf(level);
    coords[at] = roundTo(table.coords[2 * v], unit);
    coords[at + 1] = roundTo(table.coords[2 * v + 1], unit);
  } else {
    // A ring without an end is closed at its first vertex.
    coords[at] = coords[0];
    coords[at + 1] = coords[1];
  }
  at += 2;
  return coords.slice(0, at);
}
