import { describe, expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const KNOWN = new Set(
  [
    'Ohio',
    'Iowa',
    'Utah',
    'Lake',
    'Story',
    'España',
    'Spain',
    'Spanien',
    'Lugo',
    'Soria',
    'Galicia',
    'Vereinigte Staaten',
  ].map(foldName),
);
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };
const parse = (description: string) => parseDescription(description, lexicon);
const read = async (description: string): Promise<Expression> => withoutWords((await parse(description)).expression);
const place = (name: string, more: object = {}) => ({ op: 'place', name, ...more });

describe('words behind an exclusion that add', () => {
  const lake = place('Lake', { level: 'county' });
  const added = { op: 'union', of: [{ op: 'difference', of: place('Ohio'), minus: lake }, place('Iowa')], apart: true };

  test.each([
    'Ohio except Lake County, plus Iowa',
    'Ohio without Lake County but with Iowa',
    'Ohio (except Lake County) and Iowa',
    'Ohio, except Lake County, and Iowa',
    'Ohio sin el condado de Lake, más Iowa',
    'Ohio ohne Lake County und außerdem Iowa',
    'Ohio sauf le comté de Lake, et en plus Iowa',
  ])('add to the whole: %s', async (description) => {
    expect(await read(description)).toEqual(added);
  });

  test('may go on with the exclusion, which is the other reading', async () => {
    const { expression, otherwise } = await parse('Ohio without Lake County as well as Iowa');
    expect(withoutWords(expression)).toEqual(added);
    expect(otherwise && withoutWords(otherwise.expression)).toMatchObject({ op: 'difference', minus: { op: 'union' } });
  });

  test('do not end a list of exclusions', async () => {
    const { expression, otherwise } = await parse('Spain without Lugo, Soria, and Utah');
    expect(expression).toMatchObject({ op: 'difference', minus: { op: 'union' } });
    expect(otherwise).toBeUndefined();
  });
});

test.each([
  ['Lugo y Soria, provincias de España', 'province', 'España'],
  ['Lugo and Soria, provinces of Spain', 'province', 'Spain'],
  ['Lugo und Soria, Provinzen in Spanien', 'province', 'Spanien'],
  ['Lake and Story (both counties in Ohio)', 'county', 'Ohio'],
  ['in Ohio, the counties of Lake and Story', 'county', 'Ohio'],
  ['Ohio, only the counties Lake and Story', 'county', 'Ohio'],
  ['the Ohio counties of Lake and Story', 'county', 'Ohio'],
])('names are of the level and in the place that are named with them: %s', async (description, level, within) => {
  const found = await read(description);
  expect(found).toMatchObject({
    op: 'union',
    of: [
      { level, within },
      { level, within },
    ],
  });
});

test.each([
  ['Clark County in the province of Utah', 'province'],
  ['Lake en la provincia de Galicia', 'province'],
  ['State: Ohio; county: Lake', 'state'],
])('the level of what contains a place is kept: %s', async (description, level) => {
  KNOWN.add('clark');
  expect(await read(description)).toMatchObject({ op: 'place', within_level: level });
});

