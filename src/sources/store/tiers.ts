/**
 * Incremental tiers: which arcs keep other vertices at some detail once boundaries were added, changed or removed, and
 * what they keep then. It reads about a hundred arcs around an edit instead of all that hang together, a hundred
 * thousand in France; docs/architecture.md ("Incremental tiers") has the drawing and the figures.
 *
 *   what changed -> weights (of vertices) -> ends (where arcs meet) -> digits (rounding)
 *                   each asks: whose cells hold something that changed? Those arcs are worked out again (the pool),
 *                   and where they come out differently, that is a change for the next step.
 *
 * neighborhood.ts reads arcs and cells, cell_index.ts finds arcs by cell, changes.ts keeps what changed by cell;
 * kernels/surroundings.ts and reach.ts say which cells an arc depends on.
 */
import { END_CLASSES, ENDS_PER_ARC, MASKS_PER_END } from '../../../workers/contract.ts';
import { type ArcReach, decodeReach, encodeReach, reachAt } from '../../../workers/kernels/reach.ts';
import { ALL_CLASSES } from '../../../workers/kernels/simplify.ts';
import { CELLS, KINDS, parentCell } from '../../../workers/kernels/surroundings.ts';
import type { BuildResult, TierResult } from '../../../workers/tasks.ts';
import type { Queryable } from '../../db/connect.ts';
import { defined } from '../../elements.ts';
import {
  Changes,
  changedPlaces,
  changesTo,
  classOfKind,
  EVERY_CLASS,
  isOfDigits,
  isOfEnds,
  isOfWeights,
  kindOf,
} from './changes.ts';
import type { Plan, Run } from './model.ts';
import { type Held, Neighbourhood, type Tiers, tiersAt } from './neighborhood.ts';
import { bytesOf, type StoredArc } from './topology.ts';

/** The tiers of an arc, and what they depend on; null: on what they did. */
export interface ArcTiers extends Tiers {
  readonly reach: ArcReach | null;
}

/** The tiers of what was built and of what is around it. */
export interface Tiered {
  /** Of the arcs that were built, in their order. */
  readonly built: readonly ArcTiers[];
  /** Of stored arcs beside those, which something near changed; they may have changed, too. */
  readonly others: readonly { readonly stored: StoredArc; readonly tiers: ArcTiers }[];
  /** Stored arcs that were read to find out. */
  readonly loaded: number;
}

/** What is to be worked out of an arc. */
interface Todo {
  readonly weights?: boolean;
  /** Bits of classes. */
  readonly ends?: number;
  readonly digits?: boolean;
}

/**
 * The tiers of what was built, and of the stored arcs around it that depend on what changed. New arcs have the tiers
 * they have among themselves, to which all that is stored around is a change; to stored arcs it is what is new or gone.
 * Weights depend on places (and, of islands, on what goes with them), ends on places and weights, digits on all of
 * these: in this order it is looked up whose cells something changed in, and the worker asks for the arcs of cells that
 * it needs beside those.
 */
export async function tiersAround(run: Run, db: Queryable, plan: Plan, built: BuildResult): Promise<Tiered> {
  const neighbourhood = new Neighbourhood(db, plan, built);
  if (!plan.alone) {
    await neighbourhood.readAround();
    await new Tiering(run, plan, built, neighbourhood).settle();
  }
  const { arcs, loaded } = neighbourhood;
  const tiers = arcs.map(({ tiers, keys, stored }, i): ArcTiers => {
    return { ...tiers, reach: keys ? encodeReach(keys) : stored ? null : reachAt(built.arcs.reach, i) };
  });
  const { length } = built.arcs.first;
  return {
    built: tiers.slice(0, length),
    others: arcs.flatMap(({ stored }, i) => (i >= length && stored ? [{ stored, tiers: defined(tiers[i]) }] : [])),
    loaded,
  };
}

