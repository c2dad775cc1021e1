import { ENDS_PER_ARC, MASKS_PER_END } from '../../../workers/contract.ts';
import { Places } from '../../../workers/kernels/join.ts';
import { type ArcReach, decodeReach, encodeReach, reachAt } from '../../../workers/kernels/reach.ts';
import { ALL_CLASSES } from '../../../workers/kernels/simplify.ts';
import { CELLS, cellAt, cellBox, isKnown, KINDS, parentCell } from '../../../workers/kernels/surroundings.ts';
import type { BuildResult, TierResult } from '../../../workers/tasks.ts';
import type { Queryable } from '../../db/connect.ts';
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
} from '../../domain/topology.ts';
import type { Plan } from './arrangement.ts';
import {
  Changes,
  classOfKind,
  EVERY_CLASS,
  isOfDigits,
  isOfEnds,
  isOfWeights,
  type Touched,
  touchedBy,
} from './changes.ts';
import type { Run } from './model.ts';

/** The tiers of an arc. */
interface Tiers {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: number;
}

/** The tiers of an arc, and what they depend on; null: on what they did. */
export interface ArcTiers extends Tiers {
  readonly reach: ArcReach | null;
}

export interface Tiered {
  /** Of the arcs that were built, in their order. */
  readonly built: readonly ArcTiers[];
  /** Of stored arcs beside those, which something near changed; they may have changed, too. */
  readonly others: readonly { readonly stored: StoredArc; readonly tiers: ArcTiers }[];
  /** Stored arcs that were read to find out. */
  readonly loaded: number;
}

/** An arc that is at hand. */
interface Held {
  readonly coords: Int32Array;
  readonly class: number;
  readonly main: number;
  readonly stored: StoredArc | null;
  /** As stored or, of a new arc, as they are among the arcs that were built. */
  readonly before: Tiers;
  tiers: Tiers;
  /** The keys that they depend on, where that may be others than before. */
  keys: Set<number> | null;
  /** All holes are known that are in a shell it is part of. */
  linked: boolean;
  /** Whether the worker is given it. */
  given: boolean;
  /** The smallest cells its vertices are in. */
  cells: readonly number[] | null;
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
  const neighbourhood = new Neighbourhood(run, db, plan, built);
  if (!plan.alone) await neighbourhood.settle();
  return neighbourhood.result();
}

class Neighbourhood {
  private readonly run: Run;
  private readonly db: Queryable;
  private readonly plan: Plan;
  private readonly built: BuildResult;
  private readonly held: Held[];
  /** Places in `held` by id; of an arc that was cut or joined, that of a part. */
  private readonly at = new Map<number, number>();
  /** Of new arcs, the stored ones they are parts of. */
  private readonly origins = new Map<number, number[]>();
  /** Stored arcs that are no more, and their ids. */
  private readonly gone: StoredArc[] = [];
  private readonly goneIds: ReadonlySet<number>;
  /** What the tiers of stored arcs depend on, by id, as far as it was read. */
  private readonly reaches = new Map<number, Uint8Array>();
  /** The smallest cells of which all reaches were read. */
  private readonly readCells = new Set<number>();
  private readonly links: number[];
  /** Cells of which all stored arcs were read, up to a class; boxes of which all were. */
  private readonly fetched = new Map<number, number>();
  private fetchedBoxes: readonly Extent[] = [];
  /** Cells of which the worker is given all arcs, up to a class. */
  private readonly known = new Map<number, number>();
  private loaded = 0;

