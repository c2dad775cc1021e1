/**
 * Incremental tiers: after boundaries are added, changed or removed, recomputes the detail tiers of the arcs that may
 * be affected, and of no others. An edit reads about a hundred arcs around it instead of the whole connected component
 * (a hundred thousand arcs in France); docs/architecture.md ("Incremental tiers") has the drawing and the figures.
 *
 * Each stored arc has a reach: the quadtree cells its tiers depend on. Three steps run in this order:
 *
 *   changed vertices -> weights (when a vertex vanishes) -> ends (when an arc end vanishes) -> digits (rounding)
 *
 * Each step selects the arcs whose reach holds a changed cell and recomputes them in the worker pool. Where a result
 * differs from before, the cells of that arc count as changed in the steps that follow.
 *
 * neighborhood.ts reads arcs and cells, cell_index.ts finds arcs by cell, changes.ts records changes by cell;
 * arcs/surroundings.ts and reach.ts record which cells an arc depends on.
 */

import { CellClasses, KeySet } from '../../../workers/arcs/key_set.ts';
import { type ArcCells, cellsAt, decodeCells, encodeCells } from '../../../workers/arcs/reach.ts';
import { ALL_CLASSES } from '../../../workers/arcs/simplify.ts';
import { CELLS, DEPENDENCY_KINDS, parentCell } from '../../../workers/arcs/surroundings.ts';
import type { TieredArrangement } from '../../../workers/arrangement.ts';
import { END_CLASSES, ENDS_PER_ARC, MASKS_PER_END } from '../../../workers/contract.ts';
import type { TierResult } from '../../../workers/tasks/tiers.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import {
  Changes,
  changedPlaces,
  changesFor,
  classOfKind,
  EVERY_CLASS,
  isOfDigits,
  isOfEnds,
  isOfWeights,
  kindOf,
} from './changes.ts';
import { type ArcTiers, type LoadedArc, Neighborhood, outermost, tiersAt, type WantedCell } from './neighborhood.ts';
import type { BuildPlan, BuildRun } from './source_rows.ts';
import { bytesOf, type StoredArc } from './topology.ts';

/** The tiers of an arc and the cells they depend on; `reach` is null when those cells are the same as before. */
export interface TiersWithReach extends ArcTiers {
  readonly reach: ArcCells | null;
}

/** The tiers of the arcs that were built and of the stored arcs around them. */
export interface Tiered {
  /** One per arc that was built, in the same order. */
  readonly built: readonly TiersWithReach[];
  /** The other stored arcs that were read; a change nearby may have changed their tiers. */
  readonly others: readonly { readonly stored: StoredArc; readonly tiers: TiersWithReach }[];
  /** How many stored arcs were read. */
  readonly loaded: number;
}

/** Beyond so many arcs whose tiers are not final, a round asks for larger cells. */
const MANY_LEFT = 100;

/** What to recompute for an arc. */
interface ArcTask {
  readonly weights?: boolean;
  /** One bit per end class. */
  readonly ends?: number;
  readonly digits?: boolean;
}

/**
 * Returns the tiers of the arcs that were built and of the stored arcs around them. New arcs start with the tiers that
 * the build gave them in isolation, so every stored arc nearby is a change to them; for stored arcs, the changes are
 * the new and the deleted arcs. Weights depend on coordinates (and, for an island, on the islands in its holes), ends
 * on coordinates and weights, digits on all of these, so they are settled in this order. When the worker needs arcs it
 * was not given, it reports their cells, and they are read. An `isolated` plan keeps the tiers of the build.
 */
export async function tiersAround(
  run: BuildRun,
  db: Queryable,
  plan: BuildPlan,
  built: TieredArrangement,
): Promise<Tiered> {
  const neighborhood = new Neighborhood(db, plan, built);
  if (!plan.isolated) {
    await neighborhood.readAround();
    await new TierUpdater(run, plan, built, neighborhood).settle();
  }
  const { arcs, loaded } = neighborhood;
  const tiers = arcs.map(({ tiers, keys, stored }, i): TiersWithReach => {
    return { ...tiers, reach: keys ? encodeCells(keys) : stored ? null : cellsAt(built.arcs.reach, i) };
  });
  const { length } = built.arcs.first;
  return {
    built: tiers.slice(0, length),
    others: arcs.flatMap(({ stored }, i) => (i >= length && stored ? [{ stored, tiers: defined(tiers[i]) }] : [])),
    loaded,
  };
}

