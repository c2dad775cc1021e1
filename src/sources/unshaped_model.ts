/**
 * The part of what is known of a boundary's border that has to be on one side: points of it in one country, or inside
 * one boundary.
 */
export const CLEAR_SHARE = 0.75;

/** Where a boundary has no admin_level, those of every level may hold it; a postcode area comes after all others. */
export const NO_LEVEL = 13;

/** How the country of a boundary without a polygon is known, from the surest on. */
export type Basis = 'code' | 'tags' | 'member' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list';

/** What a neighbor has to be known by for another to be known by it. */
export const SURE: readonly (Basis | null)[] = ['code', 'tags', 'member', 'polygons'] satisfies Basis[];

export interface Known {
  readonly country: string;
  readonly basis: Basis;
}

/** A boundary without a polygon. */
export interface Unshaped {
  readonly id: string;
  readonly type: 'administrative' | 'postal_code';
  readonly admin_level: number | null;
  readonly country_code: string | null;
  readonly country_given: string | null;
  readonly iso: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly ways: readonly number[];
  readonly traced_country: string | null;
  readonly traced_basis: Basis | null;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
}

/** A boundary that may hold another. */
export interface Parent {
  readonly parent: string;
  readonly admin_level: number | null;
  readonly country: string | null;
}

/** A boundary whose border a way is part of. */
export interface User {
  readonly way: number;
  readonly id: string;
  readonly admin_level: number | null;
  readonly country_code: string | null;
  readonly country: string | null;
  readonly has_geometry: boolean;
  readonly basis: Basis | null;
}

/** A point on the border (1e-7 degrees), or where its label is: then it is of no way. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly way: number | null;
  /** The lowest admin_level whose border it is on. */
  readonly top: number;
}

/** What was found of a boundary. */
export interface Finding {
  readonly row: Unshaped;
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
  country: string | null;
  basis: Basis | null;
  /** What evidence says that is less sure than a neighbor's. */
  readonly hint: Known | null;
  /** Polygons that hold clearly most of its points. */
  readonly held: readonly Inside[];
  /** By stored way of its border, the boundaries that have it in theirs. */
  readonly users: ReadonlyMap<number, readonly User[]>;
  /** The part of it that lies in each of its parents as far as its points tell. */
  readonly parents: Map<string, number>;
}

export interface Way {
  readonly id: number;
  readonly coords: Uint8Array;
  /** Of its own tags. */
  readonly admin_level: number | null;
}

/** A way of a border, and the lowest admin_level of the boundaries whose border it is, as far as known. */
export interface BorderWay {
  readonly id: number;
  readonly coords: Int32Array;
  readonly top: number;
}

export interface Inside extends Parent {
  readonly share: number;
  readonly mapped: boolean;
}

/** Rows by their child. */
export function groupBy<T extends { readonly child: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.child);
    if (group) group.push(row);
    else groups.set(row.child, [row]);
  }
  return groups;
}
