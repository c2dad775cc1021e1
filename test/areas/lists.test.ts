import { describe, expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

// Forms of lists, with a few known names.

const KNOWN = new Set('Greece, Ohio, Utah, Iowa, New York, Athens, Lake'.split(', ').map(foldName));
const lexicon = {
  has: (name: string) => KNOWN.has(name),
  relation: (name: string) => (name === 'athens' ? ('inside' as const) : null),
};
const parse = (description: string) => parseDescription(description, lexicon);
const namesIn = (one: Expression): string[] => {
  if (one.op === 'union') return one.of.flatMap(namesIn);
  return one.op === 'place' ? [one.name ?? ''] : [one.op];
};
const read = async (description: string): Promise<Expression> => withoutWords((await parse(description)).expression);

describe('two names with a comma beside a place in another', () => {
  test.each([
    ['Greece, New York and Athens, Ohio', ['Greece', 'New York']],
    ['Athens, Ohio and Greece, New York', ['Greece', 'New York']],
    ['Greece, New York, Athens, Ohio', ['Greece', 'New York']],
  ])('may be one place, too: %s', async (description, pair) => {
    const { pairs } = await parse(description);
    expect(pairs.map((one) => one.flatMap(namesIn))).toEqual([pair]);
  });

  test.each(['Ohio and Athens, Ohio', 'Greece, New York, Utah and Athens, Ohio'])(
    'are not a pair: %s',
    async (list) => {
      expect((await parse(list)).pairs).toEqual([]);
      expect((await read(list)).op).toBe('union');
    },
  );
});