/** Recomputes the tiers that changes may affect. Arcs are indexes into `arcs` of the neighborhood. */
class TierUpdater {
  private readonly run: BuildRun;
  private readonly plan: BuildPlan;
  private readonly built: TieredArrangement;
  private readonly around: Neighborhood;
  /** Changes as stored arcs see them: new and deleted arcs, and stored arcs whose tiers changed. */
  private readonly changesForStored: Changes;
  /** Changes as new arcs see them: `unbuilt`, and built arcs whose holes are not known or whose tiers changed. */
  private readonly changesForNew: Changes;
  /** The part of `changesForNew` that comes from arcs outside the build. */
  private readonly unbuilt = new Changes();
  /** Arcs whose class, weights, ends or `main` changed: ends and digits depend on these. */
  private readonly changedArcs = new Set<number>();

  /** Call it right after `readAround`, when the neighborhood holds only the arcs around new arcs. */
  constructor(run: BuildRun, plan: BuildPlan, built: TieredArrangement, around: Neighborhood) {
    this.run = run;
    this.plan = plan;
    this.built = built;
    this.around = around;
    const { arcs, deleted } = around;
    const added = around.added.map((i) => defined(arcs[i]));
    this.changesForStored = changedPlaces(added, deleted);
    const unlinked = new Changes();
    arcs.forEach(({ coords, class: own, linked }, i) => {
      if (i >= built.arcs.first.length) this.unbuilt.addAll(coords, own);
      else if (!linked) unlinked.addAll(coords, own);
    });
    this.changesForNew = this.unbuilt.with(unlinked);
  }

  /** Writes the final tiers to the arcs of the neighborhood, and the keys of each arc that was recomputed. */
  async settle(): Promise<void> {
    await this.updateWeights();
    await this.updateDigits(await this.updateEnds());
  }

  /** Recomputes weights. Repeats for islands until no island changes, as an island's level depends on its holes'. */
  private async updateWeights(): Promise<void> {
    const { arcs } = this.around;
    const remained = this.storedArcs(({ main }, stored) => Number(stored.main) !== main);
    const mains = new Changes();
    for (const i of remained) mains.addAll(defined(arcs[i]).coords, EVERY_CLASS);
    const used = new Set<number>();
    for (const one of this.built.boundaries)
      if ('rings' in one) for (const ref of one.rings.refs) used.add(ref < 0 ? ~ref : ref);
    const { former } = this.plan;
    // An island may now be in a hole of another boundary.
    const islands = this.storedArcs(({ main }, { id }, i) => main === 0 && (used.has(i) || former.has(id)));
    const touched = await this.around.affectedBy(
      changesFor(isOfWeights, this.changesForStored, this.changesForStored.with(mains)),
      changesFor(isOfWeights, this.unbuilt, this.changesForNew),
    );
    const weighed = new Set<number>();
    for (let todo = [...new Set([...remained, ...islands, ...touched.keys()])]; todo.length > 0; ) {
      for (const i of todo) weighed.add(i);
      await this.recompute('weights', todo, isOfWeights, () => ({ weights: true }));
      const others = new Changes();
      for (const i of todo) if (isReweighed(defined(arcs[i]))) others.addAll(defined(arcs[i]).coords, EVERY_CLASS);
      const ofIslands = changesFor((kind) => kind === DEPENDENCY_KINDS.island, others);
      todo = [...(await this.around.affectedBy(ofIslands, ofIslands)).keys()].filter((i) => !weighed.has(i));
    }
    for (const i of remained) this.changedArcs.add(i);
    for (const i of weighed) {
      const arc = defined(arcs[i]);
      if (!isReweighed(arc)) continue;
      this.changedArcs.add(i);
      const { tiers, before, coords, class: own } = arc;
      const changes = this.changesBy(arc);
      changes.addEnds(coords, own);
      for (let v = 1; v < tiers.weights.length - 1; v++)
        if (tiers.weights[v] !== before.weights[v])
          changes.add(defined(coords[2 * v]), defined(coords[2 * v + 1]), own);
    }
  }

