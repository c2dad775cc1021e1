import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { SPANISH } from './spanish.ts';
import type { Vocabulary } from './vocabulary.ts';

/** All vocabularies, in the order in which they are tried. */
export const VOCABULARIES: readonly Vocabulary[] = [ENGLISH, SPANISH, GERMAN, FRENCH];

/** All words of the grammar of each language, folded. */
export const WORDS_BY_LANGUAGE: readonly ReadonlySet<string>[] = VOCABULARIES.map((one) => new Set(wordsIn(one)));

/** All words of the grammars, folded: none of them is a name by its capital alone. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(WORDS_BY_LANGUAGE.flatMap((words) => [...words]));

/** The first words of the phrases for several boundaries of a level in all languages, folded: "states". */
export const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((v) => [...v.levels.values()].flatMap(({ many }) => many.map(([first]) => first ?? ''))),
);

/** The words in the phrases of a vocabulary. */
function* wordsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Map) {
    for (const [key, member] of value) {
      yield* wordsIn(key);
      yield* wordsIn(member);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) yield* wordsIn(member);
  }
}