  constructor(run: Run, db: Queryable, plan: Plan, built: BuildResult) {
    this.run = run;
    this.db = db;
    this.plan = plan;
    this.built = built;
    this.links = [...built.links];
    const { arcs } = built;
    const byHash = new Map<string, StoredArc>();
    for (const arc of [...plan.around, ...plan.former.values()]) byHash.set(hex(arc.hash), arc);
    this.loaded = byHash.size;
    this.held = Array.from(arcs.first, (first, i): Held => {
      const to = first + arcs.length[i];
      const stored = byHash.get(hex(arcs.hashes.subarray(16 * i, 16 * i + 16))) ?? null;
      if (stored) {
        byHash.delete(hex(stored.hash));
        this.at.set(stored.id, i);
      }
      const tiers = stored
        ? tiersOf(stored)
        : {
            weights: arcs.weights.subarray(first, to),
            ends: arcs.ends.subarray(i * ENDS_PER_ARC, (i + 1) * ENDS_PER_ARC),
            exact: arcs.exact[i],
          };
      return {
        coords: arcs.coords.subarray(2 * first, 2 * to),
        class: arcs.arcClass[i],
        main: arcs.main[i],
        stored,
        before: tiers,
        tiers,
        keys: null,
        linked: stored === null,
        given: false,
        cells: null,
      };
    });
    this.gone.push(...byHash.values());
    this.goneIds = new Set(this.gone.map(({ id }) => id));
    built.storedArcs.forEach(({ parts }, n) => {
      const { id } = plan.around[n];
      if (this.at.has(id)) return;
      this.at.set(id, parts[0]);
      for (const part of parts) {
        this.held[part].linked = false;
        this.origins.set(part, [...(this.origins.get(part) ?? []), id]);
      }
    });
  }

  result(): Tiered {
    const { arcs } = this.built;
    const tiersOf = ({ tiers, keys, stored }: Held, i: number): ArcTiers => ({
      ...tiers,
      reach: keys ? encodeReach(keys) : stored ? null : reachAt(arcs.reach, i),
    });
    return {
      built: this.held.slice(0, arcs.first.length).map(tiersOf),
      others: this.held
        .slice(arcs.first.length)
        .flatMap((arc, i) => (arc.stored ? [{ stored: arc.stored, tiers: tiersOf(arc, i) }] : [])),
      loaded: this.loaded,
    };
  }