  /** Recomputes ends. Returns the stored arcs that end where an arc is new, was removed or changed its class. */
  private async updateEnds(): Promise<number[]> {
    const { arcs, added } = this.around;
    const recast = this.storedArcs((arc, stored) => stored.class !== arc.class);
    for (const i of recast) {
      this.changedArcs.add(i);
      const arc = defined(arcs[i]);
      const { tiers, coords, class: own, stored } = arc;
      // An arc must have empty masks in classes below its own: clear them all; its classes are recomputed.
      arc.tiers = { ...tiers, ends: tiers.ends.map((mask, at) => (isClassMask(at) ? 0 : mask)) };
      this.changesForStored.addAll(coords, Math.min(own, stored?.class ?? EVERY_CLASS));
    }
    const met = this.around.sharingEnds([...added, ...recast]);
    const classes = new Map([...this.changedArcs, ...met].map((i) => [i, ALL_CLASSES]));
    const touched = await this.around.affectedBy(
      changesFor(isOfEnds, this.changesForStored),
      changesFor(isOfEnds, this.changesForNew),
    );
    for (const [i, { ends }] of touched) classes.set(i, (classes.get(i) ?? 0) | ends);
    for (const i of await this.recompute('ends', [...classes.keys()], isOfEnds, (one) => ({
      ends: classes.get(one),
    }))) {
      const arc = defined(arcs[i]);
      const { tiers, before, coords, class: own } = arc;
      if (isSame(classMasks(tiers.ends), classMasks(before.ends))) continue;
      this.changedArcs.add(i);
      this.changesBy(arc).addEnds(coords, own);
    }
    return met;
  }

  /** Recomputes digits. `met` is the result of updateEnds: the arcs that keep 7 digits where these end may change. */
  private async updateDigits(met: readonly number[]): Promise<void> {
    const { arcs } = this.around;
    const rounded = new Set([...this.changedArcs, ...met]);
    const touched = await this.around.affectedBy(
      changesFor(isOfDigits, this.changesForStored),
      changesFor(isOfDigits, this.changesForNew),
    );
    // When a segment passes close to a vertex, both arcs keep 7 digits: recompute the arc on the other side, too.
    const nearStored = new Map<number, number>();
    const nearNew = new Map<number, number>();
    for (const [i, { cells }] of touched) {
      rounded.add(i);
      for (const cell of cells) (defined(arcs[i]).stored ? nearStored : nearNew).set(cell, EVERY_CLASS);
    }
    for (const i of this.around.within(nearStored)) if (!defined(arcs[i]).stored) rounded.add(i);
    for (const i of this.around.within(nearNew)) if (defined(arcs[i]).stored) rounded.add(i);
    await this.recomputeDigits([...rounded]);
    // The cells of new segments are known only now: recompute the arcs that have vertices in them.
    const altered = [...this.changedArcs];
    const cells = new CellClasses();
    for (const keys of [
      ...(await this.around.keysBefore(altered)),
      ...altered.map((i) => defined(arcs[i]).keys?.sorted() ?? []),
      ...(await this.around.keysOfDeleted()),
    ])
      for (const key of keys) if (isOfDigits(kindOf(key))) cells.raise(key % CELLS, EVERY_CLASS);
    const outer = outermost(cells);
    await this.around.readCellsOf(outer);
    await this.recomputeDigits([...this.around.within(outer)].filter((i) => !rounded.has(i)));
  }

