import { ask, type Children, Failure, send } from '../api.ts';
import { t } from '../language.ts';
import { currentRoute, go } from '../route.ts';
import { readCsv } from '../union/within.ts';
import { fragmentOf, MOST_CHARACTERS, type Selection } from './chosen.ts';

/** Most boundaries of one file: the limit of export_collection. */
export const MOST_SELECTED = 5000;
const PAGE = 1000;

/** Navigates to the address of a selection. @throws Failure when it is too long for one */
export function writeSelection(selection: Selection, replace = false): void {
  const fragment = fragmentOf(selection);
  if (fragment.length > MOST_CHARACTERS) {
    const message = t('select.linkTooLong', { n: MOST_CHARACTERS });
    throw new Failure(message, { code: 'too_many_boundaries' });
  }
  const { query } = currentRoute();
  const search = query.size > 0 ? `?${query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')}` : '';
  go(location.pathname + search + fragment, replace);
}

/** All subdivisions of a boundary at a level, page by page, up to `most`. */
export async function childrenOf(
  id: string,
  query: Readonly<Record<string, string | number>>,
  most: number,
  signal?: AbortSignal,
): Promise<Children> {
  const path = `/boundaries/${encodeURIComponent(id)}/children`;
  let page = await ask<Children>(path, { query: { ...query, limit: PAGE }, signal });
  const items = [...page.items];
  while (page.next !== null && items.length < most) {
    page = await ask<Children>(path, { query: { ...query, limit: PAGE, cursor: page.next }, signal });
    items.push(...page.items);
  }
  return { ...page, items };
}

/** Most levels whose ids are kept while the page is open. */
const MOST_KEPT = 50;
const kept = new Map<string, Promise<Pick<Children, 'items' | 'total'>>>();

/** All of a level in a boundary, asked for once: up to `most` and those that are left out. @throws like ask() */
function membersOf(of: string, level: number, most: number): Promise<Pick<Children, 'items' | 'total'>> {
  const key = `${of}*${level} ${Math.ceil(most / PAGE)}`;
  const known = kept.get(key);
  if (known) return known;
  const found = childrenOf(of, { admin_level: level }, most);
  kept.set(key, found);
  found.catch(() => kept.delete(key));
  for (const old of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(old);
  }
  return found;
}

/** The ids of all of a level in a boundary. @throws Failure for more than a file takes, and like ask() */
export async function idsOfLevel(of: string, level: number): Promise<readonly string[]> {
  const { items, total } = await membersOf(of, level, MOST_SELECTED);
  if (total > MOST_SELECTED) throw tooMany(total, MOST_SELECTED);
  return items.map(({ id }) => id);
}

/**
 * The ids of a selection, each once.
 * @throws Failure for more than `most`, and like ask()
 */
export async function idsOf({ ids, levels }: Selection, most = MOST_SELECTED): Promise<readonly string[]> {
  const all = new Set(ids);
  for (const { of, level, without } of levels) {
    const { items, total } = await membersOf(of, level, most + without.length);
    if (total - without.length > most) throw tooMany(total - without.length, most);
    const out = new Set(without);
    for (const { id } of items) if (!out.has(id)) all.add(id);
  }
  if (all.size > most) throw tooMany(all.size, most);
  return [...all];
}

/**
 * The number of boundaries of a selection, each counted once. Levels too large for a file are not listed: then it is the
 * sum of their sizes, and `atMost`.
 * @throws like ask()
 */
export async function countOf(
  selection: Selection,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly atMost: boolean }> {
  const { ids, levels } = selection;
  let count = ids.length;
  for (const { of, level } of levels) {
    const query = { admin_level: level, limit: 1 };
    count += (await ask<Children>(`/boundaries/${encodeURIComponent(of)}/children`, { query, signal })).total;
  }
  const [only, ...others] = levels;
  const isPlain = !only || (others.length === 0 && ids.length === 0 && only.without.length === 0);
  if (isPlain) return { count, atMost: false };
  if (count > MOST_SELECTED) return { count, atMost: true };
  return { count: (await idsOf(selection)).length, atMost: false };
}

/** The ids of codes, as far as they stand for a boundary with a shape. @throws like send() */
export async function idsOfCodes(codes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const table = await readTable({ ids: codes }, signal);
  const rows = [...table.values()];
  const idOf = (code: string): string | undefined => {
    const [column = '', value = ''] = code.split(':');
    return rows.find((row) => row[column]?.toLowerCase() === value.toLowerCase())?.id;
  };
  return new Map(codes.map((code) => [code, idOf(code) ?? code]));
}

/** The table of a collection, by id. @throws like send() */
export async function readTable(
  selection: object,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Record<string, string>>> {
  const body = { ...selection, format: 'csv', geometry: 'none', detail: 'low' };
  const response = await send('/collections', { method: 'POST', body, signal });
  return new Map(readCsv(await response.text()).map((row) => [row.id ?? '', row]));
}

const tooMany = (selected: number, most: number): Failure =>
  new Failure(t('select.tooMany', { n: selected, most }), {
    code: 'too_many_boundaries',
  });

/** The fields of export_collection that select the same: a level by itself, else ids. @throws like idsOf() */
export async function fieldsOf(selection: Selection): Promise<Readonly<Record<string, unknown>>> {
  const [only, ...others] = selection.levels;
  if (only && others.length === 0 && selection.ids.length === 0 && only.without.length === 0)
    return { children_of: only.of, admin_level: only.level };
  return { ids: await idsOf(selection) };
}
