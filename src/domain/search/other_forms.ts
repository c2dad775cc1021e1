import { codesOfDivision } from '../names/division_names.ts';
import { foldName } from '../names/fold.ts';
import { codeOfDivision, otherNamesOf } from '../names/place_names.ts';
import { codeOfShortName } from '../names/short_names.ts';
import { americanForms } from './american_forms.ts';
import { withoutBeside } from './beside_name.ts';
import { isDeclining, nominativesOf } from './declined.ts';
import { withoutElision } from './elided.ts';
import type { Hit } from './hit.ts';
import { type Rewrite, rewritesOf } from './noise.ts';
import { askedIn } from './questions.ts';
import { readingsOf } from './readings.ts';
import { spokenForms } from './spoken_forms.ts';

/**
 * Returns what a query may mean that finds no whole name as it is written, the likeliest first: its name
 * without noise, which may be a short one ("map of Calif.") or declined ("granice Polski").
 */
export function otherFormsOf(q: string): Rewrite[] {
  const rewrites = rewritesOf(q);
  return [
    ...askedIn(q),
    ...americanForms(q),
    ...spokenForms(q),
    ...rewrites,
    ...rewrites.flatMap(shortNames),
    ...shortBeside(q),
    ...formerCode(q),
    ...otherCode(q),
    ...gluedNoise(q),
    ...withoutBeside(q),
    ...withoutElision(q).flatMap(divisionsIn),
    ...rewrites.flatMap(declined),
  ];
}

/** The ISO 3166-2 code of a division: "BR-MG Minas Gerais". */
const DIVISION = /^[A-Z]{2}-[A-Z\d]{1,3}$/;
/** The same with a space: "BR MG". */
const SPACED = /^\s*([A-Z]{2}) ([A-Z\d]{1,3})\s*$/;

/** The division of a code that is written with a space. Empty for other queries. */
function otherCode(q: string): Rewrite[] {
  const [, country, division] = SPACED.exec(q) ?? [];
  return country === undefined
    ? []
    : [{ q: `iso:${country}-${division}`, ignored: null, exactly: true, called: foldName(q) }];
}

/**
 * Codes of ISO 3166-2 of today with those that boundaries may still carry, and the numbers of Chinese divisions (GB/T 2260),
 * which ISO 3166-2 had until 2017, with the letters of today.
 */
const FORMER: Readonly<Record<string, string>> = Object.fromEntries([
  ...'IN-TS IN-TG,IN-OD IN-OR,IN-UK IN-UT,ZA-GP ZA-GT,ZA-KZN ZA-NL,MX-CMX MX-DIF'
    .split(',')
    .map((pair) => pair.split(' ')),
  ...(
    '11BJ 12TJ 13HE 14SX 15NM 21LN 22JL 23HL 31SH 32JS 33ZJ 34AH 35FJ 36JX 37SD 41HA 42HB 43HN 44GD 45GX 46HI 50CQ 51SC 52GZ ' +
    '53YN 54XZ 61SN 62GS 63QH 64NX 65XJ'
  )
    .split(' ')
    .map((row) => [`CN-${row.slice(0, 2)}`, `CN-${row.slice(2)}`]),
]);

/** The division of a code of today that boundaries carry with another one: "ZA-KZN". Empty for other queries. */
function formerCode(q: string): Rewrite[] {
  const code = FORMER[q.trim().replace(' ', '-')];
  return code === undefined ? [] : [{ q: `iso:${code}`, ignored: null, exactly: true, called: foldName(q) }];
}

/** Words for a map behind a name without a space, or with a particle between: "四川省地图", "神奈川県の地図", "उत्तर प्रदेश का नक्शा". */
const GLUED_NOISE =
  /^(?<name>.{2,}?)\s?(?:の|的|का|की|के|의)?\s?(?<noise>地图|地圖|地図|境界|边界|邊界|区划|지도|경계|แผนที่|नक्शा|मानचित्र|मॅप|মানচিত্র)$/u;

/** The name in front of such a word. Empty for other queries. */
function gluedNoise(q: string): Rewrite[] {
  const { name, noise = '' } = GLUED_NOISE.exec(q.trim())?.groups ?? {};
  return name === undefined ? [] : [{ q: name, ignored: foldName(noise), exactly: true }];
}

/** The divisions of the name behind a word for a kind, in another language than the stored ones: "comunitat autònoma Aragó". */
function divisionsIn(q: string): Rewrite[] {
  const names = readingsOf(q).flatMap(({ name, kinds, within }) =>
    kinds.length > 0 && within.length === 0 ? [name] : [],
  );
  return [...new Set(names)]
    .filter((name) => codesOfDivision(name).length > 0)
    .map((name) => ({ q: name, ignored: null, exactly: true, called: name }));
}

/** Words of the name of a country or a division beside a short one, at most. */
const MOST_WORDS = 3;

/** A place that a part of a query is short for, with its own name or that of its country beside it: "PEI Canada", "Last Frontier Alaska". */
function shortBeside(q: string): Rewrite[] {
  const words = q.trim().split(/[\s,]+/u);
  const most = Math.min(words.length - 1, MOST_WORDS + MOST_WORDS);
  for (let count = 1; count <= most; count++) {
    const halves = [words.slice(0, -count).join(' '), words.slice(-count).join(' ')] as const;
    for (const [short, other] of [halves, [halves[1], halves[0]]] as const) {
      if (other.split(' ').length > MOST_WORDS) continue;
      const code = DIVISION.test(short) ? short : codeOfShortName(short);
      if (code === null || !isNamed(code, foldName(other))) continue;
      return [{ q: `iso:${code}`, ignored: null, exactly: true, called: foldName(q) }];
    }
  }
  return [];
}

/** Whether a folded text is a name of a country or division, or of the country of one. */
function isNamed(code: string, folded: string): boolean {
  const country = code.slice(0, 2);
  const names = [...otherNamesOf(code), ...otherNamesOf(country)];
  return names.some((name) => foldName(name) === folded) || `${country}-${codeOfDivision(country, folded)}` === code;
}

/** The place that a query is short for, by its code; in a country, a division of that: "NRW Deutschland". */
function shortNames({ q, ignored, country }: Rewrite): Rewrite[] {
  const code = codeOfShortName(q);
  if (code === null || (country !== undefined && !code.startsWith(`${country}-`))) return [];
  return [{ q: `iso:${code}`, ignored, exactly: true, called: foldName(q) }];
}

/** The names that a query without its noise may be the genitive of. */
function declined({ q, ignored }: Rewrite): Rewrite[] {
  if (ignored === null || !isDeclining(ignored)) return [];
  const folded = foldName(q);
  return nominativesOf(folded).map((form) => ({ q: form, ignored, exactly: true, called: folded }));
}

/** Whether a result is what another form of a query means: any, unless only whole names are. */
export const isMeantBy = ({ match }: Hit, { exactly }: Rewrite): boolean =>
  !exactly || match === 'exact' || match === 'alias' || match === 'around';

/** A result of another form of a query, as the query named it, with the words left out. */
export function asTyped(hit: Hit, { ignored, called }: Rewrite): Hit {
  const left = [hit.interpretation.ignored, ignored].filter(Boolean).join(', ');
  const named: Hit = { ...hit, interpretation: { ...hit.interpretation, ignored: left === '' ? null : left } };
  return called === undefined
    ? named
    : { ...named, match: 'alias', interpretation: { ...named.interpretation, name: called } };
}
