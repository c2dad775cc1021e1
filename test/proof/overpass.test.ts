import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { canonicalRings, dataDir, type House, mergeFull, openHouse } from './house.ts';

interface Feature {
  id?: string;
  geometry: { type: string; coordinates: unknown };
}

/** The polygon of the relation in the expected GeoJSON; Points are labels and centres. */
function expectedRings(name: string): string[] {
  const text = readFileSync(join(dataDir as string, `overpass/${name}.expected.geojson`), 'utf8');
  const { features } = JSON.parse(text) as { features: Feature[] };
  const areas = features.filter(({ geometry }) => /Polygon$/.test(geometry.type));
  expect(areas).toHaveLength(1);
  return canonicalRings(areas[0].geometry);
}

const RECORDED: [name: string, id: string][] = [
  ['tokyodo', 'r1543125'],
  ['zhucheng', 'r3468769'],
  ['herne', 'r62396'],
  ['baarle-nassau', 'r2718379'],
];

describe.skipIf(!dataDir)('recorded Overpass answers', () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse();
  });

  afterAll(async () => {
    await house?.close();
  });

  it.each(RECORDED)('%s assembles to the expected rings', async (name, id) => {
    const path = join(dataDir as string, `overpass/${name}.json`);
    const summary = await importFile({ db: house.test.db, engine: house.engine }, path, null);
    expect(summary.broken.filter((one) => one.id === id)).toEqual([]);
    expect(canonicalRings((await mergeFull(house, [id])).geometry)).toEqual(expectedRings(name));
  });
});
