import { END_CLASSES, ENDS_PER_ARC, MASKS_PER_END } from '../../../workers/contract.ts';
import { Places } from '../../../workers/kernels/join.ts';
import { ALL_CLASSES } from '../../../workers/kernels/simplify.ts';
import { CELLS, cellAt, cellBox, isKnown, KINDS, parentCell } from '../../../workers/kernels/surroundings.ts';
import type { BuildResult, TierResult } from '../../../workers/tasks.ts';
import type { Queryable } from '../../db/connect.ts';
import {
  arcsAround,
  arcsOf,
  arcsReaching,
  intsOf,
  ownersOf,
  reachOfArcs,
  type StoredArc,
} from '../../domain/topology.ts';
import type { Plan } from './arrangement.ts';
import type { Run } from './model.ts';

/** The tiers of an arc, and what they depend on. */
export interface ArcTiers {
  weights: Uint8Array;
  ends: Uint16Array;
  exact: number;
  readonly reach: Set<number>;
}

export interface Tiered {
  /** Of the arcs that were built, in their order. */
  readonly built: readonly ArcTiers[];
  /** Of stored arcs beside those, which something near changed; they may have changed, too. */
  readonly others: readonly { readonly stored: StoredArc; readonly tiers: ArcTiers }[];
  /** Stored arcs that were read to find out. */
  readonly loaded: number;
}

/** An arc of the part of the arrangement that is at hand. */
interface Held {
  readonly coords: Int32Array;
  readonly class: number;
  readonly main: number;
  readonly stored: StoredArc | null;
  readonly tiers: ArcTiers;
  linked: boolean;
}

const EVERY_CLASS = END_CLASSES - 1;

/**
 * The tiers of what was built, and of the stored arcs around it that depend on what changed. Weights depend on places
 * (and, of islands, on what goes with them), ends on places and weights, digits on all of these: in this order it is
 * looked up whose cells something changed in, and the worker asks for the arcs of cells that it needs beside those.
 */
export async function tiersAround(run: Run, db: Queryable, plan: Plan, built: BuildResult): Promise<Tiered> {
  const neighbourhood = new Neighbourhood(run, db, plan, built);
  if (!plan.alone) await neighbourhood.settle();
  return neighbourhood.result();
}

/** Changed vertices by cell: the smallest class of an arc they are of. */
class Changes {
  readonly cells = new Map<number, number>();

  add(x: number, y: number, limit: number): void {
    const cell = cellAt(x, y);
    this.cells.set(cell, Math.min(limit, this.cells.get(cell) ?? limit));
  }

  addAll(coords: Int32Array, limit: number): void {
    for (let i = 0; i < coords.length; i += 2) this.add(coords[i], coords[i + 1], limit);
  }

