import { defined } from '../../common/elements.ts';
import { takeAdding } from './adding.ts';
import type { Expression } from './algebra.ts';
import { checkAlternatives } from './alternatives.ts';
import { parseApposition } from './apposition.ts';
import { checkBordering, isCorrection, takeHesitation } from './but_not.ts';
import { isLongCode } from './coded.ts';
import { isBare } from './expressions.ts';
import { isHeading, parseHeadedList, parseHeadedOne } from './headings.ts';
import { parseCountedLevel, parseLevel, parseLevelOrCity } from './level_words.ts';
import { groupAt, nameAt, skipArticle } from './name_at.ts';
import { countriesIn } from './outside.ts';
import type { Parser } from './parser.ts';
import { endsWithPlace, isAllIn, parseSharedContainer } from './qualifiers.ts';
import { rankedWithout } from './ranks.ts';
import { withRegionsBeside } from './regions_beside.ts';
import { LISTED } from './separated.ts';
import { isCommaPair, isLevelBehind, shareContainer, shareLevel, shareQualifier } from './shared_words.ts';
import { isIsoCode } from './spans.ts';
import { parseTakenFrom } from './taken_from.ts';
import { parseItem } from './terms.ts';
import { list } from './vocabulary/phrases.ts';
import { parseBareNames, parseContained, parseGroupListed } from './whole_lists.ts';

// Rules for a whole description: lists and differences of items.

/**
 * Parses a whole description.
 * @throws DescriptionError, which quotes the words that are not understood
 */
export function parseAll(p: Parser): Expression {
  // "include: … exclude: …"
  if (p.sign(LISTED) || (p.take(p.v.include) && p.sign(':', ';'))) p.isListing = true;
  const listed = parseHeadedOne(p) ?? parseHeadedList(p) ?? parseHeadedList(p, false);
  const read =
    listed ?? parseTakenFrom(p) ?? parseGroupListed(p) ?? parseContained(p) ?? parseBareNames(p) ?? parseRegion(p);
  if (p.at < p.tokens.length) p.fail('is not understood', p.at, p.tokens.length - 1);
  const region = withRegionsBeside(p, read);
  checkAlternatives(p, region);
  return region;
}

/** region := sum (WITHOUT sum)* */
export function parseRegion(p: Parser): Expression {
  const from = p.at;
  let of = parseSum(p);
  const only = parseButOnly(p, of, from);
  if (only !== null) return only;
  for (;;) {
    const start = p.at;
    p.sign(',', ';', '.');
    // "Oregon (excluding Lane County)"
    const isBracketed = p.sign('(');
    const isSigned = takeHesitation(p) || p.at > start;
    const isButNot = p.find(p.v.butNot) !== null && p.find(p.v.butNot) === p.find([...p.v.without, ...p.v.not]);
    const isUncounted = p.find(UNCOUNTED) !== null;
    if (!p.take(p.v.without) && !(isSigned && p.take(p.v.not)) && !p.minus()) {
      p.at = start;
      return of;
    }
    if (p.sign(':', ';')) p.isListing = true;
    const outer = p.base;
    p.base = [of];
    p.take(p.v.of.filter((phrase) => phrase.length === 1 && (phrase[0] === 'de' || phrase[0] === 'von')));
    takeInGroup(p);
    takeTowards(p);
    const [before, reduced] = [p.excluding, p.reduced];
    p.excluding = true;
    p.reduced = of;
    const mayAdd = p.mayAdd;
    p.mayAdd = !isBracketed;
    const minus = parseSum(p);
    p.mayAdd = mayAdd;
    p.excluding = before;
    p.reduced = reduced;
    p.base = outer;
    if (isButNot) checkBordering(p, of, minus, start);
    if (isBracketed && !p.sign(')')) p.fail('a closing bracket is expected');
    const rest = isUncounted ? rankedWithout(of, minus, p.words(from)) : null;
    const whole = minus.op === 'group' ? countriesIn(p, of) : of;
    of = rest ?? { op: 'difference', of: whole, minus, words: p.words(from) };
    const excluded = minus.op === 'union' ? minus.of.length : 1;
    const added = parseAdded(p, of, { isBracketed, excluded, from });
    if (added) return added;
  }
}

