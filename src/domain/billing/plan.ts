/** A plan as get_pricing lists it; null means unlimited, or not sold for a price. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly price_month: number | null;
  readonly included_units: number | null;
  readonly requests_per_minute: number | null;
  /** Maximum boundaries of one job; null: as many as any job may have. */
  readonly batch_size: number | null;
  /** Days that the result of a job is kept; null: until it is deleted. */
  readonly job_days: number | null;
  /** Area sets of an organization, the areas of all of them, and their vertices. */
  readonly area_sets: number | null;
  readonly set_areas: number | null;
  readonly set_vertices: number | null;
}

/**
 * Units of an organization in the current calendar month (UTC). On a free plan, `used`, `reserved` and `limit` are
 * those of the founder's pool, which all free organizations of the founder share.
 */
export interface Usage {
  readonly period_start: string;
  readonly period_end: string;
  /** Settled units. */
  readonly used: number;
  /** Units held by running calls. */
  readonly reserved: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  /** Whether the units are those of a founder's pool. */
  readonly pooled: boolean;
  /** Calls and units of this organization alone, by operation. */
  readonly by_op: readonly { readonly op: string; readonly calls: number; readonly units: number }[];
}

/** Limits of callers without a key; null: unlimited. */
export interface AnonymousLimits {
  readonly requests_per_minute: number | null;
}