  /** The keys of all cells that hold a change. */
  keys(kinds: (limit: number) => Iterable<number>): number[] {
    const keys = new Set<number>();
    for (const [own, limit] of this.cells) {
      for (let cell = own; cell >= 0; cell = parentCell(cell))
        for (const kind of kinds(limit)) keys.add(kind * CELLS + cell);
    }
    return [...keys];
  }
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
  /** Stored arcs that are no more. */
  private readonly gone: StoredArc[] = [];
  private readonly links: number[];
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
      const reach = arcs.reach.keys.subarray(i === 0 ? 0 : arcs.reach.end[i - 1], arcs.reach.end[i]);
      return {
        coords: arcs.coords.subarray(2 * first, 2 * to),
        class: arcs.arcClass[i],
        main: arcs.main[i],
        stored,
        linked: stored === null,
        tiers: stored
          ? tiersOf(stored)
          : {
              weights: arcs.weights.subarray(first, to),
              ends: arcs.ends.subarray(i * ENDS_PER_ARC, (i + 1) * ENDS_PER_ARC),
              exact: arcs.exact[i],
              reach: new Set(reach),
            },
      };
    });
    this.gone.push(...byHash.values());
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
    const built = this.held.slice(0, this.built.arcs.first.length);
    const others = this.held.slice(built.length);
    return {
      built: built.map(({ tiers }) => tiers),
      others: others.flatMap(({ stored, tiers }) => (stored ? [{ stored, tiers }] : [])),
      loaded: this.loaded,
    };
  }

  async settle(): Promise<void> {
    const { held, gone } = this;
    const former = this.plan.former;
    const fresh = held.flatMap(({ stored }, i) => (stored ? [] : [i]));
    const recast = held.flatMap(({ stored, ...arc }, i) => (stored && stored.class !== arc.class ? [i] : []));
    const remained = held.flatMap(({ stored, ...arc }, i) => (stored && Number(stored.main) !== arc.main ? [i] : []));
    const goneReach = await reachOfArcs(
      this.db,
      gone.map(({ id }) => id),
    );

    // Weights.
    const places = this.changedPlaces(fresh);
    const islands = new Changes();
    for (const [cell, limit] of places.cells) islands.cells.set(cell, limit);
    for (const i of remained) islands.addAll(held[i].coords, EVERY_CLASS);
    const weighed = new Set([...fresh, ...remained]);
    // Who has the hole of an island may be another now.
    const used = new Set<number>();
    for (const one of this.built.boundaries)
      if ('rings' in one) for (const ref of one.rings.refs) used.add(ref < 0 ? ~ref : ref);
    held.forEach(({ stored, main }, i) => {
      if (main === 0 && (used.has(i) || (stored && former.has(stored.id)))) weighed.add(i);
    });
    for (const { i } of await this.reaching(places.keys(() => [KINDS.weights]))) weighed.add(i);
    for (const { i } of await this.reaching(islands.keys(() => [KINDS.island]))) weighed.add(i);
    for (let todo = [...weighed]; todo.length > 0; ) {
      await this.work(todo, [KINDS.weights, KINDS.island], goneReach, (i) => ({ weights: i }));
      const others = new Changes();
      for (const i of todo) {
        const { stored, tiers, coords } = held[i];
        if (stored && !same(tiers.weights, stored.weights)) others.addAll(coords, EVERY_CLASS);
      }
      const more = (await this.reaching(others.keys(() => [KINDS.island]))).filter(({ i }) => !weighed.has(i));
      todo = [...new Set(more.map(({ i }) => i))];
      for (const i of todo) weighed.add(i);
    }

    // Ends.
    const changed = new Changes();
    for (const [cell, limit] of places.cells) changed.cells.set(cell, limit);
    // What an arc's class no longer has is gone from it in none.
    for (const i of recast) held[i].tiers.ends = held[i].tiers.ends.map((mask, at) => (isClassMask(at) ? 0 : mask));
    for (const i of recast)
      changed.addAll(held[i].coords, Math.min(held[i].class, held[i].stored?.class ?? EVERY_CLASS));
    const altered = new Set([...fresh, ...recast, ...remained]);
    for (const i of weighed) {
      const { stored, tiers, coords, class: own } = held[i];
      if (!stored || same(tiers.weights, stored.weights)) continue;
      altered.add(i);
      for (let v = 0; v < tiers.weights.length; v++) {
        const isEnd = v === 0 || v === tiers.weights.length - 1;
        if (isEnd || tiers.weights[v] !== stored.weights[v]) changed.add(coords[2 * v], coords[2 * v + 1], own);
      }
    }
    const ended = new Map<number, number>([...altered].map((i) => [i, ALL_CLASSES]));
    for (const i of this.meeting([...fresh, ...recast])) ended.set(i, ALL_CLASSES);
    for (const { i, kind } of await this.reaching(changed.keys(upward(KINDS.ends)))) {
      ended.set(i, (ended.get(i) ?? 0) | (1 << (kind - KINDS.ends)));
    }
    const kindsOfEnds = [...upward(KINDS.ends)(0)];
    const touched = await this.work([...ended.keys()], kindsOfEnds, goneReach, (i) => ({
      ends: [i, ended.get(i) ?? 0],
    }));
    for (const i of touched) {
      const { stored, tiers, coords, class: own } = held[i];
      if (!stored || same(bytes(classMasks(tiers.ends)), bytes(classMasks(endsOf(stored))))) continue;
      altered.add(i);
      changed.add(coords[0], coords[1], own);
      changed.add(coords[coords.length - 2], coords[coords.length - 1], own);
    }

    // Digits.
    const rounded = new Set([...altered, ...this.meeting([...fresh, ...recast])]);
    const inDigits = (limit: number) => [KINDS.digits, ...upward(KINDS.merged)(limit)];
    for (const { i } of await this.reaching(changed.keys(inDigits))) rounded.add(i);
    const kindsOfDigits = new Set(inDigits(0));
    let todo = [...rounded];
    // Twice: what new segments come near to is known when they are.
    for (let turn = 0; turn < 2 && todo.length > 0; turn++) {
      await this.fetchMerged(todo);
      await this.work(todo, [...kindsOfDigits], goneReach, (i) => ({ digits: i }));
      if (turn > 0) break;
      const cells = new Set<number>();
      const take = (keys: Iterable<number>) => {
        for (const key of keys) if (kindsOfDigits.has(Math.floor(key / CELLS))) cells.add(key % CELLS);
      };
      const old = await reachOfArcs(
        this.db,
        [...altered].flatMap((i) => held[i].stored?.id ?? []),
      );
      for (const keys of [...goneReach.values(), ...old.values()]) take(keys);
      for (const i of altered) take(held[i].tiers.reach);
      await this.load(new Map([...cells].map((cell) => [cell, EVERY_CLASS])));
      todo = this.within(cells).filter((i) => !rounded.has(i));
    }
  }

  /** The vertices that are new or no more, and the ends of arcs that are. */
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

  /** The arcs whose tiers depend on cells, now at hand, by the keys' kinds. */
  private async reaching(keys: readonly number[]): Promise<{ i: number; kind: number }[]> {
    const rows = await arcsReaching(this.db, keys);
    const gone = new Set(this.gone.map(({ id }) => id));
    const ids = new Set(rows.map(({ id }) => id).filter((id) => !this.at.has(id) && !gone.has(id)));
    this.hold(await arcsOf(this.db, [...ids]));
    return rows.flatMap(({ id, key }) => {
      const i = this.at.get(id);
      return i === undefined ? [] : [{ i, kind: Math.floor(key / CELLS) }];
    });
  }

  private hold(arcs: ReadonlyMap<number, StoredArc>): void {
    for (const arc of arcs.values()) {
      if (this.at.has(arc.id)) continue;
      this.loaded++;
      this.at.set(arc.id, this.held.length);
      this.held.push({
        coords: intsOf(arc.coords),
        class: arc.class,
        main: Number(arc.main),
        stored: arc,
        tiers: tiersOf(arc),
        linked: false,
      });
    }
  }

  /** Makes all arcs of cells be at hand, up to the class each. */
  private async load(cells: ReadonlyMap<number, number>): Promise<void> {
    const boxes: { box: [number, number, number, number]; limit: number }[] = [];
    for (const [cell, limit] of cells) {
      if (isKnown(this.known, cell, limit)) continue;
      boxes.push({ box: cellBox(cell), limit });
    }
    for (const [cell, limit] of cells) this.known.set(cell, Math.max(limit, this.known.get(cell) ?? -1));
    if (boxes.length === 0) return;
    const gone = this.gone.map(({ id }) => id);
    this.hold(await arcsAround(this.db, boxes, [...this.at.keys(), ...gone]));
  }

  /** Makes the arcs be at hand whose merged segments pass where arcs have vertices. */
  private async fetchMerged(arcs: readonly number[]): Promise<void> {
    const places = new Changes();
    for (const i of arcs) places.addAll(this.held[i].coords, 0);
    await this.reaching(places.keys(upward(KINDS.merged)));
  }

  /** The arcs at hand that have a vertex in one of some cells. */
  private within(cells: ReadonlySet<number>): number[] {
    const found = new Map<number, boolean>();
    const isIn = (own: number) => {
      let known = found.get(own);
      if (known !== undefined) return known;
      known = false;
      for (let cell = own; cell >= 0 && !known; cell = parentCell(cell)) known = cells.has(cell);
      found.set(own, known);
      return known;
    };
    return this.held.flatMap(({ coords }, i) => {
      for (let j = 0; j < coords.length; j += 2) if (isIn(cellAt(coords[j], coords[j + 1]))) return [i];
      return [];
    });
  }

  /**
   * Works out one thing of some arcs, until nothing is missing for it; gives the arcs whose tiers it may have changed.
   * What stood in cells is likely to be needed of them again.
   */
  private async work(
    arcs: readonly number[],
    kinds: readonly number[],
    goneReach: ReadonlyMap<number, readonly number[]>,
    todoOf: (i: number) => { weights?: number; ends?: [number, number]; digits?: number },
  ): Promise<number[]> {
    if (arcs.length === 0) return [];
    const { held } = this;
    const wanted = new Set(kinds);
    const cells = new Map<number, number>();
    const want = (cell: number, limit: number) => cells.set(cell, Math.max(limit, cells.get(cell) ?? -1));
    const stored = await reachOfArcs(
      this.db,
      arcs.flatMap((i) => held[i].stored?.id ?? []),
    );
    for (const keys of [...stored.values(), ...goneReach.values()]) {
      for (const key of keys) {
        const kind = Math.floor(key / CELLS);
        if (wanted.has(kind)) want(key % CELLS, limitOf(kind));
      }
    }
    if (wanted.has(KINDS.weights)) {
      const fresh = arcs.filter((i) => held[i].stored === null);
      for (const cell of coverOf(fresh.map((i) => held[i].coords))) want(cell, EVERY_CLASS);
    }
    await this.load(cells);
    const changed = new Set<number>();
    for (let todo = arcs, round = 0; todo.length > 0; round++) {
      const result = await this.ask(todo, todoOf);
      this.take(result, changed);
      if (!result.open.includes(1)) break;
      // Weights are a matter of one arc.
      if (wanted.has(KINDS.weights)) todo = todo.filter((i) => result.open[i] === 1);
      cells.clear();
      // The further it goes on, the further it is likely to go.
      result.missing.forEach((missing, n) => {
        let cell = missing;
        for (let up = Math.min(round, 6); up > 0 && parentCell(cell) >= 0; up--) cell = parentCell(cell);
        want(cell, result.missingClass[n]);
      });
      await this.load(cells);
      await this.link(result.unlinked);
    }
    return [...changed];
  }

  /** One turn of the worker over what is at hand. */
  private ask(
    todo: readonly number[],
    todoOf: (i: number) => { weights?: number; ends?: [number, number]; digits?: number },
  ): Promise<TierResult> {
    const { held } = this;
    const n = held.length;
    const first = new Uint32Array(n);
    const length = new Uint32Array(n);
    let vertices = 0;
    for (let i = 0; i < n; i++) {
      first[i] = vertices;
      length[i] = held[i].coords.length / 2;
      vertices += length[i];
    }
    const coords = new Int32Array(2 * vertices);
    const weights = new Uint8Array(vertices);
    const ends = new Uint16Array(ENDS_PER_ARC * n);
    for (let i = 0; i < n; i++) {
      coords.set(held[i].coords, 2 * first[i]);
      weights.set(held[i].tiers.weights, first[i]);
      ends.set(held[i].tiers.ends, ENDS_PER_ARC * i);
    }
    const todoWeights = new Uint8Array(n);
    const todoEnds = new Uint16Array(n);
    const todoDigits = new Uint8Array(n);
    for (const i of todo) {
      const one = todoOf(i);
      if (one.weights !== undefined) todoWeights[i] = 1;
      if (one.ends) todoEnds[i] = one.ends[1];
      if (one.digits !== undefined) todoDigits[i] = 1;
    }
    return this.run.engine.pool.run('tiers', {
      coords,
      first,
      length,
      arcClass: Uint8Array.from(held, (arc) => arc.class),
      main: Uint8Array.from(held, (arc) => arc.main),
      links: Int32Array.from(this.links),
      linked: Uint8Array.from(held, ({ linked }) => Number(linked)),
      cells: Float64Array.from(this.known.keys()),
      cellClass: Uint8Array.from(this.known.values()),
      weights,
      ends,
      exact: Uint16Array.from(held, ({ tiers }) => tiers.exact),
      todoWeights,
      todoEnds,
      todoDigits,
    });
  }

  /** Takes over a result, and notes whose tiers it changed. */
  private take({ weights, ends, exact, reach }: TierResult, changed: Set<number>): void {
    let from = 0;
    for (let i = 0, key = 0; i < this.held.length; i++) {
      const { tiers, coords } = this.held[i];
      const to = from + coords.length / 2;
      const [ownWeights, ownEnds] = [weights.slice(from, to), ends.slice(ENDS_PER_ARC * i, ENDS_PER_ARC * (i + 1))];
      if (!same(ownWeights, tiers.weights) || !same(bytes(ownEnds), bytes(tiers.ends)) || exact[i] !== tiers.exact)
        changed.add(i);
      tiers.weights = ownWeights;
      tiers.ends = ownEnds;
      tiers.exact = exact[i];
      for (; key < reach.end[i]; key++) tiers.reach.add(reach.keys[key]);
      from = to;
    }
  }

  /** Makes the holes known of the shells that stored arcs are in. */
  private async link(unlinked: Int32Array): Promise<void> {
    if (unlinked.length === 0) return;
    const ids = [...unlinked].flatMap((i) => this.held[i].stored?.id ?? this.origins.get(i) ?? []);
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
        if (a !== undefined && b !== undefined) this.links.push(a, b);
      }
    }
  }
}