/** Works out the tiers again that changes may have made others; arcs are indexes into those of the neighbourhood. */
class Tiering {
  private readonly run: Run;
  private readonly plan: Plan;
  private readonly built: BuildResult;
  private readonly around: Neighbourhood;
  /** What changed to stored arcs. */
  private readonly toStored: Changes;
  /** What changed to new arcs: what was not among the built ones, and those whose tiers or holes are not known. */
  private readonly toNew: Changes;
  /** Of that, what was not among the built ones. */
  private readonly unbuilt = new Changes();
  /** The arcs that changed in what ends or digits depend on: their class, weights or ends, or whether they are main. */
  private readonly altered = new Set<number>();

  /** Of a neighbourhood that holds what lies around new arcs, and nothing further yet. */
  constructor(run: Run, plan: Plan, built: BuildResult, around: Neighbourhood) {
    this.run = run;
    this.plan = plan;
    this.built = built;
    this.around = around;
    const { arcs, fresh, gone } = around;
    const added = fresh.map((i) => defined(arcs[i]));
    this.toStored = changedPlaces(added, gone);
    const unlinked = new Changes();
    arcs.forEach(({ coords, class: own, linked }, i) => {
      if (i >= built.arcs.first.length) this.unbuilt.addAll(coords, own);
      else if (!linked) unlinked.addAll(coords, own);
    });
    this.toNew = this.unbuilt.with(unlinked);
  }

  /** Leaves the arcs of the neighbourhood with their tiers, and the keys of those that depend on others than before. */
  async settle(): Promise<void> {
    await this.settleWeights();
    await this.settleDigits(await this.settleEnds());
  }

  /** Of islands again and again, as long as some that others go with changed. */
  private async settleWeights(): Promise<void> {
    const { arcs } = this.around;
    const remained = this.storedArcs(({ main }, stored) => Number(stored.main) !== main);
    const mains = new Changes();
    for (const i of remained) mains.addAll(defined(arcs[i]).coords, EVERY_CLASS);
    const used = new Set<number>();
    for (const one of this.built.boundaries)
      if ('rings' in one) for (const ref of one.rings.refs) used.add(ref < 0 ? ~ref : ref);
    const { former } = this.plan;
    // Who has the hole of an island may be another now.
    const islands = this.storedArcs(({ main }, { id }, i) => main === 0 && (used.has(i) || former.has(id)));
    const touched = await this.around.reaching(
      changesTo(isOfWeights, this.toStored, this.toStored.with(mains)),
      changesTo(isOfWeights, this.unbuilt, this.toNew),
    );
    const weighed = new Set<number>();
    for (let todo = [...new Set([...remained, ...islands, ...touched.keys()])]; todo.length > 0; ) {
      for (const i of todo) weighed.add(i);
      await this.work(todo, isOfWeights, () => ({ weights: true }));
      const others = new Changes();
      for (const i of todo) if (isReweighed(defined(arcs[i]))) others.addAll(defined(arcs[i]).coords, EVERY_CLASS);
      const ofIslands = changesTo((kind) => kind === KINDS.island, others);
      todo = [...(await this.around.reaching(ofIslands, ofIslands)).keys()].filter((i) => !weighed.has(i));
    }
    for (const i of remained) this.altered.add(i);
    for (const i of weighed) {
      const arc = defined(arcs[i]);
      if (!isReweighed(arc)) continue;
      this.altered.add(i);
      const { tiers, before, coords, class: own } = arc;
      const changes = this.changesBy(arc);
      changes.addEnds(coords, own);
      for (let v = 1; v < tiers.weights.length - 1; v++)
        if (tiers.weights[v] !== before.weights[v])
          changes.add(defined(coords[2 * v]), defined(coords[2 * v + 1]), own);
    }
  }

