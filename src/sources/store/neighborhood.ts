import { VertexNumbers } from '../../../workers/arcs/join.ts';
import { CellClasses } from '../../../workers/arcs/key_set.ts';
import { cellsAt, decodeCells } from '../../../workers/arcs/reach.ts';
import { CELLS, cellBox, DEPENDENCY_KINDS, isKnown } from '../../../workers/arcs/surroundings.ts';
import type { TieredArrangement } from '../../../workers/arrangement.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { intsOf } from '../ints.ts';
import { CellIndex } from './cell_index.ts';
import { type ChangesOf, EVERY_CLASS, type Touched, touchedBy } from './changes.ts';
import { type ArcTiers, type LoadedArc, tiersAt, tiersOf } from './loaded_arc.ts';
import type { BuildPlan } from './source_rows.ts';
import {
  arcsAround,
  arcsOf,
  type Extent,
  hex,
  mergeBoxes,
  ownersOf,
  reachAround,
  reachOfArcs,
  type StoredArc,
} from './topology.ts';
import { Boxes, type WantedCell } from './wanted_cells.ts';

/** A reach whose box is smaller than this (1e-7 degrees) is read by its box, a larger one cell by cell. */
const COMPACT = 4_000_000;

/**
 * The arcs in memory around an edit, read from the database as the tiers need them. An arc is identified by its index
 * in `arcs`, which never changes.
 */
export class Neighborhood {
  /** The arcs that were built, in their order, then stored arcs in the order they were read. */
  readonly arcs: LoadedArc[] = [];
  /** Arcs that were built and are not stored yet. */
  readonly added: readonly number[];
  /** Stored arcs of the plan that the build no longer has. */
  readonly deleted: readonly { readonly id: number; readonly coords: Int32Array; readonly class: number }[];
  /** How many stored arcs were read, including those of the plan. */
  loaded: number;
  private readonly db: Queryable;
  private readonly arrangement: number;
  private readonly remade: readonly string[];
  private readonly built: TieredArrangement;
  private readonly deletedIds: ReadonlySet<number>;
  /** Index by arc id; an arc that was cut or joined maps to its first part. */
  private readonly at = new Map<number, number>();
  /** For a part of stored arcs that were cut or joined, the ids of those arcs. */
  private readonly origins = new Map<number, number[]>();
  /** Pairs of an arc of a shell and an arc of a hole in it. */
  private readonly links: number[];
  private readonly cells = new CellIndex();
  /** The reaches read so far, by arc id. */
  private readonly reaches = new Map<number, Uint8Array>();
  /** The smallest cells for which every reach that holds them was read. */
  private readonly readCells = new Set<number>();
  /** Boxes for which every stored arc was read. */
  private readBoxes = new Boxes([]);
  /** Cells for which every arc was read, with the largest class. */
  private readonly known = new CellClasses();

