import { type Answer, ask, Failure } from '../api.ts';
import { count } from '../format.ts';
import { t } from '../language.ts';
import { MOST_SELECTED } from '../select/selection.ts';

/** A version of a set as get_area_set lists it. */
export type Version = AreaSet['versions'][number];

/** An area set as list_area_sets and get_area_set return it. */
export type AreaSet = Answer<'list_area_sets'>['items'][number];

/** An area as list_set_areas returns it. */
export type SetArea = Answer<'list_set_areas'>['items'][number];

/** The boundaries of which territories are made. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly area_km2: number | null;
  readonly population: number | null;
  readonly admin_level?: number | null;
  /** A point inside it, in degrees. */
  readonly lat?: number | null;
  readonly lon?: number | null;
}

/** A set, and its areas in one version. */
export interface Opened {
  readonly set: AreaSet;
  readonly version: Version;
  /** recorded_at of its newest version. */
  readonly newest: string;
  readonly areas: readonly SetArea[];
  /** By id; null where the version cannot be edited here, for the reason of `why`. */
  readonly members: ReadonlyMap<string, Member> | null;
  readonly why: string | null;
  readonly shapes: GeoJSON.FeatureCollection<GeoJSON.Geometry, Member> | null;
}

type Areas = { readonly items: readonly SetArea[]; readonly next: string | null; readonly valid_from: string };

/** The version that was stored last. */
export const newestOf = (versions: readonly Version[]): Version | undefined =>
  [...versions].sort((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1)).at(-1);

/** All areas of the version of a set that is in force on a date. @throws like ask() */
async function areasOf(name: string, on: string | undefined, signal?: AbortSignal): Promise<Areas> {
  const path = `/sets/${encodeURIComponent(name)}/areas`;
  let page = await ask<Areas>(path, { query: { members: true, on }, signal });
  const items = [...page.items];
  while (page.next !== null) {
    page = await ask<Areas>(path, { query: { members: true, on, cursor: page.next }, signal });
    items.push(...page.items);
  }
  return { ...page, items };
}

/**
 * Reads a set with the areas and the members of one version.
 * @param on the date of the version; undefined: today
 * @throws like ask()
 */
export async function openSet(name: string, on: string | undefined, signal: AbortSignal): Promise<Opened> {
  const set = await ask<AreaSet>(`/sets/${encodeURIComponent(name)}`, { signal });
  const first = set.versions[0]?.valid_from;
  // A set of which every version begins later shows the first.
  const isLater = on === undefined && first !== undefined && first > new Date().toISOString().slice(0, 10);
  const { items: areas, valid_from } = await areasOf(name, isLater ? first : on, signal);
  const version = set.versions.find((one) => one.valid_from === valid_from);
  const newest = newestOf(set.versions)?.recorded_at;
  if (!version || newest === undefined) {
    throw new Failure(t('sets.theSetChangedWhile'), { code: 'changed' });
  }
  const found = { set, version, newest, areas };
  const ids = [...new Set(areas.flatMap(({ members }) => members ?? []))];
  const reason = whyNot(found, ids);
  if (reason !== null) return { ...found, why: reason, members: null, shapes: null };
  return { ...found, ...(await membersOf(ids, signal)) };
}

