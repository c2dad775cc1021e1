import { ENDS_PER_ARC } from '../../../workers/contract.ts';
import { Places } from '../../../workers/kernels/join.ts';
import { decodeReach, reachAt } from '../../../workers/kernels/reach.ts';
import { CELLS, cellBox, isKnown, KINDS } from '../../../workers/kernels/surroundings.ts';
import type { BuildResult, TierResult } from '../../../workers/tasks.ts';
import type { Queryable } from '../../db/connect.ts';
import { defined } from '../../elements.ts';
import { CellIndex } from './cell_index.ts';
import { type ChangesOf, EVERY_CLASS, type Touched, touchedBy } from './changes.ts';
import type { Plan } from './model.ts';
import {
  arcsAround,
  arcsOf,
  type Extent,
  gather,
  intsOf,
  ownersOf,
  reachAround,
  reachOfArcs,
  type StoredArc,
} from './topology.ts';

/** The tiers of an arc; see ArcHeap in workers/contract.ts. */
export interface Tiers {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: number;
}

/** An arc that is at hand. */
export interface Held {
  readonly coords: Int32Array;
  readonly class: number;
  readonly main: number;
  /** Null: the arc is new. */
  readonly stored: StoredArc | null;
  /** As stored or, of a new arc, as they are among the arcs that were built. */
  readonly before: Tiers;
  tiers: Tiers;
  /** The keys that they depend on, where that may be others than before. */
  keys: Set<number> | null;
  /** All holes are known that are in a shell it is part of. */
  linked: boolean;
}

/** A box up to this size (1e-7 degrees) is looked up whole. */
const COMPACT = 4_000_000;

/**
 * The arcs at hand around what was built, and what was read of the database to find them. Arcs are named by their index
 * in `arcs`, which they keep.
 */
export class Neighbourhood {
  /** Those that were built, in their order, then stored ones as they were read. */
  readonly arcs: Held[] = [];
  /** The new ones. */
  readonly fresh: readonly number[];
  /** Stored arcs that are deleted. */
  readonly gone: readonly { readonly id: number; readonly coords: Int32Array; readonly class: number }[];
  /** Stored arcs that were read, those of the plan among them. */
  loaded: number;
  private readonly db: Queryable;
  private readonly remade: readonly string[];
  private readonly built: BuildResult;
  private readonly goneIds: ReadonlySet<number>;
  /** Indexes by id; of an arc that was cut or joined, that of a part. */
  private readonly at = new Map<number, number>();
  /** Of new arcs, the stored ones they are parts of. */
  private readonly origins = new Map<number, number[]>();
  /** Pairs of an arc of a shell and an arc of a hole in it. */
  private readonly links: number[];
  private readonly cells = new CellIndex();
  /** What the tiers of stored arcs depend on, by id, as far as it was read. */
  private readonly reaches = new Map<number, Uint8Array>();
  /** The smallest cells of which all reaches were read. */
  private readonly readCells = new Set<number>();
  /** Boxes of which all stored arcs were read. */
  private readBoxes: readonly Extent[] = [];
  /** Cells of which all arcs were read, up to a class. */
  private readonly known = new Map<number, number>();

  /** What was built and the stored arcs of its plan: `readAround` reads those around them. */
  constructor(db: Queryable, { around, former, remade }: Plan, built: BuildResult) {
    this.db = db;
    this.remade = remade;
    this.built = built;
    this.links = [...built.links];
    const byHash = new Map([...around, ...former.values()].map((arc) => [hex(arc.hash), arc]));
    this.loaded = byHash.size;
    const { arcs } = built;
    arcs.first.forEach((from, i) => {
      const to = from + defined(arcs.length[i]);
      const hash = hex(arcs.hashes.subarray(16 * i, 16 * i + 16));
      const stored = byHash.get(hash) ?? null;
      byHash.delete(hash);
      const coords = arcs.coords.subarray(2 * from, 2 * to);
      const tiers = stored ? tiersOf(stored) : tiersAt(arcs, i, from, to);
      this.add(coords, defined(arcs.arcClass[i]), defined(arcs.main[i]), stored, tiers);
    });
    this.fresh = this.arcs.flatMap(({ stored }, i) => (stored ? [] : [i]));
    this.gone = [...byHash.values()].map((arc) => ({ id: arc.id, coords: intsOf(arc.coords), class: arc.class }));
    this.goneIds = new Set(this.gone.map(({ id }) => id));
    built.storedArcs.forEach(({ parts }, n) => {
      const { id } = defined(around[n]);
      if (this.at.has(id)) return;
      this.at.set(id, defined(parts[0]));
      for (const part of parts) {
        defined(this.arcs[part]).linked = false;
        this.origins.set(part, [...(this.origins.get(part) ?? []), id]);
      }
    });
  }

