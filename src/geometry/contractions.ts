import { refsBox } from '../../workers/arcs/box.ts';
import { mergeContracted } from '../../workers/arcs/contracted_union.ts';
import { type Contraction, contract } from '../../workers/arcs/contraction.ts';
import { mergeApart } from '../../workers/arcs/groups.ts';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { Pieces } from '../../workers/arcs/pieces.ts';
import { TooManySteps } from '../../workers/cancel.ts';
import type { ArcTable, Box } from '../../workers/contract.ts';
import type { KnownUnion } from '../../workers/tasks/merge.ts';
import { defined } from '../common/elements.ts';
import type { Shape } from './arc_leases.ts';

/** Limit of the arcs of a contraction, which is made in one turn of the main thread: some ten milliseconds. */
const MOST_ARCS = 1 << 14;
/** Fewest arcs of a shape on average: shapes of fewer have about as many chains as arcs. */
const LEAST_ARCS = 16;
/** Limit of the admin_levels that have a contraction: each keeps some megabytes of texts. */
const MOST_LEVELS = 6;
/** Limit of the boundaries of a union, each of which is compared with each other. */
const MOST_MEMBERS = 64;
/** Limit of the pairs of shapes that one union compares for the first time, each at the cost of a union of two. */
const MOST_COMPARED = 8;
/** Limit of the steps of such a comparison (mergeApart). */
const MOST_STEPS = 1 << 18;
/**
 * The arcs of unions that are merged without a contraction before one is made, for each of its arcs: contracting an arc
 * takes about as long as merging six, so that all evictions together cost less than half as much as the merges.
 */
const PATIENCE = 16;

/** What is known of two shapes. */
const [UNKNOWN, APART, MEETING] = [0, 1, 2];

/** Shapes of a lease. */
interface Asked {
  readonly shapes: readonly Pick<Shape, 'ringEnd'>[];
  /** Their signed slots. */
  readonly refs: readonly Int32Array[];
}

/** A shape that unions ask for. */
interface Member {
  /** Its signed slots. */
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
}

/** Shapes that are contracted together. */
interface Group {
  /** By their slots: the place in `list`. */
  readonly places: ReadonlyMap<Int32Array, number>;
  readonly list: readonly Member[];
  readonly contraction: Contraction;
  readonly pieces: Pieces;
  readonly boxes: readonly Box[];
  /** Per pair of members, whether they have a place in common. */
  readonly pairs: Uint8Array;
}

/**
 * Unions of shapes of one admin_level that are asked for again and again in other sets, such as provinces, regions or
 * states: a contraction for each level.
 */
export class Contractions {
  private readonly table: ArcTable;
  private epoch = -1;
  private readonly levels = new Map<number | null, OfLevel>();

  /** @param table the arcs of the common heap */
  constructor(table: ArcTable) {
    this.table = table;
  }

  /**
   * The union of shapes that are in the common heap and do not cross, as mergeBoundaries gives it; null when it has to be
   * asked.
   * @param epoch that of the heap
   * @param level the admin_level of all of them
   */
  union(asked: Asked, epoch: number, level: number | null): KnownUnion | null {
    if (asked.refs.length < 2 || asked.refs.length > MOST_MEMBERS) return null;
    if (epoch !== this.epoch || (this.levels.size >= MOST_LEVELS && !this.levels.has(level))) this.levels.clear();
    this.epoch = epoch;
    const own = this.levels.get(level) ?? new OfLevel(this.table, endClassOf([level]));
    this.levels.set(level, own);
    return own.union(asked);
  }
}

/**
 * Shapes of one admin_level. They are contracted together once the unions that this would have helped had PATIENCE times
 * as many arcs as they have.
 */
class OfLevel {
  private readonly table: ArcTable;
  private readonly endClass: number;
  private group: Group | null = null;
  /** Shapes that were asked for since the group was made. */
  private waiting = new Map<Int32Array, Member>();
  /** The arcs of the group and of those that wait. */
  private arcs = 0;
  /** The arcs of the unions that the group could not give. */
  private missed = 0;