describe('messages', () => {
  test.each([
    ['Hi team, could you please set up our new area? It should be Ohio and Iowa. Thanks!', 'It should be'],
    ['We are a small company and we work in Ohio and Iowa.', 'We are a small company and we work in'],
    ['Hola, necesitamos un mapa. Trabajamos en Ohio y Iowa.', 'Trabajamos en'],
    ['Wir liefern nach Ohio und Iowa. Könnt ihr das anlegen?', 'Könnt ihr das anlegen?'],
    ['Nous livrons dans Ohio et Iowa pour nos clients.', 'pour nos clients'],
    [
      'As discussed on the phone: the territory for rep #7 is Ohio and Iowa. Nothing more.',
      'As discussed on the phone:',
    ],
    ['Subject: new area. Body: Ohio and Iowa. Signed: Tom', 'new area.'],
    ['Asunto: zona nueva. Cuerpo: Ohio y Iowa. Firmado: Lola', 'Cuerpo:'],
    ['Registered in: Ohio, Iowa', 'Registered in:'],
    ['stores in Ohio, Iowa', 'stores in'],
    ['[OPS 88] please extend coverage to Ohio + Iowa', '[OPS 88]'],
    ['Our clinic serves Ohio and Iowa. Ticket 884. Please draw it by Friday.', 'Ticket 884. Please draw it by Friday.'],
    ['Tour bus: we drive through Ohio and Iowa.', 'Tour bus:'],
    ['en Ohio y Iowa', 'en'],
  ])('are read without what says nothing of the area, which is said: %s', async (description, left) => {
    const { expression, choices } = await parse(description);
    expect(withoutWords(expression)).toEqual({ op: 'union', of: [place('Ohio'), place('Iowa')] });
    expect(String(choices[0])).toContain(`"${left}"`);
  });

  test.each([
    'We do not work in Ohio.',
    'no stores in Ohio',
    'permits expired in Ohio',
    'Formerly in: Ohio',
    'We lost these states: Ohio',
    'Our competitor covers Ohio.',
    'Utah: done, Iowa: pending',
    'Our area was Ohio. Our new area is Iowa.',
    'Is Lake in Ohio?',
    'lakes of our area: Ohio, Utah',
    'stores in 3 places: Ohio',
    'We work near Ohio.',
    'We work in Ohio. Never in Freedonia.',
    'We work in Ohio. We also go to Freedonia.',
    'a) Ohio\nb) Freedonia\nc) Iowa',
    'Ohio. Freedonia. Iowa.',
  ])('keep what may choose or name a place: %s', async (description) => {
    const parsed = await parse(description).catch(() => null);
    expect(parsed === null || parsed.unknown >= 1).toBe(true);
  });
});

test.each([
  ['We deliver to Ohio. We do not deliver to Lake.', 'Lake'],
  ['Ohio. No entregamos en Lake.', 'Lake'],
  ['Ohio. Nous ne livrons pas en Lake.', 'Lake'],
])('a sentence leaves out what is not served: %s', async (description, name) => {
  expect(await read(description)).toEqual({ op: 'difference', of: place('Ohio'), minus: place(name) });
});

test.each([
  'Sorry, forget Utah. I just need Ohio.',
  'My bad, ignore Utah. I only want Ohio.',
  'Perdona, olvida Utah. Solo quiero Ohio.',
  'Sorry, vergiss Utah. Ich will nur Ohio.',
  'Pardon, oubliez Utah. Je veux seulement Ohio.',
])('a sentence takes back what is not meant: %s', async (description) => {
  expect(await read(description)).toEqual(place('Ohio'));
});

test('an article behind a word for the whole may be a part of the name', async () => {
  KNOWN.add('la rioja').add('rioja');
  expect(await read('toda La Rioja y Lugo')).toMatchObject({
    op: 'union',
    of: [{ name: 'La Rioja' }, { name: 'Lugo' }],
  });
});

test.each([
  ['Spain north of the 40th parallel', { at: 40, signed: false }],
  ['Spain west of 3.5° W', { at: -3.5 }],
  ['Spanien südlich des 40. Breitengrads', { at: 40, signed: false }],
  ['España al sur del ecuador', { at: 0 }],
])('a parallel or a meridian is a line: %s', async (description, line) => {
  expect(await read(description)).toMatchObject({ op: 'clip', ...line });
});

test.each(['within 30 km of 40.4, -3.7', 'bbox -4,40,-3,41'])(
  'a point and a box are refused as such: %s',
  async (one) => {
    await expect(parse(one)).rejects.toThrow(/is a (?:point|box)/);
  },
);

test('a declined German name is its nominative, and is quoted as it is written', async () => {
  const { expression } = await parse('die Nachbarn der Vereinigten Staaten');
  expect(expression).toMatchObject({ op: 'neighbors', of: { name: 'Vereinigte Staaten' } });
  expect(expression.words?.text).toBe('die Nachbarn der Vereinigten Staaten');
});

test.each([
  ['{"state":"Ohio","counties":["Lake","Story"]}', 2],
  ['state=Ohio;counties=Lake, Story', 2],
  ['[{"county":"Lake","state":"Ohio"},{"county":"Story","state":"Iowa"}]', 2],
])('data is a list: %s', async (description, count) => {
  const found = await read(description);
  expect(found.op === 'union' ? found.of.map(({ op }) => op) : []).toEqual(Array(count).fill('place'));
});

test.each(['the largest and most populous state of Spain', 'Ohio and Utah, but only Lake'])(
  'what may mean something else is not read as a list: %s',
  async (description) => {
    const found = await parse(description).catch(() => null);
    expect(found === null || found.unknown >= 1 || JSON.stringify(found.expression).includes('"apart":true')).toBe(
      true,
    );
  },
);
