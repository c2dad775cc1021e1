import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isValid } from '../../workers/arcs/overlay.ts';
import { convertFile } from '../../workers/convert.ts';
import { polygonsOf } from '../formats/support.ts';
import { REAL_DATA_DIR } from '../sources/coverage_support.ts';
import { type Machine, openMachine } from './program.ts';

const feature = (name: string, coordinates: number[][][], type = 'Polygon') => ({
  ...{ type: 'Feature', properties: { name } },
  geometry: { type, coordinates },
});
const box = (w: number, s: number, e: number, n: number): number[][] => [[w, s], [e, s], [e, n], [w, n], [w, s]]; // biome-ignore format: a ring
const GOOD = feature('Good', [box(0, 0, 1, 1)]);
const BAD: Readonly<Record<string, { readonly rings: number[][][]; readonly degrees2: number }>> = {
  bowtie: { rings: [[[2, 0], [3, 1], [3, 0], [2, 1], [2, 0]]], degrees2: 0.5 }, // biome-ignore format: a ring
  spike: { rings: [[[4, 0], [5, 0], [5, 1], [5, 3], [5, 1], [4, 1], [4, 0]]], degrees2: 1 }, // biome-ignore format: a ring
  'hole outside': { rings: [box(6, 0, 7, 1), box(6.5, 0.5, 8, 0.8)], degrees2: 1 - 0.5 * 0.3 },
  // As for an import: what two holes contain is area.
  'nested hole': {
    rings: [box(8, 0, 9, 1), box(8.2, 0.2, 8.8, 0.8), box(8.3, 0.3, 8.7, 0.7)],
    degrees2: 1 - 0.36 + 0.16,
  },
  'hole on the edge': { rings: [box(10, 0, 11, 1), box(10, 0.2, 10.5, 0.8)], degrees2: 1 - 0.3 },
};
const file = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const ALL = file(GOOD, ...Object.entries(BAD).map(([name, { rings }]) => feature(name, rings)));

const convert = (text: string, invalid?: 'refuse' | 'repair' | 'skip') =>
  convertFile(
    {
      ...{ bytes: Buffer.from(text), from: 'geojson', to: 'geojson', detail: 'full', dissolve: false, name: 'file' },
      ...{ maxBytes: 1e9, ...(invalid && { invalid }) },
    },
    () => false,
  );

test('an area across 180 degrees that is not cut there is refused with the edge', async () => {
  const across = [[[170, -10], [-170, -10], [-170, 10], [170, 10], [170, -10]]]; // biome-ignore format: a ring
  for (const invalid of ['refuse', 'repair', 'skip'] as const) {
    const result = await convert(file(GOOD, feature('Across', across)), invalid);
    expect(result).toEqual({
      kind: 'unreadable',
      reason: expect.stringContaining('Across: an edge goes from longitude 170 to -170'),
    });
  }
  for (const cut of [
    [box(170, -10, 180, 10)],
    [box(-180, -90, 180, -60)],
    [[[-180, -90], [180, -90], [180, -60], [0, -65], [-180, -60], [-180, -90]]], // biome-ignore format: a ring
    [[[-150, -90], [150, -90], [90, -60], [0, -65], [-90, -60], [-150, -90]]], // biome-ignore format: a ring
  ])
    expect((await convert(file(feature('Cut', cut)))).kind).toBe('bytes');
});

/** Planar size of a polygon in square degrees. */
function sizeOf(polygon: number[][][]): number {
  const ring = (points: number[][]) =>
    Math.abs(points.slice(1).reduce((sum, [x = 0, y = 0], i) => sum + (points[i]![0]! * y - x * points[i]![1]!), 0)) /
    2;
  return polygon.reduce((sum, points, i) => sum + (i === 0 ? ring(points) : -ring(points)), 0);
}

