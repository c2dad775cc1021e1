import { wordTable } from './word_table.ts';

/**
 * Whether a folded text is a common word of English, Spanish, German, French, Italian or Portuguese, of 4 letters or more,
 * and names no known place (data/common_words.json, made by scripts/make_common_words.ts).
 */
export const isCommonWord = wordTable('common_words.json', 'words');

/**
 * Whether a folded text is a given name or a surname in the countries of these languages, of 4 letters or more, and neither a
 * common word nor the name of a known place (data/person_names.json, made by scripts/make_person_names.ts).
 */
export const isPersonName = wordTable('person_names.json', 'names');

/**
 * Whether a folded text is a brand of one word, of 4 letters or more, and none of these (data/brand_names.json, made by
 * scripts/make_brand_names.ts).
 */
export const isBrand = wordTable('brand_names.json', 'names');
