import { isOwnName } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { isIndependentCity, isTypeWord } from '../names/type_kinds.ts';
import type { Hit } from '../search/hit.ts';
import { isKindWord } from '../search/noise.ts';
import type { Level } from './algebra.ts';
import { isOfLevel } from './levels.ts';
import { lookupsOf, type NameServices } from './names.ts';

// Which results of a search a name of a description can mean: by how it is written, its level and its container.

/**
 * Whether a name is written as what a hit has it as. Countries have codes of two letters from ISO 3166 alone ("SF" is not South
 * Africa), and abbreviations in capitals or in lower case: "Ind." is not India. Codes without their hyphen are in capitals, and
 * words for kinds name no place: "esto", "the Republic". Nor do three capitals name a town.
 */
export function isWrittenSo(name: string, { kind, iso, match, name: own }: Hit): boolean {
  const folded = foldName(name);
  const [isLower, isUpper] = [name === name.toLowerCase(), name === name.toUpperCase()];
  // "GER" is not a village.
  if (CODE.test(name) && kind !== 'country' && iso === null && own !== name) return false;
  // "La Montaña" is not Montana: its letter is another one.
  if (isOwnName(folded, own)) return !ENYE.test(name) || ENYE.test(own);
  if (folded.length > 2 && isLower && iso !== null && foldName(iso.replace('-', '')) === folded) return false;
  if (!folded.includes(' ') && (isTypeWord(folded) || isKindWord(folded))) return false;
  if (kind !== 'country' || !/^\p{L}{2,3}$/u.test(name)) return true;
  if (name.length === 2 && iso !== name.toUpperCase())
    return match === 'alias' && foldName(SHORT.of(iso ?? '') ?? '') === folded;
  return isUpper || isLower;
}

/** A letter that is not an n with an accent. */
const ENYE = /ñ|n\u0303/iu;

/** Three capitals, which codes of countries have. */
const CODE = /^\p{Lu}{3}$/u;

/** Short names of countries that people type: "UK". */
const SHORT = new Intl.DisplayNames('en', { type: 'region', style: 'short', fallback: 'none' });

/** Words that are used for places of many levels: "the region of Seville". */
const GENERAL: ReadonlySet<Level> = new Set(['region', 'district']);

/**
 * Returns a test whether a hit is in a place of the name and the level that its container has; a country may be called a
 * state. Several places around it may have the name: La Rioja is a community and its province.
 */
export async function containerOfLevel(
  services: NameServices,
  { within, within_level: level }: { readonly within?: string; readonly within_level?: Level },
): Promise<(hit: Hit) => boolean> {
  if (within === undefined || level === undefined || GENERAL.has(level)) return () => true;
  const named = new Set((await lookupsOf(services, null).containers([foldName(within)])).map(({ id }) => id));
  return ({ country, parents, interpretation }) =>
    parents.some((parent) => {
      const one = { ...parent, country };
      const isMeant = parent.id === interpretation.within?.id || named.has(parent.id);
      return isMeant && (isOfLevel(one, level) || (level === 'state' && isOfLevel(one, 'country')));
    });
}

/** Some hits of one name without the independent cities where a county is asked for, and one has the name. */
export function countiesFirst(hits: Hit[], level: Level | undefined): Hit[] {
  const counties = level === 'county' ? hits.filter((hit) => !isIndependentCity(hit)) : [];
  return counties.length > 0 ? counties : hits;
}

/**
 * Returns a test whether a hit is inside the place that a code names. Search also reads short codes as the country,
 * since they may abbreviate a type word: "Alaska, TX" finds Alaska.
 */
export async function containment(services: NameServices, within: string | undefined): Promise<(hit: Hit) => boolean> {
  const code = foldName(within ?? '');
  const named = code.length > 3 || code === '' ? [] : await lookupsOf(services, null).containers([code]);
  if (named.length === 0) return () => true;
  return (hit) =>
    named.some(
      ({ id, country }) =>
        hit.parents.some((parent) => parent.id === id) || (country !== null && country === hit.country),
    );
}

/**
 * Drops hits that are only inside the country around the best hit's container. "IL" is Illinois, but may also be a
 * division of the United States that is not stored.
 */
export function inInnermost(hits: readonly Hit[]): Hit[] {
  const [first] = hits;
  const within = first?.interpretation.within;
  if (!first || !within) return [...hits];
  const line = first.parents.map(({ id }) => id);
  const around = new Set(line.slice(0, Math.max(0, line.indexOf(within.id))));
  return hits.filter(({ interpretation }) => !interpretation.within || !around.has(interpretation.within.id));
}