  async settle(): Promise<void> {
    const { held, gone } = this;
    const former = this.plan.former;
    const fresh = held.flatMap(({ stored }, i) => (stored ? [] : [i]));
    const recast = held.flatMap(({ stored, ...arc }, i) => (stored && stored.class !== arc.class ? [i] : []));
    const remained = held.flatMap(({ stored, ...arc }, i) => (stored && Number(stored.main) !== arc.main ? [i] : []));
    await this.readReach(gone.map(({ id }) => id));
    await this.fetchAround(fresh);

    // To new arcs, those are changes that were not among the built ones, and those whose tiers or holes are not known.
    let outer = new Changes();
    const among = new Changes();
    held.forEach(({ coords, class: own, linked }, i) => {
      if (i >= this.built.arcs.first.length) outer.addAll(coords, own);
      else if (!linked) among.addAll(coords, own);
    });

    // Weights.
    const places = this.changedPlaces(fresh);
    const mains = new Changes();
    for (const i of remained) mains.addAll(held[i].coords, EVERY_CLASS);
    const weighed = new Set(remained);
    // Who has the hole of an island may be another now.
    const used = new Set<number>();
    for (const one of this.built.boundaries)
      if ('rings' in one) for (const ref of one.rings.refs) used.add(ref < 0 ? ~ref : ref);
    held.forEach(({ stored, main }, i) => {
      if (main === 0 && stored && (used.has(i) || former.has(stored.id))) weighed.add(i);
    });
    const islands = places.with(mains);
    const inner = outer.with(among);
    for (const i of (await this.reaching(kindsOf(isOfWeights, places, islands))).keys()) weighed.add(i);
    for (const i of this.freshReaching(kindsOf(isOfWeights, outer, inner)).keys()) weighed.add(i);
    for (let todo = [...weighed]; todo.length > 0; ) {
      await this.work(todo, isOfWeights, () => ({ weights: true }));
      const others = new Changes();
      for (const i of todo) if (this.isReweighed(i)) others.addAll(held[i].coords, EVERY_CLASS);
      const ofIslands = (kind: number) => (kind === KINDS.island ? others : null);
      const more = [...(await this.reaching(ofIslands)).keys(), ...this.freshReaching(ofIslands).keys()];
      todo = [...new Set(more)].filter((i) => !weighed.has(i));
      for (const i of todo) weighed.add(i);
    }

    // Ends: of what changes, new arcs see all that is stored, and stored arcs all that is new.
    outer = inner;
    // What an arc's class no longer has is gone from it in none.
    for (const i of recast) {
      const { tiers } = held[i];
      held[i].tiers = { ...tiers, ends: tiers.ends.map((mask, at) => (isClassMask(at) ? 0 : mask)) };
      places.addAll(held[i].coords, Math.min(held[i].class, held[i].stored?.class ?? EVERY_CLASS));
    }
    const altered = new Set([...recast, ...remained]);
    for (const i of weighed) {
      if (!this.isReweighed(i)) continue;
      altered.add(i);
      const { tiers, before, coords, class: own, stored } = held[i];
      const changes = stored ? places : outer;
      changes.addEnds(coords, own);
      for (let v = 1; v < tiers.weights.length - 1; v++)
        if (tiers.weights[v] !== before.weights[v]) changes.add(coords[2 * v], coords[2 * v + 1], own);
    }
    const ended = new Map<number, number>([...altered].map((i) => [i, ALL_CLASSES]));
    const met = this.meeting([...fresh, ...recast]).filter((i) => held[i].stored !== null);
    for (const i of met) ended.set(i, ALL_CLASSES);
    const ofEnds = [await this.reaching(kindsOf(isOfEnds, places)), this.freshReaching(kindsOf(isOfEnds, outer))];
    for (const touched of ofEnds) for (const [i, { ends }] of touched) ended.set(i, (ended.get(i) ?? 0) | ends);
    const reworked = await this.work([...ended.keys()], isOfEnds, (i) => ({ ends: ended.get(i) }));
    for (const i of reworked) {
      const { tiers, before, coords, class: own, stored } = held[i];
      if (same(bytes(classMasks(tiers.ends)), bytes(classMasks(before.ends)))) continue;
      altered.add(i);
      (stored ? places : outer).addEnds(coords, own);
    }

    // Digits. A segment and a vertex that it comes near to keep them both.
    const rounded = new Set([...altered, ...met]);
    const near = new Map([false, true].map((isStored) => [isStored, new Set<number>()]));
    for (const touched of [
      await this.reaching(kindsOf(isOfDigits, places)),
      this.freshReaching(kindsOf(isOfDigits, outer)),
    ]) {
      for (const [i, { cells }] of touched) {
        rounded.add(i);
        for (const cell of cells) near.get(held[i].stored === null)?.add(cell);
      }
    }
    for (const [isStored, cells] of near)
      for (const i of this.within(cells)) if ((held[i].stored !== null) === isStored) rounded.add(i);
    await this.workDigits([...rounded]);
    // What new segments come near to is known when they are.
    const cells = new Set<number>();
    await this.readReach([...altered].flatMap((i) => held[i].stored?.id ?? []));
    const reaches = [...altered].flatMap((i) => [decodeReach(this.reachBefore(i)), held[i].keys ?? []]);
    for (const keys of [...reaches, ...gone.map(({ id }) => decodeReach(this.reaches.get(id) as Uint8Array))])
      for (const key of keys) if (isOfDigits(Math.floor(key / CELLS))) cells.add(key % CELLS);
    await this.load(new Map([...cells].map((cell) => [cell, EVERY_CLASS])));
    await this.workDigits(this.within(cells).filter((i) => !rounded.has(i)));
  }

  private async workDigits(todo: readonly number[]): Promise<void> {
    if (todo.length === 0) return;
    // Whose segments pass where an arc has vertices must be at hand.
    const places = new Changes();
    for (const i of todo) places.addAll(this.held[i].coords, 0);
    const ofDigits = kindsOf(isOfDigits, places);
    for (const touched of [await this.reaching(ofDigits), this.freshReaching(ofDigits)])
      for (const i of touched.keys()) this.held[i].given = true;
    await this.work(todo, isOfDigits, () => ({ digits: true }));
  }

  private isReweighed(i: number): boolean {
    const { tiers, before } = this.held[i];
    return !same(tiers.weights, before.weights);
  }

