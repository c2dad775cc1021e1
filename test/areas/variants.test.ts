import { describe, expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

/** Words for one area in several ways: all are read as the same steps. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  en: ['Andalusia', 'Kansas', 'Spain'],
  es: ['Andalucía', 'Kansas', 'España'],
  de: ['Andalusien', 'Kansas', 'Spanien'],
  fr: ['Andalousie', 'Kansas', 'Espagne'],
};
const FOLDED = new Set(Object.values(PLACES).flat().map(foldName));
const lexicon = { has: (name: string) => FOLDED.has(name), relation: () => null };

/** The steps of a description, with the places by their English names. */
async function read(description: string): Promise<unknown> {
  const { expression } = await parseDescription(description, lexicon);
  let text = JSON.stringify(withoutWords(expression as Expression));
  for (const names of Object.values(PLACES)) {
    names.forEach((name, i) => {
      text = text.replaceAll(JSON.stringify(name), JSON.stringify(PLACES.en?.[i]));
    });
  }
  return JSON.parse(text);
}

const place = (name: string) => ({ op: 'place', name });
const members = (name: string, level: string) => ({ op: 'children', of: place(name), level });
const onShore = (of: object, is: string) => ({ op: 'coast', of, is });
const measured = (is: string, than: number) => ({
  ...{ op: 'measured', of: members('Spain', 'province'), by: 'area', is, than },
});

describe.each([
  [
    'landlocked provinces',
    onShore(members('Andalusia', 'province'), 'landlocked'),
    [
      'provinces of Andalusia without a coast',
      'provinces without a coast in Andalusia',
      'the provinces with no coastline of Andalusia',
      'provincias sin costa de Andalucía',
      'las provincias sin mar de Andalucía',
      'provincias sin salida al mar de Andalucía',
      'provincias sin litoral en Andalucía',
      'Provinzen ohne Küste in Andalusien',
      'die Provinzen ohne Zugang zum Meer von Andalusien',
      "provinces sans littoral d'Andalousie",
      "les provinces sans accès à la mer d'Andalousie",
    ],
  ],
  [
    'coastal counties',
    onShore(members('Kansas', 'county'), 'coastal'),
    [
      'counties on the coast of Kansas',
      'counties along the coast in Kansas',
      'condados con costa de Kansas',
      'los condados en la costa de Kansas',
      'Countys an der Küste von Kansas',
      'Countys mit Küste in Kansas',
      'comtés avec une côte du Kansas',
    ],
  ],
  [
    'what a map has',
    members('Kansas', 'county'),
    [
      'counties of Kansas',
      'county map of Kansas',
      'a county map of Kansas',
      'Kansas county map',
      'Kansas county lines',
      'county boundaries of Kansas',
      'map of the counties of Kansas',
    ],
  ],
  [
    'what a map of provinces has',
    members('Spain', 'province'),
    [
      'provincial map of Spain',
      'mapa provincial de España',
      'un mapa provincial de España',
      'eine Provinzkarte von Spanien',
      'los límites provinciales de España',
      'Provinzkarte von Spanien',
      'Provinzgrenzen Spaniens',
      "carte provinciale d'Espagne",
    ],
  ],
  [
    'an area below a number',
    measured('less', 5_000),
    [
      'provinces of Spain under 5,000 km2',
      'provinces of Spain below 5,000 sq km',
      'provinces of Spain of less than 5000 square kms',
      'provincias de España de menos de 5.000 km²',
      'provincias de España inferiores a 5.000 km cuadrados',
      'provincias de España por debajo de 5 000 kilómetros cuadrados',
      'Provinzen in Spanien unter 5.000 km²',
      'Provinzen in Spanien mit unter 5.000 qkm',
      'Provinzen in Spanien von weniger als 5.000 Quadratkilometern',
      "provinces d'Espagne de moins de 5 000 km carrés",
      "provinces d'Espagne inférieures à 5.000 km²",
    ],
  ],
  [
    'an area above a number',
    measured('more', 12_500),
    [
      'provinces of Spain above 12,500 square km',
      'provincias de España superiores a 12.500 km2',
      'Provinzen in Spanien über 12.500 km²',
      "provinces d'Espagne faisant plus de 12 500 km²",
    ],
  ],
] as const)('%s', (_, expected, descriptions) => {
  test.each(descriptions)('%s', async (description) => {
    expect(await read(description)).toEqual(expected);
  });
});

test.each([
  ['Kansas (state) and Andalusia', ['state', undefined]],
  ['Andalusia, Kansas (the state)', [undefined, 'state']],
  ['Andalusia, Kansas (states)', ['state', 'state']],
  ['Kansas (el estado) y Andalucía (la región)', ['state', 'region']],
  ['Andalusien (Region) und Kansas (Bundesstaat)', ['region', 'state']],
])('%s has the levels in brackets', async (description, levels) => {
  const read = (await parseDescription(description, lexicon)).expression;
  expect(read).toMatchObject({ op: 'union' });
  expect('of' in read && Array.isArray(read.of) && read.of.map((one) => one.level)).toEqual(levels);
});

test.each([
  ['counties on the coast', 'does not say of which country or region'],
  ['the largest county by population', 'does not say of which country or region'],
  ['los dos estados más grandes por superficie', 'does not say of which country or region'],
  ['provinces of Spain under 5.000 km2', 'can be read as two numbers'],
])('%s is refused', async (description, reason) => {
  await expect(parseDescription(description, lexicon)).rejects.toThrow(reason);
});
