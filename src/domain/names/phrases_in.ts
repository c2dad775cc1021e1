// Phrases at the ends of folded texts, whose words one blank divides.

/** A set of phrases, each in any language, and the words of the longest one. */
export interface PhraseSet {
  readonly phrases: ReadonlySet<string>;
  readonly most: number;
}

/** Returns a set of comma-separated folded phrases. */
export function phraseSet(text: string): PhraseSet {
  const phrases = text.split(/,\s*/);
  return { phrases: new Set(phrases), most: Math.max(...phrases.map((phrase) => phrase.split(' ').length)) };
}

/** Returns the words behind the longest phrase of a set that words begin with; null if they begin with none. */
export function behindPhrase(words: readonly string[], { phrases, most }: PhraseSet): readonly string[] | null {
  for (let count = Math.min(most, words.length); count > 0; count--)
    if (phrases.has(words.slice(0, count).join(' '))) return words.slice(count);
  return null;
}

/** Returns the words in front of the longest phrase of a set that words end with; null if they end with none. */
export function beforePhrase(words: readonly string[], { phrases, most }: PhraseSet): readonly string[] | null {
  for (let count = Math.min(most, words.length); count > 0; count--)
    if (phrases.has(words.slice(words.length - count).join(' '))) return words.slice(0, words.length - count);
  return null;
}
