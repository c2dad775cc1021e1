import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';

/** What a row of a table says of its place, as it is written; empty where it says nothing. */
export interface PlaceRow {
  readonly name: string;
  readonly code: string;
  /** Places around it, the innermost first. */
  readonly within: readonly string[];
  /** That of `within` which is in a column of countries: "CA" is Canada. */
  readonly country?: string;
  /** A word for its kind, or an admin level. */
  readonly type: string;
}

/** How a row was matched; `ambiguous` and `not_found` have no boundary. */
export const MATCHES = ['exact', 'alias', 'code', 'typo', 'correction', 'ambiguous', 'not_found'] as const;
export type RowMatch = (typeof MATCHES)[number];

/** What became of a row. */
export interface MatchedRow {
  readonly match: RowMatch;
  readonly boundary: Boundary | null;
  /** From 0 to 1; 0 without a boundary. See CONFIDENCE. */
  readonly confidence: number;
  /** Other boundaries that the row may mean, the likeliest first, at most MOST_CANDIDATES. */
  readonly candidates: readonly Boundary[];
  /** What the column decided for this row; null if the row alone is enough. */
  readonly decidedBy: 'column' | null;
}

/** Boundaries that a row lists as candidates. */
export const MOST_CANDIDATES = 5;

/** Filters that hold for each row, as the caller gives them. */
export interface MatchFilters {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly adminLevel?: number;
  readonly kind?: Kind;
  /** Canonical id of a boundary around all rows. */
  readonly within?: string;
}

/** What the whole column says; null where it decides nothing. */
export interface Decision {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly adminLevel: number | null;
  /** A boundary inside of the country that nearly all rows are in. */
  readonly within: { readonly id: string; readonly name: string } | null;
  /** Language of the names where it tells places apart, BCP 47. */
  readonly language: string | null;
}

export const UNDECIDED: Decision = { country: null, adminLevel: null, within: null, language: null };

/** A boundary that a row may mean. */
export interface Candidate {
  readonly boundary: Boundary;
  readonly match: 'exact' | 'alias' | 'code' | 'typo';
  /** Distance of the name from what is written, as steps of the search: below 1 a whole name, from 6 a typo. */
  readonly step: number;
  /** It does not fit a word of the name, such as a word for another kind: it is listed and never matched. */
  readonly partial?: boolean;
}

/** Languages that a column can be in, by their speakers and our names. */
export const LANGUAGES = 'en es fr de it pt nl pl ru uk zh ja ko ar tr sv da fi cs hu ro el ca eu gl'.split(' ');