  /** Gives the stored arcs that end where an arc is new, was removed or changed its class. */
  private async settleEnds(): Promise<number[]> {
    const { arcs, fresh } = this.around;
    const recast = this.storedArcs((arc, stored) => stored.class !== arc.class);
    for (const i of recast) {
      this.altered.add(i);
      const arc = defined(arcs[i]);
      const { tiers, coords, class: own, stored } = arc;
      // What an arc's class no longer has is gone from it in none.
      arc.tiers = { ...tiers, ends: tiers.ends.map((mask, at) => (isClassMask(at) ? 0 : mask)) };
      this.toStored.addAll(coords, Math.min(own, stored?.class ?? EVERY_CLASS));
    }
    const met = this.around.meeting([...fresh, ...recast]);
    const classes = new Map([...this.altered, ...met].map((i) => [i, ALL_CLASSES]));
    const touched = await this.around.reaching(changesTo(isOfEnds, this.toStored), changesTo(isOfEnds, this.toNew));
    for (const [i, { ends }] of touched) classes.set(i, (classes.get(i) ?? 0) | ends);
    for (const i of await this.work([...classes.keys()], isOfEnds, (one) => ({ ends: classes.get(one) }))) {
      const arc = defined(arcs[i]);
      const { tiers, before, coords, class: own } = arc;
      if (isSame(classMasks(tiers.ends), classMasks(before.ends))) continue;
      this.altered.add(i);
      this.changesBy(arc).addEnds(coords, own);
    }
    return met;
  }

  /** `met` are the stored arcs that settleEnds gives: where they end, other arcs than before may keep their digits. */
  private async settleDigits(met: readonly number[]): Promise<void> {
    const { arcs } = this.around;
    const rounded = new Set([...this.altered, ...met]);
    const touched = await this.around.reaching(changesTo(isOfDigits, this.toStored), changesTo(isOfDigits, this.toNew));
    // A segment and a vertex that it comes near to keep them both.
    const nearStored = new Map<number, number>();
    const nearNew = new Map<number, number>();
    for (const [i, { cells }] of touched) {
      rounded.add(i);
      for (const cell of cells) (defined(arcs[i]).stored ? nearStored : nearNew).set(cell, EVERY_CLASS);
    }
    for (const i of this.around.within(nearStored)) if (!defined(arcs[i]).stored) rounded.add(i);
    for (const i of this.around.within(nearNew)) if (defined(arcs[i]).stored) rounded.add(i);
    await this.workDigits([...rounded]);
    // What new segments come near to is known when they are.
    const altered = [...this.altered];
    const cells = new Map<number, number>();
    for (const keys of [
      ...(await this.around.keysBefore(altered)),
      ...altered.map((i) => defined(arcs[i]).keys ?? []),
      ...(await this.around.keysOfGone()),
    ])
      for (const key of keys) if (isOfDigits(kindOf(key))) cells.set(key % CELLS, EVERY_CLASS);
    await this.around.readCellsOf(cells);
    await this.workDigits([...this.around.within(cells)].filter((i) => !rounded.has(i)));
  }

  private async workDigits(todo: readonly number[]): Promise<void> {
    if (todo.length === 0) return;
    const { arcs } = this.around;
    const placesOf = (some: readonly number[]) => {
      const places = new Changes();
      for (const i of some) places.addAll(defined(arcs[i]).coords, 0);
      return places;
    };
    // Whose segments pass where an arc has vertices must be at hand.
    const ofDigits = changesTo(isOfDigits, placesOf(todo));
    const passing = await this.around.reaching(ofDigits, ofDigits);
    const passingBy = (some: readonly number[]) => {
      const places = placesOf(some);
      return [...passing].flatMap(([i, { cells }]) => (cells.some((cell) => places.in(cell) !== undefined) ? [i] : []));
    };
    await this.work(todo, isOfDigits, () => ({ digits: true }), passingBy);
  }

  private storedArcs(isWanted: (arc: Held, stored: StoredArc, i: number) => boolean): number[] {
    return this.around.arcs.flatMap((arc, i) => (arc.stored && isWanted(arc, arc.stored, i) ? [i] : []));
  }

  /** Where to note that an arc's tiers changed: to new arcs all that is stored is a change anyway, and the reverse. */
  private changesBy({ stored }: Held): Changes {
    return stored ? this.toStored : this.toNew;
  }

