import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { foldName } from './fold.ts';

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

/** Words for the members of a group, folded, behind its name or in front of it with a preposition. */
const MEMBERS =
  / (?:members|member (?:states|countries|nations)|mitglieder|mitglied(?:s)?staaten|mitglied(?:s)?lander)(?= |$)|^(?:(?:members|member (?:states|countries|nations)) of (?:the )?|(?:estados |paises )?miembros de(?:l| la)? |(?:mitglieder|mitglied(?:s)?staaten|mitglied(?:s)?lander) (?:der|des|von) |(?:etats |pays )?membres (?:de la |du |de l ?|de ))/u;

/** Words for two of a group, folded, in front of its name. */
const PAIR =
  /^(?:both|all|all of|(?:the |all )?two|ambas|ambos|(?:las |los )?dos|(?:die )?beiden?|(?:les |tous les |toutes les )?deux) /u;

/** Words in front of the year of a group, folded: "EU as of 2010", "la UE de 2010". */
const AS_OF = / (?:as of|as in|as it was in|from|de|del ano|von|des jahres|en l an) (\d{4})$/u;

/**
 * Returns the group with this name in any supported language, or that has these members ("EU members in 2005"), or null.
 * A name that is also that of a place counts only where `isStored` says that no place has the folded name.
 */
export function groupOf(text: string, isStored: (folded: string) => boolean = () => true): AreaGroup | null {
  // Require capitals for "EU" and "UE": Eu is also a commune in France.
  if (/^(eu|ue)$/i.test(text) && text !== text.toUpperCase()) return null;
  const folded = foldName(text).replace(AS_OF, ' in $1');
  return (
    BY_NAME.get(folded) ??
    ofMembers(folded) ??
    pairOf(folded) ??
    partOf(folded) ??
    formerOf(folded) ??
    (isStored(folded) ? null : (UNLESS_STORED.get(folded) ?? null))
  );
}

/** The group whose members a folded text means, or null. */
function ofMembers(folded: string): AreaGroup | null {
  const name = folded.replace(MEMBERS, '');
  return BY_NAME.get(name) ?? (name === folded ? null : (UNLESS_STORED.get(name) ?? null));
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

/** Words in front of a former state, folded: "l'ancienne URSS". */
const FORMER = /^(?:the |la |l |die |der )?(?:former|ex|antigu[ao]|ancienne?|ehemalige[nrs]?) /u;

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
