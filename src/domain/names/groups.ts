import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { foldName } from './fold.ts';
import {
  foundersOf,
  type GroupHistory,
  joinedIn,
  membersIn,
  readFounded,
  readJoined,
  readYear,
} from './group_history.ts';
import { readScheme, shortNamesOf } from './group_schemes.ts';
import { beforePhrase, behindPhrase, phraseSet } from './phrases_in.ts';

/** A group of countries or states with a common name. */
export interface AreaGroup {
  /** English name, as plans use it. */
  readonly name: string;
  /** ISO 3166-1 or 3166-2 codes of its members. */
  readonly members: readonly string[];
  /** Source and date of the list of members. */
  readonly source: string;
}

interface Row extends AreaGroup {
  /** Other names, in any supported language of descriptions. */
  readonly also: readonly string[];
  /** Names that are those of places, too: Schengen is a commune. */
  readonly unless_stored?: readonly string[];
  /** Names that are those of a country, too, and mean this region beside other ones. */
  readonly beside?: readonly string[];
  readonly history?: GroupHistory;
}

/** The table of groups, made by hand from the sources that it names, and of territories. */
const TABLE = JSON.parse(readFileSync(join(packageRoot(), 'data', 'area_groups.json'), 'utf8')) as {
  readonly territories: { readonly codes: readonly string[] };
  readonly groups: readonly Row[];
};
const ROWS = TABLE.groups;
const TERRITORIES: ReadonlySet<string> = new Set(TABLE.territories.codes);

/** Whether an ISO 3166-1 code is that of a territory of another country, such as Gibraltar. */
export const isTerritory = (code: string): boolean => TERRITORIES.has(code);

const BY_NAME: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => [row.name, ...row.also].map((text) => [foldName(text), row] as const)),
);

const UNLESS_STORED: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => (row.unless_stored ?? []).map((text) => [foldName(text), row] as const)),
);

const BESIDE: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => (row.beside ?? []).map((text) => [foldName(text), row] as const)),
);

/** The region that a name means beside other regions: "Micronesia" with Polynesia. Null for other names. */
export const groupBeside = (name: string): AreaGroup | null => BESIDE.get(foldName(name)) ?? null;

/** Whether a name is that of a region of UN M.49. */
export const isRegion = (name: string): boolean => BY_NAME.get(foldName(name))?.source.startsWith('UN M.49') === true;

/** Words for the members of a group, folded, behind its name or in front of it with a preposition. */
const MEMBERS =
  / (?:members|member (?:states|countries|nations)|mitglieder|mitglied(?:s)?staaten|mitglied(?:s)?lander)(?= |$)|^(?:(?:members|member (?:states|countries|nations)) of (?:the )?|(?:estados |paises )?miembros de(?:l| la)? |(?:mitglieder|mitglied(?:s)?staaten|mitglied(?:s)?lander) (?:der|des|von) |(?:etats |pays )?membres (?:de la |du |de l ?|de ))/u;

/** Words for two of a group, folded, in front of its name. */
const PAIR =
  /^(?:both|all|all of|(?:the |all )?two|ambas|ambos|(?:las |los )?dos|(?:die )?beiden?|(?:les |tous les |toutes les )?deux) /u;

/** What texts were found to name: rules ask the same words of a description many times. */
const known = new Map<string, AreaGroup | null>();
const MOST_KNOWN = 10_000;

/**
 * Returns the group with this name in any supported language, or that has these members ("EU members in 2005"), or null.
 * A name that is also that of a place counts only where `isStored` says that no place has the folded name.
 */
export function groupOf(text: string, isStored: (folded: string) => boolean = () => true): AreaGroup | null {
  const before = known.get(text);
  const group = before === undefined ? namedGroup(text) : before;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, group);
  if (group !== null) return group;
  const row = UNLESS_STORED.get(foldName(text));
  return row === undefined || isStored(foldName(text)) ? null : row;
}

function namedGroup(text: string): AreaGroup | null {
  // Require capitals for "EU" and "UE": Eu is also a commune in France.
  if (/^(eu|ue)$/i.test(text) && text !== text.toUpperCase()) return null;
  const folded = foldName(text);
  return rowOf(folded) ?? pairOf(folded) ?? partOf(folded) ?? formerOf(folded) ?? laterOf(folded);
}

/** Numbers of a year, and what the words for founders and schemes have in them. */
const MAY_BE_PAST = /\d{4}|found|origin|fund|grund|fond/u;
const MAY_BE_SCHEMED = /region|division|cens|^un |onu|nat|49/u;

/** A group as it was, or with its scheme. Most words have nothing of either. */
const laterOf = (folded: string): AreaGroup | null =>
  (MAY_BE_PAST.test(folded) ? pastOf(folded) : null) ?? (MAY_BE_SCHEMED.test(folded) ? schemed(folded) : null);

/** The group of a folded name, or with words for its members; undefined if there is none. */
const rowOf = (folded: string): Row | undefined => BY_NAME.get(folded) ?? ofMembers(folded);

/** The group that a folded text names with its scheme, or with a word for a part: "census bureaus northeast region". */
const schemed = (folded: string): Row | null => readScheme(folded, (name) => BY_NAME.get(name), shortNamed);

/** Groups by their names among the others of their scheme, folded: "south". */
const SHORT: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => shortNamesOf(row.source).map((name) => [name, row] as const)),
);
const shortNamed = (name: string): Row | undefined => SHORT.get(name);

/** The group that a text names only together with its scheme, which is behind it; null for another text. */
export const groupOfScheme = (text: string): AreaGroup | null => shortNamed(foldName(text)) ?? null;