/** The kinds of a class and the ones above it. */
function upward(kind: number): (limit: number) => number[] {
  return (limit) => Array.from({ length: END_CLASSES - limit }, (_, i) => kind + limit + i);
}

/** Up to which class arcs matter to a kind of question. */
function limitOf(kind: number): number {
  if (kind >= KINDS.merged) return kind - KINDS.merged;
  return kind >= KINDS.ends && kind < KINDS.digits ? kind - KINDS.ends : EVERY_CLASS;
}

/** Cells that hold all vertices of some chains: the smallest that are few enough. */
function coverOf(chains: readonly Int32Array[]): Set<number> {
  let cells = new Set<number>();
  for (const chain of chains) for (let i = 0; i < chain.length; i += 2) cells.add(cellAt(chain[i], chain[i + 1]));
  while (cells.size > 500) cells = new Set([...cells].map(parentCell));
  return cells;
}

const endsOf = ({ ends }: StoredArc) =>
  new Uint16Array(ends.buffer.slice(ends.byteOffset, ends.byteOffset + ends.byteLength));

/** The masks of both ends that say where they are gone, without those of digits. */
const classMasks = (ends: Uint16Array) => ends.filter((_, i) => isClassMask(i));
const isClassMask = (at: number) => at % MASKS_PER_END < END_CLASSES;

function tiersOf(arc: StoredArc): ArcTiers {
  return { weights: arc.weights, ends: endsOf(arc), exact: arc.exact, reach: new Set() };
}

const hex = (view: Uint8Array) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex');
const bytes = (view: Uint16Array) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
