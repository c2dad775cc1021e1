import { foldName, stripTypeWords } from '../../src/domain/names/fold.ts';
import type { Draw } from '../search/made.ts';

/** A place that tables are made of. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly codes: readonly string[];
  readonly iso: string | null;
}

/** The places of the test, by what they are: divisions by country, municipalities of three countries. */
export interface Places {
  readonly divisions: readonly Place[];
  readonly communes: readonly Place[];
  readonly comuni: readonly Place[];
  readonly gemeinden: readonly Place[];
  /** Names of countries by language, and `code`: as people write them. */
  country(code: string, language: string): string;
}

/** A table as text, with what each row means: the id of a boundary, or null for several or none. */
export interface HeldOutTable {
  readonly name: string;
  readonly csv: string;
  readonly expect: readonly (string | null)[];
  /** What was done to each name. */
  readonly noise: readonly string[];
}

type Noise = (draw: Draw, name: string) => string;

const LATIN = /^[\p{Script=Latin}\p{M}\s'’.,()/-]+$/u;
const bare = (name: string): string => name.normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** What people do to a name in a table, and how often, out of 100. */
const NOISES: readonly (readonly [what: string, often: number, does: Noise])[] = [
  ['capitals', 5, (_, name) => name.toUpperCase()],
  ['small letters', 4, (_, name) => name.toLowerCase()],
  ['capitals without accents', 4, (_, name) => (LATIN.test(name) ? bare(name).toUpperCase() : name)],
  ['accents', 6, (_, name) => (LATIN.test(name) ? bare(name) : name)],
  ['blanks', 4, (draw, name) => draw.one([` ${name}`, `${name}  `, `\u00a0${name}`, name.replace(' ', '  ')])],
  ['a mark of a note', 4, (draw, name) => `${name}${draw.one(['*', ' *', ' [1]', '¹', ' (1)', ' †'])}`],
  ['hyphens', 4, (_, name) => (name.includes('-') ? name.replaceAll('-', ' ') : name.replace(' ', '-'))],
  ['apostrophes', 3, (_, name) => name.replaceAll("'", '’')],
  ['a number in front', 2, (draw, name) => `${1 + draw.below(90)}. ${name}`],
  ['decomposed letters', 2, (_, name) => name.normalize('NFD')],
];
/** Letters of a word from which a typo in it is not another common name. */
const TYPO_FROM = 6;

function noisy(draw: Draw, name: string, typos: number, around: readonly ((name: string) => string)[]) {
  let pick = draw.below(100);
  for (const [noise, often, does] of NOISES) {
    if (pick < often) {
      const written = does(draw, name);
      return { written, noise: written === name ? 'none' : noise };
    }
    pick -= often;
  }
  if (around.length > 0 && pick < 25) return { written: draw.one(around)(name), noise: 'type word' };
  const word = name.split(/[\s-]/).sort((a, b) => b.length - a.length)[0] ?? '';
  if (pick >= 62 - typos && LATIN.test(name) && word.length >= TYPO_FROM && /^\p{L}+$/u.test(word) && !/-/.test(name)) {
    return { written: draw.typo(name), noise: 'typo' };
  }
  return { written: name, noise: 'none' };
}

/** How a table is made: its columns, each with its cell for a place, and how names are written. */
export interface Recipe {
  readonly name: string;
  readonly places: readonly Place[];
  /** All places of their sort that are stored: those with one name mean none. Default: `places`. */
  readonly among?: readonly Place[];
  readonly columns: Readonly<Record<string, (place: Place, written: string) => string>>;
  /** The language of the names; absent: local ones. */
  readonly language?: string;
  readonly separator?: string;
  /** Words that people put around a name. */
  readonly around?: readonly ((name: string) => string)[];
  /** What is done to a name; default: NOISES. */
  readonly does?: (draw: Draw, name: string) => { readonly written: string; readonly noise: string };
  /** Names of no stored place; default: made of syllables. */
  readonly notStored?: readonly string[];
  /** Of 100 rows, those with a typo. */
  readonly typos?: number;
  /** Rows whose names are of no place, as a share. */
  readonly strangers?: number;
  /** Whether codes tell places with the same name apart. */
  readonly coded?: boolean;
  /** What tells places with the same name apart: the container that a column says. */
  readonly containerOf?: (place: Place) => string;
}

export function made(draw: Draw, recipe: Recipe): HeldOutTable {
  const { name, places, columns, language, separator = ',', around = [], typos = 8, strangers = 0.02 } = recipe;
  const { among = places, containerOf = () => '' } = recipe;
  const [whole, stripped] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const keyOf = (text: string, place: Place) => `${foldName(text)}|${containerOf(place)}`;
  for (const place of among) {
    for (const text of [place.name, ...Object.values(place.names)]) {
      const key = keyOf(text, place);
      whole.set(key, (whole.get(key) ?? new Set()).add(place.id));
      for (const form of stripTypeWords(foldName(text))) {
        const short = `${form}|${containerOf(place)}`;
        stripped.set(short, (stripped.get(short) ?? new Set()).add(place.id));
      }
    }
  }
  // A whole name is meant before one that another place has without its type word.
  const meant = (key: string): number => (whole.get(key) ?? stripped.get(key))?.size ?? 0;
  const quoted = (cell: string): string =>
    cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [Object.keys(columns).map(quoted).join(separator)];
  const expected: (string | null)[] = [];
  const noises: string[] = [];
  for (const place of places) {
    const text = language === undefined ? place.name : place.names[language];
    if (text === undefined) continue;
    const { written, noise } = recipe.does?.(draw, text) ?? noisy(draw, text, typos, around);
    const same = meant(keyOf(text, place));
    // A typo may make the name of another place, which is then meant.
    const other = noise === 'typo' && meant(keyOf(written, place)) > 0;
    lines.push(
      Object.values(columns)
        .map((cell) => quoted(cell(place, written)))
        .join(separator),
    );
    expected.push((same > 1 || other) && recipe.coded !== true ? null : place.id);
    noises.push(noise);
  }
  const syllables = ['vro', 'kim', 'zap', 'lud', 'wex', 'gri', 'bof', 'nuq'];
  const [first] = places;
  for (let i = 0; first !== undefined && i < Math.floor(strangers * places.length); i++) {
    const word = recipe.notStored === undefined ? draw.some(syllables, 4).join('') : draw.one(recipe.notStored);
    const stranger = { ...first, codes: [''], iso: null };
    lines.push(
      Object.values(columns)
        .map((cell) => quoted(cell(stranger, word[0]?.toUpperCase() + word.slice(1))))
        .join(separator),
    );
    expected.push(null);
    noises.push('stranger');
  }
  return { name, csv: `${lines.join('\n')}\n`, expect: expected, noise: noises };
}

/**
 * 24 tables of places that no other test of tables has: divisions of the world in ten languages and municipalities of
 * three countries, with the columns as people have them.
 */
export function heldOutTables(draw: Draw, all: Places): HeldOutTable[] {
  const of = (...codes: string[]) => all.divisions.filter(({ country }) => codes.includes(country));
  const written = (_: Place, text: string) => text;
  const figure = () => String(1 + draw.below(999_999));
  const inLanguage = (language: string) => (place: Place) => all.country(place.country, language);
  const byCountry = ({ country }: Place) => country;
  const isoOf = ({ iso }: Place) => iso ?? '';
  const recipes: Recipe[] = [
    {
      ...{ name: 'Bundesländer', places: of('DE'), language: 'de', separator: ';' },
      columns: { Bundesland: written, Einwohner: figure },
    },
    {
      ...{ name: 'Länder of two countries with their state', places: of('DE', 'AT'), language: 'de', separator: ';' },
      ...{ containerOf: byCountry, columns: { Staat: inLanguage('de'), Name: written, Fläche: figure } },
    },
    {
      ...{ name: 'prefectures in Japanese', places: of('JP'), language: 'ja' },
      columns: { 都道府県: written, 人口: figure },
    },
    {
      ...{ name: 'prefectures in English with a code of the country', places: of('JP'), language: 'en' },
      around: [(name) => `${name} Prefecture`, (name) => `Prefecture of ${name}`],
      ...{ containerOf: byCountry, columns: { prefecture: written, country: byCountry, cases: figure } },
    },
    { name: 'provinces in Chinese', places: of('CN'), language: 'zh', columns: { 省份: written, 人口: figure } },
    {
      ...{ name: 'states of Brazil in Portuguese', places: of('BR'), language: 'pt', separator: ';' },
      columns: { UF: (place) => isoOf(place).slice(3), Estado: written, População: figure },
    },
    {
      ...{ name: 'states by ISO codes alone', places: of('BR', 'IN').filter(({ iso }) => iso !== null) },
      ...{ coded: true, strangers: 0, columns: { iso_code: isoOf, value: figure } },
    },
    {
      ...{ name: 'regions in Russian', places: of('RU'), language: 'ru', separator: '\t' },
      columns: { Регион: written, Население: figure },
    },
    {
      ...{ name: 'regions of Russia in English, with the country', places: of('RU'), language: 'en' },
      ...{ containerOf: byCountry, columns: { Country: () => 'Russian Federation', Region: written, Pop: figure } },
    },
    {
      ...{ name: 'comuni', places: draw.some(all.comuni, 400), among: all.comuni, separator: ';' },
      columns: { Comune: written, Popolazione: figure },
    },
    {
      ...{ name: 'comuni with the country and words', places: draw.some(all.comuni, 400), among: all.comuni },
      around: [(name) => `Comune di ${name}`, (name) => `Città di ${name}`],
      ...{ containerOf: byCountry, columns: { paese: figure, municipality: written, country: () => 'Italia' } },
    },
    {
      ...{
        name: 'communes with INSEE codes',
        places: draw.some(all.communes, 600),
        among: all.communes,
        separator: ';',
      },
      ...{ coded: true, strangers: 0 },
      columns: { code_insee: ({ codes }) => codes[0] ?? '', commune: written, population: figure },
    },
    {
      ...{ name: 'communes by INSEE codes alone', places: draw.some(all.communes, 400), among: all.communes },
      ...{ coded: true, strangers: 0, columns: { INSEE: ({ codes }) => codes[0] ?? '', valeur: figure } },
    },
    {
      ...{
        name: 'communes by name',
        places: all.communes.filter(({ codes }) => codes[0]?.startsWith('29')),
        among: all.communes,
      },
      around: [(name) => `Commune de ${name}`, (name) => `Mairie de ${name}`],
      columns: { Année: () => '2023', Nom: written, Habitants: figure },
    },
    {
      ...{
        name: 'Gemeinden of Switzerland',
        places: draw.some(all.gemeinden, 400),
        among: all.gemeinden,
        separator: ';',
      },
      around: [(name) => `Gemeinde ${name}`],
      ...{ containerOf: byCountry, columns: { Gemeinde: written, Land: () => 'Schweiz', Steuern: figure } },
    },
    {
      ...{ name: 'divisions of Latin America with the country', language: 'es', separator: ';' },
      ...{ places: of('AR', 'CL', 'CO', 'PE', 'BO', 'EC', 'VE', 'PY'), containerOf: byCountry },
      columns: { País: inLanguage('es'), Provincia: written, Casos: figure },
    },
    {
      ...{ name: 'departamentos of Colombia', places: of('CO'), language: 'es', separator: ';' },
      around: [(name) => `Departamento de ${name}`, (name) => `Dpto. ${name}`],
      columns: { Departamento: written, Valor: figure },
    },
    {
      ...{ name: 'provinces of Canada in French', places: of('CA'), language: 'fr', separator: ';' },
      columns: { 'Province ou territoire': written, Superficie: figure },
    },
    {
      ...{ name: 'states with codes of countries', places: of('IN', 'AU', 'NG', 'MX'), language: 'en', typos: 12 },
      ...{ containerOf: byCountry, columns: { country_code: byCountry, state: written, gdp: figure } },
    },
    {
      ...{ name: 'governorates in Arabic', places: of('EG', 'IQ', 'SA'), language: 'ar' },
      ...{ containerOf: byCountry, columns: { الدولة: inLanguage('ar'), المحافظة: written } },
    },
    {
      ...{ name: 'Länder in Italian', places: of('DE', 'AT'), language: 'it', separator: ';' },
      columns: { Regione: written, Abitanti: figure },
    },
    {
      ...{ name: 'provinces in Portuguese', places: of('AO', 'MZ', 'PT'), language: 'pt', separator: ';' },
      ...{ containerOf: byCountry, columns: { País: inLanguage('pt'), Província: written, Valor: figure } },
    },
    {
      ...{ name: 'provinces of Turkey with many typos', places: of('TR'), language: 'en', typos: 30 },
      columns: { province: written, students: figure },
    },
    {
      ...{ name: 'counties and voivodeships with suffixes', places: of('PL', 'SE', 'NO', 'IE'), language: 'en' },
      ...{ containerOf: byCountry, typos: 5, columns: { id: figure, Name: written, Country: inLanguage('en') } },
    },
  ];
  return recipes.map((recipe) => made(draw, recipe));
}