describe('areas that are not valid', () => {
  test('refuse the file unless a flag says what becomes of them', async () => {
    const refused = await convert(ALL);
    expect(refused).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/^bowtie is not valid: .* \(latitude, longitude\)$/),
      isInvalid: true,
    });
  });

  test('are repaired to the area that their rings draw, one by one, and listed', async () => {
    const made = await convert(ALL, 'repair');
    if (made.kind !== 'bytes') throw new Error(JSON.stringify(made));
    expect(made.repairs.map(({ area, action }) => [area, action])).toEqual(
      Object.keys(BAD).map((name) => [name, 'repaired']),
    );
    for (const { reason, lat, lon, km2_after } of made.repairs) {
      expect([reason, lat, lon, km2_after]).toEqual([
        expect.stringMatching(/\w/),
        expect.any(Number),
        expect.any(Number),
        expect.any(Number),
      ]);
    }
    const { features } = JSON.parse(Buffer.from(made.bytes).toString()) as { features: GeoJSON.Feature[] };
    expect(features.map(({ properties }) => properties?.name)).toEqual(['Good', ...Object.keys(BAD)]);
    for (const { geometry, properties } of features) {
      const polygons =
        geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry as GeoJSON.MultiPolygon).coordinates;
      expect(await isValid(polygonsOf(polygons)), properties?.name).toBeNull();
      const size = polygons.reduce((sum, one) => sum + sizeOf(one), 0);
      expect(size, properties?.name).toBeCloseTo(BAD[properties?.name]?.degrees2 ?? 1, 6);
    }
  });

  test('are left out and listed, also when nothing is left of a repair', async () => {
    const skipped = await convert(ALL, 'skip');
    expect(skipped).toMatchObject({ kind: 'bytes', features: 1, empty: 0 });
    if (skipped.kind === 'bytes') expect(skipped.repairs.map(({ action }) => action)).toEqual(Array(5).fill('skipped'));
    const flat = feature('Flat', [[[1, 1], [2, 2], [3, 3], [1, 1]]]); // biome-ignore format: a ring
    expect(await convert(file(GOOD, flat), 'repair')).toMatchObject({
      kind: 'bytes',
      features: 1,
      repairs: [{ area: 'Flat', action: 'skipped' }],
    });
    expect(await convert(file(flat), 'skip')).toEqual({ kind: 'unreadable', reason: 'it has no area that is valid' });
  });

  test.skipIf(!REAL_DATA_DIR)('of national files are repaired', async () => {
    const folder = join(REAL_DATA_DIR ?? '', 'editions', 'switzerland', '2015');
    const read = (name: string) => readFileSync(join(folder, `municipalities.${name}`));
    const beside = { '.dbf': read('dbf'), '.prj': read('prj') };
    const task = {
      bytes: read('shp'),
      beside,
      from: 'shapefile',
      to: 'csv',
      detail: 'full',
      dissolve: false,
      name: 'x',
    } as const;
    const made = await convertFile({ ...task, maxBytes: 1e9, invalid: 'repair' }, () => false);
    if (made.kind !== 'bytes') throw new Error(JSON.stringify(made));
    expect(made.features).toBe(2328);
    expect(made.repairs.find(({ area }) => area === 'Chavornay')).toMatchObject({ action: 'repaired' });
    for (const { km2_before, km2_after } of made.repairs) {
      expect(Math.abs((km2_after ?? 0) - (km2_before ?? 0))).toBeLessThan(0.001);
    }
  });
});

describe('boundary convert', { timeout: 120_000 }, () => {
  let machine: Machine;
  beforeAll(() => {
    machine = openMachine();
    writeFileSync(machine.path('all.geojson'), ALL);
  });
  afterAll(() => machine?.remove());

  test('lists each area on standard error, and in --json', async () => {
    const { exit, err } = await machine.run(['convert', 'all.geojson', 'out.geojson', '--repair']);
    expect(exit).toBe(0);
    expect(err).toContain('; 5 areas repaired\n');
    expect(err).toMatch(/^bowtie repaired: Self-intersection near 0\.5,2\.5, \S+ -> \S+ km2$/m);
    const { out, err: listed } = await machine.run(['convert', 'all.geojson', 'out.geojson', '--skip', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      features: 1,
      repairs: { length: 5, 0: { area: 'bowtie', action: 'skipped' } },
    });
    expect(listed).toMatch(/^bowtie skipped: Self-intersection near 0\.5,2\.5$/m);
  });

  test('refuses them with --strict, and flags that exclude each other', async () => {
    const strict = await machine.run(['convert', 'all.geojson', 'out2.geojson', '--strict']);
    expect([strict.exit, strict.err]).toEqual([2, expect.stringMatching(/bowtie is not valid: .*--repair.*--skip/s)]);
    const both = await machine.run(['convert', 'all.geojson', 'out2.geojson', '--repair', '--skip']);
    expect([both.exit, both.err]).toEqual([2, expect.stringContaining('cannot be given with --skip')]);
  });
});
