import { describe, expect, it } from 'vitest';
import { rewritesOf } from '../../src/domain/search/noise.ts';
import { DESCRIBING, isEndOf, LINKS, MOST_WORDS, NOISE } from '../../src/domain/search/noise_words.ts';

describe('words around a name', () => {
  it.each([
    ['words for a map', NOISE],
    ['kinds of maps', DESCRIBING],
    ['words between', LINKS],
  ])('knows the ends of %s', (_, list) => {
    expect(list.size).toBeGreaterThan(40);
    for (const phrase of list) {
      const words = phrase.split(' ');
      expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
      expect(isEndOf(list, words[0] ?? '', true), phrase).toBe(true);
      expect(isEndOf(list, words.at(-1) ?? '', false), phrase).toBe(true);
      // A word that is written with a full stop in it is several when it is folded.
      expect(isEndOf(list, phrase, true) && isEndOf(list, phrase, false), phrase).toBe(true);
    }
    for (const word of ['zorgly', '', ' ']) expect(isEndOf(list, word, true) || isEndOf(list, word, false)).toBe(false);
  });

  it('leaves out every word for a map, in front of a name and behind it', () => {
    for (const phrase of NOISE)
      for (const q of [`${phrase} Zorgly`, `Zorgly ${phrase}`, `${phrase.replaceAll(' ', '.')} Zorgly`])
        expect(rewritesOf(q), q).toContainEqual(expect.objectContaining({ q: 'Zorgly' }));
  });
});