  /** Reads the stored arcs that lie in what the tiers of new arcs depend on. */
  async readAround(): Promise<void> {
    const boxes: Extent[] = [];
    for (const i of this.fresh) {
      const { box, bytes } = reachAt(this.built.arcs.reach, i);
      if (Math.max(box[2] - box[0], box[3] - box[1]) < COMPACT) boxes.push(box);
      else for (const key of decodeReach(bytes)) boxes.push(cellBox(key % CELLS));
    }
    this.readBoxes = gather(boxes);
    await this.readIn(this.readBoxes.map((box) => ({ box, limit: EVERY_CLASS })));
  }

  /**
   * The arcs whose tiers, as they were before, depend on changes, and what of it they touch: stored arcs on the ones
   * (these arcs are at hand then), new arcs on the others.
   */
  async reaching(ofStored: ChangesOf, ofNew: ChangesOf): Promise<Map<number, Touched>> {
    for (const changes of new Set([KINDS.weights, KINDS.island, KINDS.ends, KINDS.digits].map(ofStored))) {
      const boxes = changes?.boxes(this.readCells) ?? [];
      const around = gather(boxes.map(({ box }) => box));
      for (const [id, reach] of await reachAround(this.db, around)) this.reaches.set(id, reach);
      for (const { cell } of boxes) this.readCells.add(cell);
    }
    const ids = new Map<number, Touched>();
    for (const [id, reach] of this.reaches) {
      const one = this.goneIds.has(id) ? null : touchedBy(reach, ofStored);
      if (one) ids.set(id, one);
    }
    await this.read([...ids.keys()]);
    const touched = new Map([...ids].map(([id, one]) => [this.at.get(id) as number, one]));
    for (const i of this.fresh) {
      const one = touchedBy(reachAt(this.built.arcs.reach, i).bytes, ofNew);
      if (one) touched.set(i, one);
    }
    return touched;
  }

  /** The keys that the tiers of each of some arcs depended on before, ascending. */
  async keysBefore(arcs: readonly number[]): Promise<Float64Array[]> {
    await this.readReach(arcs.flatMap((i) => defined(this.arcs[i]).stored?.id ?? []));
    return arcs.map((i) => {
      const { stored } = defined(this.arcs[i]);
      return stored ? this.keysOf(stored) : decodeReach(reachAt(this.built.arcs.reach, i).bytes);
    });
  }

  /** The same of each arc that was removed. */
  async keysOfGone(): Promise<Float64Array[]> {
    await this.readReach([...this.goneIds]);
    return this.gone.map((arc) => this.keysOf(arc));
  }

  /** The stored arcs at hand that end where one of some arcs, or a removed one, ends. */
  meeting(arcs: readonly number[]): number[] {
    const ending = [...arcs.map((i) => defined(this.arcs[i])), ...this.gone];
    const ends = new Places(2 * ending.length);
    for (const { coords } of ending) {
      ends.add(defined(coords[0]), defined(coords[1]));
      ends.add(defined(coords.at(-2)), defined(coords.at(-1)));
    }
    const isEnd = (x: number, y: number) => ends.find(x, y) >= 0;
    return this.arcs.flatMap(({ coords, stored }, i) => {
      const { length } = coords;
      return stored &&
        (isEnd(defined(coords[0]), defined(coords[1])) ||
          isEnd(defined(coords[length - 2]), defined(coords[length - 1])))
        ? [i]
        : [];
    });
  }

  /** The arcs at hand that have a vertex in one of some cells, up to the class each. */
  within(cells: ReadonlyMap<number, number>): Set<number> {
    const found = new Set<number>();
    for (const [cell, limit] of cells)
      for (const i of this.cells.in(cell)) if (defined(this.arcs[i]).class <= limit) found.add(i);
    return found;
  }

  /** Reads all arcs of cells, up to the class each, that are not at hand. */
  async readCellsOf(cells: ReadonlyMap<number, number>): Promise<void> {
    const unread: { box: Extent; limit: number }[] = [];
    for (const [cell, limit] of cells) {
      if (isKnown(this.known, cell, limit)) continue;
      const box = cellBox(cell);
      if (!this.readBoxes.some((around) => isWithin(box, around))) unread.push({ box, limit });
    }
    await this.readIn(unread);
    for (const [cell, limit] of cells) this.known.set(cell, Math.max(limit, this.known.get(cell) ?? -1));
  }

