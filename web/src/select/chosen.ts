/** Most characters of a selection in an address; browsers and programs where people paste addresses limit them. */
export const MOST_CHARACTERS = 30_000;
const NAME = 'select=';

/** All subdivisions of a boundary at a level, without some. */
export interface LevelOf {
  readonly of: string;
  readonly level: number;
  readonly without: readonly string[];
}

/** What is selected: boundaries by id, and all of a level in a boundary, but for those that it is without. */
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

const CODE = /^(?:iso|wikidata):[\w-]{1,20}$/;
const ID = /^[rw]\d{1,19}$/;
const isId = (text: string): boolean => ID.test(text) || CODE.test(text);

/** The selection in a fragment; ignores what is none. */
export function readSelection(fragment: string): Selection {
  if (!fragment.startsWith(NAME)) return NOTHING;
  const ids = new Set<string>();
  const levels: LevelOf[] = [];
  for (const part of fragment.slice(NAME.length, NAME.length + MOST_CHARACTERS).split(',')) {
    const [first = '', ...without] = part.split('!');
    const [id = '', level] = first.split('*');
    if (!isId(id)) continue;
    if (level === undefined) ids.add(id);
    else if (/^\d{1,2}$/.test(level)) levels.push({ of: id, level: Number(level), without: without.filter(isId) });
  }
  return { ids: [...ids], levels };
}

const written = ({ ids, levels }: Selection): string =>
  [...ids, ...levels.map(({ of, level, without }) => [`${of}*${level}`, ...without].join('!'))].join(',');

/** The fragment for a selection; '' for nothing. */
export function fragmentOf(selection: Selection): string {
  const text = written(selection);
  return text === '' ? '' : `#${NAME}${text}`;
}

/** The codes that stand for an id in a selection: `iso:ES-SE`. */
export function codesIn({ ids, levels }: Selection): readonly string[] {
  const all = [...ids, ...levels.flatMap(({ of, without }) => [of, ...without])];
  return [...new Set(all.filter((id) => CODE.test(id)))];
}

/** The selection with ids for the codes that are known. */
export function withIds({ ids, levels }: Selection, known: ReadonlyMap<string, string>): Selection {
  const idOf = (code: string): string => known.get(code) ?? code;
  return {
    ids: [...new Set(ids.map(idOf))],
    levels: levels.map(({ of, level, without }) => ({ of: idOf(of), level, without: without.map(idOf) })),
  };
}

const covering = ({ levels }: Selection, { level, path }: Selectable): readonly LevelOf[] =>
  levels.filter((one) => one.level === level && path.includes(one.of));

/** Whether a boundary is selected, by itself or as one of any level. */
export const isSelected = (selection: Selection, one: Selectable): boolean =>
  selection.ids.includes(one.id) || covering(selection, one).some(({ without }) => !without.includes(one.id));

/** The selection with or without a boundary: without it, no level has it any more. */
export function toggled(selection: Selection, one: Selectable): Selection {
  const { ids, levels } = selection;
  const covers = covering(selection, one);
  const is = isSelected(selection, one);
  const others = ids.filter((id) => id !== one.id);
  if (covers.length === 0) return { ids: is ? others : [...others, one.id], levels };
  const changed = (each: LevelOf): LevelOf => {
    const without = each.without.filter((id) => id !== one.id);
    return { ...each, without: is ? [...without, one.id] : without };
  };
  return { ids: others, levels: levels.map((each) => (covers.includes(each) ? changed(each) : each)) };
}

/** All of a level in a boundary, as a row of the tree. */
export interface LevelIn {
  readonly of: Selectable;
  readonly level: number;
}

const isOf =
  ({ of, level }: LevelIn) =>
  (one: LevelOf): boolean =>
    one.level === level && one.of === of.id;

/** The levels of boundaries around it that have it too. */
const around = ({ levels }: Selection, { of, level }: LevelIn): readonly LevelOf[] =>
  levels.filter((one) => one.level === level && of.path.includes(one.of));

/** Whether all of a level in a boundary is selected, by itself or as a part of the same level around it. */
export const hasLevel = (selection: Selection, row: LevelIn): boolean =>
  selection.levels.some(isOf(row)) || around(selection, row).some(({ without }) => without.length === 0);

/** The selection with all of a level in a boundary, instead of what is known to be part of that. */
export function withLevel(selection: Selection, row: LevelIn, known: ReadonlyMap<string, Selectable>): Selection {
  const { of, level } = row;
  const isInside = (id: string): boolean => known.get(id)?.path.includes(of.id) === true;
  return {
    ids: selection.ids.filter((id) => known.get(id)?.level !== level || !isInside(id)),
    levels: [
      ...selection.levels.filter((one) => !isOf(row)(one) && (one.level !== level || !isInside(one.of))),
      { of: of.id, level, without: [] },
    ],
  };
}

/** Whether a level is part of the same level around it that is selected: then it is taken out by its ids. */
export const isPart = (selection: Selection, row: LevelIn): boolean => around(selection, row).length > 0;

/** The selection without all of a level in a boundary. `members`: its ids, where isPart(). */
export function withoutLevel(selection: Selection, row: LevelIn, members: readonly string[]): Selection {
  const rest = { ...selection, levels: selection.levels.filter((one) => !isOf(row)(one)) };
  const wider = around(rest, row);
  if (wider.length === 0) return rest;
  const removed = new Set(members);
  return {
    ids: rest.ids.filter((id) => !removed.has(id)),
    levels: rest.levels.map((one) =>
      wider.includes(one) ? { ...one, without: [...new Set([...one.without, ...members])] } : one,
    ),
  };
}
