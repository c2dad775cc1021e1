import { expect, it } from 'vitest';
import { evidenceNeeded } from '../../src/domain/search/slips.ts';
import { allowedEdits, lettersOf, similarityGrader } from '../../src/domain/search/typos.ts';

it.each([
  // A first letter that is neither beside the right one on a keyboard nor sounds like it.
  ['penguin', 'denguin', 9],
  ['hello', 'rello', 9],
  // A key beside it, a letter that sounds alike, one doubled, lost or swapped.
  ['mavarra', 'navarra', 4.5],
  ['hirondelle', 'girondelle', 4.5],
  ['nabarra', 'navarra', 0],
  ['kadiz', 'cadiz', 4.5],
  ['sevila', 'sevilla', 0],
  ['sevillla', 'sevilla', 0],
  ['svilla', 'sevilla', 0],
  ['esvilla', 'sevilla', 0],
  // Any letter of a long word, but not of a short one.
  ['salamaxca', 'salamanca', 0],
  ['essos', 'esgos', 6.5],
  ['lugi', 'lugo', 6.5],
  ['smuk', 'sauk', 9],
  // Another first letter of a short word, one beside it, and the first one lost.
  ['teal', 'real', 4.5],
  ['nuba', 'cuba', Infinity],
  ['oranges', 'doranges', 4.5],
  // A letter too many.
  ['narnia', 'narni', 5.5],
  ['lugok', 'lugo', 4.5],
  // Two typos, and one in a part of a name.
  ['kqotasangor', 'kotasangor', 0],
  ['lummerland', 'lumparland', 5.5],
  ['gondolin', 'menil gondouin', 6.5],
  // In other scripts a short word has another one only in the name of a country: not by a letter lost, doubled or swapped, or one that sounds alike.
  ['испаня', 'испания', 0],
  ['милка', 'мила', 9],
  ['масква', 'москва', 0],
  ['андалубия', 'андалусия', 5.5],
  ['андалуия', 'андалусия', 0],
  ['مينى', 'مينا', Infinity],
])('a word alone needs evidence for a typo: %s, %s', (query, name, needed) => {
  const letters = lettersOf(name);
  const step = similarityGrader(query, allowedEdits(query))(letters, letters.length, false) ?? Number.NaN;
  expect(step).toBeGreaterThanOrEqual(6);
  expect(evidenceNeeded(query, null)(letters, letters.length, step)).toBe(needed);
});

it('a common word is a typo only in the name of a large place, with letters swapped or doubled', () => {
  const needed = (query: string, name: string): number => {
    const letters = lettersOf(name);
    return evidenceNeeded(query, 'common')(letters, letters.length, 6.1);
  };
  expect(
    ['pairs', 'parris', 'spain', 'mail'].map((query, i) => needed(query, ['paris', 'paris', 'spaib', 'mali'][i] ?? '')),
  ).toEqual([9, 9, Infinity, Infinity]);
});

it('a name of people is a typo only in that of a large place, with letters swapped, doubled or lost', () => {
  const needed = (query: string, name: string, step: number): number => {
    const letters = lettersOf(name);
    return evidenceNeeded(query, 'person')(letters, letters.length, step);
  };
  expect(needed('beatriz', 'beariz', 6.13)).toBe(Infinity);
  expect(needed('granda', 'granada', 6.1)).toBe(6.5);
  expect(needed('virginio', 'virginia', 6.15)).toBe(Infinity);
});
