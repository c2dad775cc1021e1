import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlanning, type Planning } from './planned.ts';

let planning: Planning;
beforeAll(async () => {
  planning = await openPlanning();
}, 600_000);
afterAll(() => planning?.close());

it.each([
  ['Iberia', '"Iberia" is read as Andorra, Spain, Portugal'],
  ['la península ibérica sin Portugal', '"la península ibérica" is read as Andorra, Spain, Portugal'],
  ['West Coast counties', '"West Coast" is read as California, Oregon, Washington'],
  ['US states that border Canada', 'Ohio: within 2 km, but without a common line on land, so not counted'],
  ['HOL', '"HOL" is read as Sint Maarten'],
  ['Staten Island', '"Staten Island" is read as Richmond in New York'],
  [
    'Kings, Queens, Richmond, New York',
    '"New York" is read as what contains the places before it, not as one more of them',
  ],
])('says what is read where another area may be meant: %s', async (description, sentence) => {
  expect((await planning.plan(description))?.choices).toContain(sentence);
});

it.each(['Benelux', 'the EU', 'New England'])('says nothing of a group with one definition: %s', async (name) => {
  expect((await planning.plan(name))?.choices).toEqual([]);
});
