import { otherNamesOf } from '../names/place_names.ts';
import { adjectiveAt } from './adjectives.ts';
import type { Expression } from './algebra.ts';
import { parseLevel } from './level_words.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parseOrderAfter } from './ranks.ts';
import type { Language } from './vocabulary/vocabulary.ts';

// The rule for one place of a level with an adjective of what contains it: "the Spanish province of Cádiz".

/** Between the level and the name; German has none. */
const OF: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(['of']),
  es: new Set(['de', 'del']),
  de: new Set(),
  fr: new Set(['de', 'd', 'du']),
};
/** Codes that stand for an adjective: "the US state of Georgia". */
const CODES: ReadonlySet<string> = new Set(['us', 'usa']);

/** The English name of what an adjective means, behind which the parser is then; null if there is none. */
export function takeAdjective(p: Parser): string | null {
  const found = adjectiveAt(p, p.at);
  const code = found?.code ?? (CODES.has(p.tokens[p.at]?.folded ?? '') ? 'US' : null);
  if (code === null) return null;
  p.at = found?.end ?? p.at + 1;
  return nameOfCode(code);
}

/** An English name of a country or a division by its ISO 3166 code; null for another code. */
export const nameOfCode = (code: string): string | null =>
  code.length > 2 ? (otherNamesOf(code)[0] ?? null) : (COUNTRIES.of(code) ?? null);
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** "the US state of Georgia", "la provincia andaluza de Cádiz", "der US-Bundesstaat Georgia" */
export function parseAdjectivePlace(p: Parser): Expression | null {
  const { language } = p.v;
  const isBehind = language === 'es' || language === 'fr';
  const from = p.at;
  p.take(p.v.articles);
  const before = isBehind ? null : takeAdjective(p);
  const level = p.at < p.tokens.length && (isBehind || before !== null) ? parseLevel(p, 'one') : null;
  const code = adjectiveAt(p, p.at)?.code ?? '';
  const within = level !== null && isBehind ? takeAdjective(p) : before;
  if (level === null || within === null) return null;
  // "la provincia gaditana"; "el estado mexicano" may be the country, and "le Pays basque" is a name.
  if (
    isBehind &&
    level !== 'country' &&
    code.includes('-') &&
    p.find(p.v.of) === null &&
    parseOrderAfter(p, 1) === null
  )
    return { op: 'place', name: within, level, words: p.words(from) };
  if (language !== 'de') {
    if (!OF[language].has(p.tokens[p.at]?.folded ?? '')) return null;
    p.at++;
  }
  p.take(p.v.articles);
  const end = nameAt(p, p.at);
  if (end === null) return null;
  const name = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
  p.at = end + 1;
  return { op: 'place', name, within, level, words: p.words(from) };
}
