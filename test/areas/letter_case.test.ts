import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inUsualCase } from '../../src/domain/areas/letter_case.ts';
import { drawn } from '../proof/rounds.ts';
import { readDescriptions } from './expected.ts';
import { idsOf, openPlanning, type Planning } from './planned.ts';

let planning: Planning;
beforeAll(async () => {
  planning = await openPlanning();
}, 600_000);
afterAll(() => planning?.close());

/** What a description names, or null where it is refused. */
async function namesOf(description: string): Promise<readonly string[] | null> {
  const found = await planning.plan(description);
  return found && [...idsOf(found.include), '-', ...idsOf(found.exclude)];
}

describe('a description is read as with the usual capitals', () => {
  it.each([
    ['us states that border canada', 'US states that border Canada'],
    ['Us States Larger Than 300,000 Square Kilometers', 'US states larger than 300,000 square kilometers'],
    ['all us states except alaska', 'all US states except Alaska'],
    ['can you give us the counties of utah', 'the counties of Utah'],
    ['us-bundesstaaten an der grenze zu kanada', 'US-Bundesstaaten an der Grenze zu Kanada'],
    ['eu without poland', 'EU without Poland'],
    ['países de la ue sin españa', 'países de la UE sin España'],
    ["l'ue sans la france", "l'UE sans la France"],
    ['länder der eu', 'Länder der EU'],
    ['tx, ok and la', 'TX, OK and LA'],
    ['me and nh', 'ME and NH'],
    ['pa counties that border ny', 'PA counties that border NY'],
    ['THE NINE PROVINCES OF CASTILE AND LEÓN', 'the nine provinces of Castile and León'],
    ['US STATES WITHOUT NEIGHBORS', 'US states without neighbors'],
    ['WEST VIRGINIA WITHOUT THE COUNTIES THAT BORDER OHIO', 'West Virginia without the counties that border Ohio'],
    ['LES PROVINCES D’ESPAGNE SANS LES ÎLES CANARIES', 'les provinces d’Espagne sans les îles Canaries'],
    ['Las Provincias Andaluzas De Jaén Y Cádiz', 'las provincias andaluzas de Jaén y Cádiz'],
    ['Countys Von Kansas, Die Mit S Beginnen', 'Countys von Kansas, die mit S beginnen'],
    ['"Ohio and Indiana"', 'Ohio and Indiana'],
    ['«las provincias de Huelva y Cádiz».', 'las provincias de Huelva y Cádiz'],
    ['estados de EEUU', 'estados de Estados Unidos'],
  ])('%s', async (written, usual) => {
    const wanted = await namesOf(usual);
    expect(wanted?.length, usual).toBeGreaterThan(1);
    expect(await namesOf(written)).toEqual(wanted);
  });

  it.each(['COUNTIES OF OHIO THAT BORDER NOBODY', 'us counties that border nowhere', '"the Zorgly states"'])(
    'and refused as with them: %s',
    async (description) => {
      expect(await planning.plan(description)).toBeNull();
    },
  );
});

it('changes no words, offsets or names', () => {
  const named = { has: (name: string) => ['la rioja', 'us'].includes(name) };
  expect(inUsualCase('THE PROVINCES OF LA RIOJA', named)).toBe('the provinces of LA RIOJA');
  expect(inUsualCase('the provinces of La Rioja', named)).toBeNull();
  // A word of the grammar may be a code beside others.
  expect(inUsualCase('COUNTIES OF OH AND IN', named)).toBeNull();
  expect(inUsualCase('«us states»', named)).toBe(' US states ');
  expect(inUsualCase('"Ohio" and "Utah"', named)).toBeNull();
});

const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ['in lower case', (text) => text.toLowerCase()],
  ['in capitals', (text) => text.toUpperCase()],
  ['as a headline', (text) => text.replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase())],
  ['in quotes', (text) => `“${text}”`],
];

/** Rows of the tables that have an area, and what it names. */
async function rowsWithArea(): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = drawn(
    ['tenth.tsv', 'twelfth.tsv']
      .flatMap(readDescriptions)
      .filter(({ description, expected }) => expected !== '!could_not_map' && !/\\[nt]|["“{]/.test(description)),
    24,
  );
  const areas = new Map<string, readonly string[]>();
  for (const { description } of rows) {
    const names = await namesOf(description);
    if (names !== null) areas.set(description, names);
  }
  return areas;
}

/** A county and a place of its name can differ by their capitals alone, so that a few are refused. */
it('nine of ten rows of the tables are the same area in each form, and none is another one', async () => {
  const areas = await rowsWithArea();
  expect(areas.size).toBeGreaterThan(15);
  for (const [name, form] of FORMS) {
    const refused: string[] = [];
    for (const [description, wanted] of areas) {
      const found = await namesOf(form(description));
      if (found === null) refused.push(form(description));
      else expect(found, form(description)).toEqual(wanted);
    }
    expect(refused.length / areas.size, `${name}: ${refused.join('\n')}`).toBeLessThanOrEqual(0.1);
  }
});