  private async recomputeDigits(todo: readonly number[]): Promise<void> {
    if (todo.length === 0) return;
    const { arcs } = this.around;
    const placesOf = (some: readonly number[]) => {
      const places = new Changes();
      for (const i of some) places.addAll(defined(arcs[i]).coords, 0);
      return places;
    };
    // The worker also needs the arcs whose segments pass the vertices of the arcs to recompute.
    const ofDigits = changesFor(isOfDigits, placesOf(todo));
    const passing = await this.around.affectedBy(ofDigits, ofDigits);
    const passingBy = (some: readonly number[]) => {
      if (some === todo) return [...passing.keys()];
      const places = placesOf(some);
      return [...passing].flatMap(([i, { cells }]) => (cells.some((cell) => places.in(cell) !== undefined) ? [i] : []));
    };
    await this.recompute('digits', todo, isOfDigits, () => ({ digits: true }), passingBy);
  }

  private storedArcs(isWanted: (arc: LoadedArc, stored: StoredArc, i: number) => boolean): number[] {
    return this.around.arcs.flatMap((arc, i) => (arc.stored && isWanted(arc, arc.stored, i) ? [i] : []));
  }

  /**
   * Where to record that an arc's tiers changed. One of the two is enough: to new arcs every stored arc is a change
   * already, and the reverse.
   */
  private changesBy({ stored }: LoadedArc): Changes {
    return stored ? this.changesForStored : this.changesForNew;
  }

  /**
   * Recomputes weights, ends or digits of some arcs, round after round, until the worker misses no cell. Returns the
   * arcs whose tiers changed. The first round gives the worker the arcs of all cells that these arcs and the deleted
   * ones depended on before, as it is likely to need them again, and the arcs that `beside` returns.
   */
  private async recompute(
    what: 'weights' | 'ends' | 'digits',
    todo: readonly number[],
    isWanted: (kind: number) => boolean,
    todoOf: (i: number) => ArcTask,
    beside: (left: readonly number[]) => readonly number[] = () => [],
  ): Promise<Set<number>> {
    const changed = new Set<number>();
    if (todo.length === 0) return changed;
    const { arcs } = this.around;
    const before = await this.around.keysBefore(todo);
    todo.forEach((i, n) => {
      // Weights and digits are recomputed whole, so their old keys are dropped; ends only for some classes.
      const keys = defined(arcs[i]).keys?.sorted() ?? defined(before[n]);
      defined(arcs[i]).keys = new KeySet(keys.filter((key) => !isWanted(kindOf(key)) || isOfEnds(kindOf(key))));
    });
    let cells = new CellClasses();
    const wantAll = (keys: Iterable<number>) => {
      for (const key of keys) if (isWanted(kindOf(key))) cells.raise(key % CELLS, classOfKind(kindOf(key)));
    };
    for (const keys of [...before, ...(await this.around.keysOfDeleted())]) wantAll(keys);
    let outer = outermost(cells);
    await this.around.readCellsOf(outer);
    for (let left = todo, round = 0; left.length > 0; round++) {
      this.run.progress(
        `detail levels near stored borders: ${what} of ${left.length} arcs, ${this.around.loaded} stored arcs read`,
      );
      const { result, given } = await this.runWorker(left, outer, beside(left), todoOf);
      await this.applyResult(result, given, changed);
      const open = new Set(given.filter((_, n) => result.open[n] === 1));
      left = left.filter((i) => open.has(i));
      // Few arcs are left after the first round, so the cells start over from theirs; later rounds only add cells.
      if (round === 0) cells = new CellClasses();
      for (const i of open) wantAll(defined(arcs[i]).keys?.sorted() ?? []);
      // Each round asks for a cell twice as large (up to 64 times), as a long search is likely to go on. Where many arcs
      // are left, as beside another source, a round costs more than the arcs of larger cells.
      const wider = left.length > MANY_LEFT ? 3 : 0;
      result.missing.forEach((missing, n) => {
        let cell = missing;
        for (let up = Math.min(round + wider, 6); up > 0 && parentCell(cell) >= 0; up--) cell = parentCell(cell);
        cells.raise(cell, defined(result.missingClass[n]));
      });
      outer = outermost(cells);
      await this.around.readCellsOf(outer);
      await this.around.link(Array.from(result.unlinked, (n) => defined(given[n])));
    }
    return changed;
  }

