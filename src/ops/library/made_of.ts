/** The boundaries that files of the library are made of, and what of them changed since. */
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { loadQuery } from '../../db/query.ts';
import { type BoundaryEvent, eventOf } from '../../domain/history/events.ts';
import type { FileEntry } from '../../domain/library/file_entry.ts';
import { type Watched, watchedOfFiles } from '../../domain/library/watched.ts';

/** The number up to which boundaries that changed are counted. */
const COUNTED = 1_000;
/** Most ids that the files of one answer may name together; of further files nothing is said. */
const MOST_IDS = 20_000;
/** Most changes and boundaries that are read to find those within others and of countries: of a page, and of one file. */
export const MOST_READS = { page: 20_000, file: 200_000 } as const;

/** The boundaries of files by canonical ids; a file whose recipe does not name them is not in it. */
export async function madeOf({ services }: Context, files: readonly string[]): Promise<Map<string, Watched>> {
  const found = await watchedOfFiles(services.db, files);
  let left = MOST_IDS;
  for (const [file, { boundaries, parents }] of found) {
    if (boundaries.length + parents.length > left) found.delete(file);
    else left -= boundaries.length + parents.length;
  }
  const ids = [...new Set([...found.values()].flatMap(({ boundaries, parents }) => [...boundaries, ...parents]))];
  const boundaries = ids.length === 0 ? [] : await services.boundaries.lookup(ids);
  const canonical = new Map(ids.map((id, i) => [id, boundaries[i]?.id ?? id]));
  const each = (some: readonly string[]) => some.map((id) => defined(canonical.get(id)));
  return new Map(
    [...found].map(([file, one]) => [file, { ...one, boundaries: each(one.boundaries), parents: each(one.parents) }]),
  );
}

/** What changed of the boundaries of a file since it was made. */
export interface Outdated {
  /** Up to COUNTED. */
  readonly total: number;
  /** The first ones. */
  readonly items: BoundaryEvent[];
}

type WatchedSince = Watched & { readonly since: string };

/** `batches`: the transactions since, by which changes are found; null: all of its boundaries are read. */
type Read = WatchedSince & { readonly batches: readonly number[] | null };

/**
 * Chooses how what is watched is read: by all changes since its moment, where these are few enough, or else by all of its
 * boundaries. What takes more than is left of `most` is not in the answer.
 */
export async function boundedReads(
  { services: { db }, signal }: Pick<Context, 'services' | 'signal'>,
  watched: ReadonlyMap<string, WatchedSince>,
  most: number,
): Promise<Map<string, Read>> {
  const isWide = ({ parents, country }: Watched) => parents.length > 0 || country !== null;
  const anyWide = [...watched.values()].some(isWide);
  const counts = anyWide ? await db.query(loadQuery('change_counts'), [most + 1], { signal }) : [];
  const isCut = sum(counts) > most;
  const reads = new Map<string, number>();
  let [left, counting] = [most, 2 * most];
  /** How many boundaries are read; infinity: too many, or too many were counted for others. */
  const readsOf = async ({ parents, country, admin_level: level }: Watched): Promise<number> => {
    const key = JSON.stringify([parents, country, level]);
    const known = reads.get(key);
    if (known !== undefined) return known;
    if (left <= 0 || counting <= 0) return Number.POSITIVE_INFINITY;
    const [row] = await db.query(loadQuery('change_reads'), [parents, country, level, left + 1], { signal });
    const count = row?.reads ?? 0;
    counting -= count;
    reads.set(key, count);
    return count;
  };
  const chosen = new Map<string, Read>();
  for (const [key, one] of watched) {
    const later = isWide(one) ? counts.filter(({ at }) => at.toISOString() > one.since) : [];
    // Where all that were counted are later, there may be more.
    const changes = isCut && later.length === counts.length ? Number.POSITIVE_INFINITY : sum(later);
    const byChanges = !isWide(one) || changes <= left;
    const cost = !isWide(one) ? 0 : byChanges ? changes : await readsOf(one);
    if (cost > left) continue;
    left -= cost;
    chosen.set(key, { ...one, batches: byChanges ? later.map(({ batch }) => batch) : null });
  }
  return chosen;
}

const sum = (counts: readonly { readonly changes: number }[]) => counts.reduce((all, { changes }) => all + changes, 0);

/** What changed of what is watched, each since a moment, with the first `listed` of it. */
export async function changesSince(
  { services, signal }: Pick<Context, 'services' | 'signal'>,
  watched: ReadonlyMap<string, Read>,
  listed: number,
): Promise<Map<string, Outdated>> {
  const asked = JSON.stringify([...watched].map(([key, one]) => ({ key, ...one })));
  const rows = await services.db.query(loadQuery('change_since'), [asked, COUNTED, listed], { signal });
  const events = (items: (typeof rows)[number]['items']) =>
    (items as readonly { id: string; before: BoundaryEvents; after: BoundaryEvents }[]).map((one) =>
      eventOf(one.id, one),
    );
  return new Map(rows.map(({ key, total, items }) => [key, { total, items: events(items) }]));
}

type BoundaryEvents = Readonly<Record<string, unknown>> | null;

/**
 * What changed since files were made, with the first `listed` boundaries of each. A file is not in it whose recipe does
 * not name its boundaries, nor are those beyond MOST_IDS and `most` (MOST_READS).
 */
export async function outdatedOf(
  ctx: Context,
  files: readonly Pick<FileEntry, 'id' | 'data_at'>[],
  listed: number,
  most: number,
): Promise<Map<string, Outdated>> {
  if (files.length === 0) return new Map();
  const since = new Map(files.map(({ id, data_at }) => [id, data_at]));
  const found = await madeOf(ctx, [...since.keys()]);
  const newest = await ctx.services.boundaries.recordedAt();
  const asked = [...found].flatMap(([id, one]) => {
    const at = defined(since.get(id));
    return newest !== null && at >= newest ? [] : [[id, { ...one, since: at }] as const];
  });
  const read = await boundedReads(ctx, new Map(asked), most);
  for (const [id] of asked) if (!read.has(id)) found.delete(id);
  const changed = read.size === 0 ? null : await changesSince(ctx, read, listed);
  return new Map([...found.keys()].map((id) => [id, changed?.get(id) ?? { total: 0, items: [] }]));
}
