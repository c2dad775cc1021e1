/**
 * The share of a boundary's points that must be in one country, or inside one polygon, to count as evidence.
 */
export const CLEAR_SHARE = 0.75;

/** Rank of an administrative boundary without admin_level: any level may contain it. Postcode areas rank after it. */
export const NO_LEVEL = 13;

/** The evidence for the country of a boundary without a polygon, the surest first. */
export type Basis = 'code' | 'tags' | 'member' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list';

/** The evidence that a neighbor's country must have before it counts for the boundary beside it. */
export const SURE: readonly (Basis | null)[] = ['code', 'tags', 'member', 'polygons'] satisfies Basis[];

export interface Known {
  readonly country: string;
  readonly basis: Basis;
}

/** A boundary without a polygon. */
export interface Unshaped {
  readonly id: string;
  readonly source: string;
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

/** A boundary that has a way in its border. */
export interface User {
  readonly way: number;
  readonly id: string;
  readonly admin_level: number | null;
  readonly country_code: string | null;
  readonly country: string | null;
  readonly has_geometry: boolean;
  readonly basis: Basis | null;
}

/** A point on the border, or the place of the label, whose `way` is null. In 1e-7 degrees. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly way: number | null;
  /** The lowest admin_level of the borders it is on. */
  readonly top: number;
}

/** The evidence and results for one boundary. */
export interface Finding {
  readonly row: Unshaped;
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
  country: string | null;
  basis: Basis | null;
  /** The country from evidence that is weaker than a neighbor's. */
  readonly hint: Known | null;
  /** Polygons that hold at least CLEAR_SHARE of its points. */
  readonly held: readonly Inside[];
  /** By stored way of its border, the boundaries with this way in theirs. */
  readonly users: ReadonlyMap<number, readonly User[]>;
  /** By parent id, the share of its points inside; 1 where the evidence is not points. */
  readonly parents: Map<string, number>;
}

export interface Way {
  readonly id: number;
  readonly coords: Uint8Array;
  /** From its own tags. */
  readonly admin_level: number | null;
}

/** A way of a border; `top` is the lowest known admin_level of the boundaries that use it. */
export interface BorderWay {
  readonly id: number;
  readonly coords: Int32Array;
  readonly top: number;
}

export interface Inside extends Parent {
  readonly share: number;
  readonly mapped: boolean;
}

/** Groups rows by their `child`. */
export function groupBy<T extends { readonly child: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.child);
    if (group) group.push(row);
    else groups.set(row.child, [row]);
  }
  return groups;
}
