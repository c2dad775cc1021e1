import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import { problem } from '../errors.ts';
import { DataMoved } from './boundaries_model.ts';

/** Boundaries that one selection may have. */
export const MOST_SELECTED = 5_000;

/** A place whose boundaries are selected: a country, or a box in degrees (west > east across the antimeridian). */
export type Place = {
  readonly kind?: string;
  readonly adminLevel?: number;
} & ({ readonly country: string } | { readonly box: readonly [number, number, number, number] });

/** A list of boundaries by their canonical ids, in order. */
export interface Listed {
  readonly revision: number;
  readonly ids: readonly string[];
}

/** A selected boundary that has a polygon. */
export interface Member {
  /** Canonical. */
  readonly id: string;
  readonly name: string;
  /** Hexadecimal. */
  readonly ringHash: string;
  /** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
  readonly box: readonly [number, number, number, number];
  readonly attribution: string;
  /** Of the license of its source. */
  readonly sourceUrl: string | null;
}

/** A selected boundary that has no polygon, and why. */
export interface LeftOut {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** What a selection comes to, of one state of the data. */
export interface Selected {
  readonly revision: number;
  readonly members: readonly Member[];
  readonly leftOut: readonly LeftOut[];
}

/** Throws too_large when a selection has more boundaries than one answer, or a job, may have. */
export function requireSelectable(count: number, most?: number): void {
  if (count <= (most ?? MOST_SELECTED)) return;
  if (most !== undefined) throw problem('too_large', `The selection has ${count} boundaries; one job takes ${most}.`);
  throw problem(
    'too_large',
    `The selection has ${count} boundaries; one call takes ${MOST_SELECTED}. Make it a job: create_job.`,
  );
}

interface PlaceRow {
  readonly revision: number;
  readonly total: number;
  readonly ids: readonly string[];
}

/** The boundaries of a country, or whose box lies within a box, by local name, then id. Throws too_large. */
export async function listPlace(db: Queryable, place: Place, signal?: AbortSignal, most?: number): Promise<Listed> {
  const [country, box] = 'country' in place ? [place.country, [null, null, null, null]] : [null, place.box];
  const values = [country, place.kind ?? null, place.adminLevel ?? null, most ?? MOST_SELECTED, ...box];
  const row = only(await db.query<PlaceRow>(loadQuery('selection_place'), values, { signal }));
  requireSelectable(row.total, most);
  return { revision: Number(row.revision), ids: row.ids };
}

interface ShapeRow {
  readonly revision: number;
  readonly id: string | null;
  readonly name: string;
  readonly has_geometry: boolean;
  readonly broken: { readonly reason: string } | null;
  readonly ring_hash: string | null;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly attribution: string;
  readonly source_url: string | null;
}

/**
 * The boundaries of a list with what an export has to know of each before it begins: which shape, and how large. In the
 * order of the list, each once. Throws DataMoved where the data has another state by now.
 */
export async function lookAt(
  db: Queryable,
  { revision, ids }: Listed,
  signal?: AbortSignal,
  most?: number,
): Promise<Selected> {
  requireSelectable(ids.length, most);
  const found = new Map<string, ShapeRow>();
  for (let from = 0; from < ids.length; from += MOST_SELECTED) {
    const some = ids.slice(from, from + MOST_SELECTED);
    for (const row of await db.query<ShapeRow>(loadQuery('selection_shapes'), [some], { signal })) {
      if (Number(row.revision) !== revision) throw new DataMoved();
      if (row.id !== null) found.set(row.id, row);
    }
  }
  const members: Member[] = [];
  const leftOut: LeftOut[] = [];
  for (const id of new Set(ids)) {
    const row = found.get(id);
    if (!row) throw new DataMoved();
    const { name, west, south, east, north, ring_hash: ringHash } = row;
    if (!row.has_geometry || ringHash === null || west === null || south === null || east === null || north === null) {
      leftOut.push({ id, name, reason: row.broken?.reason ?? 'its source has no polygon' });
    } else {
      const box = [west, south, east, north] as const;
      members.push({ id, name, ringHash, box, attribution: row.attribution, sourceUrl: row.source_url });
    }
  }
  return { revision, members, leftOut };
}
