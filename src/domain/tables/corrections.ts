import { only } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { foldingOf, foldName } from '../names/fold.ts';
import type { PlaceRow } from './match_rows.ts';

/** Corrections that an organization can have, and names that are looked up together. */
export const MOST_CORRECTIONS = 20_000;
const CHUNK = 5_000;

/** What a name means; `boundary`: a canonical id, or null to forget what it meant. */
export interface Correction {
  readonly name: string;
  /** The innermost first. */
  readonly within: readonly string[];
  readonly boundary: string | null;
  /** Where it is given, for errors: the field, and the line of a table. */
  readonly path: string;
  readonly line?: number;
}

const placesOf = (within: readonly string[]): string =>
  within
    .map(foldName)
    .filter((text) => text !== '')
    .join('|');
const keyOf = (name: string, within: string): string => `${name}\n${within}`;

/** The error for two corrections of one name and its places. */
function contradiction({ name, boundary, path, line }: Correction, before: Correction) {
  const at = line === undefined ? '' : `line ${line}: `;
  const first = before.line === undefined ? before.path : `line ${before.line}`;
  const means = (id: string | null): string => id ?? 'nothing';
  const message = `${at}${name.slice(0, 100)} means ${means(boundary)} here and ${means(before.boundary)} in ${first}, with the same places around it`;
  return invalidInput([{ path, code: 'conflict', message }]);
}

/**
 * Stores corrections of an organization.
 * @returns how many it stored, and how many it deleted
 * @throws invalid_input for a name that is given twice, with the same places and another boundary; too_large when it would have more than MOST_CORRECTIONS
 */
export async function saveCorrections(
  db: Database,
  org: string,
  corrections: readonly Correction[],
): Promise<{ readonly saved: number; readonly deleted: number }> {
  const distinct = new Map<string, Correction & { readonly written: string; readonly places: string }>();
  for (const given of corrections) {
    const one = { ...given, name: foldName(given.name), places: placesOf(given.within), written: given.name };
    const key = keyOf(one.name, one.places);
    const before = distinct.get(key);
    if (before !== undefined && before.boundary !== one.boundary) throw contradiction(given, before);
    distinct.set(key, one);
  }
  const some = [...distinct.values()];
  const kept = some.filter(({ boundary }) => boundary !== null);
  const toDelete = some.filter(({ boundary }) => boundary === null);
  return db.transaction(async (tx) => {
    await tx.query(loadQuery('match_correction_lock'), [org]);
    const deleted = await tx.query(loadQuery('match_correction_delete'), [
      ...([org, toDelete.map(({ name }) => name), toDelete.map(({ places }) => places)] as const),
    ]);
    await tx.query(loadQuery('match_correction_put'), [
      org,
      kept.map(({ name }) => name),
      kept.map(({ places }) => places),
      kept.map(({ written }) => written),
      kept.map(({ boundary }) => boundary ?? ''),
    ]);
    const { total } = only(await tx.query(loadQuery('match_correction_count'), [org, null]));
    if (total > MOST_CORRECTIONS) {
      throw problem(
        'too_large',
        `An organization can have ${MOST_CORRECTIONS} corrections; these would make ${total}.`,
      );
    }
    return { saved: kept.length, deleted: deleted.length };
  });
}

/** The corrections of an organization by name, a page of them, and their number: without those to areas of other sets. */
export async function listCorrections(
  db: Queryable,
  { org, sets }: { readonly org: string; readonly sets: readonly string[] },
  page: { readonly limit: number; readonly offset: number },
) {
  const rows = await db.query(loadQuery('match_correction_list'), [org, page.limit, page.offset, sets]);
  const { total } = only(await db.query(loadQuery('match_correction_count'), [org, sets]));
  const items = rows.map(({ written, within, boundary, created_at }) => ({
    name: written,
    within: within === '' ? [] : within.split('|'),
    id: boundary,
    created_at: new Date(created_at).toISOString(),
  }));
  return { items, total };
}

/**
 * The canonical id that an organization has corrected each row to; null for rows without a correction. Shares the main
 * thread. @throws the reason of the signal
 */
export async function correctionsOf(
  db: Queryable,
  org: string,
  rows: readonly PlaceRow[],
  signal?: AbortSignal,
): Promise<(string | null)[]> {
  const turns = new Turns(signal);
  const folded: string[] = [];
  for (const { name } of rows) {
    if (turns.spend(foldingOf(name))) await turns.next();
    folded.push(foldName(name));
  }
  const names = [...new Set(folded)].filter((name) => name !== '');
  const known = new Map<string, string>();
  for (let from = 0; from < names.length; from += CHUNK) {
    const found = await db.query(loadQuery('match_correction_find'), [org, names.slice(from, from + CHUNK)]);
    for (const { name, within, boundary } of found) known.set(keyOf(name, within), boundary);
  }
  if (known.size === 0) return rows.map(() => null);
  return rows.map(({ within }, i) => known.get(keyOf(folded[i] ?? '', placesOf(within))) ?? null);
}