  constructor(table: ArcTable, endClass: number) {
    this.table = table;
    this.endClass = endClass;
  }

  union(asked: Asked): KnownUnion | null {
    const { refs } = asked;
    if (!holdsAll(this.group, refs)) this.admit(asked);
    const { group } = this;
    if (group === null || !holdsAll(group, refs)) return null;
    const members = refs.map((one) => defined(group.places.get(one)));
    const merged = this.areApart(group, members) ? mergeContracted(group.contraction, members) : null;
    return merged && { ...merged, layOut: (level) => group.pieces.layOut(merged, level) };
  }

  /** Lets shapes wait, and contracts all that do when that pays. */
  private admit({ shapes, refs }: Asked): void {
    const count = refs.reduce((sum, { length }) => sum + length, 0);
    if (count > MOST_ARCS || count < LEAST_ARCS * refs.length) return;
    this.missed += count;
    for (const [i, one] of refs.entries()) {
      if (this.group?.places.has(one) || this.waiting.has(one)) continue;
      this.waiting.set(one, { refs: one, ringEnd: defined(shapes[i]).ringEnd });
      this.arcs += one.length;
    }
    if (this.arcs <= MOST_ARCS && this.missed < PATIENCE * this.arcs) return;
    // Too many: those that are asked for from now on begin again.
    const list = this.arcs > MOST_ARCS ? [] : [...(this.group?.list ?? []), ...this.waiting.values()];
    this.group = list.length === 0 ? null : this.grouped(list, this.group);
    if (this.group === null) this.arcs = 0;
    this.waiting = new Map();
    this.missed = 0;
  }

  /** @param before a group of the first members of the list, whose pairs are known */
  private grouped(list: readonly Member[], before: Group | null): Group {
    const contraction = contract(
      this.table,
      list.map(({ refs }) => refs),
      list.map(({ ringEnd }) => ringEnd),
    );
    const pairs = new Uint8Array(list.length ** 2);
    const known = before?.list.length ?? 0;
    for (let i = 0; i < known; i++) {
      pairs.set(defined(before?.pairs).subarray(i * known, (i + 1) * known), i * list.length);
    }
    return {
      places: new Map(list.map(({ refs }, i) => [refs, i])),
      list,
      contraction,
      pieces: new Pieces(this.table, contraction, this.endClass),
      boxes: contraction.boundaries.map((chains) => refsBox(contraction.lines, chains)),
      pairs,
    };
  }

  /** Whether it is known that no two members have a place in common; compares a few pairs when it is not. */
  private areApart({ list, pairs, boxes }: Group, members: readonly number[]): boolean {
    let compared = 0;
    for (const [n, i] of members.entries()) {
      for (const j of members.slice(n + 1)) {
        const pair = i < j ? i * list.length + j : j * list.length + i;
        if (pairs[pair] === UNKNOWN) {
          const areApart = boxesAreApart(defined(boxes[i]), defined(boxes[j]));
          if (!areApart && compared++ >= MOST_COMPARED) return false;
          pairs[pair] = areApart || this.isApart(defined(list[i]).refs, defined(list[j]).refs) ? APART : MEETING;
        }
        if (pairs[pair] === MEETING) return false;
      }
    }
    return true;
  }

  private isApart(one: Int32Array, other: Int32Array): boolean {
    try {
      return mergeApart(this.table, [one, other], undefined, MOST_STEPS) !== null;
    } catch (error) {
      if (error instanceof TooManySteps) return false;
      throw error;
    }
  }
}

function holdsAll(group: Group | null, refs: readonly Int32Array[]): boolean {
  return group !== null && refs.every((one) => group.places.has(one));
}

function boxesAreApart(a: Box, b: Box): boolean {
  return a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
}
