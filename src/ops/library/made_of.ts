/** The boundaries that files of the library are made of, and what of them changed since. */
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { loadQuery } from '../../db/query.ts';
import { type BoundaryEvent, eventOf } from '../../domain/history/events.ts';
import type { FileEntry } from '../../domain/library/model.ts';
import { type Watched, watchedOfFiles } from '../../domain/library/watched.ts';

/** The number up to which boundaries that changed are counted. */
const COUNTED = 1_000;
/** Most ids that the files of one answer may name together; of further files nothing is said. */
const MOST_IDS = 20_000;

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

/** What changed of what is watched, each since a moment, with the first `listed` of it. */
export async function changesSince(
  { services, signal }: Pick<Context, 'services' | 'signal'>,
  watched: ReadonlyMap<string, Watched & { readonly since: string }>,
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
 * not name its boundaries, nor are those beyond MOST_IDS.
 */
export async function outdatedOf(
  ctx: Context,
  files: readonly Pick<FileEntry, 'id' | 'data_at'>[],
  listed: number,
): Promise<Map<string, Outdated>> {
  if (files.length === 0) return new Map();
  const since = new Map(files.map(({ id, data_at }) => [id, data_at]));
  const found = await madeOf(ctx, [...since.keys()]);
  const newest = await ctx.services.boundaries.recordedAt();
  const asked = [...found].flatMap(([id, one]) => {
    const at = defined(since.get(id));
    return newest !== null && at >= newest ? [] : [[id, { ...one, since: at }] as const];
  });
  const changed = asked.length === 0 ? null : await changesSince(ctx, new Map(asked), listed);
  return new Map([...found.keys()].map((id) => [id, changed?.get(id) ?? { total: 0, items: [] }]));
}
