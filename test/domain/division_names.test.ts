import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesOfDivision } from '../../src/domain/names/division_names.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const rows = readFileSync('data/division_names.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [string, string]);

it('finds every name of the table, which is folded', () => {
  expect(rows.length).toBeGreaterThan(90_000);
  const wrong = rows.filter(([name, codes]) => codesOfDivision(name).join(' ') !== codes || foldName(name) !== name);
  expect(wrong).toEqual([]);
});

it.each(['', 'a', 'texas', 'ಕರ್ನಾಟ', 'ಕರ್ನಾಟಕಕ', '\u{10ffff}', rows[0]?.[0].slice(0, -1) ?? ''])(
  '%s is in no table',
  (text) => {
    expect(codesOfDivision(text)).toEqual([]);
  },
);
