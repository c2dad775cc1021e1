import { describe, expect, it } from 'vitest';
import { NUMBER_WORDS } from '../../src/domain/areas/vocabulary/number_words.ts';

const KNOWN = {
  en: { one: 1, thirteen: 13, 'forty two': 42, 'ninety nine': 99, hundred: 100, 'two hundred': 200 },
  de: {
    eins: 1,
    einundzwanzig: 21,
    siebenunddreissig: 37,
    neunundneunzig: 99,
    hundert: 100,
    dreihundert: 300,
    zwanzigtausend: 20_000,
  },
  es: {
    veintiuna: 21,
    veintidos: 22,
    veintiseis: 26,
    'treinta y un': 31,
    'noventa y nueve': 99,
    cien: 100,
    quinientas: 500,
    'medio millon': 500_000,
  },
  fr: {
    'dix sept': 17,
    'vingt et un': 21,
    'vingt deux': 22,
    'soixante dix': 70,
    'soixante et onze': 71,
    'soixante dix neuf': 79,
    'quatre vingts': 80,
    'quatre vingt un': 81,
    'quatre vingt onze': 91,
    'nonante neuf': 99,
    cent: 100,
    'neuf cents': 900,
    'un million et demi': 1_500_000,
  },
} as const;

describe.each(Object.entries(NUMBER_WORDS))('number words in %s', (language, words) => {
  it('name each number from 1 to 100 and each whole hundred up to 900, and are known ones', () => {
    const numbers = Array.from({ length: 100 }, (_, i) => i + 1);
    const found = new Set(words.values());
    expect([...found].filter((one) => one <= 100).sort((a, b) => a - b)).toEqual(numbers);
    for (let hundred = 200; hundred <= 900; hundred += 100) expect(found, String(hundred)).toContain(hundred);
    for (const [word, number] of Object.entries(KNOWN[language as keyof typeof KNOWN]))
      expect(words.get(word), word).toBe(number);
  });
});
