import type { Words } from './algebra.ts';

/** Thrown if a description is not understood; carries the words at fault and their position. */
export class DescriptionError extends Error {
  readonly words: Words;

  constructor(message: string, words: Words) {
    super(message);
    this.words = words;
  }
}

/** Shortens a text to 80 characters for quoting in errors. */
export function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
