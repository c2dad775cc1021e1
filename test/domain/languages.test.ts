import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { acceptedLanguages, languagesOf, nameIn, namesIn, tagsFor } from '../../src/domain/names/languages.ts';

const NAMES = {
  de: 'Peking',
  'pt-BR': 'Pequim (BR)',
  'zh-Hans': '北京',
  'zh-Hant': '北京 (Hant)',
  fr: 'Pékin',
  'sr-Latn': 'Peking (Latn)',
};

describe('acceptedLanguages', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['de', ['de']],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', ['fr-ch', 'fr', 'en', 'de']],
    ['en;q=0.5,de', ['de', 'en']],
    ['de;q=0.8,*;q=0.9,fr', ['fr']],
    ['de;q=0,fr;q=0.000,it;q=1.000', ['it']],
    ['*', []],
    [' , de ,', ['de']],
    ['de;q=2', []],
    ['de;q=0.1;q=0.2', []],
    ['de;level=1', []],
    ['de_AT, fr', []],
    ['"de"', []],
    ['de fr', []],
    ['x'.repeat(9), []],
  ])('of %j are %j', (header, languages) => {
    expect(acceptedLanguages(header)).toEqual(languages);
  });

  it('reads no more than twenty, whatever it is sent', () => {
    expect(acceptedLanguages(Array.from({ length: 5000 }, (_, i) => `x${i}`).join(','))).toEqual([]);
    expect(acceptedLanguages('de,'.repeat(5000))).toEqual(['de']);
    expect(acceptedLanguages(Array.from({ length: 5000 }, (_, i) => `de-${i}`).join(','))).toHaveLength(20);
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => acceptedLanguages(text).length <= 20));
  });
});

describe('nameIn', () => {
  it.each<[string, string | null]>([
    ['de', 'Peking'],
    ['DE-ch-1901', 'Peking'],
    ['it,fr', 'Pékin'],
    ['it', null],
    ['pt', 'Pequim (BR)'],
    ['zh-hant', '北京 (Hant)'],
    ['zh', '北京'],
    ['zh-TW,fr', 'Pékin'],
    ['d', null],
  ])('%s is %j', (list, name) => {
    expect(nameIn(NAMES, languagesOf(list))).toBe(name);
  });

  it('of no languages is none', () => {
    expect(nameIn(NAMES, [])).toBeNull();
  });
});

describe('namesIn', () => {
  it('has the languages that are asked for with their variants, and no others', () => {
    expect(Object.keys(namesIn(NAMES, ['zh', 'de', 'it']))).toEqual(['de', 'zh-Hans', 'zh-Hant']);
    expect(namesIn(NAMES, 'all')).toEqual(NAMES);
    expect(namesIn(NAMES, ['z'])).toEqual({});
  });
});

describe('tags of names that preferences lead to', () => {
  it('give the name that nameIn() gives, for random names and preferences', () => {
    const next = seeded(5);
    const all = ['de', 'de-at', 'de-ch-1996', 'zh-hans', 'zh-hant', 'en', 'en-gb', 'fr'];
    const pick = (list: readonly string[]) => list.filter(() => next() < 0.4);
    for (let round = 0; round < 500; round++) {
      const names = Object.fromEntries(pick(all).map((tag) => [tag, `name in ${tag}`]));
      const prefer = pick(['xx', 'de-zz', 'de', 'zh', 'zh-hans-cn', 'en-gb', 'en', 'qq-latn', 'de-ch']);
      const [first] = tagsFor(prefer, all).flatMap((tag) => names[tag] ?? []);
      expect(first ?? null).toBe(nameIn(names, prefer));
    }
    expect(tagsFor(['xx', 'qq-latn'], all)).toEqual([]);
  });
});