  /**
   * Works out one thing of some arcs, until nothing is missing for it; gives the arcs whose tiers it may have changed.
   * What was looked at before, here and where something is gone, is likely to be needed again. The worker is given the
   * arcs of the cells that were looked at, and those `beside` them.
   */
  private async work(
    todo: readonly number[],
    isWanted: (kind: number) => boolean,
    todoOf: (i: number) => Todo,
    beside: (left: readonly number[]) => readonly number[] = () => [],
  ): Promise<Set<number>> {
    const changed = new Set<number>();
    if (todo.length === 0) return changed;
    const { arcs } = this.around;
    const before = await this.around.keysBefore(todo);
    todo.forEach((i, n) => {
      // Of weights and digits, all is worked out again.
      defined(arcs[i]).keys = new Set(
        [...(defined(arcs[i]).keys ?? defined(before[n]))].filter(
          (key) => !isWanted(kindOf(key)) || isOfEnds(kindOf(key)),
        ),
      );
    });
    let cells = new Map<number, number>();
    const want = (cell: number, limit: number) => cells.set(cell, Math.max(limit, cells.get(cell) ?? -1));
    const wantAll = (keys: Iterable<number>) => {
      for (const key of keys) if (isWanted(kindOf(key))) want(key % CELLS, classOfKind(kindOf(key)));
    };
    for (const keys of [...before, ...(await this.around.keysOfGone())]) wantAll(keys);
    await this.around.readCellsOf(cells);
    for (let left = todo, round = 0; left.length > 0; round++) {
      const { result, given } = await this.ask(left, cells, beside(left), todoOf);
      await this.take(result, given, changed);
      const open = new Set(given.filter((_, n) => result.open[n] === 1));
      left = left.filter((i) => open.has(i));
      // Few are left after the first turn, with fewer cells; from then on, more.
      if (round === 0) cells = new Map();
      for (const i of open) wantAll(defined(arcs[i]).keys ?? []);
      // The further it goes on, the further it is likely to go.
      result.missing.forEach((missing, n) => {
        let cell = missing;
        for (let up = Math.min(round, 6); up > 0 && parentCell(cell) >= 0; up--) cell = parentCell(cell);
        want(cell, defined(result.missingClass[n]));
      });
      await this.around.readCellsOf(cells);
      await this.around.link(Array.from(result.unlinked, (n) => defined(given[n])));
    }
    return changed;
  }

  /** One turn of the worker: what is to be done, among the arcs of some cells and those beside. */
  private async ask(
    todo: readonly number[],
    cells: ReadonlyMap<number, number>,
    beside: readonly number[],
    todoOf: (i: number) => Todo,
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
    const todos = given.map((i): Todo => (asked.has(i) ? todoOf(i) : {}));
    const result = await this.run.engine.pool.runPatiently('tiers', {
      coords,
      first,
      length,
      arcClass: Uint8Array.from(arcs, (arc) => arc.class),
      main: Uint8Array.from(arcs, (arc) => arc.main),
      links: Int32Array.from(links),
      linked: Uint8Array.from(arcs, ({ linked }) => Number(linked)),
      cells: Float64Array.from(cells.keys()),
      cellClass: Uint8Array.from(cells.values()),
      weights,
      ends,
      exact: Uint16Array.from(arcs, ({ tiers }) => tiers.exact),
      todoWeights: Uint8Array.from(todos, ({ weights = false }) => Number(weights)),
      todoEnds: Uint16Array.from(todos, ({ ends = 0 }) => ends),
      todoDigits: Uint8Array.from(todos, ({ digits = false }) => Number(digits)),
    });
    return { result, given };
  }

  /** Takes over a result, and notes whose tiers it changed. */
  private async take(result: TierResult, given: readonly number[], changed: Set<number>): Promise<void> {
    const { arcs } = this.around;
    const keysOf = given.map((_, n) => decodeReach(reachAt(result.reach, n).bytes));
    const unread = given.filter((i, n) => defined(keysOf[n]).length > 0 && defined(arcs[i]).keys === null);
    const before = await this.around.keysBefore(unread);
    unread.forEach((i, n) => {
      defined(arcs[i]).keys = new Set(before[n]);
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

const isReweighed = ({ tiers, before }: Held) => !isSame(tiers.weights, before.weights);

/** The masks of both ends that say where they are gone, without those of digits. */
const classMasks = (ends: Uint16Array) => ends.filter((_, at) => isClassMask(at));
const isClassMask = (at: number) => at % MASKS_PER_END < END_CLASSES;

const isSame = (a: ArrayBufferView, b: ArrayBufferView) => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
