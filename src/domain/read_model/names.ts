import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import type { Place } from './places.ts';

/** A result row of search_names. */
export interface NameHit extends Place {
  readonly step: number;
  readonly weight: number;
  readonly whole: boolean;
  readonly name_type: string;
}

/** A result row of search_exact. */
export interface ExactHit extends Place {
  readonly folded: string;
  readonly name_type: string;
  readonly weight: number;
  readonly countries: readonly string[];
  /** The required containers that contain it, by id. */
  readonly inside: readonly string[];
}

/** A result row of search_containers; `country` is set if the place is a country. */
export interface ContainerHit {
  readonly folded: string;
  readonly id: string;
  readonly name: string;
  readonly country: string | null;
  readonly countries: readonly string[];
}

/** A result row of search_typos with the step of its resemblance. */
export interface SimilarHit extends Place {
  readonly weight: number;
  readonly step: number;
}

/** What a name that is graded belongs to. */
export interface GradedOf {
  /** Type of the name (boundary_name.type): a `word` is the tail of another name, without its first words. */
  readonly type: string;
  /** Importance of the boundary. */
  readonly weight: number;
}

/** Grades how a folded name, the first `length` code points of a list, resembles a query: a step of the search, or null. */
export type StepOf = (name: Uint32Array, length: number, of: GradedOf) => number | null;

/** Filters on the boundaries of a lookup. */
export interface NameFilters {
  readonly country: readonly string[] | null;
  readonly kind: Kind | null;
  readonly adminLevel: number | null;
  /** Any of these must contain the boundary: places by canonical id, or countries. */
  readonly within?: { readonly ids: readonly string[]; readonly countries: readonly string[] } | null;
}

/** Parameters of search_typos. */
export interface SimilarQuery extends NameFilters {
  /** The query as toAscii() writes it; null looks up the spellings only. */
  readonly ascii: string | null;
  /** Least word_similarity of the query to a name. */
  readonly likeness: number;
  /** Least share of the trigrams of `ascii` that a name with a step has. */
  readonly share: number;
  readonly spellings: readonly string[];
  /** Suffix of the last text that counts as starting with a spelling. */
  readonly end: string;
  /** Maximum rows from similarity, and from spellings. */
  readonly most: number;
}

/** Parameters of search_names. */
export interface NameQuery extends NameFilters {
  /** Folded name. */
  readonly name: string;
  /** The query as a compact code. */
  readonly code: string;
  /** The canonical id if the query is one. */
  readonly id: string | null;
  /** Whether to also complete codes. */
  readonly completesCodes: boolean;
  /** Maximum rows of one step. */
  readonly most: number;
}

/** All names at one revision of the data, in memory. */
export interface Names {
  readonly revision: number;
  readonly count: number;
  /** Approximate memory use in bytes. */
  readonly bytes: number;
  /** Returns the canonical ids of all boundaries, the most important first. */
  ids(): string[];
  /** Reads boundaries by canonical id, in the order given; unknown ids are left out. */
  boundaries(ids: readonly string[]): Boundary[];
  /** Returns exactly the rows of the statement search_names, in no guaranteed order. */
  find(query: NameQuery): NameHit[];
  /** Like search_exact: boundaries with exactly these names, the most important first, at most `most` per name. */
  exact(names: readonly string[], filters: NameFilters, most: number): ExactHit[];
  /** Like search_containers: places with these names that contain others, the most important first. */
  containers(names: readonly string[]): ContainerHit[];
  /** Returns the spellings of a word of a-z that are one typo away and that some name starts with. */
  spellings(word: string): string[];
  /** Like search_typos, without the rows that have no step. */
  similar(query: SimilarQuery, stepOf: StepOf): SimilarHit[];
}
