import { foldName } from '../names/fold.ts';
import { areBothInLast, endOfAddress, isAddressAt, isInListOfNames, SURELY_INSIDE } from './addresses.ts';
import type { Expression, LevelWord, Words } from './algebra.ts';
import { parseCount, parseSidedHalf } from './amounts.ts';
import { clip } from './description_error.ts';
import { parseLevel, parseLevelOrCity } from './level_words.ts';
import { backToName, isKeyword, nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { isCode, isIsoCode } from './spans.ts';
import { list } from './vocabulary/phrases.ts';
import { said } from './wording/said.ts';

// Rules for what follows a name, or a list of names, and contains it: ", Texas", "in Texas", "(Texas)".

/** Whether a level and the end of a bracket are here: "Burgos y Soria (provincias)". */
function isLevelInBrackets(p: Parser): boolean {
  const start = p.at;
  p.take(p.v.articles);
  const is = (parseLevel(p, 'many') ?? parseLevelOrCity(p)) !== null && p.sign(')');
  p.at = start;
  return is;
}

/**
 * The level of one place in brackets, in front of more of a list or of what is left out: "Washington (the state) and Oregon".
 * At the end of a list it may be that of all. Null if there is none.
 */
export function parseOwnLevel(p: Parser): LevelWord | null {
  return p.attempt((): LevelWord | null => {
    if (!p.sign('(')) return null;
    p.take(p.v.articles);
    const level = parseLevelOrCity(p);
    const isOwn = level !== null && p.sign(')') && (p.isListed(p.at) || p.find(p.v.without) !== null);
    return isOwn ? level : null;
  });
}

/** What contains a place, as members of its step: its name, and its level if the words say one. */
export interface Container {
  readonly within: string;
  readonly within_level?: LevelWord;
}

/** A container of a name and, unless it is null, of a level. German "Land" and "Staat" mean states, too. */
export const containerOf = (p: Parser, within: string, level: LevelWord | null): Container =>
  level === null || (level === 'country' && p.v.language === 'de') ? { within } : { within, within_level: level };

/** Takes the level of a place that contains others: "in the state of Ohio", "im Bundesstaat Ohio". Null if there is none. */
function takeLevelOf(p: Parser): LevelWord | null {
  return p.attempt(() => {
    const level = nameAt(p, p.at) === null ? parseLevel(p, 'one') : null;
    if (level === null || (!p.take(p.v.of) && p.v.language !== 'de')) return null;
    backToName(p);
    // "La Rioja" is a whole name.
    return nameAt(p, p.at) === null && nameAt(p, skipArticle(p)) === null ? null : level;
  });
}

/** Whether a word for this level is at a token. */
function isLevelAt(p: Parser, at: number, level: LevelWord): boolean {
  const start = p.at;
  p.at = at;
  const is = parseLevel(p, 'one') === level;
  p.at = start;
  return is;
}

/** Whether a place ends before a token: the description, a list or a bracket goes on there, or what is left out of it. */
export function endsItem(p: Parser, at: number): boolean {
  const token = p.tokens[at];
  if (token === undefined || /^[;)]$/.test(token.folded) || p.isListed(at)) return true;
  const start = p.at;
  p.at = at;
  const is = p.find(p.v.without) !== null;
  p.at = start;
  return is;
}

/** Whether "on the border" begins here: "en la frontera con Portugal" is not in Frontera. */
export const isOnBorder = (p: Parser): boolean => p.v.onBorder.some(({ before }) => p.peek(before) !== null);

