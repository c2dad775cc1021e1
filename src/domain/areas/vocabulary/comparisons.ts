import type { ComparisonWords } from './comparison_words.ts';
import { ENGLISH_COMPARISONS } from './english_comparisons.ts';
import { FRENCH_COMPARISONS } from './french_comparisons.ts';
import { GERMAN_COMPARISONS } from './german_comparisons.ts';
import { list } from './phrases.ts';
import { SPANISH_COMPARISONS } from './spanish_comparisons.ts';
import type { Language } from './vocabulary.ts';

export type { Comparison, Measure } from './comparison_words.ts';

/** The words of each language that compare. */
export const COMPARISONS: Readonly<Record<Language, ComparisonWords>> = {
  en: ENGLISH_COMPARISONS,
  es: SPANISH_COMPARISONS,
  de: GERMAN_COMPARISONS,
  fr: FRENCH_COMPARISONS,
};

/** Behind a number of square kilometers, in any language: "mit mehr als 17.000 km2 Fläche". */
export const AREA_BEHIND = list(
  'Fläche, an Fläche, de superficie, de extensión, de surface, of area, of land, in area, in size, en superficie',
);
