/**
 * Makes the committed table data/person_names.json: given names and surnames of the countries of six languages, so that a
 * search does not take one of them for a misspelling of the name of some village ("Beatriz" is not Beariz).
 *
 *   npm install --prefix /tmp/people @faker-js/faker@9.9.0
 *   npx tsx scripts/make_person_names.ts /tmp/people
 *
 * The package (12 MB) is not a dependency: of it these are the given names and the surnames. Names of a city, a division or
 * another known place are left out, and so are common words, which data/common_words.json has. Review the diff before you
 * commit it.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { citiesNamed } from '../src/domain/names/city_names.ts';
import { isCommonWord } from '../src/domain/names/common_words.ts';
import { foldName } from '../src/domain/names/fold.ts';
import { isKnownPlace } from '../src/domain/names/known_places.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the package is installed.');

type Names = Readonly<Record<string, readonly string[] | undefined>>;
interface Faker {
  readonly rawDefinitions: { readonly person?: { readonly first_name?: Names; readonly last_name?: Names } };
}
const { allFakers } = createRequire(resolve(folder, 'package.json'))('@faker-js/faker') as {
  readonly allFakers: Readonly<Record<string, Faker>>;
};

const LOCALES = ['en', 'es', 'es_MX', 'de', 'de_AT', 'de_CH', 'fr', 'fr_CH', 'it', 'pt_BR', 'pt_PT'];
/** Shorter texts are not searched with misspellings. */
const SHORTEST = 4;

const found = new Set<string>();
for (const locale of LOCALES) {
  const { first_name, last_name } = allFakers[locale]?.rawDefinitions.person ?? {};
  for (const name of [first_name, last_name].flatMap((names) => Object.values(names ?? {}).flat())) {
    for (const word of (name ?? '').split(/[\s-]/)) {
      const folded = foldName(word);
      if (folded.length < SHORTEST || !/^\p{L}+$/u.test(folded) || isCommonWord(folded)) continue;
      if (citiesNamed(folded).length === 0 && !isKnownPlace(folded)) found.add(folded);
    }
  }
}
const table = {
  source: `npm @faker-js/faker 9.9.0 (${LOCALES.join(', ')}): given names and surnames, folded`,
  license: 'MIT (THIRD_PARTY_NOTICES.md)',
  names: [...found].sort().join(';'),
};
writeFileSync('data/person_names.json', `${JSON.stringify(table, null, 1)}\n`);
