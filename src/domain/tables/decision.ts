import type { Turns } from '../../common/turns.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import type { Candidate, Decision } from './match_rows.ts';

const COUNTRY_LEVEL = 2;
/** Share of the names found that must have a candidate in a place, or of a level, for the column to decide for it. */
const COUNTRY_SHARE = 0.8;
const LEVEL_SHARE = 0.8;
const WITHIN_SHARE = 0.75;
/** Names from which a column decides for a place inside of a country. */
const WITHIN_FROM = 3;
/** Other names from which one of the country is that of their total. */
const TOTAL_FROM = 3;
/** How many times more names must speak for a decision alone than for another one. */
const TIMES = 4;

/**
 * The levels of the columns that a boundary may be in: its own, and that of countries for a territory with a code of
 * ISO 3166-1, which lists of countries have: Réunion, Hong Kong.
 */
export function levelsOf({ kind, admin_level: level }: Pick<Boundary, 'kind' | 'admin_level'>): readonly number[] {
  const own = level === null ? [] : [level];
  return kind === 'country' && level !== COUNTRY_LEVEL ? [COUNTRY_LEVEL, ...own] : own;
}

/** What a group of candidates counts for. */
type GroupsOf<K> = (candidate: Candidate) => readonly K[];

/** The number of names that have a candidate in each group. */
async function covered<K>(
  names: readonly (readonly Candidate[])[],
  groupsOf: GroupsOf<K>,
  turns: Turns,
): Promise<Map<K, number>> {
  const counts = new Map<K, number>();
  for (const candidates of names) {
    if (turns.spend(candidates.length)) await turns.next();
    const groups = new Set(candidates.flatMap((one) => groupsOf(one)));
    for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

/**
 * The group that a column is about: it covers most names, at least `share` of them, and against each other group that
 * covers as many as that, names that only it covers outnumber those that only the other one covers.
 * @param names the candidates of each distinct name
 */
async function decisive<K>(
  names: readonly (readonly Candidate[])[],
  groupsOf: GroupsOf<K>,
  share: number,
  turns: Turns,
): Promise<K | null> {
  const counts = [...(await covered(names, groupsOf, turns))].sort((a, b) => b[1] - a[1]);
  const [best] = counts;
  if (!best || best[1] < share * names.length) return null;
  const [group, count] = best;
  for (const [other, others] of counts.slice(1)) {
    // Groups that cover few names need no comparison: what they cover alone is at most that.
    if (others * TIMES <= count) break;
    let own = 0;
    let alone = 0;
    for (const candidates of names) {
      if (turns.spend(candidates.length)) await turns.next();
      const groups = candidates.flatMap((one) => groupsOf(one));
      const [isIn, isOther] = [groups.includes(group), groups.includes(other)];
      if (isIn && !isOther) own++;
      if (isOther && !isIn) alone++;
    }
    if (own === 0 || own < TIMES * alone) return null;
  }
  return group;
}

const countryOf: GroupsOf<string> = ({ boundary }) => boundary.countries;
const levelOf: GroupsOf<number> = ({ boundary }) => levelsOf(boundary);

/**
 * Candidates without those of the country that all are in: a row of its total says nothing of the level of the others.
 */
function withoutTotal(names: readonly (readonly Candidate[])[], country: string): readonly (readonly Candidate[])[] {
  const isTotal = ({ boundary }: Candidate): boolean => boundary.country === country && boundary.kind === 'country';
  const others = names.filter((some) => !some.every(isTotal));
  return others.length >= TOTAL_FROM ? others : names;
}

/**
 * Ids of the places around the rows of a column that has rows of such places as well: states above their counties. Empty
 * if no row means such a place alone.
 * @param names the candidates of each name that has any
 * @param isInside whether a candidate is where the column says
 */
export async function placesWithTotals(
  names: readonly (readonly Candidate[])[],
  isInside: (candidate: Candidate) => boolean,
  turns: Turns,
): Promise<ReadonlySet<string>> {
  const around = new Set<string>();
  const outside: (readonly Candidate[])[] = [];
  for (const some of names) {
    if (turns.spend(1 + some.length)) await turns.next();
    const inside = some.filter(isInside);
    if (inside.length === 0) outside.push(some);
    for (const { boundary } of inside) {
      for (const { id, admin_level: level } of boundary.parents) {
        if (level !== null && level > COUNTRY_LEVEL) around.add(id);
      }
    }
  }
  const isTotal = ({ boundary, step }: Candidate): boolean => step < 1 && around.has(boundary.id);
  return outside.some((some) => some.some(isTotal)) ? around : new Set();
}

/**
 * What the distinct names of a column say together: the country and the level that nearly all of them are in, and the
 * place inside of the country. A name counts once, with whatever it may mean. Shares the main thread.
 * @param names the candidates of each name that has any, whole names only
 * @param given what the caller has decided; it is not decided here
 */
export async function decide(
  names: readonly (readonly Candidate[])[],
  given: { readonly country: boolean; readonly adminLevel: boolean; readonly within: boolean },
  turns: Turns,
): Promise<Omit<Decision, 'language'>> {
  const country = given.country ? null : await decisive(names, countryOf, COUNTRY_SHARE, turns);
  const inCountry =
    country === null
      ? names
      : withoutTotal(
          names
            .map((some) => some.filter(({ boundary }) => boundary.countries.includes(country)))
            .filter(({ length }) => length > 0),
          country,
        );
  const adminLevel = given.adminLevel ? null : await decisive(inCountry, levelOf, LEVEL_SHARE, turns);
  const ofLevel =
    adminLevel === null
      ? inCountry
      : inCountry
          .map((some) => some.filter(({ boundary }) => levelsOf(boundary).includes(adminLevel)))
          .filter(({ length }) => length > 0);
  const within =
    given.within || country === null || ofLevel.length < WITHIN_FROM ? null : await aroundMost(ofLevel, turns);
  return { country, adminLevel, within };
}

/**
 * The innermost place below a country that most names are in, and hardly any name only in another one as far out; null if
 * there is none, or several are.
 */
async function aroundMost(names: readonly (readonly Candidate[])[], turns: Turns): Promise<Decision['within']> {
  const places = new Map<string, { readonly id: string; readonly name: string; readonly depth: number }>();
  const parentsOf: GroupsOf<string> = ({ boundary }) =>
    boundary.parents.flatMap(({ id, name, admin_level }, depth) => {
      if (admin_level === null || admin_level <= COUNTRY_LEVEL) return [];
      places.set(id, { id, name, depth });
      return [id];
    });
  const counts = await covered(names, parentsOf, turns);
  const depths = new Set([...counts.keys()].map((id) => places.get(id)?.depth ?? 0));
  for (const depth of [...depths].sort((a, b) => b - a)) {
    const atDepth: GroupsOf<string> = (one) => parentsOf(one).filter((id) => places.get(id)?.depth === depth);
    const most = await decisive(names, atDepth, WITHIN_SHARE, turns);
    const place = most === null ? undefined : places.get(most);
    if (place !== undefined) return { id: place.id, name: place.name };
  }
  return null;
}
