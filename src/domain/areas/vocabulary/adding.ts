import { list } from './phrases.ts';
import type { Language, Phrase } from './vocabulary.ts';

// Words behind what is left out that add to the whole: "Texas except Harris County, plus Ohio".

interface AddingWords {
  /** They always add to the whole. */
  readonly always: readonly Phrase[];
  /** They add a place that is not a part of it, and continue the exclusion with one that is. */
  readonly perhaps: readonly Phrase[];
}

export const ADDING: Readonly<Record<Language, AddingWords>> = {
  en: {
    always: list(
      'plus, and also, and in addition, in addition, additionally, and additionally, but with, but including, but also, adding, and add, also, and plus, plus all of, but keep, but do include, and all of',
    ),
    perhaps: list('as well as, together with, along with'),
  },
  es: {
    always: list(
      'más, y más, y además, además, además de, y también, también, pero con, pero incluyendo, pero sí, añadiendo, y añade, sumando',
    ),
    perhaps: list('así como, junto con'),
  },
  de: {
    always: list(
      'dazu, und dazu, plus, und plus, außerdem, und außerdem, zusätzlich, und zusätzlich, und auch, aber mit, aber inklusive, aber einschließlich, hinzu',
    ),
    perhaps: list('sowie, zusammen mit, samt, mitsamt, nebst'),
  },
  fr: {
    always: list(
      'plus, et plus, en plus, et en plus, avec en plus, en plus de, en outre, et en outre, et aussi, mais avec, mais en incluant, en ajoutant, et en ajoutant, et également',
    ),
    perhaps: list('ainsi que, de même que'),
  },
};
