import { VertexNumbers } from '../../../workers/arcs/join.ts';
import { decodeCells } from '../../../workers/arcs/reach.ts';
import { CELLS, cellAt, cellBox, DEPENDENCY_KINDS, parentCell } from '../../../workers/arcs/surroundings.ts';
import { END_CLASSES } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import type { Extent } from './topology.ts';

/** The largest end class. A change of this class does not affect questions of smaller classes. */
export const EVERY_CLASS = END_CLASSES - 1;

/** The largest class of arcs that a kind of question (KINDS) depends on. */
export function classOfKind(kind: number): number {
  if (kind >= DEPENDENCY_KINDS.merged) return kind - DEPENDENCY_KINDS.merged;
  return kind >= DEPENDENCY_KINDS.ends && kind < DEPENDENCY_KINDS.digits ? kind - DEPENDENCY_KINDS.ends : EVERY_CLASS;
}

/** Changed vertices by cell: per cell, the smallest class of an arc that changed in it. */
export class Changes {
  /** Smallest class by cell, for the smallest cells and all their ancestors. */
  private readonly classes = new Map<number, number>();
  private readonly smallest = new Set<number>();

  get isEmpty(): boolean {
    return this.smallest.size === 0;
  }

  add(x: number, y: number, own: number): void {
    this.addCell(cellAt(x, y), own);
  }

  addAll(coords: Int32Array, own: number): void {
    let last = -1;
    for (let i = 0; i < coords.length; i += 2) {
      const cell = cellAt(defined(coords[i]), defined(coords[i + 1]));
      if (cell !== last) this.addCell(cell, own);
      last = cell;
    }
  }

  addEnds(coords: Int32Array, own: number): void {
    this.add(defined(coords[0]), defined(coords[1]), own);
    this.add(defined(coords[coords.length - 2]), defined(coords[coords.length - 1]), own);
  }

  /** The union of both. */
  with(others: Changes): Changes {
    const both = new Changes();
    for (const { classes, smallest } of [this, others])
      for (const cell of smallest) both.addCell(cell, classes.get(cell) as number);
    return both;
  }

  /** The smallest class of an arc that changed in a cell of any size; undefined if none did. */
  in(cell: number): number | undefined {
    return this.classes.get(cell);
  }

  /** The smallest cells that hold a change, except those in `but`, with their boxes. */
  boxes(but: ReadonlySet<number>): { cell: number; box: Extent }[] {
    return [...this.smallest].filter((cell) => !but.has(cell)).map((cell) => ({ cell, box: cellBox(cell) }));
  }

  private addCell(smallest: number, own: number): void {
    this.smallest.add(smallest);
    // An ancestor's class is at most the cell's, so the climb may stop at the first that is small enough.
    for (let cell = smallest; cell >= 0 && own < (this.classes.get(cell) ?? Infinity); cell = parentCell(cell))
      this.classes.set(cell, own);
  }
}

/** A new or deleted arc. */
interface Changed {
  readonly coords: Int32Array;
  readonly class: number;
}

/**
 * The changes that new and deleted arcs make: vertices added or removed, and all ends of these arcs. An inner vertex
 * that a deleted and a new arc of the same class share is not a change.
 */
export function changedPlaces(fresh: readonly Changed[], deleted: readonly Changed[]): Changes {
  const changes = new Changes();
  const before = new VertexNumbers(deleted.reduce((sum, { coords }) => sum + coords.length / 2, 0));
  const classes: number[] = [];
  const stays: boolean[] = [];
  for (const { coords, class: own } of deleted)
    for (let i = 2; i < coords.length - 2; i += 2)
      classes[before.add(defined(coords[i]), defined(coords[i + 1]))] = own;
  for (const { coords, class: own } of fresh) {
    for (let i = 0; i < coords.length; i += 2) {
      const isEnd = i === 0 || i === coords.length - 2;
      const place = isEnd ? -1 : before.find(defined(coords[i]), defined(coords[i + 1]));
      if (place >= 0 && classes[place] === own) stays[place] = true;
      else changes.add(defined(coords[i]), defined(coords[i + 1]), own);
    }
  }
  for (const { coords, class: own } of deleted) {
    for (let i = 0; i < coords.length; i += 2) {
      const isEnd = i === 0 || i === coords.length - 2;
      if (isEnd || !stays[before.find(defined(coords[i]), defined(coords[i + 1]))])
        changes.add(defined(coords[i]), defined(coords[i + 1]), own);
    }
  }
  return changes;
}

/** Returns the changes that affect a kind of question, or null if none do. */
export type ChangesOf = (kind: number) => Changes | null;

/** A ChangesOf that returns `changes` for every wanted kind, except `ofIslands` for KINDS.island. */
export function changesFor(isWanted: (kind: number) => boolean, changes: Changes, ofIslands = changes): ChangesOf {
  return (kind) => (isWanted(kind) ? (kind === DEPENDENCY_KINDS.island ? ofIslands : changes) : null);
}

/** The part of an arc's reach that changed. */
export interface Touched {
  /** One bit per class whose ends may be different now. */
  readonly ends: number;
  readonly cells: readonly number[];
}

/** Compares an encoded reach with changes. Returns the affected classes and cells, or null if nothing in it changed. */
export function touchedBy(reach: Uint8Array, changesOf: ChangesOf): Touched | null {
  let ends = 0;
  const cells: number[] = [];
  let kind = -1;
  let changes: Changes | null = null;
  let limit = 0;
  for (const key of decodeCells(reach)) {
    if (key >= (kind + 1) * CELLS) {
      kind = kindOf(key);
      changes = changesOf(kind);
      limit = classOfKind(kind);
    }
    if (changes === null) continue;
    const cell = key - kind * CELLS;
    const own = changes.in(cell);
    if (own === undefined || own > limit) continue;
    // A lookup for a class also covered the smaller classes that had the same arrangement then; that may have changed.
    if (kind >= DEPENDENCY_KINDS.ends && kind < DEPENDENCY_KINDS.digits) ends |= 2 ** (limit + 1) - 2 ** own;
    cells.push(cell);
  }
  return cells.length > 0 ? { ends, cells } : null;
}

/** The kind of question (KINDS) of a key. */
export const kindOf = (key: number) => Math.floor(key / CELLS);

/** Whether a kind of question is about the weights of vertices, including those of islands. */
export const isOfWeights = (kind: number) => kind === DEPENDENCY_KINDS.weights || kind === DEPENDENCY_KINDS.island;
/** Whether a kind of question is about the levels at which arc ends vanish. */
export const isOfEnds = (kind: number) => kind >= DEPENDENCY_KINDS.ends && kind < DEPENDENCY_KINDS.digits;
/** Whether a kind of question is about the digits of tiers (arcs/tier_digits.ts). */
export const isOfDigits = (kind: number) => kind >= DEPENDENCY_KINDS.digits;
