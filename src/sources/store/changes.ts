import { END_CLASSES } from '../../../workers/contract.ts';
import { Places } from '../../../workers/kernels/join.ts';
import { decodeReach } from '../../../workers/kernels/reach.ts';
import { CELLS, cellAt, cellBox, KINDS, parentCell } from '../../../workers/kernels/surroundings.ts';
import { defined } from '../../elements.ts';
import type { Extent } from './topology.ts';

/** The largest class: a change that is of this one matters to no smaller. */
export const EVERY_CLASS = END_CLASSES - 1;

/** Up to which class arcs matter to a kind of question. */
export function classOfKind(kind: number): number {
  if (kind >= KINDS.merged) return kind - KINDS.merged;
  return kind >= KINDS.ends && kind < KINDS.digits ? kind - KINDS.ends : EVERY_CLASS;
}

/** Vertices that changed, by cell: the smallest class of an arc they are of. */
export class Changes {
  /** Of the smallest cells and of all that hold them. */
  private readonly classes = new Map<number, number>();
  private readonly smallest = new Set<number>();

  get isEmpty(): boolean {
    return this.smallest.size === 0;
  }

  add(x: number, y: number, own: number): void {
    this.addCell(cellAt(x, y), own);
  }

  addAll(coords: Int32Array, own: number): void {
    for (let i = 0; i < coords.length; i += 2) this.add(defined(coords[i]), defined(coords[i + 1]), own);
  }

  addEnds(coords: Int32Array, own: number): void {
    this.add(defined(coords[0]), defined(coords[1]), own);
    this.add(defined(coords[coords.length - 2]), defined(coords[coords.length - 1]), own);
  }

  /** Those of both. */
  with(others: Changes): Changes {
    const both = new Changes();
    for (const { classes, smallest } of [this, others])
      for (const cell of smallest) both.addCell(cell, classes.get(cell) as number);
    return both;
  }

  /** The smallest class of an arc that changed in a cell; undefined where nothing did. */
  in(cell: number): number | undefined {
    return this.classes.get(cell);
  }

  /** The smallest cells that hold a change, each as a box. */
  boxes(but: ReadonlySet<number>): { cell: number; box: Extent }[] {
    return [...this.smallest].filter((cell) => !but.has(cell)).map((cell) => ({ cell, box: cellBox(cell) }));
  }

  private addCell(smallest: number, own: number): void {
    this.smallest.add(smallest);
    // What holds a cell has no larger class than the cell.
    for (let cell = smallest; cell >= 0 && own < (this.classes.get(cell) ?? Infinity); cell = parentCell(cell))
      this.classes.set(cell, own);
  }
}

/** An arc as far as it makes changes. */
interface Changed {
  readonly coords: Int32Array;
  readonly class: number;
}

/** What changes where arcs are new and others gone: vertices that are new or no more, and the ends of these arcs. */
export function changedPlaces(fresh: readonly Changed[], gone: readonly Changed[]): Changes {
  const changes = new Changes();
  const before = new Places(gone.reduce((sum, { coords }) => sum + coords.length / 2, 0));
  const classes: number[] = [];
  const stays: boolean[] = [];
  for (const { coords, class: own } of gone)
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
  for (const { coords, class: own } of gone) {
    for (let i = 0; i < coords.length; i += 2) {
      const isEnd = i === 0 || i === coords.length - 2;
      if (isEnd || !stays[before.find(defined(coords[i]), defined(coords[i + 1]))])
        changes.add(defined(coords[i]), defined(coords[i + 1]), own);
    }
  }
  return changes;
}

/** The changes that matter to a kind of question; null: none do. */
export type ChangesOf = (kind: number) => Changes | null;

/** The same changes for all kinds that are wanted; others, where given, for islands. */
export function changesTo(isWanted: (kind: number) => boolean, changes: Changes, ofIslands = changes): ChangesOf {
  return (kind) => (isWanted(kind) ? (kind === KINDS.island ? ofIslands : changes) : null);
}

/** What changes touch of what an arc's tiers depend on. */
export interface Touched {
  /** Bits of the classes whose ends may be others. */
  readonly ends: number;
  readonly cells: readonly number[];
}

/** What of a reach changes touch; null: nothing. */
export function touchedBy(reach: Uint8Array, changesOf: ChangesOf): Touched | null {
  let ends = 0;
  const cells: number[] = [];
  let kind = -1;
  let changes: Changes | null = null;
  let limit = 0;
  for (const key of decodeReach(reach)) {
    if (key >= (kind + 1) * CELLS) {
      kind = kindOf(key);
      changes = changesOf(kind);
      limit = classOfKind(kind);
    }
    if (changes === null) continue;
    const cell = key - kind * CELLS;
    const own = changes.in(cell);
    if (own === undefined || own > limit) continue;
    // A look-up for a class is one for all below it that were the same arrangement then, and may not be any more.
    if (kind >= KINDS.ends && kind < KINDS.digits) ends |= 2 ** (limit + 1) - 2 ** own;
    cells.push(cell);
  }
  return cells.length > 0 ? { ends, cells } : null;
}

/** The kind of question that a key is of. */
export const kindOf = (key: number) => Math.floor(key / CELLS);

/** Whether a kind of question is about weights of vertices, islands included. */
export const isOfWeights = (kind: number) => kind === KINDS.weights || kind === KINDS.island;
/** Whether it is about how far ends may move. */
export const isOfEnds = (kind: number) => kind >= KINDS.ends && kind < KINDS.digits;
/** Whether it is about digits of tiers (kernels/tier_digits.ts). */
export const isOfDigits = (kind: number) => kind >= KINDS.digits;
