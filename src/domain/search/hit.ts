import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import type { Boundaries } from '../boundaries/reads.ts';

/** The query and filters of a search. */
export interface Search {
  /**
   * A name in any language, a code, a postcode or a boundary id, optionally with a type word or the place around it; 1
   * to 200 characters.
   */
  readonly q: string;
  /** ISO 3166-1 alpha-2 codes in upper case; a disputed place counts for each of its countries. */
  readonly country?: readonly string[];
  readonly kind?: Kind;
  readonly adminLevel?: number;
  /** Point in degrees; among equally good matches, nearer ones come first. */
  readonly near?: { readonly lat: number; readonly lon: number };
  /**
   * The last word is still being typed. The query is completed literally or, if that finds nothing, its last word is
   * read as the start of a name, of the place around it, or of a type word. Misspellings are not searched.
   */
  readonly prefix?: boolean;
  /** Languages of the caller, best first (BCP 47, lower case); among equals, a name in the first ranks higher. */
  readonly lang?: readonly string[];
  readonly limit: number;
}

/** A search, or one of another form of its query: `typos` are the letters of lookups by likeness left for all of them. */
export interface SearchOnce extends Search {
  readonly corrected?: boolean;
  readonly rewritten?: boolean;
  readonly typos?: { letters: number };
}

/** The reads of boundaries that a search needs. */
export type SearchedBoundaries = Pick<Boundaries, 'byIds' | 'show'> &
  Partial<Pick<Boundaries, 'sourceOrder'>> & {
    /** Revision of the data to read; the present one if absent. */
    readonly revision?: number;
  };

/**
 * How a name matched: `exact` a whole name in some language, a code or an id; `alias` another name of the place, or a
 * name without its type word; `prefix` the start of a name; `word` a later word; `fuzzy` a misspelling. `around`: the boundary
 * has another name, and is around the city or town of this one, which is not stored itself.
 */
export type NameMatch = 'exact' | 'alias' | 'around' | 'prefix' | 'word' | 'fuzzy';

/** How the query was understood for one result. */
export interface Interpretation {
  /** The part of the query read as the name, folded. */
  readonly name: string;
  /** The place that the query names around the result. */
  readonly within: { readonly id: string; readonly name: string } | null;
  /** The kind that the query's type word asks for; a preference, not a filter. */
  readonly kind: Kind | null;
  /** The part of the query, folded, that the result does not fit; null if it fits all. */
  readonly ignored: string | null;
}

/** A boundary found, with the match that found it. */
export type Hit = Boundary & { readonly match: NameMatch; readonly interpretation: Interpretation };
