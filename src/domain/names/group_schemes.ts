import { beforePhrase, behindPhrase, type PhraseSet, phraseSet } from './phrases_in.ts';

// Schemes that divide countries or the world into groups, and the words that say so: "as defined by the Census Bureau".

interface Scheme {
  /** What the sources of its groups begin with. */
  readonly source: string;
  /** Its names, folded, and the country behind them. */
  readonly names: PhraseSet;
  readonly country: PhraseSet;
}

const SCHEMES: readonly Scheme[] = [
  {
    source: 'US Census Bureau',
    names: phraseSet(
      [
        ...['', 'u s ', 'us ', 'united states ', 'american '].flatMap((country) =>
          ['census', 'census bureau', 'census bureaus'].map((name) => country + name),
        ),
        'bureau of the census, oficina del censo, censo, bureau du recensement, recensement, lus census bureau, zensusbehorde',
      ].join(', '),
    ),
    country: phraseSet(
      'of the us, of the u s, of the united states, de los estados unidos, de estados unidos, de ee uu, de eeuu, des etats unis, der usa, der vereinigten staaten, estadounidense, americain',
    ),
  },
  {
    source: 'UN M.49',
    names: phraseSet(
      [
        ...['', 'un ', 'united nations '].flatMap((who) => ['m49', 'm 49', 'geoscheme'].map((name) => who + name)),
        'un, onu, lonu, uno, united nations, nations unies, naciones unidas, vereinte nationen, vereinten nationen, un statistics division',
      ].join(', '),
    ),
    country: phraseSet('de la onu, de lonu, de las naciones unidas, des nations unies, der vereinten nationen, der un'),
  },
];

/** Between a group and its scheme, folded. */
const BY = phraseSet(
  [
    'as defined by, as defined in, as used by, as classified by, as grouped by, as divided by, as drawn by, defined by, used by',
    'as per, according to, following, per, under, in, of, by, as',
    'segun, segun lo define, conforme a, de acuerdo con, del, de, en',
    'laut, gemass, nach, im sinne, im sinne der, im sinne des, in, von',
    'selon, dapres, au sens, au sens de, au sens du, suivant, du, de, dans',
  ].join(', '),
);
const ARTICLE = phraseSet('the, la, el, los, las, le, les, l, der, die, das, den, dem, des');
/** A way of dividing, which is in front of the scheme with a preposition, or behind it. */
const WAYS = [
  'definition, classification, standard, scheme, geoscheme, division, divisions, region, regions, grouping, terms, terminology',
  'definicion, clasificacion, divisiones, regiones, estandar, norma, esquema',
  'einteilung, gliederung, klassifikation, standards, norm, decoupage, norme, nomenclature, subregion, subregions',
].join(', ');
const WAY_OF = phraseSet(
  WAYS.split(', ')
    .flatMap((way) => ['of', 'by', 'de', 'del', 'der', 'des', 'von', 'du', 'd'].map((of) => `${way} ${of}`))
    .concat(WAYS)
    .join(', '),
);
const WAY = phraseSet(WAYS);
/** "(as the Census Bureau) divides the US" */
const DOES = phraseSet(
  ['divides', 'defines', 'groups', 'draws', 'classifies', 'counts', 'uses', 'has', 'splits']
    .flatMap((verb) =>
      ['', ' it', ' them', ' the us', ' the u s', ' the country', ' the united states', ' the world'].map(
        (what) => verb + what,
      ),
    )
    .join(', '),
);

const schemeOf = (source: string): Scheme | undefined => SCHEMES.find((scheme) => source.startsWith(scheme.source));

/** Whether folded words behind a group name the scheme that it is of: "according to the us census bureau". */
export function isSchemeOf(source: string, folded: string): boolean {
  const scheme = schemeOf(source);
  if (scheme === undefined) return false;
  let words: readonly string[] = folded.split(' ');
  for (const set of [BY, ARTICLE, WAY_OF, ARTICLE]) words = behindPhrase(words, set) ?? words;
  const rest = behindPhrase(words, scheme.names);
  if (rest === null) return false;
  words = rest;
  for (const set of [WAY, scheme.country, DOES]) words = behindPhrase(words, set) ?? words;
  return words.length === 0;
}

/** Names of groups that are other names without their scheme, folded: "the South, as defined by the Census Bureau". */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'US Census Bureau, region 1': ['northeast', 'noreste', 'nordosten', 'nord est'],
  'US Census Bureau, region 3': ['south', 'sur', 'suden', 'sud'],
  'US Census Bureau, region 4': ['west', 'oeste', 'westen', 'ouest'],
};

/** The names of a group of a source among the others of its scheme, folded: "south", "division 5". */
export const shortNamesOf = (source: string): readonly string[] =>
  source.startsWith(CENSUS) ? [source.slice(CENSUS.length), ...(SHORT[source] ?? [])] : [];
const CENSUS = 'US Census Bureau, ';

/** Words for a part, folded, in front of the name of a group or behind it: "Northeast region". */
const PART = phraseSet(
  'region, division, subregion, census region, census division, regions, divisions, regione, subregione',
);

/**
 * Returns the group of a scheme in folded words with its name in front, or with a word for a part: "census bureaus
 * northeast region", "division west south central". Null if it is none.
 */
export function readScheme<G extends { readonly source: string }>(
  folded: string,
  find: (name: string) => G | undefined,
  short: (name: string) => G | undefined,
): G | null {
  const words = folded.split(' ');
  for (const scheme of [null, ...SCHEMES]) {
    const rest = scheme === null ? words : behindPhrase(words, scheme.names);
    if (rest === null || rest.length === 0) continue;
    const part = behindPhrase(rest, PART) ?? beforePhrase(rest, PART);
    if (scheme === null && part === null) continue;
    const [name, whole] = [(part ?? rest).join(' '), rest.join(' ')];
    const group = find(name) ?? (scheme === null ? undefined : (short(whole) ?? short(name)));
    const own = group && schemeOf(group.source);
    if (group && own && (scheme === null || own === scheme)) return group;
  }
  return null;
}
