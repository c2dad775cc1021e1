import { defined } from '../../common/elements.ts';
import type { Expression } from './algebra.ts';
import { parseQuoted } from './amounts.ts';
import type { Parser } from './parser.ts';
import { list } from './vocabulary/phrases.ts';

// Rules for filters by the letters of names.

/** "whose name starts with M", "die auf burg enden": those of a set whose names have some letters. Null without a filter. */
export function parseNameFilter(p: Parser, of: Expression, from: number): Expression | null {
  // 'counties containing "Black"'
  if (/^["“„«]$/u.test(p.tokens[p.at + 1]?.folded ?? '') && p.take(CONTAINING)) {
    const text = parseQuoted(p);
    if (text !== null) return withText(p, of, 'contains', text, p.words(from));
    p.at--;
  }
  for (const [phrases, how] of [
    [p.v.starts, 'starts'],
    [p.v.ends, 'ends'],
    [p.v.contains, 'contains'],
    [p.v.called, 'is'],
  ] as const) {
    if (!p.take(phrases)) continue;
    const text = parseLetters(p);
    if (text === null) p.fail('letters of a name are expected');
    return withLetters(p, of, how, text as string, from);
  }
  for (const [forms, how] of [
    [p.v.startsAround, 'starts'],
    [p.v.containsAround, 'contains'],
    [p.v.endsAround, 'ends'],
  ] as const) {
    const found = p.attempt((): Expression | null => {
      const form = forms.find(({ before }) => p.peek(before) !== null);
      if (!form) return null;
      p.at += form.before.length;
      const text = parseLetters(p);
      const set = text === null ? null : withLetters(p, of, how, text, from);
      return set !== null && p.take(form.after) ? set : null;
    });
    if (found) return found;
  }
  return null;
}

type Named = Extract<Expression, { op: 'named' }>;

const withText = (p: Parser, of: Expression, how: Named['how'], text: string, words: Named['words']): Expression => ({
  op: 'named',
  of,
  how,
  text,
  language: p.v.language,
  words,
});

/** Those whose names have the letters, or others behind "or" or a comma: "starting with A, B or C". */
function withLetters(p: Parser, of: Expression, how: Named['how'], first: string, from: number): Expression {
  const texts = [first];
  for (let more = nextLetter(p); more !== null; more = nextLetter(p)) texts.push(more);
  const words = p.words(from);
  const each = texts.map((text) => withText(p, of, how, text, words));
  return each.length === 1 ? defined(each[0]) : { op: 'union', of: each, words };
}

/** One letter behind "or" or a comma, which no name is; null if none is here. */
function nextLetter(p: Parser): string | null {
  return p.attempt(() => {
    p.sign(',');
    p.take([...p.v.or, ...p.v.and]);
    const end = p.at;
    const isBehind = p.tokens[end - 1]?.folded === ',' || p.find([...p.v.or, ...p.v.and], end - 1) === end;
    // "que empiezan por L o por Y"
    if (isBehind) p.take(REPEATED);
    const text = isBehind ? parseLetters(p) : null;
    return text !== null && isLetter(text) ? text : null;
  });
}

const isLetter = (text: string): boolean => /^\p{L}$/u.test(text);

/** Prepositions in front of a letter, which other languages repeat. */
const REPEATED = list('por, con, en, mit, auf, par');

const CONTAINING = list('containing, conteniendo, contenant');

/** Articles in front of one letter: "an A", "einem B". */
const ARTICLES = list('a, an, the, una, un, la, einem, ein, dem, une, le, l');

/** The letters of a name: "M", "the letter M", "either an M", in quotation marks or not. */
function parseLetters(p: Parser): string | null {
  p.take(p.v.either);
  const start = p.at;
  // "por A o por S" has no article.
  const isArticle = /^\p{Ll}/u.test(p.tokens[start]?.text ?? '') && p.take(ARTICLES);
  const isOne = isArticle && /^\p{Lu}$/u.test(p.tokens[p.at]?.text ?? '');
  if (!isOne) p.at = start;
  p.take(p.v.letter);
  return parseQuoted(p);
}
