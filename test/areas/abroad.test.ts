import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { openPlanning, type Planning } from './planned.ts';

/** Divisions of countries that the seed data does not divide: corner and size of a box, in degrees, and another name. */
const DIVISIONS: readonly (readonly [
  country: string,
  name: string,
  lon: number,
  lat: number,
  size?: number,
  other?: string,
])[] = [
  ['NG', 'Niger', 5, 9],
  ['NG', 'Kaduna', 7, 10],
  ['GT', 'Guatemala', -91, 14.5],
  ['GT', 'Escuintla', -91, 14],
  ['CO', 'Santander', -74, 6],
  ['EC', 'Loja', -80, -4],
  ['GB', 'City', -0.1, 51.5, 0.02, 'London'],
];

const feature = ([, name, x, y, size = 0.5, other = name]: (typeof DIVISIONS)[number]) => ({
  type: 'Feature',
  properties: { id: name, name, other },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [x + size, y],
        [x + size, y + size],
        [x, y + size],
        [x, y],
      ],
    ],
  },
});

describe('a name whose place is in another country than the others of its list', { timeout: 600_000 }, () => {
  let planning: Planning;
  beforeAll(async () => {
    planning = await openPlanning();
    const { test, engine } = planning.server;
    for (const country of new Set(DIVISIONS.map(([code]) => code))) {
      const features = DIVISIONS.filter(([code]) => code === country).map(feature);
      const path = join(test.dataDir, `${country}.geojson`);
      await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
      await importFile({ db: test.db, engine }, path, {
        ...{
          source: `made-${country.toLowerCase()}`,
          license: 'open',
          attribution: 'the tests',
          country,
          adminLevel: 4,
        },
        map: { id: 'id', name: 'name', 'name:en': 'other' },
      });
    }
  }, 600_000);
  afterAll(() => planning?.close());

  const kinds = async (description: string): Promise<string[]> => {
    const found = await planning.plan(description);
    const rows = await planning.server.test.db.query<{ name: string; kind: string }>(
      'select name, kind from boundary where id = any ($1::text[]) order by name',
      [found?.include.map(({ id }) => id) ?? []],
    );
    return rows.map(({ name, kind }) => `${kind} ${name}`);
  };

  it.each([
    ['Niger and Kaduna', 'Niger', 'Niger in Nigeria, Niger'],
    ['Kaduna y Níger', 'Níger', 'Niger in Nigeria, Niger'],
    ['Santander and Cantabria', 'Santander', 'Santander in Cantabria, Santander in Colombia'],
  ])('may be the place of theirs: %s', async (description, name, both) => {
    const { message } = await planning.refused(description);
    expect(message).toContain(`"${name}" (character `);
    expect(message).toContain(both);
  });

  it('may be a large city of theirs that is not stored', async () => {
    expect((await planning.refused('Cuenca and Loja')).message).toContain(
      '"Cuenca" (character 1) may mean a place that is not stored',
    );
  });

  it('is the country where countries are listed with it, or where theirs has no such place', async () => {
    expect(await kinds('Niger, Chad and Kaduna')).toContain('country Niger');
    expect(await kinds('Chad and Kaduna')).toContain('country Chad');
    expect(await kinds('Cuba and Florida')).toContain('country Cuba');
  });

  it('is the division of the name, and not the country around all of them', async () => {
    const found = await planning.plan('Guatemala and Escuintla');
    expect(await kinds('Guatemala and Escuintla')).toEqual(['state Escuintla', 'state Guatemala']);
    expect(only(found?.choices ?? [])).toContain('"Guatemala" is read as Guatemala in Guatemala');
  });

  it.each([
    [
      'Guadalajara',
      '"Guadalajara" is read as Guadalajara in Castilla-La Mancha; other places of that name are not stored',
    ],
    ['Santander', '"Santander" is read as Santander in Colombia; also so called: Santander in Cantabria'],
  ])('says that a large city of another country has a name alone, too: %s', async (name, line) => {
    expect((await planning.plan(name))?.choices).toEqual([line]);
  });

  it('is not a place of another name that is too small for the city of the name', async () => {
    expect((await planning.refused('London')).message).toContain(
      '"London" (character 1) may mean a place that is not stored',
    );
    expect(await kinds('City, United Kingdom')).toEqual(['state City']);
  });

  it('is not said of the city that is meant, nor of a country', async () => {
    for (const name of ['Barcelona', 'Jamaica']) expect((await planning.plan(name))?.choices).toEqual([]);
  });
});
