import type { Expression, LevelWord } from './algebra.ts';
import { parseLevel } from './level_words.ts';
import { parseListed } from './listed.ts';
import type { Parser } from './parser.ts';

// Rules for lists of official codes, and of cities.

/** Schemes of codes as people write them; ids of boundaries have them in front: `fips:48201`. */
const SCHEMES: ReadonlySet<string> = new Set(['fips', 'ine', 'insee', 'istat', 'ags', 'ars', 'nuts', 'lau', 'bfs']);
/** Words between a scheme and its codes, and between a level and a scheme. */
const CODE_WORDS: ReadonlySet<string> = new Set(
  'code codes codigo codigos number numbers numero numeros nummer nummern'.split(' '),
);
const WITH: ReadonlySet<string> = new Set('with con mit avec the los las les den le la'.split(' '));
/** A code of a scheme, and one that cannot be a number of boundaries, as it has five digits or more. */
const CODE = /^[A-Z]{0,2}\d[\dA-Z]*(?![\p{L}\d])/u;
const LONG_CODE = /^\d{5,9}(?![\p{L}\d])/u;

/**
 * Boundaries by a list of official codes with the word for their scheme or for their level: "FIPS 17031, 17043",
 * "48201 and 48113 counties", "counties with FIPS codes 48201, 48113". Null if no such list is here.
 */
export function parseCoded(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    p.take(p.v.all) || p.take(p.v.articles);
    const before = p.attempt(() => levelBeforeCode(p));
    const first = takeScheme(p);
    // "provincias 04, 18 y 29 (códigos INE)"
    const behind = first === null && before !== null ? p.attempt(() => codesBefore(p)) : null;
    const scheme = first ?? behind?.scheme ?? null;
    const codes = behind?.codes ?? codesOf(p, scheme === null ? LONG_CODE : CODE);
    if (codes.length === 0) return null;
    const level = before ?? p.attempt(() => parseLevel(p, 'many'));
    if (scheme === null && level === null) return null;
    const places = codes.map(
      ({ code, words }): Expression =>
        scheme === null
          ? { op: 'place', name: code, level: level as LevelWord, words }
          : { op: 'place', id: `${scheme}:${code}`, words },
    );
    return { op: 'union', of: places, words: p.words(from) };
  });
}

/** Whether a code is here that cannot be a number of boundaries. */
export const isLongCode = (p: Parser): boolean =>
  p.tokens[p.at]?.sort === 'number' && LONG_CODE.test(p.text.slice(p.tokenAt(p.at).from));

/** A level in front of a code or of a scheme. */
function levelBeforeCode(p: Parser): LevelWord | null {
  const level = parseLevel(p, 'many') ?? parseLevel(p, 'one');
  while (level !== null && WITH.has(p.tokens[p.at]?.folded ?? '')) p.at++;
  const next = p.tokens[p.at];
  const word = next?.folded ?? '';
  return next?.sort === 'number' || SCHEMES.has(word) || CODE_WORDS.has(word) ? level : null;
}

/** Codes with their scheme in brackets behind them. */
function codesBefore(p: Parser): { readonly codes: ReturnType<typeof codesOf>; readonly scheme: string } | null {
  const codes = codesOf(p, CODE);
  const scheme = codes.length > 0 && p.sign('(') ? takeScheme(p) : null;
  return scheme !== null && p.sign(')') ? { codes, scheme } : null;
}

/** Takes the word for a scheme with "codes" and a colon behind it; null if none is here. */
function takeScheme(p: Parser): string | null {
  // "codes FIPS 49035"
  const at = p.at + (CODE_WORDS.has(p.tokens[p.at]?.folded ?? '') ? 1 : 0);
  const word = p.tokens[at]?.folded ?? '';
  if (!SCHEMES.has(word)) return null;
  p.at = at + 1;
  while (CODE_WORDS.has(p.tokens[p.at]?.folded ?? '')) p.at++;
  p.sign(':');
  return word;
}

/** Takes codes of a form with separators between them. */
function codesOf(p: Parser, form: RegExp) {
  const codes: { readonly code: string; readonly words: ReturnType<Parser['words']> }[] = [];
  for (;;) {
    const start = p.at;
    if (codes.length > 0 && !p.separator()) break;
    const token = p.tokens[p.at];
    // "04,18" is written like a number.
    if (token !== undefined && /^\d+(?:,\d+)+$/.test(token.text)) {
      p.at++;
      for (const code of token.text.split(',')) codes.push({ code, words: p.words(start) });
      continue;
    }
    const [code] = token === undefined ? [] : (form.exec(p.text.slice(token.from)) ?? []);
    if (token === undefined || code === undefined) {
      p.at = start;
      break;
    }
    const first = p.at;
    while ((p.tokens[p.at]?.from ?? Number.POSITIVE_INFINITY) < token.from + code.length) p.at++;
    codes.push({ code, words: p.words(first) });
  }
  return codes;
}

/** "the cities of Norfolk and Hampton": municipalities in a list. Null for one place, which may contain them. */
export function parseCities(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    p.take(p.v.all) || p.take(p.v.articles);
    if (!p.take(p.v.citiesOf)) return null;
    const listed = parseListed(p, 'municipality');
    return listed && { ...listed, words: p.words(from) };
  });
}