  /** To stored arcs: the vertices that are new or no more, and the ends of arcs that are. */
  private changedPlaces(fresh: readonly number[]): Changes {
    const changes = new Changes();
    const { gone, held } = this;
    const coordsOf = new Map(gone.map((arc) => [arc, intsOf(arc.coords)]));
    const before = new Places([...coordsOf.values()].reduce((sum, coords) => sum + coords.length / 2, 0));
    const classes: number[] = [];
    const stays: boolean[] = [];
    for (const [arc, coords] of coordsOf) {
      for (let i = 2; i < coords.length - 2; i += 2) classes[before.add(coords[i], coords[i + 1])] = arc.class;
    }
    for (const i of fresh) {
      const { coords, class: own } = held[i];
      for (let j = 0; j < coords.length; j += 2) {
        const place = j === 0 || j === coords.length - 2 ? -1 : before.find(coords[j], coords[j + 1]);
        if (place >= 0 && classes[place] === own) stays[place] = true;
        else changes.add(coords[j], coords[j + 1], own);
      }
    }
    for (const [arc, coords] of coordsOf) {
      for (let j = 0; j < coords.length; j += 2) {
        const isEnd = j === 0 || j === coords.length - 2;
        if (isEnd || !stays[before.find(coords[j], coords[j + 1])]) changes.add(coords[j], coords[j + 1], arc.class);
      }
    }
    return changes;
  }

  /** The arcs at hand that end where one of some arcs, or one that is no more, ends. */
  private meeting(arcs: readonly number[]): number[] {
    const coords = [...arcs.map((i) => this.held[i].coords), ...this.gone.map((arc) => intsOf(arc.coords))];
    const ends = new Places(2 * coords.length);
    for (const one of coords) {
      ends.add(one[0], one[1]);
      ends.add(one[one.length - 2], one[one.length - 1]);
    }
    return this.held.flatMap(({ coords: one }, i) =>
      ends.find(one[0], one[1]) >= 0 || ends.find(one[one.length - 2], one[one.length - 1]) >= 0 ? [i] : [],
    );
  }

  /** The stored arcs whose tiers depend on changes, now at hand, and what of it they touch. */
  private async reaching(changesOf: (kind: number) => Changes | null): Promise<Map<number, Touched>> {
    for (const changes of new Set([KINDS.weights, KINDS.island, KINDS.ends, KINDS.digits].map(changesOf))) {
      const boxes = changes?.boxes(this.readCells) ?? [];
      const around = gather(boxes.map(({ box }) => box));
      for (const [id, reach] of await reachAround(this.db, around)) this.reaches.set(id, reach);
      for (const { cell } of boxes) this.readCells.add(cell);
    }
    const touched = new Map<number, Touched>();
    for (const [id, reach] of this.reaches) {
      const one = this.goneIds.has(id) ? null : touchedBy(reach, changesOf);
      if (one) touched.set(id, one);
    }
    this.hold(
      await arcsOf(
        this.db,
        [...touched.keys()].filter((id) => !this.at.has(id)),
      ),
    );
    return new Map([...touched].map(([id, one]) => [this.at.get(id) as number, one]));
  }

  /** The same of new arcs, as they are among the built ones. */
  private freshReaching(changesOf: (kind: number) => Changes | null): Map<number, Touched> {
    const touched = new Map<number, Touched>();
    const { length } = this.built.arcs.first;
    for (let i = 0; i < length; i++) {
      if (this.held[i].stored) continue;
      const one = touchedBy(this.reachBefore(i), changesOf);
      if (one) touched.set(i, one);
    }
    return touched;
  }

  /** What the tiers of an arc depended on before; of a stored one when it was read. */
  private reachBefore(i: number): Uint8Array {
    const { stored } = this.held[i];
    return stored ? (this.reaches.get(stored.id) as Uint8Array) : reachAt(this.built.arcs.reach, i).bytes;
  }

