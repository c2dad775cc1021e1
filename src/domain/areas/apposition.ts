import { nameOfCode, takeAdjective } from './adjective_places.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { isBare } from './expressions.ts';
import { parseLevel } from './level_words.ts';
import { backToName, groupAt, isKeyword, nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { type Container, parseSharedContainer } from './qualifiers.ts';
import type { Token } from './tokens.ts';
import { list } from './vocabulary/phrases.ts';

// Rules for names of a list with what they are, or what contains them, in front of it or behind it.

/** Words in front of a list or a level that say nothing more. */
const ALL = list(
  'all, all of them, both, todas, todos, ambas, ambos, alle, beide, beides, tous, toutes, tous les deux',
);
const ONLY = list(
  'only, only the, just, just the, solo, solo las, solo los, sólo, nur, nur die, seulement, seulement les, uniquement',
);

/** Whether a list ends here: the description, a bracket or a sentence does, or an exclusion begins. */
function isEnd(p: Parser): boolean {
  const token = p.tokens[p.at];
  return token === undefined || /^[);.]$/.test(token.folded) || p.find(p.v.without) !== null;
}

/** Names with their level and container. */
const named = (items: readonly Expression[], level: LevelWord | null, container: Container | null): Expression[] =>
  items.map((one) => ({ ...one, ...container, ...(level === null ? {} : { level }) }) as Expression);

/**
 * The names of a list as the words behind it say what they are: "Lugo y Ourense, provincias de Galicia", "Lee and Clay
 * (both counties in Iowa)". Null if nothing does.
 */
export function parseApposition(p: Parser, items: readonly Expression[]): readonly Expression[] | null {
  if (items.length < 2 || p.tokens[p.at]?.folded === ';' || !items.every(isBare)) return null;
  if (p.tokens[p.at]?.sort !== 'sign') return parseGenitive(p, items);
  return p.attempt(() => {
    const isBracketed = p.sign('(');
    if (!isBracketed && !p.sign(',', '-', '–', '—', ':')) return null;
    p.take(ALL);
    const isCounted = takeCountOf(p, items);
    const stated = p.attempt(() => parseLevelOfPlace(p));
    if (stated !== null)
      return (isBracketed && !p.sign(')')) || !isEnd(p) ? null : named(items, stated.level, stated.container);
    const level = parseLevel(p, 'many');
    // "Mérida y Badajoz, los dos municipios"
    if (isCounted && level !== null && isEnd(p)) return named(items, level, null);
    // "Córdoba y Sevilla, en España"
    if (!p.take(p.v.inside) && ((level === null && !isCounted) || !p.take(p.v.of))) return null;
    const container = parseContainerName(p);
    if (container === null || (isBracketed && !p.sign(')')) || !isEnd(p)) return null;
    return named(items, level, container);
  });
}

/** Takes how many a list has, as what follows says it: "the three provinces of Aragon" behind three names. Whether it is there. */
function takeCountOf(p: Parser, items: readonly Expression[]): boolean {
  const start = p.at;
  p.take(p.v.articles);
  const is = p.attempt(() => parseCount(p)) === items.length;
  if (!is) p.at = start;
  return is;
}

/** "Spanish provinces", "provincias españolas", "Texas counties": a level, and what contains it, without "of". */
function parseLevelOfPlace(p: Parser): { readonly level: LevelWord; readonly container: Container } | null {
  const isBehind = p.v.language === 'es' || p.v.language === 'fr';
  const before = isBehind ? parseLevel(p, 'many') : null;
  const within = takeAdjective(p) ?? (p.v.language === 'en' ? takeName(p) : null);
  const level = before ?? (isBehind ? null : parseLevel(p, 'many'));
  return level === null || within === null ? null : { level, container: { within } };
}

/** The names of "Lugo y Ourense de Galicia" in that place. Null in a language that says so otherwise. */
function parseGenitive(p: Parser, items: readonly Expression[]): readonly Expression[] | null {
  if (p.v.language !== 'es' && p.v.language !== 'fr') return null;
  return p.attempt(() => {
    const container = p.take(p.v.of) ? parseContainerName(p) : null;
    return container !== null && isEnd(p) ? named(items, null, container) : null;
  });
}

/** "Galicia", "la provincia de Lugo", "Lugo province": what contains a list. Null for a group. */
function parseContainerName(p: Parser): Container | null {
  backToName(p);
  if (nameAt(p, p.at) === null) p.take(p.v.articles);
  if (nameAt(p, p.at) === null) {
    const level = parseLevel(p, 'one');
    if (level === null || !(p.take(p.v.of) || p.v.language === 'de')) return null;
    backToName(p);
    if (nameAt(p, p.at) === null) p.take(p.v.articles);
    const name = takeName(p);
    return name === null ? null : { within: name, within_level: level };
  }
  const name = takeName(p);
  if (name === null) return null;
  const level = p.v.language === 'en' ? parseLevel(p, 'one') : null;
  return level === null ? { within: name } : { within: name, within_level: level };
}

