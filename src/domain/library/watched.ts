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

/** What a file was made from: a single boundary, or the input of an operation; the result of a job has neither. */
export interface MadeFrom {
  readonly boundary: string | null;
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** The boundaries that files are made of; files of which watchedIn() says nothing are not in it. */
export async function watchedOfFiles(db: Queryable, files: readonly string[]): Promise<Map<string, Watched>> {
  const rows = await db.query(loadQuery('file_made_of'), [files]);
  return new Map(
    rows.flatMap(({ id, ...from }) => {
      const watched = watchedIn(from);
      return watched === null ? [] : [[id, watched] as const];
    }),
  );
}

/** What a file was made from. */
export async function madeFrom(db: Queryable, file: string): Promise<MadeFrom> {
  const [row] = await db.query(loadQuery('file_made_of'), [[file]]);
  return row ?? { boundary: null, input: null };
}

/** Why a file cannot be made again when its boundaries change; null: it can. */
export function notFollowed(from: MadeFrom): string | null {
  const { area = 'all', water, sets } = from.input ?? {};
  if (sets !== undefined) return 'it has areas of sets, whose versions it keeps';
  if (watchedIn(from) === null) return 'it does not say which boundaries it is made of';
  if (area !== 'all' || water !== undefined) return 'changes of the coast and of inland water are not recorded';
  return null;
}

/**
 * The boundaries that a file is made of, as its recipe names them; null where it does not: an area in words, a box, or
 * the result of a job.
 */
function watchedIn({ boundary, input }: MadeFrom): Watched | null {
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