/** Words that leave something out before a rank is made. */
const UNCOUNTED = list(
  [
    'not counting, without counting, excluding, not including, ignoring, disregarding, leaving aside, leaving out, other than, apart from',
    'sin contar, sin contar con, excluyendo, sin incluir, aparte de, abgesehen von, sans compter, en excluant, mis à part',
  ].join(', '),
);

/** In front of a part of one more place, which is added: "all of Utah, but only Lyon County of Nevada". */
const BUT_ONLY = list('but only, but just, pero solo, pero sólo, aber nur, mais seulement, mais uniquement');

/** A list, and what is added to it behind "but only". Null without that. */
function parseButOnly(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt(() => {
    p.sign(',', ';');
    if (!p.take(BUT_ONLY)) return null;
    const { base } = p;
    p.base = [];
    const rest = parseRegion(p);
    p.base = base;
    return { op: 'union', of: [of, rest], apart: true, words: p.words(from) };
  });
}

/** What is added behind an exclusion: "(Texas except Harris County), plus Ohio". Null if nothing is. */
function parseAdded(
  p: Parser,
  of: Expression,
  { isBracketed, excluded, from }: { readonly isBracketed: boolean; readonly excluded: number; readonly from: number },
): Expression | null {
  const adding = isBracketed && p.separator() ? 'always' : takeAdding(p, excluded, parseItem);
  if (adding === null || p.at >= p.tokens.length) return null;
  if (adding === 'perhaps') p.hasAdded = true;
  const { base, excluding, reduced } = p;
  [p.base, p.excluding, p.reduced] = [[], false, null];
  const rest = parseRegion(p);
  [p.base, p.excluding, p.reduced] = [base, excluding, reduced];
  const parts = rest.op === 'union' && rest.apart === undefined ? rest.of : [rest];
  return { op: 'union', of: [of, ...parts], apart: true, words: p.words(from) };
}

/** sum := item ((AND | OR | ',' | ';') item)* */
function parseSum(p: Parser): Expression {
  const from = p.at;
  const outerBoth = p.isBoth;
  // "both provinces of Extremadura" is a number.
  const isNumber = !isLongCode(p) && p.attempt(() => parseCountedLevel(p)) !== null;
  if (isNumber) p.at = from;
  // "both Koreas" is a group.
  const isGroup = groupAt(p, from) !== null;
  p.isBoth = !isNumber && !isGroup && (p.take(p.v.both) || p.take(p.v.either));
  const outer = p.base;
  const items: Expression[] = [parseItem(p)];
  // Places with nothing but commas between them, and whether semicolons alone divide them from others.
  const chains: Expression[][] = [[...items]];
  let divided = true;
  for (;;) {
    const start = p.at;
    if (p.mayAdd && p.excluding) {
      const adding = takeAdding(p, items.length, parseItem);
      p.at = start;
      if (adding !== null) break;
    }
    const apposed = parseApposition(p, items);
    if (apposed !== null) {
      items.splice(0, items.length, ...apposed);
      break;
    }
    // "Harris and Dallas counties, Texas"
    if (items.length > 1 && isLevelBehind(defined(items.at(-1))) && endsWithPlace(p)) break;
    if (items.length > 1 && isAllIn(p)) break;
    if (!p.separator()) break;
    // "Ohio and, in Iowa, Story and Clay counties"
    p.attempt(() => (p.sign(',') && p.find(p.v.inside) !== null ? true : null));
    // "counties: Lake, Geauga; state: Ohio"
    if (isHeading(p)) {
      p.at = start;
      break;
    }
    const isComma = p.tokenAt(start).folded === ',' && p.at === start + 1;
    if (!isComma && p.tokenAt(start).folded !== ';') divided = false;
    p.base = items;
    // "Texas, not Harris County"
    const isLess =
      p.find(p.v.without) !== null || (p.at === start + 1 && (p.find(p.v.not) !== null || isCorrection(p)));
    if (p.at >= p.tokens.length || isLess) {
      if (isLess) {
        p.at = start;
        break;
      }
      p.fail('a place is expected');
    }
    // Behind a comma it may say what contains the place: "León, de España".
    if (p.tokens[p.at - 1]?.sort === 'word' && items.every(isBare)) takeOfAgain(p);
    // "(not Addison County, not Rutland County)"
    if (p.excluding) p.take(p.v.not);
    const item = parseItem(p);
    // "Sevilla, capital de Andalucía" is one place.
    if (isComma && item.op === 'capital' && isBare(defined(items.at(-1))))
      p.fail(
        'can be read in two ways together with what stands before it; put brackets around what belongs together',
        start + 1,
        p.at - 1,
      );
    items.push(item);
    if (isComma && !isCommaPair(item) && !isCommaPair(defined(items.at(-2)))) chains.at(-1)?.push(item);
    else chains.push([item]);
  }
  p.base = outer.length > 0 ? outer : [];
  // "both Virginias" is not Virginia; "both Dakotas" is a group.
  if (p.isBoth && items.length === 1 && items[0]?.op === 'place')
    p.fail('is one place, and "both" asks for two', from, p.at - 1);
  p.isBoth = outerBoth;
  const bracketed = p.attempt(() => {
    if (!p.sign('(')) return null;
    p.take(p.v.articles);
    const many = parseLevel(p, 'many');
    const level = many ?? parseLevelOrCity(p);
    return level !== null && p.sign(')') && isBare(defined(items.at(-1))) ? { level, many: many !== null } : null;
  });
  // "Burgos y Soria (provincias)"; "Burgos (provincia) y Soria (provincia)", "Texas and Georgia (the country)"
  const leveled = bracketed === null ? 0 : bracketed.many && items.every(isBare) ? items.length : 1;
  for (let k = items.length - leveled; k < items.length; k++)
    items[k] = { ...items[k], level: bracketed?.level } as Expression;
  if (items.length === 1) return defined(items[0]);
  // "Cuba, New Mexico; Poland, Ohio" names two places, "Jersey, New York and Connecticut" three. Beside "Athens, Ohio", which
  // is one place, "Greece, New York" may be another one.
  const unpaired = chains.filter(([one, ...more]) => one && (more.length > 0 || !isCommaPair(one)));
  if (!p.isListing && (divided || unpaired.every(({ length }) => length === 2))) {
    for (const [one, other, ...more] of chains)
      if (one && other && more.length === 0 && isPair(one, other)) p.pairs.push([one, other]);
  }
  // "Napa and Sonoma, both in California"
  const shared = items.every((one) => one.op === 'place' && one.within === undefined) && isAllIn(p);
  const within = shared ? parseSharedContainer(p) : null;
  if (within !== null)
    return { op: 'union', of: items.map((one) => ({ ...one, ...within }) as Expression), words: p.words(from) };
  return (
    shareLevel(p, items, from) ?? { op: 'union', of: shareQualifier(shareContainer(p, items)), words: p.words(from) }
  );
}

