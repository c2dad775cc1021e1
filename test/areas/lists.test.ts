import { describe, expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

// Forms of lists, with a few known names.

const KNOWN = new Set(
  'Greece, Ohio, Utah, Iowa, New York, Athens, Lake, Caddo, Bossier, NY, KY, OH, PA, WV, Denmark, Norway, Sweden, Finland'
    .split(', ')
    .map(foldName),
);
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

const UTAH_AND_IOWA = ['Utah', 'Iowa'];

describe('items of a list', () => {
  test.each([
    '1: Utah, 2: Iowa',
    '1.º Utah\n2.º Iowa',
    '1° Utah\n2° Iowa',
    '#1 Utah\n#2 Iowa',
    '(i) Utah (ii) Iowa',
    '(a) Utah; (b) Iowa',
    '▪ Utah\n▪ Iowa',
    '✓ Utah\n✓ Iowa',
    '✔️ Utah\n✔️ Iowa',
  ])('have a number, a letter or a sign in front of them: %s', async (description) => {
    expect(namesIn(await read(description))).toEqual(UTAH_AND_IOWA);
  });

  test.each(['Utah, 3: Iowa', 'Utah north of 40° Iowa'])('have no number in the middle of a text: %s', async (one) => {
    const parsed = await parse(one).catch(() => null);
    expect(parsed === null || parsed.unknown >= 1).toBe(true);
  });

  test.each(['OH - PA - WV', 'OH – PA – WV', 'OH PA WV'])(
    'are codes with dashes or blanks: %s',
    async (description) => {
      expect(namesIn(await read(description))).toEqual(['OH', 'PA', 'WV']);
    },
  );
});

test.each([
  'Yes: Utah, Iowa\nNo: Lake',
  'Sí: Utah, Iowa. No: Lake',
  'Ja: Utah, Iowa\nNein: Lake',
  'Oui : Utah, Iowa\nNon : Lake',
  'IN: Utah, Iowa\nOUT: Lake',
  '✓ Utah\n✓ Iowa\n✗ Lake',
])('headings and marks say what is left out: %s', async (description) => {
  const found = await read(description);
  if (found.op !== 'difference') throw new Error(found.op);
  expect([namesIn(found.of), namesIn(found.minus)]).toEqual([UTAH_AND_IOWA, ['Lake']]);
});

test.each(['Yes: Utah\nMaybe: Iowa\nNo: Lake', '✗ Utah\n✓ Iowa'])('other headings are refused: %s', async (one) => {
  await expect(parse(one)).rejects.toThrow(/is not understood/);
});

test.each([
  ['Lake and Athens counties, Ky.', 'KY'],
  ['Lake and Athens counties, N.Y.', 'NY'],
  ['Caddo and Bossier parishes', 'Louisiana'],
  ['Caddo and Bossier boroughs', 'Alaska'],
])('names are in the state behind them, or whose level they have: %s', async (description, within) => {
  const found = await read(description);
  expect(found).toMatchObject({ op: 'children', level: 'county', of: { of: [{ within }, { within }] } });
});

test('parishes alone are refused', async () => {
  await expect(parse('the parishes of Ohio')).rejects.toThrow(/Louisiana/);
});

describe('the name of a group beside its members', () => {
  test.each([
    'Norway, Sweden and Denmark: the Scandinavian countries',
    'the Scandinavian countries: Norway, Sweden, Denmark',
    'Norway, Sweden and Denmark (the Scandinavian countries)',
  ])('is said with them: %s', async (description) => {
    const found = await read(description);
    expect(found).toMatchObject({ op: 'counted', count: 3 });
  });

  test.each([
    'Norway, Sweden and Finland: the Scandinavian countries',
    'Norway and Sweden: the Scandinavian countries',
  ])('is refused beside others: %s', async (description) => {
    await expect(parse(description)).rejects.toThrow(/is not understood/);
  });
});

test.each(['Utah, northern half only', 'Utah (northern half)', 'Utah, solo la mitad norte'])(
  'a half behind a place is of that: %s',
  async (description) => {
    expect(await read(description)).toMatchObject({ op: 'clip', of: { name: 'Utah' }, direction: 'north' });
  },
);

test('a half behind several places is refused', async () => {
  await expect(parse('Iowa and Utah, northern half')).rejects.toThrow();
});

test.each([
  'every one of the counties of Utah',
  'each and every county of Utah',
  'Utah’s counties, every one of them',
  'cada uno de los condados de Utah',
  'chacun des comtés de Utah',
])('each one is all: %s', async (description) => {
  expect(await read(description)).toMatchObject({ op: 'children', level: 'county', of: { name: 'Utah' } });
});

test('a sentence that counts and asks for all is a check of the number', async () => {
  const found = await read('Utah has 29 counties, I need them all');
  expect(found).toMatchObject({ op: 'counted', count: 29, of: { op: 'children', level: 'county' } });
});
