import type { Vector } from '../../../domain/areas/coast.ts';
import type { Cut, KeptRings, Piece } from '../../../domain/areas/kept_shores.ts';
import type { Box } from './boxes.ts';

/** What is known of the arcs of all countries' land (ids without signs). */
export interface Shoreline {
  /** Arcs of each land. */
  readonly lands: ReadonlyMap<string, ReadonlySet<number>>;
  /** What those lands are: they have no other land of the same country beside them. */
  readonly drawn: readonly Land[];
  /** Lands of other sources, drawn beside one of `drawn` of the same country. */
  readonly beside: readonly Land[];
  /** The shores of lakes and seas that land encloses. */
  readonly lakes: readonly Lake[];
  /** Of each land that took the place of a seed boundary: the border of that one, which fits the other seed data. */
  readonly kept: ReadonlyMap<string, KeptBorder>;
  /** Of each arc of another land that is partly beside such a border: its other parts. */
  readonly split: Cut['ofArcs'];
  /** Arcs with the sea on one side. */
  readonly sea: ReadonlySet<number>;
  /** Arcs without land on one side, where it is unknown what is there. */
  readonly doubtful: ReadonlySet<number>;
  /** ISO codes of countries that are not stored: their area must not count as sea. */
  readonly missing: readonly string[];
  /** Sides of the boundaries of a level of a country, the most recently used last. */
  readonly levels: Map<string, LevelSides>;
}

/** The border of a seed boundary whose place another one took. */
export interface KeptBorder {
  readonly rings: KeptRings;
  /** Its parts with no land on the other side. */
  readonly pieces: readonly Piece[];
}

/** The land of a country or territory, or of a part of one. */
export interface Land {
  readonly id: string;
  readonly source: string;
  /** Whether it is seed data or took the place of a seed boundary. */
  readonly seed: boolean;
  readonly arcs: readonly number[];
}

/** The shore of a lake or of a sea that land encloses. */
export interface Lake {
  readonly ring: readonly Vector[];
  readonly box: Box;
}

/** Whether a boundary touches the sea. */
export type Side = 'coastal' | 'landlocked' | 'unknown';
/** The sides of all boundaries of one level of a country; `landlocked` when all of them are. */
export type LevelSides = ReadonlyMap<string, Side> | 'landlocked';

/** The arcs that say where a country touches the sea: of the seed boundary whose place it took, else its own. */
export function borderOf(country: string, { lands, kept }: Shoreline): ReadonlySet<number> {
  const border = kept.get(country);
  return border ? new Set(border.pieces.map(({ id }) => id)) : (lands.get(country) ?? new Set());
}

/**
 * The side of a boundary by its arcs: of a land itself (`part` null), or of a part of one, given the outline of the
 * land and the open arcs of the level.
 */
export function sideOf(
  arcs: ReadonlySet<number>,
  line: Shoreline,
  part: { readonly outline: ReadonlySet<number>; readonly open: ReadonlySet<number> } | null,
): Side {
  let side: Side = 'landlocked';
  for (const arc of arcs) {
    if (line.sea.has(arc)) return 'coastal';
    if (line.doubtful.has(arc)) side = 'unknown';
    // Its other side has no boundary of its level within the country: water, or a boundary that is not stored.
    else if (part && !part.outline.has(arc) && part.open.has(arc)) side = 'unknown';
  }
  return side;
}
