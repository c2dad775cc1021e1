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
 * tier_rounds.ts runs the worker, neighborhood.ts reads the arcs of cells, wanted_cells.ts says of which, cell_index.ts
 * finds arcs by cell, changes.ts records changes by cell; arcs/surroundings.ts and reach.ts record which cells an arc depends on.
 */

import { CellClasses } from '../../../workers/arcs/key_set.ts';
import { type ArcCells, cellsAt, encodeCells } from '../../../workers/arcs/reach.ts';
import { ALL_CLASSES } from '../../../workers/arcs/simplify.ts';
import { CELLS, DEPENDENCY_KINDS } from '../../../workers/arcs/surroundings.ts';
import type { TieredArrangement } from '../../../workers/arrangement.ts';
import { END_CLASSES, MASKS_PER_END } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import {
  Changes,
  changedPlaces,
  changesFor,
  EVERY_CLASS,
  isOfDigits,
  isOfEnds,
  isOfWeights,
  kindOf,
} from './changes.ts';
import type { ArcTiers, LoadedArc } from './loaded_arc.ts';
import { Neighborhood } from './neighborhood.ts';
import type { BuildPlan, BuildRun } from './source_rows.ts';
import { isSame, TierRounds } from './tier_rounds.ts';
import type { StoredArc } from './topology.ts';
import { outermost } from './wanted_cells.ts';

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
  private readonly plan: BuildPlan;
  private readonly built: TieredArrangement;
  private readonly around: Neighborhood;
  private readonly rounds: TierRounds;
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
    this.plan = plan;
    this.built = built;
    this.around = around;
    this.rounds = new TierRounds(run, around);
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
      await this.rounds.recompute('weights', todo, isOfWeights, () => ({ weights: true }));
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
    for (const i of await this.rounds.recompute('ends', [...classes.keys()], isOfEnds, (one) => ({
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
    await this.rounds.recompute('digits', todo, isOfDigits, () => ({ digits: true }), passingBy);
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
}

const isReweighed = ({ tiers, before }: LoadedArc) => !isSame(tiers.weights, before.weights);

/** The masks of both ends that say at which levels they vanish, without the mask of digits. */
const classMasks = (ends: Uint16Array) => ends.filter((_, at) => isClassMask(at));
const isClassMask = (at: number) => at % MASKS_PER_END < END_CLASSES;