  private async readReach(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.reaches.has(id));
    for (const [id, reach] of await reachOfArcs(this.db, missing)) this.reaches.set(id, reach);
  }

  private hold(arcs: ReadonlyMap<number, StoredArc>): void {
    for (const arc of arcs.values()) {
      if (this.at.has(arc.id)) continue;
      this.loaded++;
      this.at.set(arc.id, this.held.length);
      const tiers = tiersOf(arc);
      this.held.push({
        coords: intsOf(arc.coords),
        class: arc.class,
        main: Number(arc.main),
        stored: arc,
        before: tiers,
        tiers,
        keys: null,
        linked: false,
        given: false,
        cells: null,
      });
    }
  }

  /** Reads the stored arcs that lie in what the tiers of new arcs depend on. */
  private async fetchAround(fresh: readonly number[]): Promise<void> {
    const { reach } = this.built.arcs;
    const boxes: Extent[] = [];
    for (const i of fresh) {
      const { box, bytes } = reachAt(reach, i);
      if (Math.max(box[2] - box[0], box[3] - box[1]) < COMPACT) boxes.push(box);
      else for (const key of decodeReach(bytes)) boxes.push(cellBox(key % CELLS));
    }
    this.fetchedBoxes = gather(boxes);
    await this.fetch(this.fetchedBoxes.map((box) => ({ box, limit: EVERY_CLASS })));
  }

  private async fetch(boxes: readonly { box: Extent; limit: number }[]): Promise<void> {
    this.hold(await arcsAround(this.db, boxes, [...this.at.keys(), ...this.goneIds]));
  }

  /** Gives the worker all arcs of cells, up to the class each. */
  private async load(cells: ReadonlyMap<number, number>): Promise<void> {
    const unread: { box: Extent; limit: number }[] = [];
    for (const [cell, limit] of cells) {
      if (isKnown(this.fetched, cell, limit)) continue;
      const box = cellBox(cell);
      if (!this.fetchedBoxes.some((around) => isWithin(box, around))) unread.push({ box, limit });
    }
    if (unread.length > 0) await this.fetch(unread);
    for (const [cell, limit] of cells) {
      this.fetched.set(cell, Math.max(limit, this.fetched.get(cell) ?? -1));
      this.known.set(cell, Math.max(limit, this.known.get(cell) ?? -1));
    }
    const limits = new Limits(cells);
    for (const arc of this.held) {
      if (!arc.given && limits.hold(this.cellsOf(arc), arc.class)) arc.given = true;
    }
  }

  private cellsOf(arc: Held): readonly number[] {
    if (arc.cells === null) {
      const cells = new Set<number>();
      for (let i = 0; i < arc.coords.length; i += 2) cells.add(cellAt(arc.coords[i], arc.coords[i + 1]));
      arc.cells = [...cells];
    }
    return arc.cells;
  }

  /** The arcs at hand that have a vertex in one of some cells. */
  private within(cells: ReadonlySet<number>): number[] {
    if (cells.size === 0) return [];
    const limits = new Limits(new Map([...cells].map((cell) => [cell, EVERY_CLASS])));
    return this.held.flatMap((arc, i) => (limits.hold(this.cellsOf(arc), arc.class) ? [i] : []));
  }

  /**
   * Works out one thing of some arcs, until nothing is missing for it; gives the arcs whose tiers it may have changed.
   * What was looked at before, here and where something is gone, is likely to be needed again.
   */
  private async work(
    arcs: readonly number[],
    isWanted: (kind: number) => boolean,
    todoOf: (i: number) => Todo,
  ): Promise<Set<number>> {
    const changed = new Set<number>();
    if (arcs.length === 0) return changed;
    const { held } = this;
    await this.readReach(arcs.flatMap((i) => held[i].stored?.id ?? []));
    const cells = new Map<number, number>();
    const want = (cell: number, limit: number) => cells.set(cell, Math.max(limit, cells.get(cell) ?? -1));
    for (const i of arcs) {
      held[i].given = true;
      const before = decodeReach(this.reachBefore(i));
      // Of weights and digits, all is worked out again.
      held[i].keys = new Set(
        [...(held[i].keys ?? before)].filter((key) => !isWanted(kindOf(key)) || isOfEnds(kindOf(key))),
      );
      for (const key of before) if (isWanted(kindOf(key))) want(key % CELLS, classOfKind(kindOf(key)));
    }
    for (const { id } of this.gone)
      for (const key of decodeReach(this.reaches.get(id) as Uint8Array))
        if (isWanted(kindOf(key))) want(key % CELLS, classOfKind(kindOf(key)));
    await this.load(cells);
    for (let todo = arcs, round = 0; todo.length > 0; round++) {
      const open = new Set<number>();
      const { result, given } = await this.ask(todo, todoOf);
      await this.take(result, given, changed, open);
      if (open.size === 0) break;
      // Weights are a matter of one arc.
      if (isWanted(KINDS.weights)) todo = todo.filter((i) => open.has(i));
      cells.clear();
      // The further it goes on, the further it is likely to go.
      result.missing.forEach((missing, n) => {
        let cell = missing;
        for (let up = Math.min(round, 6); up > 0 && parentCell(cell) >= 0; up--) cell = parentCell(cell);
        want(cell, result.missingClass[n]);
      });
      await this.load(cells);
      await this.link(Array.from(result.unlinked, (n) => given[n]));
    }
    return changed;
  }

  /** One turn of the worker over what it is given. */
  private async ask(todo: readonly number[], todoOf: (i: number) => Todo) {
    const { held } = this;
    const given = held.flatMap((arc, i) => (arc.given ? [i] : []));
    const arcs = given.map((i) => held[i]);
    const numbers = new Map(given.map((i, n) => [i, n]));
    const first = new Uint32Array(arcs.length);
    const length = Uint32Array.from(arcs, ({ coords }) => coords.length / 2);
    for (let n = 1; n < arcs.length; n++) first[n] = first[n - 1] + length[n - 1];
    const vertices = length.reduce((sum, own) => sum + own, 0);
    const coords = new Int32Array(2 * vertices);
    const weights = new Uint8Array(vertices);
    const ends = new Uint16Array(ENDS_PER_ARC * arcs.length);
    arcs.forEach((arc, n) => {
      coords.set(arc.coords, 2 * first[n]);
      weights.set(arc.tiers.weights, first[n]);
      ends.set(arc.tiers.ends, ENDS_PER_ARC * n);
    });
    const todoWeights = new Uint8Array(arcs.length);
    const todoEnds = new Uint16Array(arcs.length);
    const todoDigits = new Uint8Array(arcs.length);
    for (const i of todo) {
      const n = numbers.get(i) as number;
      const one = todoOf(i);
      todoWeights[n] = one.weights ? 1 : 0;
      todoEnds[n] = one.ends ?? 0;
      todoDigits[n] = one.digits ? 1 : 0;
    }
    const links: number[] = [];
    for (let k = 0; k < this.links.length; k += 2) {
      const [shell, hole] = [numbers.get(this.links[k]), numbers.get(this.links[k + 1])];
      if (shell !== undefined && hole !== undefined) links.push(shell, hole);
    }
    const result = await this.run.engine.pool.run('tiers', {
      coords,
      first,
      length,
      arcClass: Uint8Array.from(arcs, (arc) => arc.class),
      main: Uint8Array.from(arcs, (arc) => arc.main),
      links: Int32Array.from(links),
      linked: Uint8Array.from(arcs, ({ linked }) => Number(linked)),
      cells: Float64Array.from(this.known.keys()),
      cellClass: Uint8Array.from(this.known.values()),
      weights,
      ends,
      exact: Uint16Array.from(arcs, ({ tiers }) => tiers.exact),
      todoWeights,
      todoEnds,
      todoDigits,
    });
    return { result, given };
  }

  /** Takes over a result, and notes whose tiers it changed and who is not final. */
  private async take(result: TierResult, given: readonly number[], changed: Set<number>, open: Set<number>) {
    const { weights, ends, exact, reach } = result;
    const { held } = this;
    const depending = given.filter((_, n) => reachAt(reach, n).bytes.length > 0);
    await this.readReach(depending.flatMap((i) => held[i].stored?.id ?? []));
    let from = 0;
    given.forEach((i, n) => {
      const arc = held[i];
      const to = from + arc.coords.length / 2;
      const tiers: Tiers = {
        weights: weights.slice(from, to),
        ends: ends.slice(ENDS_PER_ARC * n, ENDS_PER_ARC * (n + 1)),
        exact: exact[n],
      };
      from = to;
      const isSame = same(tiers.weights, arc.tiers.weights) && same(bytes(tiers.ends), bytes(arc.tiers.ends));
      if (!isSame || tiers.exact !== arc.tiers.exact) changed.add(i);
      arc.tiers = tiers;
      if (result.open[n] === 1) open.add(i);
      const keys = decodeReach(reachAt(reach, n).bytes);
      if (keys.length === 0) return;
      arc.keys ??= new Set(decodeReach(this.reachBefore(i)));
      for (const key of keys) arc.keys.add(key);
    });
  }

  /** Makes the holes known of the shells that stored arcs are in. */
  private async link(unlinked: readonly number[]): Promise<void> {
    if (unlinked.length === 0) return;
    const ids = unlinked.flatMap((i) => this.held[i].stored?.id ?? this.origins.get(i) ?? []);
    for (const i of unlinked) this.held[i].linked = true;
    for (const { arcs, ring_end, polygon_end } of await ownersOf(this.db, ids, this.plan.remade)) {
      const missing = arcs.map(Math.abs).filter((id) => !this.at.has(id));
      const firsts: [number, number][] = [];
      for (let polygon = 0, ring = 0; polygon < polygon_end.length; polygon++) {
        const shell = Math.abs(arcs[ring === 0 ? 0 : ring_end[ring - 1]]);
        for (ring++; ring < polygon_end[polygon]; ring++) firsts.push([shell, Math.abs(arcs[ring_end[ring - 1]])]);
      }
      const wanted = new Set(missing);
      this.hold(
        await arcsOf(
          this.db,
          firsts.flat().filter((id) => wanted.has(id)),
        ),
      );
      for (const [shell, hole] of firsts) {
        const [a, b] = [this.at.get(shell), this.at.get(hole)];
        if (a === undefined || b === undefined) continue;
        this.links.push(a, b);
        this.held[a].given = true;
        this.held[b].given = true;
      }
    }
  }
}