/** ", Texas", "(Texas)", "in Texas", "Texas" after a name. */
export function parseQualifier(p: Parser, folded: string, name: string, level: LevelWord | null): Container | null {
  const isLeveled = level !== null;
  return p.attempt(() => {
    const start = p.at;
    // "Clark County OH", "Clark County Ohio", "Clark Ohio"
    const last = p.tokens[p.at]?.sort === 'word' ? nameAt(p, p.at) : null;
    if (last !== null && endsItem(p, last + 1) && !isKeyword(p, p.at, last)) {
      const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(last).to);
      const relation = p.lexicon.relation(folded, foldName(text));
      // "Lake Michigan" is a lake.
      if (isLeveled || (relation === 'inside' && folded !== 'lake') || (relation === 'both' && p.isCodeAt(last))) {
        p.at = last + 1;
        return { within: text };
      }
    }
    if (p.sign('(')) {
      if (p.find(p.v.without) !== null || p.find(p.v.not) !== null || isLevelInBrackets(p)) return null;
      // "Iowa (southern half)"
      if (parseSidedHalf(p) !== null) return null;
      p.at = start;
      if (isAllIn(p) || isAllOfLevel(p) || isAllLevelIn(p)) return null;
      p.sign('(');
      const end = nameAt(p, p.at);
      if (end === null || p.tokens[end + 1]?.folded !== ')') {
        p.at = start;
        p.fail('is not a place in brackets', start, Math.min(start + 1, p.tokens.length - 1));
      }
      const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end as number).to);
      p.at = endOfAddress(p, (end as number) + 1, text, SURELY_INSIDE) + 1;
      return { within: text };
    }
    // "Nye County, in the state of Nevada"
    if (isOnBorder(p)) return null;
    const comma = p.sign(',') && !(isLeveled && p.find(p.v.inside) !== null);
    if (!comma && !p.take(p.v.inside)) return null;
    p.take(comma ? [] : p.v.articles);
    // "Benton County, State of Oregon"
    const own = !comma || (level !== null && !isLevelAt(p, p.at, level)) ? takeLevelOf(p) : null;
    const end = nameAt(p, p.at);
    if (end === null) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    if (comma) {
      // "Columbia County, Putnam County": a boundary has none of its own level in it.
      if (isLeveled && isLevelAt(p, end + 1, level)) return null;
      // "Ohio, Iowa, Iowa" is a list in which a name is twice.
      if (folded === foldName(text) && p.tokens[start - 2]?.folded === ',') return null;
      // "ES-SE, US-AL" is a list.
      if (name.includes('-') && isIsoCode(name) && isIsoCode(text)) return null;
      // "Texas, OK and AR" is a list, whatever lies in Oklahoma.
      if (p.isCodeAt(end) && p.isListedWithCode(end + 1)) return null;
      const relation = p.lexicon.relation(folded, foldName(text));
      // "AK, HI" and "Spain, UK and France" are lists; "Springfield, IL" is not, even if neither is stored.
      // So is "Lee County, AL and Cook County, IL", with a level.
      const coded = isCode(p.tokenAt(end)) && !isCode(p.tokenAt(start - 1)) && (isLeveled || !p.isListed(end + 1));
      const isSure = coded || (isLeveled && relation === null && !p.isListed(end + 1));
      if (!isSure && (relation === null || relation === 'peers')) return null;
      if ((relation === 'both' && !isLeveled) || relation === 'peers') {
        if (p.isListing) return null;
        // "Texas, Oklahoma and Kansas" is a list; "Texas, Oklahoma" may be a county.
        if (p.isListed(end + 1) && !isAddressAt(p, end + 1, foldName(text))) return null;
        p.fail(
          said`may be "${clip(name)}" in "${clip(text)}" or both of them; write "${clip(name)} in ${clip(text)}" or "${clip(name)} and ${clip(text)}"`,
          end,
        );
      }
      if (!isLeveled && areBothInLast(p, [folded, foldName(text)], end + 1)) return null;
      // "Marbella, Málaga y Granada" may be three cities.
      if (relation === 'beside' && !isLeveled && isInListOfNames(p, end, text))
        p.fail(
          'can be read in two ways together with what stands before it; put brackets around what belongs together',
          end + 2,
          p.tokens.length - 1,
        );
      p.choices.push(said`"${clip(`${name}, ${text}`)}" is read as one place in another, not as two places`);
      if (relation === 'beside' && p.text.slice(0, p.tokenAt(start).from).trimEnd().endsWith(`, ${name}`))
        p.choices.push(said`"${clip(text)}" is read as what contains the places before it, not as one more of them`);
      p.at = endOfAddress(p, end, p.isCodeAt(end) ? name : text) + 1;
    } else p.at = endOfAddress(p, end, text, SURELY_INSIDE) + 1;
    // "Toro in Zamora province"
    const behind = own === null && !comma && p.v.language === 'en' ? p.attempt(() => parseLevel(p, 'one')) : null;
    return containerOf(p, text, own ?? behind);
  });
}

/** "all" and "both" between a list and what contains it. */
const ALL_OF_LIST = list(
  'all, all of them, both, both of them, all three, todas, todos, ambas, ambos, alle, alle drei, beide, tous, toutes, tous les deux, toutes les deux',
);

/** Whether "all 3 counties" follows a place, in brackets or behind a comma: all of a level in it. */
export function isAllOfLevel(p: Parser): boolean {
  const start = p.at;
  const is = takeAllOfLevel(p) !== null;
  p.at = start;
  return is;
}

