import { foldName } from '../names/fold.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').map(foldName));

/** The countries that official codes are of. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{
    fips: 'US',
    geoid: 'US',
    affgeoid: 'US',
    statefp: 'US',

    ine: 'ES',
    istat: 'IT',
    insee: 'FR',
    ags: 'DE',
  },
  ...{ gss: 'GB', ons: 'GB', cbs: 'NL', bfs: 'CH' },
};
/** Words for a code, and for what it is the code of, in the languages of most queries. */
const NOUNS = words('code codes código códigos codice codici codi cod cód number número numero nummer nr numeric');
const KINDS = words(
  'county state country province region municipality municipal provincia comunidad municipio país commune département ' +
    'région pays comune regione gemeinde kreis gemeente provincie',
);
const LINKS = words('of the de du del della di do der des la le l von van');
/** Words that are both, with the country that has such codes. */
const COMPOUNDS: ReadonlyMap<string, string | null> = new Map(
  Object.entries({
    ...{ gemeindeschlüssel: 'DE', kreisschlüssel: 'DE', regionalschlüssel: 'DE', gemeindekennziffer: 'AT' },
    ...{
      'iso-code': null,
      länderkürzel: null,
      gemeindenummer: 'CH',
      'bfs-nr': 'CH',
      ofs: 'CH',
      ust: 'CH',
      cog: 'FR',
      gemeentecode: 'NL',
      provinciecode: 'NL',
      landcode: null,
      ländercode: null,
      kommunenummer: null,
    },
  }).map(([word, country]) => [foldName(word), country]),
);
/** What stands behind the name of a list that has several parts: "ISO 3166-2", "NUTS 3". */
const PARTS: Readonly<Record<string, RegExp>> = {
  iso: /^3166(?:-[123])?$|^alpha-?[23]$|^a-?[23]$|^[23]$/i,
  nuts: /^[123]$/,
};
const LISTS =
  /^(?<list>fips|(?:aff)?geo_?id(?:10|20)?|statefp|(?:state|county|cnty)_fips|iso(?:[-_]?3166(?:-[12])?|-?[23]|_a[23])?|alpha-?[23]|nuts(?:-?[123])?|ine|istat|insee|ags|gss|cbs|bfs|ons)$/i;
/** A list and its code in one word: "FIPS48201", "INE-41091". */
const GLUED = /^(?!geoid[12]0$)(fips|geoid|ine|istat|insee|ags|cbs|bfs)[-_]?(\d{2,})$/i;
/** The Census Bureau's identifier of a state or county: "0500000US48201". */
const CENSUS_ID = /^(?:(?:aff)?geo_?id\d{0,2}[\s:=]*)?0[145]0\d{0,4}US(\d{2}|\d{5})$/i;
const CODE = /^[A-Z0-9][A-Z0-9.\s-]*$/iu;
/** In front of "Gemeindeschlüssel". */
const OFFICIAL = 'amtlicher';
/** Digits of the codes of counties and municipalities, of which the first may be zero. */
const DIGITS: Readonly<Record<string, number>> = { US: 5, ES: 5, FR: 5, IT: 6, DE: 8 };
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
  const [, census] = CENSUS_ID.exec(q.trim()) ?? [];
  if (census !== undefined) return { code: census, country: 'US', isIso: false };
  const texts = q.split(/[\s:#=]/).flatMap((text) => GLUED.exec(text)?.slice(1) ?? (text === '' ? [] : [text]));
  // "48201 FIPS", "US-NH iso code"
  const behind = texts.findIndex((text, at) => at > 0 && texts.slice(at).every(isCodeWord) && text !== '');
  return codeBehind(texts) ?? (behind < 0 ? null : codeBehind([...texts.slice(behind), ...texts.slice(0, behind)]));
}

/** The key of a list: "iso" for "ISO_3166-2" and "alpha-2", "geoid" for "GEO_ID20". */
function listOf(named: string): string {
  if (named.startsWith('alpha')) return 'iso';
  if (named.endsWith('_fips')) return 'fips';
  return /^\p{L}+/u.exec(named.replace('geo_id', 'geoid'))?.[0] ?? named;
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
    if (named !== undefined) list = listOf(named.toLowerCase());
    else if (COMPOUNDS.has(word)) compound = word;
    else if (NOUNS.has(word)) hasNoun = true;
    else if (KINDS.has(word)) hasKind = true;
    else if (
      !(at > 0 && at < texts.length - 1 && LINKS.has(word)) &&
      word !== OFFICIAL &&
      !PARTS[list ?? '']?.test(text)
    )
      break;
  }
  const code = texts.slice(at).join(' ');
  // "06045 county"
  const isNumber = hasKind && OFFICIAL_NUMBER.test(code);
  // "code NI-CI"
  const isDivision = hasNoun && /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code);
  const isNamed = isDivision || list !== undefined || compound !== undefined || (hasNoun && hasKind) || isNumber;
  if (!isNamed || !CODE.test(code)) return null;
  // "ISO 9001" is a standard: the numbers of countries have three digits.
  if (list === 'iso' && /^\d+$/.test(code) && code.length !== 3) return null;
  const country = (list === undefined ? COMPOUNDS.get(compound ?? '') : COUNTRIES[list]) ?? null;
  const digits = DIGITS[country ?? ''];
  // A program takes "06037" for a number.
  if (digits !== undefined && /^\d+$/.test(code) && code.length === digits - 1)
    return { code: `0${code}`, country, isIso: false };
  return { code, country, isIso: list === undefined || list === 'iso' };
}