  /** One round of the worker: gives it the arcs to recompute, the arcs of some cells, and those `beside`. */
  private async runWorker(
    todo: readonly number[],
    cells: readonly WantedCell[],
    beside: readonly number[],
    todoOf: (i: number) => ArcTask,
  ) {
    const asked = new Set(todo);
    const { given, links } = this.around.linked(new Set([...todo, ...beside, ...this.around.within(cells)]));
    const arcs = given.map((i) => defined(this.around.arcs[i]));
    const first = new Uint32Array(arcs.length);
    const length = Uint32Array.from(arcs, ({ coords }) => coords.length / 2);
    for (let n = 1; n < arcs.length; n++) first[n] = defined(first[n - 1]) + defined(length[n - 1]);
    const vertices = length.reduce((sum, own) => sum + own, 0);
    const coords = new Int32Array(2 * vertices);
    const weights = new Uint8Array(vertices);
    const ends = new Uint16Array(ENDS_PER_ARC * arcs.length);
    arcs.forEach((arc, n) => {
      const from = defined(first[n]);
      coords.set(arc.coords, 2 * from);
      weights.set(arc.tiers.weights, from);
      ends.set(arc.tiers.ends, ENDS_PER_ARC * n);
    });
    const todos = given.map((i): ArcTask => (asked.has(i) ? todoOf(i) : {}));
    const result = await this.run.engine.pool.runPatiently('tiers', {
      coords,
      first,
      length,
      arcClass: Uint8Array.from(arcs, (arc) => arc.class),
      main: Uint8Array.from(arcs, (arc) => arc.main),
      links: Int32Array.from(links),
      linked: Uint8Array.from(arcs, ({ linked }) => Number(linked)),
      cells: Float64Array.from(cells, ([cell]) => cell),
      cellClass: Uint8Array.from(cells, ([, limit]) => limit),
      weights,
      ends,
      exact: Uint16Array.from(arcs, ({ tiers }) => tiers.exact),
      todoWeights: Uint8Array.from(todos, ({ weights = false }) => Number(weights)),
      todoEnds: Uint16Array.from(todos, ({ ends = 0 }) => ends),
      todoDigits: Uint8Array.from(todos, ({ digits = false }) => Number(digits)),
    });
    return { result, given };
  }

  /** Takes over a result; adds the arcs whose tiers it changed to `changed`. */
  private async applyResult(result: TierResult, given: readonly number[], changed: Set<number>): Promise<void> {
    const { arcs } = this.around;
    const keysOf = given.map((_, n) => decodeCells(cellsAt(result.reach, n).bytes));
    const unread = given.filter((i, n) => defined(keysOf[n]).length > 0 && defined(arcs[i]).keys === null);
    const before = await this.around.keysBefore(unread);
    unread.forEach((i, n) => {
      defined(arcs[i]).keys = new KeySet(before[n]);
    });
    let from = 0;
    given.forEach((i, n) => {
      const arc = defined(arcs[i]);
      const to = from + arc.coords.length / 2;
      const tiers = tiersAt(result, n, from, to);
      from = to;
      const { weights, ends, exact } = arc.tiers;
      if (!isSame(tiers.weights, weights) || !isSame(tiers.ends, ends) || tiers.exact !== exact) changed.add(i);
      arc.tiers = tiers;
      for (const key of defined(keysOf[n])) arc.keys?.add(key);
    });
  }
}

const isReweighed = ({ tiers, before }: LoadedArc) => !isSame(tiers.weights, before.weights);

/** The masks of both ends that say at which levels they vanish, without the mask of digits. */
const classMasks = (ends: Uint16Array) => ends.filter((_, at) => isClassMask(at));
const isClassMask = (at: number) => at % MASKS_PER_END < END_CLASSES;

const isSame = (a: ArrayBufferView, b: ArrayBufferView) => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