/** The members of a version with their shapes, or why they cannot be moved. Figures and versions are shown in any case. */
async function membersOf(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Opened, 'members' | 'shapes' | 'why'>> {
  const without = { members: null, shapes: null };
  try {
    const body = { ids, detail: 'low' };
    const shapes = await ask<NonNullable<Opened['shapes']>>('/collections', { method: 'POST', body, signal });
    const members = new Map(shapes.features.map(({ properties }) => [properties.id, properties]));
    const missing = ids.filter((id) => !members.has(id));
    if (missing.length === 0) return { why: null, members, shapes };
    const more = missing.length > 5 ? `, + ${count(missing.length - 5)}` : '';
    const lost = `${missing.slice(0, 5).join(', ')}${more}`;
    return { ...without, why: t('sets.lostMembers', { members: lost }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...without, why: t('sets.unreadMembers', { why: error.message }) };
  }
}

/** The inputs of create_area_set by which the version of a date was made; none where that was not kept. @throws like ask() */
export async function optionsOf(name: string, on: string): Promise<Readonly<Record<string, string | number>>> {
  type Answer = { readonly report: { readonly options?: Readonly<Record<string, string | number>> } };
  return (await ask<Answer>(`/sets/${encodeURIComponent(name)}`, { query: { on } })).report.options ?? {};
}

/** Groups of boundaries by the names of their areas, as create_area_set takes them. */
export type Groups = Readonly<Record<string, readonly string[]>>;

/** The set with the version that was stored last, and whether that is of a date and was made from these groups. @throws like ask() */
export async function lastSaved(name: string, date: string, groups: Groups) {
  const set = await ask<AreaSet>(`/sets/${encodeURIComponent(name)}`);
  const version = newestOf(set.versions);
  if (!version) throw new Failure(t('sets.theSetHasNo'), { code: 'changed' });
  const { items } = await areasOf(name, version.valid_from);
  const theirs = items.map((one) => [one.name, [...(one.members ?? [])].sort()] as const);
  const isSame =
    version.valid_from === date &&
    theirs.length === Object.keys(groups).length &&
    theirs.every(([area, ids]) => ids.join() === [...(groups[area] ?? [])].sort().join());
  return { set, version, isSame };
}

/** Why the members of a version cannot be moved; null where they can. */
function whyNot({ version, areas }: { version: Version; areas: readonly SetArea[] }, ids: readonly string[]) {
  if (version.made_from !== 'groups') {
    return t('sets.thisVersionWasNot');
  }
  if (areas.some(({ members }) => members === null)) {
    return t('sets.theMembersOfSome');
  }
  if (ids.length > MOST_SELECTED) {
    return t('sets.tooManyMembers', { n: ids.length, most: MOST_SELECTED });
  }
  if (ids.length < areas.reduce((sum, { members }) => sum + (members?.length ?? 0), 0)) {
    return t('sets.someOfItsMembers');
  }
  return null;
}

/** An area of a version as it is with the moves. */
export interface Territory {
  readonly name: string;
  /** Null where members are not known. */
  readonly members: readonly string[] | null;
  readonly km2: number;
  /** The sum of those that are known. */
  readonly population: number;
  /** How many members, or the area itself, have no population. */
  readonly unknown: number;
}

/**
 * The territories of a version, with members in the territories that they were moved or added to.
 * @param made names of territories that have no members yet
 */
export function territoriesOf(
  { areas, members }: Pick<Opened, 'areas' | 'members'>,
  moves: ReadonlyMap<string, string>,
  made: readonly string[] = [],
  added: ReadonlyMap<string, string> = new Map(),
): Territory[] {
  if (members === null) {
    return areas.map(({ name, area_km2: km2, population }) => ({
      ...{ name, members: null, km2: km2 ?? 0, population: population ?? 0, unknown: population === null ? 1 : 0 },
    }));
  }
  const groups = new Map<string, string[]>(areas.map(({ name }) => [name, []]));
  for (const name of [...moves.values(), ...added.values(), ...made]) if (!groups.has(name)) groups.set(name, []);
  for (const area of areas) {
    for (const id of area.members ?? []) groups.get(moves.get(id) ?? area.name)?.push(id);
  }
  for (const [id, name] of added) groups.get(name)?.push(id);
  return [...groups].map(([name, ids]) => {
    const all = ids.flatMap((id) => members.get(id) ?? []);
    return {
      ...{ name, members: ids, km2: all.reduce((sum, one) => sum + (one.area_km2 ?? 0), 0) },
      population: all.reduce((sum, one) => sum + (one.population ?? 0), 0),
      unknown: all.filter(({ population }) => population === null).length,
    };
  });
}

/** The territory of each member before it was moved. */
export const ownersOf = (areas: readonly SetArea[]): ReadonlyMap<string, string> =>
  new Map(areas.flatMap(({ name, members }) => (members ?? []).map((id) => [id, name] as const)));