/** First words of such names. */
const SHORT_STARTS: ReadonlySet<string> = new Set([...SHORT.keys()].flatMap((name) => name.split(' ', 1)));
/** Whether a folded word begins a name that is a group only with its scheme. */
export const startsShortName = (folded: string): boolean => SHORT_STARTS.has(folded);

/** Words for countries behind the name of a group and in front of it, folded. */
const COUNTRIES = phraseSet('countries, states, nations, staaten, lander');
const COUNTRIES_OF = phraseSet(
  [
    ...['countries', 'states', 'nations'].flatMap((many) =>
      [
        'of',
        'of the',
        'in',
        'in the',
        'that were in the',
        'that were in',
        'that were part of the',
        'that belonged to the',
      ].map((of) => `${many} ${of}`),
    ),
    ...['paises', 'estados'].flatMap((many) => ['de la', 'de los', 'del', 'de'].map((of) => `${many} ${of}`)),
    'pays de, pays du, pays des, etats de, etats du, lander der, lander des, staaten der, staaten des',
  ].join(', '),
);

/** A folded name without words for countries around it. */
function withoutCountries(folded: string): string {
  const words = folded.split(' ');
  return (beforePhrase(words, COUNTRIES) ?? behindPhrase(words, COUNTRIES_OF) ?? words).join(' ');
}

/** Words for countries in a name of their group, folded, also at the end of a compound: "african countries", "balkanlander". */
const OF_COUNTRIES = /(?:^| )(?:countries|nations|states|paises|estados|pays|etats)(?: |$)|(?:lander|staaten)(?: |$)/u;

/** Whether a text that names a group says countries, which its territories are not. */
export const saysCountries = (text: string): boolean => OF_COUNTRIES.test(foldName(text));

/** Groups as they were, by name: each is made once. */
const past = new Map<string, AreaGroup>();

/** A group as it was in a year or when it was founded: "EU as of 2003", "founding members of NATO". Null for other groups. */
function pastOf(folded: string): AreaGroup | null {
  const joined = readJoined(folded);
  const dated = joined === null ? readYear(folded) : null;
  const named = joined?.name ?? dated?.name ?? readFounded(folded);
  if (named === null) return null;
  const row = rowOf(named) ?? rowOf(withoutCountries(named));
  if (row?.history === undefined) return null;
  const { history, name } = row;
  if (joined) return kept(`countries that joined ${name} in ${joined.year}`, joinedIn(history, joined.year), history);
  if (dated === null) return kept(`founding members of ${name}`, foundersOf(history), history);
  return kept(`${name} in ${dated.year}`, membersIn(history, dated), history);
}

/** A group with a name that it has once: each is made once. Null without members. */
function kept(name: string, members: readonly string[] | null, { source }: GroupHistory): AreaGroup | null {
  const group =
    members && (past.get(name) ?? { name, members, source: `${source}; of a year, the members at its end` });
  if (group) past.set(name, group);
  return group;
}

/** The group whose members a folded text means; undefined if there is none. */
function ofMembers(folded: string): Row | undefined {
  const name = folded.replace(MEMBERS, '');
  return BY_NAME.get(name) ?? (name === folded ? undefined : UNLESS_STORED.get(name));
}

/** Parts of continents by their adjectives, folded: "Central Asian countries". */
const PART = /^(.+ )(africa|asia|america|europe)a?n (?:countries|nations|states)$/u;

/** The part of a continent whose countries a folded text means, or null. */
function partOf(folded: string): AreaGroup | null {
  const [, side, continent] = PART.exec(folded) ?? [];
  return continent === undefined ? null : (BY_NAME.get(`${side}${continent}`) ?? null);
}

/** The group of two that a folded text counts: "both Koreas", "ambos Congos", "beide Sudans". Null for other groups. */
function pairOf(folded: string): AreaGroup | null {
  const rest = folded.replace(PAIR, '');
  if (rest === folded) return null;
  const names = ['', 'the ', 'the two ', 'las dos ', 'los dos ', 'die beiden ', 'les deux '];
  const rows = names.flatMap((before) => BY_NAME.get(before + rest) ?? []);
  return rows.find(({ members }) => members.length === 2) ?? null;
}

/** The countries, by ISO 3166-1 codes, whose divisions are the members of the group that a text names; none for other groups. */
export function countriesOfGroup(text: string): readonly string[] {
  const members = groupOf(text)?.members ?? [];
  return members.every((code) => code.includes('-')) ? [...new Set(members.map((code) => code.slice(0, 2)))] : [];
}

/** Words in front of a former state, folded: "l'ancienne URSS", "successor states of the former USSR". */
const FORMER =
  /^(?:(?:the |los |die |les )?(?:successor states (?:of|to)|estados sucesores de|nachfolgestaaten|etats successeurs de) )?(?:the |la |l |die |der |von )?(?:(?:former|ex|antigu[ao]|ancienne?|(?:ehemalig|fruher)e[nrs]?) )?/u;

/** The successors of a former state, or null. */
function formerOf(folded: string): AreaGroup | null {
  const rest = folded.replace(FORMER, '');
  const row = rest === folded ? undefined : BY_NAME.get(rest);
  return row?.source.startsWith('a former state') ? row : null;
}

/** Returns every name of the group that a text names; the text alone if it names none. */
export function groupNames(text: string): string[] {
  const row = BY_NAME.get(foldName(text));
  return row === undefined ? [text] : [row.name, ...row.also];
}

/** Returns all groups, for documentation. */
export function areaGroups(): readonly AreaGroup[] {
  return ROWS;
}
