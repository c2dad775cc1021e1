/**
 * Makes the committed table data/brand_names.json: brands of shops, banks and restaurants of one word, so that a search does not
 * take one of them for a misspelling of the name of some village ("Migros" is not Miglos).
 *
 *   npm install --prefix /tmp/brands name-suggestion-index@8.0.20260918
 *   npx tsx scripts/make_brand_names.ts /tmp/brands
 *
 * The package (95 MB) is not a dependency. Names of a city, a division or another known place are left out, and so are common
 * words and names of people, which other tables have. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasCity } from '../src/domain/names/cities.ts';
import { citiesInside, citiesNamed } from '../src/domain/names/city_names.ts';
import { isCommonWord, isPersonName } from '../src/domain/names/common_words.ts';
import { foldName } from '../src/domain/names/fold.ts';
import { isKnownPlace } from '../src/domain/names/known_places.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the package is installed.');

/** A brand of one word in Latin letters; shorter texts are not searched with misspellings. */
const BRAND = /^\p{Lu}[\p{Script=Latin}\p{M}'’-]{3,}$/u;

interface Item {
  readonly displayName: string;
  readonly tags: Readonly<Record<string, string>>;
}
const { nsi } = JSON.parse(
  readFileSync(resolve(folder, 'node_modules/name-suggestion-index/dist/json/nsi.json'), 'utf8'),
) as { readonly nsi: Readonly<Record<string, { readonly items: readonly Item[] }>> };

const isPlace = (folded: string): boolean =>
  hasCity(folded) || citiesNamed(folded).length > 0 || citiesInside(folded).length > 0 || isKnownPlace(folded);

const found = new Set<string>();
for (const [category, { items }] of Object.entries(nsi)) {
  if (!category.startsWith('brands/')) continue;
  for (const { displayName, tags } of items) {
    for (const text of [displayName, tags.brand ?? '', tags.name ?? '']) {
      const folded = foldName(text);
      if (!BRAND.test(text) || folded.includes(' ') || isCommonWord(folded) || isPersonName(folded)) continue;
      if (!isPlace(folded)) found.add(folded);
    }
  }
}
const table = {
  source: 'npm name-suggestion-index 8.0.20260918 (OpenStreetMap): brands of one word, folded',
  license: 'BSD-3-Clause (THIRD_PARTY_NOTICES.md)',
  names: [...found].sort().join(';'),
};
writeFileSync('data/brand_names.json', `${JSON.stringify(table, null, 1)}\n`);
