import { ask, type Children, Failure } from '../api.ts';
import { count } from '../format.ts';
import { currentRoute, go } from '../route.ts';

/** Most boundaries of one file: the limit of export_collection. */
export const MOST_SELECTED = 5000;
/** Most characters of a selection in an address; browsers and programs where people paste addresses limit them. */
const MOST_CHARACTERS = 30_000;
const NAME = 'select=';
const PAGE = 1000;

/** All subdivisions of a boundary at a level, without some. */
export interface LevelOf {
  readonly of: string;
  readonly level: number;
  readonly without: readonly string[];
}

/** What is selected: boundaries by id, and all of a level in a boundary. */
export interface Selection {
  readonly ids: readonly string[];
  readonly levels: readonly LevelOf[];
}

/** What a selection needs to know of a boundary. `path`: the ids that it lies in. */
export interface Selectable {
  readonly id: string;
  readonly level: number | null;
  readonly path: readonly string[];
}

export const NOTHING: Selection = { ids: [], levels: [] };

const ID = /^(?:[rw]\d{1,19}|(?:iso|wikidata):[\w-]{1,20})$/;

/** The selection in a fragment; ignores what is none. */
export function readSelection(fragment: string): Selection {
  if (!fragment.startsWith(NAME)) return NOTHING;
  const ids = new Set<string>();
  const levels: LevelOf[] = [];
  for (const part of fragment.slice(NAME.length, NAME.length + MOST_CHARACTERS).split(',')) {
    const [first = '', ...without] = part.split('!');
    const [id = '', level] = first.split('*');
    if (!ID.test(id)) continue;
    if (level === undefined) ids.add(id);
    else if (/^\d{1,2}$/.test(level))
      levels.push({ of: id, level: Number(level), without: without.filter((one) => ID.test(one)) });
  }
  return { ids: [...ids], levels };
}

const written = ({ ids, levels }: Selection): string =>
  [...ids, ...levels.map(({ of, level, without }) => [`${of}*${level}`, ...without].join('!'))].join(',');

/** Navigates to the address of a selection. @throws Failure when it is too long for one */
export function writeSelection(selection: Selection): void {
  const text = written(selection);
  if (text.length > MOST_CHARACTERS) {
    const message = `These boundaries take more than ${count(MOST_CHARACTERS)} characters, too long for a link. Select all of a level instead.`;
    throw new Failure(message, { code: 'too_many_boundaries' });
  }
  const { query } = currentRoute();
  const search = query.size > 0 ? `?${query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')}` : '';
  go(location.pathname + search + (text === '' ? '' : `#${NAME}${text}`));
}

/** The fragment of another page of the map for a selection. */
export const fragmentOf = (selection: Selection): string => `#${NAME}${written(selection)}`;

const covering = ({ levels }: Selection, { level, path }: Selectable): LevelOf | undefined =>
  levels.find((one) => one.level === level && path.includes(one.of));

/** Whether a boundary is selected, by itself or as one of a level. */
export function isSelected(selection: Selection, one: Selectable): boolean {
  if (selection.ids.includes(one.id)) return true;
  const level = covering(selection, one);
  return level !== undefined && !level.without.includes(one.id);
}

/** The selection with or without a boundary. */
export function toggled(selection: Selection, one: Selectable): Selection {
  const { ids, levels } = selection;
  const level = covering(selection, one);
  const is = isSelected(selection, one);
  const others = ids.filter((id) => id !== one.id);
  if (!level) return { ids: is ? others : [...ids, one.id], levels };
  const without = is ? [...level.without, one.id] : level.without.filter((id) => id !== one.id);
  return { ids: others, levels: levels.map((each) => (each === level ? { ...level, without } : each)) };
}

/** Whether all of a level in a boundary is selected. */
export const hasLevel = ({ levels }: Selection, of: string, level: number): boolean =>
  levels.some((one) => one.of === of && one.level === level);

/** The selection with or without all of a level in a boundary. */
export function toggledLevel(selection: Selection, of: string, level: number): Selection {
  const rest = selection.levels.filter((one) => one.of !== of || one.level !== level);
  return hasLevel(selection, of, level)
    ? { ...selection, levels: rest }
    : { ...selection, levels: [...rest, { of, level, without: [] }] };
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

/**
 * The ids of a selection, each once.
 * @throws Failure for more than `most`, and like ask()
 */
export async function idsOf(
  { ids, levels }: Selection,
  most = MOST_SELECTED,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const all = new Set(ids);
  for (const { of, level, without } of levels) {
    const { items, total } = await childrenOf(of, { admin_level: level }, most + without.length, signal);
    if (total - without.length > most) throw tooMany(total - without.length, most);
    for (const { id } of items) if (!without.includes(id)) all.add(id);
  }
  if (all.size > most) throw tooMany(all.size, most);
  return [...all];
}

const tooMany = (selected: number, most: number): Failure =>
  new Failure(`${count(selected)} boundaries are selected; at most ${count(most)} are taken here.`, {
    code: 'too_many_boundaries',
  });

/** The fields of export_collection that select the same: a level by itself, else ids. @throws like idsOf() */
export async function fieldsOf(selection: Selection, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const [only, ...others] = selection.levels;
  if (only && others.length === 0 && selection.ids.length === 0 && only.without.length === 0)
    return { children_of: only.of, admin_level: only.level };
  return { ids: await idsOf(selection, MOST_SELECTED, signal) };
}