/** Passes over "in" in front of a group: "that are not in NATO". */
function takeInGroup(p: Parser): void {
  p.attempt(() => ((p.take(p.v.inside) || p.take(p.v.of)) && groupAt(p, skipArticle(p)) !== null ? true : null));
}

/** Passes over a preposition that a place of a list repeats: "(la carte) du Togo et du Bénin". */
function takeOfAgain(p: Parser): void {
  if (p.v.language === 'en' || nameAt(p, p.at) !== null) return;
  p.attempt(() => (p.take(p.v.of) && startsPlace(p) ? true : null));
}

/** Prepositions in front of what is left out: "sauf aux Baléares", "but not to Coos County". */
const TOWARDS = list('to, in, en, a, al, aux, au, à, nach, im, auf');

/** Passes over a preposition in front of a place that is left out. */
function takeTowards(p: Parser): void {
  if (nameAt(p, p.at) === null) p.attempt(() => (p.take(TOWARDS) && startsPlace(p) ? true : null));
}

/** Whether a name is here, behind an article, or one with its level in front. */
function startsPlace(p: Parser): boolean {
  const start = p.at;
  const from = skipArticle(p);
  const is =
    nameAt(p, from) !== null ||
    (parseLevel(p, 'one') !== null && (p.take(p.v.of) || p.v.language === 'de') && nameAt(p, skipArticle(p)) !== null);
  p.at = start;
  return is;
}

/** Whether two items may be one place in another; two codes are not: "AK, HI". */
function isPair(one: Expression, other: Expression): boolean {
  if (one.op !== 'place' || other.op !== 'place') return false;
  // "PA, Cecil County MD"
  if (isIsoCode(one.name ?? '') && other.within !== undefined) return false;
  return ![one.name, other.name].every((name) => isIsoCode(name ?? ''));
}
