import { expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { DescriptionError } from '../../src/domain/areas/description_error.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { restrictionsIn } from '../../src/domain/areas/restricting.ts';
import { findUnused } from '../../src/domain/areas/unused.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const NAMES = ['Kansas', 'Utah', 'Spain', 'España', 'Spanien', 'Espagne', 'Teruel', 'Uruguay'];
const FOLDED = new Set(NAMES.map(foldName));
const lexicon = { has: (name: string) => FOLDED.has(name), relation: () => null };

/** The steps of a description with what the answer says of it; null if it is refused. */
async function read(description: string): Promise<string | null> {
  try {
    const { expression, choices } = await parseDescription(description, lexicon);
    return JSON.stringify([withoutWords(expression as Expression), choices]);
  } catch (error) {
    if (error instanceof DescriptionError) return null;
    throw error;
  }
}

const DESCRIPTIONS = [
  'counties of Kansas',
  'Kansas and Utah',
  'provinces of Spain without Teruel',
  'within 30 km of Teruel',
  'the northern half of Kansas',
  'countries that border Spain',
  'all 105 counties of Kansas',
  "Utah's neighbors",
  'the three largest counties of Kansas',
  'landlocked counties of Utah',
  'counties of Utah with more than 100,000 inhabitants',
  'provincias de España que limitan con Teruel',
  'las dos provincias más grandes de España',
  'a menos de 30 km de Teruel',
  'España sin Teruel',
  'die drei größten Provinzen Spaniens',
  'Spanien ohne Teruel',
  'die Nachbarn von Kansas',
  "les provinces d'Espagne sauf Teruel",
  'la moitié nord de la province de Teruel',
];
/** Words that no place in a description makes noise: a place, a number, negations and directions. */
const INSERTED = ['Uruguay', '7', 'not', 'nicht', 'pas', 'northern', 'occidental', 'östlich'];

test.each(DESCRIPTIONS)('a word more is never silently the same area: %s', async (description) => {
  const area = await read(description);
  expect(area).not.toBeNull();
  const words = description.split(' ');
  const same: string[] = [];
  for (const word of INSERTED) {
    for (let i = 0; i <= words.length; i++) {
      const longer = [...words.slice(0, i), word, ...words.slice(i)].join(' ');
      if ((await read(longer)) === area) same.push(longer);
    }
  }
  expect(same).toEqual([]);
});

/** Words without which a description says the same. */
const NOISE = new Set(['the', 'all', 'of', 'die', 'las', 'la', 'les', 'de', 'von', 'that', 'que', 'con', 'a']);

test.each(DESCRIPTIONS)('a word less is never silently the same area, but for articles: %s', async (description) => {
  const area = await read(description);
  expect(area).not.toBeNull();
  const words = description.split(' ');
  const same: string[] = [];
  for (const [i, word] of words.entries()) {
    if (NOISE.has(word)) continue;
    const shorter = words.toSpliced(i, 1).join(' ');
    if (shorter !== '' && (await read(shorter)) === area) same.push(shorter);
  }
  expect(same).toEqual([]);
});

test.each([
  ['Spain', 'boundary with Spain'],
  ['España', 'la frontera con España'],
  ['España', 'quiero el límite con España'],
  ['Spanien', 'Grenze mit Spanien'],
  ['Espagne', "la frontière avec l'Espagne"],
])('the border that a place shares is not the place %s: %s', async (name, description) => {
  expect(await read(description)).not.toBe(await read(name));
});

test.each([
  ['Spain', 'map of Spain'],
  ['Spain', 'the boundaries of Spain'],
  ['España', 'mapa con España'],
  ['Spanien', 'Grenzen von Spanien'],
  ['Espagne', "les frontières de l'Espagne"],
])('the boundary of a place is the place %s: %s', async (name, description) => {
  expect(await read(description)).toBe(await read(name));
});

test.each(['not Spain', 'most of Spain', 'casi toda España', 'der Rest von Spanien', "une partie de l'Espagne"])(
  'words that no rule reads restrict an area, so that no rewording leaves them out: %s',
  (description) => {
    expect(restrictionsIn(description, false).length).toBeGreaterThan(0);
  },
);

/** Rules of two places, `A` and `B`, which are not the same the other way around. */
const ORDERED = [
  ...[
    'A without B',
    'counties of A that border B',
    'A within 30 km of B',
    'the part of A north of B',
    'A and its neighbors, B',
  ],
  ...['counties of A within 30 km of B', 'include: A; exclude: B', 'A. Not B', 'A (B)'],
  ...['A sin B', 'provincias de A que limitan con B', 'A y sus vecinos sin B', 'la parte de A al norte de B'],
  ...['A ohne B', 'Provinzen von A, die an B grenzen', 'die Nachbarn von A ohne B', 'A. Nicht B'],
  ...['A sauf B', 'les provinces de A qui bordent B', 'la moitié nord de A sans B', 'A. Pas B'],
];
/** Rules that are. */
const SYMMETRIC = ['A and B', 'both A and B', 'A, B', 'A y B', 'A sowie B', 'A ainsi que B', 'Territory: A; B'];

/** The steps of a description, with its places in the order of their names where they are only joined. */
const joined = (area: string | null): string | null => {
  if (area === null) return null;
  const [expression] = JSON.parse(area) as [Expression];
  if (expression.op !== 'union') return area;
  return JSON.stringify(expression.of.map((one) => JSON.stringify(one)).toSorted());
};
const between = (rule: string, a: string, b: string): string =>
  rule.replace(/[AB]/, a).replace(/(?<=[\s(])[AB](?!\p{L})/u, b);

test.each(ORDERED)('two places in the other order are never silently the same area: %s', async (rule) => {
  const [one, other] = [between(rule, 'Kansas', 'Utah'), between(rule, 'Utah', 'Kansas')];
  const area = await read(one);
  if (area !== null) expect(joined(await read(other))).not.toBe(joined(area));
  else expect(await read(other)).toBeNull();
});

test.each(SYMMETRIC)('two places that are only joined are the same in any order: %s', async (rule) => {
  const area = joined(await read(between(rule, 'Kansas', 'Utah')));
  expect(area).not.toBeNull();
  expect(joined(await read(between(rule, 'Utah', 'Kansas')))).toBe(area);
});

test.each(['7', 'not', 'northern', 'bordering', 'ohne', 'más grande', 'the neighbors of', 'sans'])(
  'a word that chooses and that no step was read from is found: %s',
  (word) => {
    const place: Expression = { op: 'place', name: 'Kansas', words: { text: 'Kansas', from: 0, to: 6 } };
    expect(findUnused('Kansas', place)).toBeNull();
    const text = `Kansas ${word}`;
    expect(findUnused(text, place)?.from).toBeGreaterThanOrEqual(7);
    const union: Expression = { op: 'union', of: [place], words: { text, from: 0, to: text.length } };
    expect(findUnused(text, union)?.from).toBeGreaterThanOrEqual(7);
  },
);

test.each([
  'Dare and Hyde counties, North Dakota',
  'the counties of Dare, Hyde and Kent (West Dakota)',
  'counties of North Dakota: Dare, Hyde',
  'State: North Dakota; counties: Dare, Hyde',
])('what contains the places of a list is read: %s', async (description) => {
  const names = new Set(['Dare', 'Hyde', 'Kent', 'North Dakota', 'West Dakota'].map(foldName));
  const { unknown } = await parseDescription(description, { has: (name) => names.has(name), relation: () => null });
  expect(unknown).toBe(0);
});
