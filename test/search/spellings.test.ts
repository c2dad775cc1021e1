import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codesOfDivision } from '../../src/domain/names/division_names.ts';
import { indicSpellings } from '../../src/domain/names/indic.ts';
import { codesOfJoinedInitials } from '../../src/domain/names/joined_initials.ts';
import { codesWithNames } from '../../src/domain/names/place_names.ts';

describe('initials that a sign joins', () => {
  it('are those of every country and division of two English names', () => {
    const pairs = [...codesWithNames()].flatMap(([code, names]) =>
      names.flatMap((name) => {
        const words = name.split(' ');
        return words.length === 3 &&
          words[1] === 'and' &&
          words.every((word, at) => at === 1 || /^[A-Z][a-z]+$/.test(word))
          ? [{ code, q: `${words[0]?.charAt(0)}&${words[2]?.charAt(0)}` }]
          : [];
      }),
    );
    expect(pairs.length).toBeGreaterThan(10);
    for (const { code, q } of pairs) expect(codesOfJoinedInitials(q), q).toContain(code);
  });

  it.each(['j&k', 'JK', 'J+K', 'AT&T', 'J&K&L', 'X&Q', 'J and K'])('%s has none', (text) => {
    expect(codesOfJoinedInitials(text)).toEqual([]);
  });
});

describe('other spellings in the scripts of India', () => {
  it('differ in one letter, and lead back', () => {
    const names = readFileSync('data/division_names.tsv', 'utf8')
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')
      .filter((name) => /[\u0980-\u09ff]/u.test(name));
    expect(names.length).toBeGreaterThan(1_000);
    for (const name of names) {
      for (const other of indicSpellings(name)) {
        expect([...other].filter((letter, at) => letter !== [...name][at])).toHaveLength(1);
        expect(indicSpellings(other)).toContain(name);
      }
    }
  });

  it.each([
    ['গুজরাট', 'IN-GJ'],
    ['ગુજરાટ', 'IN-GJ'],
  ])('%s is %s', (text, code) => {
    expect(codesOfDivision(text)).toEqual([]);
    expect(indicSpellings(text).flatMap(codesOfDivision)).toContain(code);
  });

  it.each(['gujarat', 'Гуджарат', 'グジャラート', ''])('"%s" has none', (text) => {
    expect(indicSpellings(text)).toEqual([]);
  });
});