/** What is no larger (1e-7 degrees) is looked up as one box. */
const COMPACT = 4_000_000;

/** Cells with a class each, and which chains have a vertex in one of no smaller class. */
class Limits {
  private readonly cells: ReadonlyMap<number, number>;
  private readonly found = new Map<number, number>();

  constructor(cells: ReadonlyMap<number, number>) {
    this.cells = cells;
  }

  hold(smallest: readonly number[], own: number): boolean {
    return smallest.some((cell) => this.limitOf(cell) >= own);
  }

  private limitOf(smallest: number): number {
    let limit = this.found.get(smallest);
    if (limit !== undefined) return limit;
    limit = -1;
    for (let cell = smallest; cell >= 0; cell = parentCell(cell)) limit = Math.max(limit, this.cells.get(cell) ?? -1);
    this.found.set(smallest, limit);
    return limit;
  }
}

const kindOf = (key: number) => Math.floor(key / CELLS);

/** Changes to some kinds of questions; islands may have others. */
function kindsOf(isWanted: (kind: number) => boolean, changes: Changes, ofIslands = changes) {
  return (kind: number) => (isWanted(kind) ? (kind === KINDS.island ? ofIslands : changes) : null);
}

const isWithin = (one: Extent, other: Extent) =>
  one[0] >= other[0] && one[1] >= other[1] && one[2] <= other[2] && one[3] <= other[3];

const endsOf = ({ ends }: StoredArc) =>
  new Uint16Array(ends.buffer.slice(ends.byteOffset, ends.byteOffset + ends.byteLength));

/** The masks of both ends that say where they are gone, without those of digits. */
const classMasks = (ends: Uint16Array) => ends.filter((_, i) => isClassMask(i));
const isClassMask = (at: number) => at % MASKS_PER_END < EVERY_CLASS + 1;

function tiersOf(arc: StoredArc): Tiers {
  return { weights: arc.weights, ends: endsOf(arc), exact: arc.exact };
}

const hex = (view: Uint8Array) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex');
const bytes = (view: Uint16Array) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
