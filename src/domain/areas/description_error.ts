import type { LevelWord, Words } from './algebra.ts';
import type { Language } from './vocabulary/vocabulary.ts';
import type { Sentence } from './wording/said.ts';

/** A level that says of no place: where one can be written, behind the preposition of the language. */
export interface WithoutContainer {
  readonly level: LevelWord;
  /** The offset behind the word for the level. */
  readonly at: number;
  readonly language: Language;
}

/** Thrown if a description is not understood; carries the words at fault and their position. */
export class DescriptionError extends Error {
  readonly words: Words;
  readonly sentence: Sentence;
  readonly without: WithoutContainer | null;

  constructor(sentence: Sentence, words: Words, without: WithoutContainer | null = null) {
    super(String(sentence));
    this.sentence = sentence;
    this.words = words;
    this.without = without;
  }
}

/** Shortens a text to 80 characters for quoting in errors. */
export function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
