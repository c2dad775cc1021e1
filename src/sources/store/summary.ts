/** What storing boundaries did, and found of their land. */
import type { Namesake } from '../replace.ts';

/** A coastline that stays although the file does not have it, with one of its vertices (degrees). */
export interface KeptCoast {
  readonly way: number;
  readonly lat: number;
  readonly lon: number;
  readonly reason: string;
}

/** The most places that a summary lists of each kind. */
export const MOST_LISTED = 1_000;

/** What an import found of the land of boundaries. */
export interface LandSummary {
  /** Boundaries whose land was worked out, and how many of them have no known land. */
  worked: number;
  unknown: number;
  /** Gaps of the coast that were closed, and places where the land of a boundary is unknown: degrees. */
  gaps: { readonly lat: number; readonly lon: number; readonly meters: number }[];
  broken: { readonly id: string; readonly reason: string; readonly lat: number; readonly lon: number }[];
  /** Coastlines that were removed, as the file no longer has them; absent without any. */
  removed?: number;
  /** Coastlines that the file does not have where it has the boundary, and why they stay; absent without any. */
  kept?: readonly KeptCoast[];
}

/** A boundary without a polygon, and why. */
export interface Broken {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** Degrees; null when the problem has no place. */
  readonly lat: number | null;
  readonly lon: number | null;
}

/** What storing boundaries did. */
export interface StoreSummary {
  /** Boundaries in the source. */
  read: number;
  /** Inserted. */
  added: number;
  /** Updated. */
  replaced: number;
  unchanged: number;
  /** Skipped because the stored one is newer or from a better source. */
  older: number;
  /** Stored boundaries reassembled because one of their ways changed. */
  reassembled: number;
  /** Removed because OpenStreetMap no longer has them. */
  deleted: number;
  /** Without a polygon, with the reason. */
  broken: Broken[];
  /** Seed shapes replaced by a boundary of another id; their ids became its aliases. */
  aliased: number;
  /** Seed shapes that stay although they overlap a boundary of the same kind. */
  doubles: number;
  /** Boundaries and the seed boundaries of the same name, country and place that stay, as no one asked to replace them. */
  namesakes: Namesake[];
  /** Seed boundaries that came back because the boundary that had replaced them was removed. */
  restored: number;
  /** Arcs inserted. */
  arcs: number;
  /** Stored arcs whose tiers changed because something near them did. */
  retiered: number;
  /** Stored arcs that were read to recompute tiers. */
  loaded: number;
  conflicts: number;
  land: LandSummary;
  /** Absent when no inland water was to be cut out. */
  inland?: InlandSummary;
}

/** What an import found of the inland water of boundaries. */
export interface InlandSummary {
  /** Boundaries of which it is known, and not. */
  readonly known: number;
  readonly unknown: number;
  /** Places where it is unknown although there is inland water: degrees. */
  readonly broken: LandSummary['broken'];
}