/** Takes "(all 3 counties)", ", all counties" behind a place: their level, and their number if it is there. */
export function takeAllOfLevel(p: Parser): { readonly level: LevelWord; readonly count: number | null } | null {
  if (!/^[(,]$/.test(p.tokens[p.at]?.folded ?? '')) return null;
  return p.attempt(() => {
    const isBracketed = p.sign('(');
    if ((!isBracketed && !p.sign(',')) || !p.take(EVERY)) return null;
    const count = p.attempt(() => parseCount(p));
    const level = parseLevel(p, 'many');
    if (level === null || (isBracketed && !p.sign(')'))) return null;
    return endsItem(p, p.at) ? { level, count } : null;
  });
}
const EVERY = list(
  'all, all of its, all its, all the, todos los, todas las, todos, todas, alle, sämtliche, tous les, toutes les, tous, toutes',
);

/** Whether "(both counties in …" follows a list. */
function isAllLevelIn(p: Parser): boolean {
  const start = p.at;
  const is =
    p.sign('(') &&
    (p.take(ALL_OF_LIST) || true) &&
    parseLevel(p, 'many') !== null &&
    p.find([...p.v.inside, ...p.v.of]) !== null;
  p.at = start;
  return is;
}

/** Whether "all in …" or "both in …" follows a list. */
export function isAllIn(p: Parser): boolean {
  if (p.tokens[p.at]?.sort !== 'sign') return false;
  const start = p.at;
  const is =
    p.sign('(', ',', '-', '–', '—') &&
    p.take(ALL_OF_LIST) &&
    (p.find([...p.v.inside, ...p.v.of]) !== null || nameAt(p, p.at) !== null);
  const from = p.at;
  const level = is && (p.attempt(() => parseCount(p)) !== null || parseLevel(p, 'many') !== null);
  p.at = start;
  return is && !level && from > start;
}

/** Whether a comma and a name are all that is left of a list. */
export function endsWithPlace(p: Parser): boolean {
  if (p.tokens[p.at]?.folded !== ',') return false;
  const end = nameAt(p, p.at + 1);
  return end !== null && !p.isListed(end + 1);
}

/** The place behind a list that contains all of it: ", Texas", "in Texas", "(Texas)", "TX". Null if there is none. */
export function parseSharedContainer(p: Parser): Container | null {
  return p.attempt((): Container | null => {
    const start = p.at;
    const isBracketed = p.sign('(');
    // "(all in Nevada)", "both in California"
    const comma = p.at > start || p.sign(',', '-', '–', '—') ? p.at : null;
    if (comma === null || !(p.take(ALL_OF_LIST) && p.at > comma)) p.at = isBracketed ? start + 1 : start;
    const last = p.tokens[p.at];
    // "Lake and Porter counties Indiana"
    const isLast = last?.sort === 'word' && nameAt(p, p.at) === p.tokens.length - 1;
    const isCoded = last !== undefined && p.at === p.tokens.length - 1 && isCode(last);
    const isAll = p.at > start + 1;
    if (
      !isBracketed &&
      !isAll &&
      !isCoded &&
      !isLast &&
      !p.sign(',', '-', '–', '—') &&
      !p.take(p.v.inside) &&
      !p.take(p.v.of)
    )
      return null;
    if (isAll) p.take(p.v.inside) || p.take(p.v.of);
    else if (start < p.at) p.take(p.v.inside);
    backToName(p);
    if (nameAt(p, p.at) === null) p.take(p.v.articles);
    const level = isCoded ? null : takeLevelOf(p);
    const end = isCoded ? p.at : nameAt(p, p.at);
    if (end === null || p.isListed(end + 1)) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    p.at = end + 1;
    // "in Sevilla province"
    const behind = level === null && p.v.language === 'en' ? parseLevel(p, 'one') : null;
    return isBracketed && !p.sign(')') ? null : containerOf(p, text, level ?? behind);
  });
}

/**
 * "of New York" behind "the five boroughs": the boundaries that are the city together, as no level below a county is
 * stored. Null for another place.
 */
export function parsePartsOfCity(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    if (!p.take(p.v.of)) return null;
    const from = skipArticle(p);
    const end = nameAt(p, from);
    if (end === null || p.isListed(end + 1)) return null;
    const parts = partsOfCity(p, p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to), p.words(from, end));
    if (parts !== null) p.at = end + 1;
    return parts;
  });
}

/** The boundaries that a city of some name is together: its boroughs. Null for another place. */
export function partsOfCity(p: Parser, name: string, words: Words | undefined): Expression | null {
  const ids = [foldName(name), `${foldName(name)} city`].flatMap((folded) => p.lexicon.parts?.(folded) ?? []);
  if (ids.length === 0) return null;
  p.choices.push(said`the boroughs of ${clip(name)} are the ${ids.length} counties of the city`);
  return { op: 'union', of: ids.map((id) => ({ op: 'place', id, words })), words };
}
