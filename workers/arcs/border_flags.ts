/** The flags of the borders of an area in a tile (sea_borders.ts), along each of its arcs. */
import type { ArcTable, Rings } from '../contract.ts';
import { BESIDE_LAND, BESIDE_WATER, BORDER, MARKED_AT_SEA, SeaBorders, type WaterOf } from './sea_borders.ts';
import type { TaggedLines } from './tagged_lines.ts';

/** The parts of an arc as it is walked: each begins where the one before ends, counted as SeaBorders.changes() does. */
export interface BorderParts {
  /** One fewer than flags: the last part has no end of its own. */
  readonly ends: readonly number[];
  readonly flags: readonly number[];
}

/** The borders of one area. */
export class BorderFlags {
  private readonly sea: SeaBorders | number;
  private readonly tagged: TaggedLines | null;

  /** `within`: a box that has the arcs at hand (west, south, east, north in 1e-7 degrees). */
  constructor(
    table: ArcTable,
    water: WaterOf,
    tagged: TaggedLines | null,
    within: () => readonly [number, number, number, number],
  ) {
    this.tagged = tagged;
    if (typeof water === 'string') this.sea = BORDER | { unknown: 0, none: BESIDE_LAND, all: BESIDE_WATER }[water];
    else this.sea = new SeaBorders(table, water as Rings, within());
  }

  /** The flags of an arc, or its parts where they differ. */
  along(ref: number): number | BorderParts {
    const { sea, tagged } = this;
    const atSea = typeof sea === 'number' ? null : sea.changes(ref);
    const marked = tagged?.changes(ref) ?? [];
    if (atSea === null && marked.length === 0) return sea as number;
    const ends = [...new Set([...(atSea ?? []), ...marked])].sort((a, b) => a - b);
    const isWithin = (changes: readonly number[], from: number): boolean => {
      let passed = 0;
      while (passed < changes.length && changes[passed] <= from) passed++;
      return passed % 2 === 1;
    };
    const flags = [-1, ...ends].map((from) => {
      const side = atSea === null ? (sea as number) : BORDER | (isWithin(atSea, from) ? BESIDE_WATER : BESIDE_LAND);
      return side | (isWithin(marked, from) ? MARKED_AT_SEA : 0);
    });
    return { ends, flags };
  }

  /** The flags of the borders of an arc whose place does not matter. */
  get anywhere(): number {
    return typeof this.sea === 'number' ? this.sea : BORDER;
  }
}

/** How far along the straight line between two places of an arc, as it is walked, a third one is: from 0 to 1. */
export function shareOf(
  { coords, first, length }: ArcTable,
  ref: number,
  [from, to]: readonly [number, number],
  place: number,
): number {
  const arc = ref < 0 ? ~ref : ref;
  const at = (k: number, axis: 0 | 1): number =>
    coords[2 * (ref < 0 ? first[arc] + length[arc] - 1 - k : first[arc] + k) + axis];
  const [low, high] = [Math.floor(place), Math.ceil(place)];
  const between = (axis: 0 | 1): number => at(low, axis) + (place - low) * (at(high, axis) - at(low, axis));
  const [dx, dy] = [at(to, 0) - at(from, 0), at(to, 1) - at(from, 1)];
  const square = dx * dx + dy * dy;
  if (square === 0) return 0;
  const share = ((between(0) - at(from, 0)) * dx + (between(1) - at(from, 1)) * dy) / square;
  return Math.max(0, Math.min(1, share));
}