function takeName(p: Parser): string | null {
  const from = p.at;
  const end = nameAt(p, from);
  if (end === null || groupAt(p, from) === end) return null;
  p.at = end + 1;
  return p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to);
}

/** The names of "the provinces of A and B" with what contains them behind: ", in R", "(R)", "in R province". Null without it. */
export function withContainerBehind(p: Parser, items: readonly Expression[]): readonly Expression[] | null {
  if (items.length < 2 || !items.every(isBare)) return null;
  const next = p.tokens[p.at];
  if (next?.sort !== 'sign' && p.find(p.v.inside) === null) return null;
  const container = p.attempt(() => {
    const found = parseSharedContainer(p);
    return found !== null && isEnd(p) ? found : null;
  });
  return container && named(items, null, container);
}

/** Bare names with "and" and commas between them, at least `least`, up to the end or another sign. */
function parseNames(p: Parser, least: number): Expression[] | null {
  const items: Expression[] = [];
  for (;;) {
    const from = p.at;
    const whole = nameAt(p, from);
    // "La Palma" is a whole name.
    const start = whole === null || isKeyword(p, from, whole) ? skipArticle(p) : from;
    const end = nameAt(p, start);
    if (end === null || isKeyword(p, start, end)) return null;
    p.at = end + 1;
    const name = p.text.slice(p.tokenAt(start).from, p.tokenAt(end).to);
    items.push({ op: 'place', name, words: p.words(from) });
    const before = p.at;
    const isComma = p.sign(',');
    if (!p.take(p.v.and) && !isComma) break;
    const next = p.at;
    if (p.at < p.tokens.length && (nameAt(p, p.at) ?? nameAt(p, skipArticle(p))) !== null) {
      p.at = next;
      continue;
    }
    p.at = before;
    break;
  }
  return items.length < least ? null : items;
}

/** Names with their level in front or behind: "the counties of Lee and Clay", "Lee and Clay counties", "Lee, Clay". */
function parseLeveledNames(p: Parser, needsLevel: boolean): readonly Expression[] | null {
  p.take(p.v.all) || p.take(p.v.articles);
  const before = p.attempt(() => {
    const level = parseLevel(p, 'many');
    if (level !== null) p.take(p.v.of);
    return level;
  });
  const names = parseNames(p, 1);
  if (names === null) return null;
  const level = before ?? parseLevel(p, 'many') ?? (names.length === 1 ? parseLevel(p, 'one') : null);
  return level === null && needsLevel ? null : named(names, level, null);
}

/** Whether a token may be between a place and a list in it. */
const isHeading = ({ folded }: Token): boolean => folded === ':' || ONLY.some(([word]) => word === folded);

/**
 * A place, and a list in it: "Ohio: Lake, Geauga", "in Ohio, Lake and Geauga counties", "Ohio, only the counties Lake and
 * Geauga", "provincia de Lugo: Sober". Null for something else.
 */
export function parseListWithin(p: Parser): Expression | null {
  if (!p.hasToken(isHeading) && p.find(p.v.inside) === null) return null;
  const from = p.at;
  const isInside = p.take(p.v.inside);
  const container = parseContainerName(p);
  if (container === null) return null;
  // "Reus and Salou: municipalities of Tarragona"
  const isColon = (p.base.length === 0 || p.tokens[from - 1]?.folded === ';') && p.sign(':');
  const isComma = !isColon && p.sign(',');
  const isOnly = isComma && p.take(ONLY);
  if (!isColon && !isOnly && !(isInside && isComma)) return null;
  const items = parseLeveledNames(p, !isColon);
  if (items === null || !(isEnd(p) || (isInside && isComma))) return null;
  const of = named(items, null, container);
  const [first, ...more] = of;
  return more.length === 0 ? (first ?? null) : { op: 'union', of, words: p.words(from) };
}

/** "the Michigan counties (of) Branch and Alger", "the Spanish provinces of Toledo and Ávila": names behind an adjective or a name, and a level. Null without two names. */
export function parseNamesBehind(p: Parser, level: LevelWord, container: Expression): readonly Expression[] | null {
  if (container.op !== 'place' || container.within !== undefined) return null;
  const name = container.name ?? nameOfCode(container.id?.replace('iso:', '') ?? '');
  if (name === null) return null;
  return p.attempt(() => {
    // "New Jersey counties: Bergen, Passaic"
    if (!p.sign(':')) p.take(p.v.of);
    const names = parseNames(p, 2);
    // "US-Staaten IN und MO": no country is in another one.
    return names && isEnd(p) ? named(names, level === 'country' ? null : level, { within: name }) : null;
  });
}
