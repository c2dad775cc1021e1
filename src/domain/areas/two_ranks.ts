import type { Expression } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { parseLevel } from './level_words.ts';
import { Parser } from './parser.ts';
import { parseOrderAfter, parseSuperlative, RANKS_BEFORE } from './ranks.ts';
import type { Token } from './tokens.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

// Rules for two ranks of one set: "the 3 smallest and 2 largest states of the US", "la provincia más grande y la más pequeña".

/** The tokens of a set with one of its two ranks alone. */
type Forms = readonly [first: readonly Token[], second: readonly Token[]];

/** By vocabulary, the words that begin a rank, of one word or two. */
const RANK_WORDS = new WeakMap<Vocabulary, ReadonlySet<string>>();
/** Whether two words of the description of a parser may rank. */
const known = new WeakMap<Parser, boolean>();

/** Whether two words of the description may rank. */
function mayHaveTwo(p: Parser): boolean {
  const { tokens, v } = p;
  let words = RANK_WORDS.get(v);
  if (!words) {
    const phrases = [v.largest, v.smallest, v.mostPeople, v.leastPeople, v.top, RANKS_BEFORE].flat();
    words = new Set(phrases.flatMap(([word]) => word ?? []));
    RANK_WORDS.set(v, words);
  }
  const is = known.get(p) ?? tokens.filter(({ folded }) => words.has(folded)).length > 1;
  known.set(p, is);
  return is;
}

/** Two ranks in front of a level: "the largest and the two smallest provinces". Null if they are not here. */
function ranksBefore(p: Parser): Forms | null {
  const from = p.at;
  const forms = p.attempt((): Forms | null => {
    const start = p.at;
    p.take(p.v.all) || p.take(p.v.articles);
    const first = p.attempt(() => parseSuperlative(p) ?? takeMost(p));
    if (first === null) return null;
    const end = p.at;
    if (!p.take([...p.v.and, ...p.v.bothAnd])) return null;
    const next = p.at;
    const isOther = p.take(p.v.articles);
    const order = p.attempt(() => parseSuperlative(p));
    if (order === null) return null;
    // "the largest and most populous state" may be one that is both.
    if (first !== 'most' && !isOther && order.single && order.order === first.order && order.by !== first.by)
      return null;
    const { tokens } = p;
    // "the most and the least populous": the adjective is that of both.
    const shared = first === 'most' ? tokens.slice(p.at - 1, p.at) : [];
    return [
      [...tokens.slice(0, end), ...shared, ...tokens.slice(p.at)],
      [...tokens.slice(0, start), ...tokens.slice(next)],
    ];
  });
  p.at = from;
  return forms;
}

/** "most" or "least" in front of "and": the adjective behind the other one is that of both. */
function takeMost(p: Parser): 'most' | null {
  if (!/^(?:most|least)$/.test(p.tokens[p.at]?.folded ?? '')) return null;
  p.at++;
  return p.find(p.v.and) === null ? null : 'most';
}

/** Two ranks behind a level: "las dos provincias más grandes y la más pequeña". Null if they are not here. */
function ranksBehind(p: Parser): Forms | null {
  if (p.v.language !== 'es' && p.v.language !== 'fr') return null;
  const from = p.at;
  const forms = p.attempt((): Forms | null => {
    p.take(p.v.all) || p.take(p.v.articles);
    p.attempt(() => parseCount(p));
    const noun = p.at;
    if ((parseLevel(p, 'many') ?? parseLevel(p, 'one')) === null) return null;
    const nounEnd = p.at;
    // "les plus grandes" has an article of its own.
    p.take(p.v.articles);
    if (parseOrderAfter(p, 1) === null) return null;
    const end = p.at;
    if (!p.take([...p.v.and, ...p.v.bothAnd])) return null;
    const next = p.at;
    p.take(p.v.articles);
    p.attempt(() => parseCount(p));
    const order = p.at;
    if (parseOrderAfter(p, 1) === null) return null;
    const { tokens } = p;
    return [
      [...tokens.slice(0, end), ...tokens.slice(p.at)],
      [...tokens.slice(0, from), ...tokens.slice(next, order), ...tokens.slice(noun, nounEnd), ...tokens.slice(order)],
    ];
  });
  p.at = from;
  return forms;
}

/**
 * The union of two ranks of one set, each read as if the other were not there. Null without two.
 * @param parse the rule for a set with a rank
 */
export function parseTwoRanks(p: Parser, parse: (p: Parser) => Expression | null): Expression | null {
  if (p.isOneEach || !mayHaveTwo(p)) return null;
  const forms = ranksBefore(p) ?? ranksBehind(p);
  if (forms === null) return null;
  const from = p.at;
  const read = forms.map((tokens) => {
    const one = new Parser(p.text, tokens, p.v, p.lexicon, p.region, p.quoted);
    one.at = from;
    one.isOneEach = true;
    const expression = parse(one);
    return expression && { one, expression, left: tokens.length - one.at };
  });
  const [first, second] = read;
  if (!first || !second || first.left !== second.left) return null;
  p.at = p.tokens.length - first.left;
  p.unknown += first.one.unknown;
  for (const { one } of [first, second]) p.choices.push(...one.choices);
  return { op: 'union', of: [first.expression, second.expression], words: p.words(from) };
}