  /** Starts with the arcs of the build; `readAround` adds the stored arcs around them. */
  constructor(db: Queryable, { arrangement, around, former, remade }: BuildPlan, built: TieredArrangement) {
    this.db = db;
    this.arrangement = arrangement;
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
    this.added = this.arcs.flatMap(({ stored }, i) => (stored ? [] : [i]));
    this.deleted = [...byHash.values()].map((arc) => ({ id: arc.id, coords: intsOf(arc.coords), class: arc.class }));
    this.deletedIds = new Set(this.deleted.map(({ id }) => id));
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

  /** Reads the stored arcs in the reach of new arcs. */
  async readAround(): Promise<void> {
    const boxes: Extent[] = [];
    for (const i of this.added) {
      const { box, bytes } = cellsAt(this.built.arcs.reach, i);
      if (Math.max(box[2] - box[0], box[3] - box[1]) < COMPACT) boxes.push(box);
      else for (const key of decodeCells(bytes)) boxes.push(cellBox(key % CELLS));
    }
    const merged = mergeBoxes(boxes);
    this.readBoxes = new Boxes(merged);
    await this.readIn(merged.map((box) => ({ box, limit: EVERY_CLASS })));
  }

  /**
   * Returns the arcs whose reach (of their tiers before the edit) holds a change, with the classes and cells affected.
   * Stored arcs are compared with `ofStored`, and read; new arcs are compared with `ofNew`.
   */
  async affectedBy(ofStored: ChangesOf, ofNew: ChangesOf): Promise<Map<number, Touched>> {
    for (const changes of new Set(
      [DEPENDENCY_KINDS.weights, DEPENDENCY_KINDS.island, DEPENDENCY_KINDS.ends, DEPENDENCY_KINDS.digits].map(ofStored),
    )) {
      const boxes = changes?.boxes(this.readCells) ?? [];
      const around = mergeBoxes(boxes.map(({ box }) => box));
      for (const [id, reach] of await reachAround(this.db, this.arrangement, around)) this.reaches.set(id, reach);
      for (const { cell } of boxes) this.readCells.add(cell);
    }
    const ids = new Map<number, Touched>();
    for (const [id, reach] of this.reaches) {
      const one = this.deletedIds.has(id) ? null : touchedBy(reach, ofStored);
      if (one) ids.set(id, one);
    }
    await this.read([...ids.keys()]);
    const touched = new Map([...ids].map(([id, one]) => [this.at.get(id) as number, one]));
    for (const i of this.added) {
      const one = touchedBy(cellsAt(this.built.arcs.reach, i).bytes, ofNew);
      if (one) touched.set(i, one);
    }
    return touched;
  }

  /** Per arc, the keys that its tiers depended on before the edit, ascending. */
  async keysBefore(arcs: readonly number[]): Promise<Float64Array[]> {
    await this.readReach(arcs.flatMap((i) => defined(this.arcs[i]).stored?.id ?? []));
    return arcs.map((i) => {
      const { stored } = defined(this.arcs[i]);
      return stored ? this.keysOf(stored) : decodeCells(cellsAt(this.built.arcs.reach, i).bytes);
    });
  }

  /** Per deleted arc, the keys that its tiers depended on, ascending. */
  async keysOfDeleted(): Promise<Float64Array[]> {
    await this.readReach([...this.deletedIds]);
    return this.deleted.map((arc) => this.keysOf(arc));
  }

  /** The stored arcs in memory that share an end point with one of these arcs or with a deleted arc. */
  sharingEnds(arcs: readonly number[]): number[] {
    const ending = [...arcs.map((i) => defined(this.arcs[i])), ...this.deleted];
    const ends = new VertexNumbers(2 * ending.length);
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

  /** The arcs in memory that have a vertex in one of the cells, each with the largest class wanted there. */
  within(cells: Iterable<WantedCell>): Set<number> {
    const found = new Set<number>();
    for (const [cell, limit] of cells)
      for (const i of this.cells.in(cell)) if (defined(this.arcs[i]).class <= limit) found.add(i);
    return found;
  }

  /**
   * Reads the arcs of the cells, up to the class of each, that are not in memory; of many cells, those between them too:
   * a look-up for each would take longer.
   */
  async readCellsOf(cells: readonly WantedCell[]): Promise<void> {
    const unread = new Map<number, Extent[]>();
    for (const [cell, limit] of cells) {
      if (isKnown(this.known, cell, limit)) continue;
      const box = cellBox(cell);
      if (this.readBoxes.hold(box)) continue;
      const boxes = unread.get(limit);
      if (boxes) boxes.push(box);
      else unread.set(limit, [box]);
    }
    await this.readIn([...unread].flatMap(([limit, boxes]) => mergeBoxes(boxes).map((box) => ({ box, limit }))));
    for (const [cell, limit] of cells) this.known.raise(cell, limit);
  }

  /** Reads the holes of the shells that use these arcs, and marks the arcs as linked. */
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
   * Returns `given`: the arcs plus, for each shell, the arcs of its holes (recursively), ascending; and `links`: pairs
   * of an arc of a shell and an arc of a hole in it, as positions in `given`.
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
    return decodeCells(this.reaches.get(id) as Uint8Array);
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
    this.hold(await arcsAround(this.db, this.arrangement, boxes, [...this.at.keys(), ...this.deletedIds]));
  }

  private hold(arcs: ReadonlyMap<number, StoredArc>): void {
    for (const arc of arcs.values()) {
      if (this.at.has(arc.id)) continue;
      this.loaded++;
      this.add(intsOf(arc.coords), arc.class, Number(arc.main), arc, tiersOf(arc));
    }
  }

  private add(coords: Int32Array, own: number, main: number, stored: StoredArc | null, tiers: ArcTiers): void {
    if (stored) this.at.set(stored.id, this.arcs.length);
    const linked = stored === null;
    this.cells.add(this.arcs.length, coords);
    this.arcs.push({ coords, class: own, main, stored, before: tiers, tiers, keys: null, linked });
  }
}
