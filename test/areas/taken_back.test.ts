import { expect, test } from 'vitest';
import { type Expression, toPlan } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const NAMES = 'Utah Nevada Idaho Ohio Iowa Kansas Maine Vermont Soria Segovia Teruel Huesca Burgos Lugo'.split(' ');
const KNOWN = new Set(NAMES.map(foldName));
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };
const read = async (description: string) => (await parseDescription(description, lexicon)).expression;
const placesOf = (expression: Expression) =>
  toPlan(expression).steps.flatMap((step) => (step.op === 'place' ? [step.name] : []));

test.each([
  ['not Kansas but Utah', ['Utah']],
  ['no Soria sino Teruel', ['Teruel']],
  ['nicht Burgos, sondern Lugo', ['Lugo']],
  ['pas Huesca mais Teruel', ['Teruel']],
  ['Utah instead of Idaho', ['Utah']],
  ['Utah and Nevada rather than Idaho', ['Utah', 'Nevada']],
  ['instead of Idaho, Utah and Ohio', ['Utah', 'Ohio']],
  ['Huesca en vez de Teruel', ['Huesca']],
  ['Segovia statt Burgos', ['Segovia']],
  ['Lugo au lieu de Burgos', ['Lugo']],
  ['Maine... no wait, Vermont', ['Vermont']],
  ['Utah and Nevada, I mean Utah and Ohio', ['Utah', 'Ohio']],
  ['Lugo, digo, Soria', ['Soria']],
  ['Soria, ach nein, Segovia', ['Segovia']],
  ['Soria, euh non, Segovia', ['Segovia']],
  ['Ohio. Correction: Iowa.', ['Iowa']],
  ['scratch Utah, use Nevada', ['Nevada']],
  ['replace Utah with Nevada in: Utah, Idaho, Ohio', ['Nevada', 'Idaho', 'Ohio']],
  ['sustituye Lugo por Soria en: Burgos, Lugo', ['Soria', 'Burgos']],
  // These take nothing back.
  ['not only Utah but also Nevada', ['Utah', 'Nevada']],
  ['no solo Soria sino también Teruel', ['Soria', 'Teruel']],
])('%s', async (description, places) => {
  expect(placesOf(await read(description))).toEqual(places);
});

test('a choice says what is taken back', async () => {
  const { choices } = await parseDescription('Utah instead of Idaho', lexicon);
  expect(choices.map(String)).toEqual(['"Idaho" is left out: "Utah" stands in its place']);
});

/** What may mean several things stays as it is, which no rule reads as an area without an unknown name. */
test.each([
  'Utah, Idaho, I mean Ohio',
  'Utah and Idaho instead of Idaho',
  'counties of Utah instead of those of Idaho',
  'replace Utah with Nevada in: Idaho, Ohio',
  'the province of Soria, no, Segovia',
])('%s is not understood', async (description) => {
  const unknown = await parseDescription(description, lexicon).then(
    (parsed) => parsed.unknown,
    () => Number.POSITIVE_INFINITY,
  );
  expect(unknown).toBeGreaterThan(0);
});

test.each([
  ['Burgos (the province, not the city)', 'province'],
  ['Burgos city, not the province', 'municipality'],
  ['Burgos (la provincia, no la ciudad)', 'province'],
  ['Burgos (die Stadt, nicht die Provinz)', 'municipality'],
  ['Burgos (la province, pas la ville)', 'province'],
  ['Nevada (the state, not the county in Ohio)', 'state'],
])('%s has its level', async (description, level) => {
  expect(await read(description)).toMatchObject({ op: 'place', level });
});
