import { VOCABULARIES } from './languages.ts';

/** Words of one word for levels in all languages, in any number, folded. */
export const LEVEL_PHRASES: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels, city }) =>
    [...[...levels.values()].flatMap(({ one, many }) => [...one, ...many]), ...city].flatMap((phrase) =>
      phrase.length === 1 ? phrase : [],
    ),
  ),
);

/** Articles and words for "of" in all languages, of one word, folded. */
export const LINKS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ articles, of }) =>
    [...articles, ...of].flatMap((phrase) => (phrase.length === 1 ? phrase : [])),
  ),
);
