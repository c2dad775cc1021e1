import { foldName } from '../names/fold.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').map(foldName));

/** The countries that official codes are of. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ fips: 'US', geoid: 'US', ine: 'ES', istat: 'IT', insee: 'FR', ags: 'DE' },
  ...{ gss: 'GB', ons: 'GB', cbs: 'NL', bfs: 'CH' },
};
/** Words for a code, and for what it is the code of, in the languages of most queries. */
const NOUNS = words('code codes código códigos codice codici number número numero nummer nr');
const KINDS = words(
  'county state country province region municipality municipal provincia comunidad municipio país commune département ' +
    'région pays comune regione gemeinde kreis gemeente provincie',
);
const LINKS = words('of the de du del della di do der des la le l von van');
/** Words that are both, with the country that has such codes. */
const COMPOUNDS: ReadonlyMap<string, string | null> = new Map(
  Object.entries({
    ...{ gemeindeschlüssel: 'DE', kreisschlüssel: 'DE', regionalschlüssel: 'DE', gemeindekennziffer: 'AT' },
    ...{ gemeentecode: 'NL', provinciecode: 'NL', landcode: null, ländercode: null, kommunenummer: null },
  }).map(([word, country]) => [foldName(word), country]),
);
/** What stands behind the name of a list that has several parts: "ISO 3166-2", "NUTS 3". */
const PARTS: Readonly<Record<string, RegExp>> = { iso: /^3166(?:-[12])?$/, nuts: /^[123]$/ };
const LISTS = /^(?<list>fips|geoid|iso(?:-?3166(?:-[12])?)?|nuts(?:-?[123])?|ine|istat|insee|ags|gss|cbs|bfs|ons)$/i;
/** A list and its code in one word: "FIPS48201". */
const GLUED = /^(fips|geoid|ine|istat|insee|ags|cbs|bfs)(\d{2,})$/i;
const CODE = /^[A-Z0-9][A-Z0-9.\s-]*$/iu;
/** In front of "Gemeindeschlüssel". */
const OFFICIAL = 'amtlicher';
/** Words that may stand in front of a code. */
const MOST_WORDS = 8;

interface NamedCode {
  readonly code: string;
  readonly country: string | null;
  readonly isIso: boolean;
}

/**
 * Returns the code in a query that names its list or what it is the code of: "FIPS 48201", "code commune 35238". `country`
 * (ISO 3166-1 alpha-2) is that of the list, `isIso` whether two letters are those of a country or division. Null for other queries.
 */
export function codeIn(q: string): NamedCode | null {
  const texts = q.split(/[\s:#=]/).flatMap((text) => GLUED.exec(text)?.slice(1) ?? (text === '' ? [] : [text]));
  // "48201 FIPS", "US-NH iso code"
  const behind = texts.findIndex((text, at) => at > 0 && texts.slice(at).every(isCodeWord) && text !== '');
  return codeBehind(texts) ?? (behind < 0 ? null : codeBehind([...texts.slice(behind), ...texts.slice(0, behind)]));
}

const isCodeWord = (text: string): boolean =>
  LISTS.test(text) || NOUNS.has(foldName(text)) || KINDS.has(foldName(text));
/** The number of a county or municipality: shorter ones are years, and parts of names. */
const OFFICIAL_NUMBER = /^\d{5,8}$/;

/** The same for the words of a query. */
function codeBehind(texts: readonly string[]): NamedCode | null {
  let [list, at]: [string | undefined, number] = [undefined, 0];
  let compound: string | undefined;
  let [hasNoun, hasKind] = [false, false];
  for (; at < Math.min(texts.length, MOST_WORDS); at++) {
    const text = texts[at] ?? '';
    const word = foldName(text.replace(/^l['’]/i, ''));
    const named: string | undefined = list === undefined ? LISTS.exec(text)?.groups?.list : undefined;
    if (named !== undefined) list = /^\p{L}+/u.exec(named.toLowerCase())?.[0];
    else if (COMPOUNDS.has(word)) compound = word;
    else if (NOUNS.has(word)) hasNoun = true;
    else if (KINDS.has(word)) hasKind = true;
    else if (!(at > 0 && LINKS.has(word)) && word !== OFFICIAL && !PARTS[list ?? '']?.test(text)) break;
  }
  const code = texts.slice(at).join(' ');
  // "06045 county"
  const isNumber = hasKind && OFFICIAL_NUMBER.test(code);
  const isNamed = list !== undefined || compound !== undefined || (hasNoun && hasKind) || isNumber;
  if (!isNamed || !CODE.test(code)) return null;
  // "ISO 9001" is a standard: the numbers of countries have three digits.
  if (list === 'iso' && /^\d+$/.test(code) && code.length !== 3) return null;
  const country = (list === undefined ? COMPOUNDS.get(compound ?? '') : COUNTRIES[list]) ?? null;
  return { code, country, isIso: list === undefined || list === 'iso' };
}
