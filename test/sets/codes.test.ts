import { expect, it } from 'vitest';
import { codeOf, MOST_CODE, readSetId } from '../../src/common/set_ids.ts';

it.each([
  ['Nord-Ouest / 3', 'Nord-Ouest-3'],
  [`${'a'.repeat(MOST_CODE)}b`, 'a'.repeat(MOST_CODE)],
  // A letter outside of the first plane is two units of a string.
  [`${'a'.repeat(MOST_CODE - 1)}𠮷`, 'a'.repeat(MOST_CODE - 1)],
  [`${'a'.repeat(MOST_CODE - 2)}𠮷`, `${'a'.repeat(MOST_CODE - 2)}𠮷`],
])('the code of %s is part of an id', (text, code) => {
  expect(codeOf(text)).toBe(code);
  expect(readSetId(`set:north/${code}`)).toBe(`set:north/${code}`);
});
