import type { Kind } from '../schemas.ts';
import type { Boundaries } from './boundaries_model.ts';
import type { Boundary } from './boundary.ts';

/** What to look for. */
export interface Search {
  /** A name in any language, a code, a postcode or a boundary id, also with a type word or what it lies in; 1 to 200 characters. */
  readonly q: string;
  /** ISO 3166-1 alpha-2 codes in upper case; a disputed place is in all of its countries. */
  readonly country?: readonly string[];
  readonly kind?: Kind;
  readonly adminLevel?: number;
  /** Degrees; what lies nearer comes earlier among equally good matches. */
  readonly near?: { readonly lat: number; readonly lon: number };
  /**
   * The last word is still being typed: the query is completed as it stands, or else read with its last word as the start
   * of a name, of what the place lies in, or of a type word; nothing is taken for misspelled.
   */
  readonly prefix?: boolean;
  /** Languages that the caller reads, best first (BCP 47, lower case); a name in the first counts more among equals. */
  readonly lang?: readonly string[];
  readonly limit: number;
}

/** The boundaries that a search reads. */
export type SearchedBoundaries = Pick<Boundaries, 'byIds' | 'show'> & {
  /** Of which state of the data; absent: the present one. */
  readonly revision?: number;
};

/**
 * How well a name matches: `exact` the whole name in some language, or a code or id; `alias` another name of the place,
 * or the name without its type word; `prefix` the start of a name; `word` a later word; `fuzzy` a misspelling.
 */
export type NameMatch = 'exact' | 'alias' | 'prefix' | 'word' | 'fuzzy';

/** How the query was understood for one result. */
export interface Interpretation {
  /** The part of the query that was taken for the name, folded. */
  readonly name: string;
  /** What the query says that the place lies in. */
  readonly within: { readonly id: string; readonly name: string } | null;
  /** The kind that a type word of the query asks for; a preference. */
  readonly kind: Kind | null;
}

/** A boundary that was found, and why. */
export type Hit = Boundary & { readonly match: NameMatch; readonly interpretation: Interpretation };
