import type { Words } from './algebra.ts';

/** Why a description was not understood, with the words and their place. */
export class Misread extends Error {
  readonly words: Words;

  constructor(message: string, words: Words) {
    super(message);
    this.words = words;
  }
}

/** A text as errors quote it. */
export function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
