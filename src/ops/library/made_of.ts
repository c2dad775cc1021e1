/** The boundaries that files of the library are made of, and what of them changed since. */
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { loadQuery } from '../../db/query.ts';
import { type BoundaryEvent, eventOf } from '../../domain/history/events.ts';
import type { FileEntry } from '../../domain/library/model.ts';
import { type Watched, watchedOfFile } from '../../domain/library/watched.ts';

/** Boundaries that an answer lists, and the number up to which they are counted. */
const LISTED = 50;
const COUNTED = 1_000;

/** The boundaries of a file by canonical ids; null where its recipe does not name them. */
export async function madeOf({ services }: Context, file: string): Promise<Watched | null> {
  const found = await watchedOfFile(services.db, file);
  if (found === null) return null;
  const { lookup } = services.boundaries;
  const canonical = async (ids: readonly string[]) =>
    ids.length === 0 ? [] : (await lookup(ids)).map((one, i) => one?.id ?? defined(ids[i]));
  return { ...found, boundaries: await canonical(found.boundaries), parents: await canonical(found.parents) };
}

/** What changed of the boundaries of a file since it was made. */
export interface Outdated {
  /** Up to COUNTED. */
  readonly total: number;
  /** The first LISTED. */
  readonly items: BoundaryEvent[];
}

/** What changed since a file was made or refreshed; null where its recipe does not name its boundaries. */
export async function outdatedOf(ctx: Context, { id, updated_at }: FileEntry): Promise<Outdated | null> {
  const found = await madeOf(ctx, id);
  if (found === null) return null;
  const { boundaries, parents, country, admin_level } = found;
  const values = [boundaries, parents, country, admin_level, updated_at, COUNTED] as const;
  const rows = await ctx.services.db.query(loadQuery('change_since'), values, { signal: ctx.signal });
  return { total: rows.length, items: rows.slice(0, LISTED).map((row) => eventOf(row.boundary_id, row)) };
}
