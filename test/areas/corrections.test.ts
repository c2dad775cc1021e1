import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { DescriptionError } from '../../src/domain/areas/description_error.ts';
import { type Parsed, parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { Draw } from '../search/made.ts';

const PLACES = ['Kansas', 'Nebraska', 'Iowa', 'Ohio', 'Utah', 'Idaho', 'Huesca', 'Soria', 'Zamora', 'Burgos'];
const KNOWN = new Set([...PLACES, 'Portugal', 'Canada'].map(foldName));
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };
const parse = (text: string): Promise<Parsed> => parseDescription(text, lexicon);
const meaning = async (text: string): Promise<Expression> => withoutWords((await parse(text)).expression);
/** Puts two places into a form. */
const filled = (form: string, [a, b]: readonly string[]): string =>
  form.replaceAll(/\bA\b/g, defined(a)).replaceAll(/\bB\b/g, defined(b));

/** Each form has the meaning of the plain one behind it. */
const SAME = {
  'a correction in a second sentence': [
    ['A and B. No, without B.', 'A and B without B'],
    ['A and B - sorry, not B', 'A and B without B'],
    ['A and B. Actually, leave out B', 'A and B without B'],
    ['A y B; no, mejor sin B', 'A y B sin B'],
    ['A y B. Perdón, sin B', 'A y B sin B'],
    ['A et B, non, sans B', 'A et B sans B'],
    ['A et B. Enfin, sauf B', 'A et B sans B'],
    ['A und B, nein, ohne B', 'A und B ohne B'],
    ['A und B. Moment, ohne B', 'A und B ohne B'],
  ],
  'what those of a set are': [
    ['the counties of A except those that border B', '(the counties of A) without (the counties of A that border B)'],
    [
      'las provincias de A menos las que limitan con B',
      '(las provincias de A) sin (las provincias de A que limitan con B)',
    ],
    ['les provinces de A sauf celles qui touchent B', '(les provinces de A) sans (les provinces de A qui touchent B)'],
    [
      'die Provinzen von A außer denen, die an B grenzen',
      '(die Provinzen von A) ohne (die Provinzen von A, die an B grenzen)',
    ],
    ['the counties of A that do not border B', 'the counties of A except those that border B'],
    ['las provincias de A que no limitan con B', 'las provincias de A menos las que limitan con B'],
    ['les provinces de A qui ne touchent pas B', 'les provinces de A sauf celles qui touchent B'],
    ['die Provinzen von A, die nicht an B grenzen', 'die Provinzen von A außer denen, die an B grenzen'],
  ],
  'filters behind "and"': [
    ['counties of A that border B and have a coast', '(counties of A that border B) on the coast'],
    ['counties of A over 900 km2 and which border B', '(counties of A over 900 km2) that border B'],
    ['provincias de A que limitan con B y tienen costa', '(provincias de A que limitan con B) con costa'],
    ['provinces de A qui touchent B et qui ont une côte', '(provinces de A qui touchent B) avec une côte'],
    ['Provinzen von A, die an B grenzen und am Meer liegen', '(Provinzen von A, die an B grenzen) mit Küste'],
  ],
  'units of land and of the sea': [
    ['counties of A over 500 hectares', 'counties of A over 5 km2'],
    ['provincias de A de más de 500 hectáreas', 'provincias de A de más de 5 km2'],
    ['provinces de A de plus de 500 hectares', 'provinces de A de plus de 5 km2'],
    ['Provinzen von A mit mehr als 500 Hektar', 'Provinzen von A mit mehr als 5 km2'],
    ['counties of A over 640 acres', 'counties of A over 1 square mile'],
    ['within 100 nautical miles of A', 'within 185.2 km of A'],
    ['a menos de 100 millas náuticas de A', 'a menos de 185,2 km de A'],
  ],
} as const;

/** Forms with which what borders B may be left out, or B itself. */
const TWO_WAYS = [
  ['states that border A but not B', 'states that border A, but not B', 'states that border A without B'],
  [
    'counties of Ohio touching A but not B',
    'counties of Ohio touching A, but not B',
    'counties of Ohio touching A without B',
  ],
  [
    'provincias que limitan con A pero no B',
    'provincias que limitan con A, pero no B',
    'provincias que limitan con A sin B',
  ],
  ['les États qui touchent A mais pas B', 'les États qui touchent A, mais pas B', 'les États qui touchent A sans B'],
  [
    'Staaten, die an A grenzen, aber nicht B',
    '(Staaten, die an A grenzen) aber nicht B',
    'Staaten, die an A grenzen, ohne B',
  ],
] as const;

/** Both numbers of an area are equal up to rounding. */
const rounded = (expression: Expression): unknown =>
  JSON.parse(JSON.stringify(expression), (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(6)) : value,
  );

describe('corrections, conditions and units in the four languages', () => {
  const draw = new Draw(5_081);
  it.each(Object.entries(SAME))('%s', async (_, forms) => {
    for (const [form, plain] of forms) {
      const places = draw.some(PLACES, 2);
      const [found, wanted] = [await meaning(filled(form, places)), await meaning(filled(plain, places))];
      expect(rounded(found), form).toEqual(rounded(wanted));
    }
  });

  it.each(TWO_WAYS)('refuses "%s", and takes the place itself with a comma or brackets', async (form, clear, plain) => {
    const places = draw.some(PLACES, 2);
    await expect(parse(filled(form, places)), form).rejects.toThrow(DescriptionError);
    expect(rounded(await meaning(filled(clear, places))), clear).toEqual(rounded(await meaning(filled(plain, places))));
    const { choices } = await parse(filled(clear, places));
    if (!clear.startsWith('(')) expect(choices.join(), clear).toContain('not as without what borders it');
  });

  it.each([
    ['the counties of Ohio without the neighbors of Utah', 'the counties of Ohio minus (the neighbors of Utah)'],
    ['las provincias de Ohio sin los vecinos de Utah', 'las provincias de Ohio sin (los vecinos de Utah)'],
    ['les provinces de Ohio sans les voisins de Utah', 'les provinces de Ohio sans (les voisins de Utah)'],
    ['die Provinzen von Ohio ohne die Nachbarn von Utah', 'die Provinzen von Ohio ohne (die Nachbarn von Utah)'],
  ])('leaves out neighbors, also outside the set: %s', async (form, plain) => {
    const found = await meaning(form);
    expect(found).toEqual(await meaning(plain));
    expect(JSON.stringify(found)).toContain('"op":"neighbors"');
  });

  it('takes the neighbors of a place without another one', async () => {
    expect(await meaning('the neighboring states of Kansas but not Iowa')).toEqual(
      await meaning('the neighboring states of Kansas without Iowa'),
    );
  });
});