  /** Makes the holes known of the shells that some arcs are in. */
  async link(unlinked: readonly number[]): Promise<void> {
    const ids = unlinked.flatMap((i) => defined(this.arcs[i]).stored?.id ?? this.origins.get(i) ?? []);
    for (const i of unlinked) defined(this.arcs[i]).linked = true;
    for (const { arcs, ring_end, polygon_end } of await ownersOf(this.db, ids, this.remade)) {
      const firsts: [number, number][] = [];
      for (let polygon = 0, ring = 0; polygon < polygon_end.length; polygon++) {
        const shell = Math.abs(defined(arcs[ring === 0 ? 0 : defined(ring_end[ring - 1])]));
        for (ring++; ring < defined(polygon_end[polygon]); ring++)
          firsts.push([shell, Math.abs(defined(arcs[defined(ring_end[ring - 1])]))]);
      }
      await this.read(firsts.flat());
      for (const [shell, hole] of firsts) {
        const [a, b] = [this.at.get(shell), this.at.get(hole)];
        if (a === undefined || b === undefined) continue;
        this.links.push(a, b);
      }
    }
  }

  /**
   * Arcs, and with a shell its holes, in their order; and pairs of an arc of a shell and an arc of a hole in it, by their
   * positions among those.
   */
  linked(arcs: ReadonlySet<number>): { given: number[]; links: number[] } {
    const all = new Set(arcs);
    for (let size = 0; size < all.size; ) {
      size = all.size;
      for (let k = 0; k < this.links.length; k += 2)
        if (all.has(defined(this.links[k]))) all.add(defined(this.links[k + 1]));
    }
    const given = [...all].sort((a, b) => a - b);
    const numbers = new Map(given.map((i, n) => [i, n]));
    const links: number[] = [];
    for (let k = 0; k < this.links.length; k += 2) {
      const [shell, hole] = [numbers.get(defined(this.links[k])), numbers.get(defined(this.links[k + 1]))];
      if (shell !== undefined && hole !== undefined) links.push(shell, hole);
    }
    return { given, links };
  }

  private keysOf({ id }: { readonly id: number }): Float64Array {
    return decodeReach(this.reaches.get(id) as Uint8Array);
  }

  private async readReach(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.reaches.has(id));
    for (const [id, reach] of await reachOfArcs(this.db, missing)) this.reaches.set(id, reach);
  }

  private async read(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.at.has(id));
    this.hold(await arcsOf(this.db, missing));
  }

  private async readIn(boxes: readonly { box: Extent; limit: number }[]): Promise<void> {
    this.hold(await arcsAround(this.db, boxes, [...this.at.keys(), ...this.goneIds]));
  }

  private hold(arcs: ReadonlyMap<number, StoredArc>): void {
    for (const arc of arcs.values()) {
      if (this.at.has(arc.id)) continue;
      this.loaded++;
      this.add(intsOf(arc.coords), arc.class, Number(arc.main), arc, tiersOf(arc));
    }
  }

  private add(coords: Int32Array, own: number, main: number, stored: StoredArc | null, tiers: Tiers): void {
    if (stored) this.at.set(stored.id, this.arcs.length);
    const linked = stored === null;
    this.cells.add(this.arcs.length, coords);
    this.arcs.push({ coords, class: own, main, stored, before: tiers, tiers, keys: null, linked });
  }
}

/** The tiers of an arc that the worker worked out, whose vertices are `from … to - 1`. */
export function tiersAt(
  { weights, ends, exact }: Pick<TierResult, 'weights' | 'ends' | 'exact'>,
  i: number,
  from: number,
  to: number,
): Tiers {
  const own = ends.slice(ENDS_PER_ARC * i, ENDS_PER_ARC * (i + 1));
  return { weights: weights.slice(from, to), ends: own, exact: defined(exact[i]) };
}

function tiersOf({ weights, ends, exact }: StoredArc): Tiers {
  const own = new Uint16Array(ends.buffer.slice(ends.byteOffset, ends.byteOffset + ends.byteLength));
  return { weights, ends: own, exact };
}

const isWithin = (one: Extent, other: Extent) =>
  one[0] >= other[0] && one[1] >= other[1] && one[2] <= other[2] && one[3] <= other[3];

const hex = (view: Uint8Array) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex');
