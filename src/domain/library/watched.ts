import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** What is watched: boundaries, those within others, and those of a country. */
export interface Watched {
  /** Canonical ids. */
  readonly boundaries: readonly string[];
  readonly parents: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly admin_level: number | null;
}

/**
 * The boundaries that a file is made of, as its recipe names them; null where it does not: an area in words, a box, or
 * the result of a job.
 */
export async function watchedOfFile(db: Queryable, file: string): Promise<Watched | null> {
  const [row] = await db.query(loadQuery('file_made_of'), [file]);
  if (!row) return null;
  const { boundary, input } = row;
  const none = { boundaries: [], parents: [], country: null, admin_level: null };
  if (boundary !== null) return { ...none, boundaries: [boundary] };
  if (input === null) return null;
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);
  const boundaries = [...texts(input.include), ...texts(input.exclude), ...texts(input.ids)];
  const parents = typeof input.children_of === 'string' ? [input.children_of] : [];
  const country = typeof input.country === 'string' ? input.country.toUpperCase() : null;
  if (boundaries.length + parents.length === 0 && country === null) return null;
  return {
    boundaries,
    parents,
    country,
    admin_level: typeof input.admin_level === 'number' ? input.admin_level : null,
  };
}
