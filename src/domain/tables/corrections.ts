import { only } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { foldName } from '../names/fold.ts';
import type { PlaceRow } from './model.ts';

/** Corrections that an organization can have, and names that are looked up together. */
export const MOST_CORRECTIONS = 20_000;
const CHUNK = 5_000;

/** What a name means; `boundary`: a canonical id, or null to forget what it meant. */
export interface Correction {
  readonly name: string;
  /** The innermost first. */
  readonly within: readonly string[];
  readonly boundary: string | null;
}

const placesOf = (within: readonly string[]): string =>
  within
    .map(foldName)
    .filter((text) => text !== '')
    .join('|');
const keyOf = (name: string, within: string): string => `${name}\n${within}`;

/**
 * Stores corrections of an organization: the last one of a name and its places counts.
 * @returns how many it stored, and how many it deleted
 * @throws too_large when it would have more than MOST_CORRECTIONS
 */
export async function saveCorrections(
  db: Database,
  org: string,
  corrections: readonly Correction[],
): Promise<{ readonly saved: number; readonly deleted: number }> {
  const last = new Map<string, { name: string; within: string; written: string; boundary: string | null }>();
  for (const { name, within, boundary } of corrections) {
    const one = { name: foldName(name), within: placesOf(within), written: name, boundary };
    last.set(keyOf(one.name, one.within), one);
  }
  const some = [...last.values()];
  const kept = some.filter(({ boundary }) => boundary !== null);
  const gone = some.filter(({ boundary }) => boundary === null);
  return db.transaction(async (tx) => {
    await tx.query(loadQuery('match_correction_lock'), [org]);
    const deleted = await tx.query(loadQuery('match_correction_delete'), [
      ...([org, gone.map(({ name }) => name), gone.map(({ within }) => within)] as const),
    ]);
    await tx.query(loadQuery('match_correction_put'), [
      org,
      kept.map(({ name }) => name),
      kept.map(({ within }) => within),
      kept.map(({ written }) => written),
      kept.map(({ boundary }) => boundary ?? ''),
    ]);
    const { total } = only(await tx.query(loadQuery('match_correction_count'), [org]));
    if (total > MOST_CORRECTIONS) {
      throw problem(
        'too_large',
        `An organization can have ${MOST_CORRECTIONS} corrections; these would make ${total}.`,
      );
    }
    return { saved: kept.length, deleted: deleted.length };
  });
}

/** The corrections of an organization by name, a page of them, and their number. */
export async function listCorrections(
  db: Queryable,
  org: string,
  page: { readonly limit: number; readonly offset: number },
) {
  const rows = await db.query(loadQuery('match_correction_list'), [org, page.limit, page.offset]);
  const { total } = only(await db.query(loadQuery('match_correction_count'), [org]));
  const items = rows.map(({ written, within, boundary, created_at }) => ({
    name: written,
    within: within === '' ? [] : within.split('|'),
    id: boundary,
    created_at: new Date(created_at).toISOString(),
  }));
  return { items, total };
}

/** The canonical id that an organization has corrected each row to; null for rows without a correction. */
export async function correctionsOf(db: Queryable, org: string, rows: readonly PlaceRow[]): Promise<(string | null)[]> {
  const names = [...new Set(rows.map(({ name }) => foldName(name)))].filter((name) => name !== '');
  const known = new Map<string, string>();
  for (let from = 0; from < names.length; from += CHUNK) {
    const found = await db.query(loadQuery('match_correction_find'), [org, names.slice(from, from + CHUNK)]);
    for (const { name, within, boundary } of found) known.set(keyOf(name, within), boundary);
  }
  if (known.size === 0) return rows.map(() => null);
  return rows.map(({ name, within }) => known.get(keyOf(foldName(name), placesOf(within))) ?? null);
}
