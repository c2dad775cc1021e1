/**
 * Makes the committed table data/division_names.tsv: names (folded, sorted by bytes) of first-level divisions in other languages and scripts than those of
 * data/place_names.json, by their ISO 3166-2 codes: "ಕರ್ನಾಟಕ" is IN-KA. They are looked up beside stored names, which a change
 * of this table does not touch.
 *
 *   apt-get download unicode-cldr-core=41-0.1 && dpkg -x unicode-cldr-core_41-0.1_all.deb /tmp/names/cldr
 *   apt-get download iso-codes=4.15.0-1 && dpkg -x iso-codes_4.15.0-1_all.deb /tmp/names/iso-codes
 *   npx tsx scripts/make_division_names.ts /tmp/names
 *
 * CLDR has them in common/subdivisions, a file for each language; its packages on npm have them in English alone. Review the
 * diff before you commit it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foldName, stripTypeWords } from '../src/domain/names/fold.ts';
import { groupOf } from '../src/domain/names/groups.ts';
import { readWordLists } from './city_names/word_lists.ts';
import { readMessages } from './short_names/messages.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are unpacked.');
const root = resolve(folder, 'cldr/usr/share/unicode/cldr/common');
/** The fewest letters of a name in Latin letters, which is longer than a code, and in another script. */
const [SHORTEST, SHORTEST_ELSEWHERE] = [5, 2];
/** A name without other signs than letters. */
const NAME = /^[\p{L}\p{M}\p{N} .,'’ʼʻ·・()/-]+$/u;
/** Codes of one name: Punjab is one of India and one of Pakistan. */
const MOST_CODES = 4;
/** A language whose script few people can type. */
const CHAKMA = 'ccp';
/** Divisions of a country that people know the names of in other languages. */
const MOST_DIVISIONS = 100;

const read = (name: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
  JSON.parse(readFileSync(join('data', name), 'utf8'));
const stored = read('place_names.json').names ?? {};
/** The codes of each folded name that the tables have. */
const known = new Map<string, Set<string>>();
for (const [code, list] of Object.entries(stored)) {
  for (const text of list.split(';').map(foldName)) known.set(text, (known.get(text) ?? new Set()).add(code));
}

/** Codes of CLDR ("inka") as ISO 3166-2 writes them, of first-level divisions and countries' former codes. */
const aliases = new Map<string, Set<string>>();
const metadata = readFileSync(join(root, 'supplemental/supplementalMetadata.xml'), 'utf8');
for (const [, type = '', replacement = ''] of metadata.matchAll(
  /<subdivisionAlias type="(\w+)" replacement="(\w+)"/g,
)) {
  for (const [a, b] of [
    [type, replacement],
    [replacement, type],
  ] as const)
    aliases.set(a, (aliases.get(a) ?? new Set()).add(b));
}
const isoOf = (code: string): string => `${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase();

const names = new Map<string, Set<string>>();
const lists = readWordLists(resolve(folder));
/** Adds a name of the divisions of some codes, and what is left of it without words for a division. */
function add(codes: readonly string[], text: string): void {
  const all = codes.filter((one) => stored[one] !== undefined);
  if (all.length === 0 || !NAME.test(text)) return;
  const folded = foldName(text);
  for (const name of [folded, ...stripTypeWords(folded)]) {
    const isLatin = /^[\p{Script=Latin} ]+$/u.test(name);
    if (name.length < (isLatin ? SHORTEST : SHORTEST_ELSEWHERE) || /\d/.test(name)) continue;
    // A word ("Centre"), a country or a group is not meant as a division; nor is a city by a name that its division shares.
    if (known.has(name) || groupOf(name) !== null || (isLatin && lists.isWord(name, false))) continue;
    for (const one of all) names.set(name, (names.get(name) ?? new Set()).add(one));
  }
}
for (const file of readdirSync(join(root, 'subdivisions')).sort()) {
  if (file === `${CHAKMA}.xml`) continue;
  const xml = readFileSync(join(root, 'subdivisions', file), 'utf8');
  for (const [, code = '', text = ''] of xml.matchAll(/<subdivision type="(\w+)"[^>]*>([^<]+)</g))
    add([code, ...(aliases.get(code) ?? [])].map(isoOf), text);
}
// The same of iso-codes, where one division alone has the English name that is translated.
const shared = resolve(folder, 'iso-codes/usr/share');
const { '3166-2': divisions } = JSON.parse(readFileSync(join(shared, 'iso-codes/json/iso_3166-2.json'), 'utf8')) as {
  readonly '3166-2': readonly { readonly code: string; readonly name: string }[];
};
/** Whether the other tables know a code by a name: Iran has given its codes to other provinces. */
const isStoredAs = (code: string, text: string): boolean =>
  [foldName(text), ...stripTypeWords(foldName(text))].some((name) => known.get(name)?.has(code) === true);
const byEnglish = new Map<string, { readonly code: string }[]>();
for (const one of divisions) byEnglish.set(one.name, [...(byEnglish.get(one.name) ?? []), one]);
for (const language of readdirSync(join(shared, 'locale')).sort()) {
  const file = join(shared, 'locale', language, 'LC_MESSAGES/iso_3166-2.mo');
  if (!existsSync(file)) continue;
  for (const [english, text] of readMessages(file)) {
    const [only, ...others] = byEnglish.get(english) ?? [];
    if (only !== undefined && others.length === 0 && isStoredAs(only.code, english)) add([only.code], text);
  }
}
/** What is left of the names of groups of islands: "canarie" of "isole canarie". */
const ISLANDS =
  /^(?:isole|islas|ilhas|iles|illes|wyspy|ostrovy|insulele) | (?:islands|eilanden|inseln|oarna|oyene|saaret|adalari|szigetek)$/u;
for (const [name, codes] of [...known, ...names]) {
  const rest = name.replace(ISLANDS, '');
  if (rest === name || rest.length < SHORTEST || known.has(rest) || lists.isWord(rest, false)) continue;
  const divisions = [...codes].filter((code) => code.length > 2);
  if (divisions.length === codes.size) names.set(rest, new Set([...divisions, ...(names.get(rest) ?? [])]));
}

/** Countries with so many divisions of the first level that they are municipalities, such as Slovenia. */
const counts = new Map<string, number>();
const hierarchy = readFileSync(join(root, 'supplemental/subdivisions.xml'), 'utf8');
for (const [, country = '', list = ''] of hierarchy.matchAll(/<subgroup type="([A-Z]{2})" contains="([^"]+)"/g))
  counts.set(country, list.split(' ').length);
const isSmall = (code: string): boolean => (counts.get(code.slice(0, 2)) ?? 0) > MOST_DIVISIONS;

const rows: string[] = [];
for (const [name, codes] of names) {
  if (codes.size > MOST_CODES) continue;
  // "State of Karnataka" is read as Karnataka.
  const isSame = (rest: string): boolean =>
    [...codes].every((code) => known.get(rest)?.has(code) || names.get(rest)?.has(code));
  if (stripTypeWords(name).some(isSame) || [...codes].every(isSmall)) continue;
  rows.push(`${name}\t${[...codes].sort().join(' ')}`);
}
rows.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
writeFileSync('data/division_names.tsv', `${rows.join('\n')}\n`);
