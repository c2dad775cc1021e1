import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { doubleArea } from './coverage_support.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-levels-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Row = { readonly properties: object; readonly x: number; readonly y: number; readonly size?: number };

/** Squares of a tenth of a degree at columns and rows of Switzerland. */
function file(rows: readonly Row[]): string {
  const path = join(folder, 'levels.geojson');
  const features = rows.map(({ properties, x, y, size = 0.1 }) => {
    const [west, south] = [8 + x / 10, 46 + y / 10];
    const [east, north] = [west + size, south + size];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

const row = (state: number, county: number, town: number, more: object = {}): object => ({
  GID_0: 'CHE',
  COUNTRY: 'Switzerland',
  GID_1: `CHE.${state}_1`,
  NAME_1: `State ${state}`,
  GID_2: `CHE.${state}.${county}_1`,
  NAME_2: `County ${state}.${county}`,
  GID_3: `CHE.${state}.${county}.${town}_1`,
  NAME_3: `Town ${state}.${county}.${town}`,
  ...more,
});
const levels = [
  { adminLevel: 8, id: 'GID_3', name: 'NAME_3' },
  { adminLevel: 2, id: 'GID_0', name: 'COUNTRY' },
  { adminLevel: 4, id: 'GID_1', name: 'NAME_1' },
  { adminLevel: 6, id: 'GID_2', name: 'NAME_2' },
];
const options = { source: 'gadm', map: { country: 'GID_0' }, levels };

/** Two states of two counties of two towns, in a row of eight. */
const towns = (): Row[] =>
  Array.from({ length: 8 }, (_, i) => ({
    properties: row(1 + Math.floor(i / 4), 1 + (Math.floor(i / 2) % 2), 1 + (i % 2)),
    x: i,
    y: 0,
  }));

const sizes = ({ boundaries }: Awaited<ReturnType<typeof readCoverage>>) =>
  boundaries.map(({ sourceId, adminLevel, name, border }) => ({
    sourceId,
    adminLevel,
    name,
    area: 'rings' in border ? border.rings.reduce((sum, ring) => sum + Math.abs(doubleArea(ring)) / 2e12, 0) : 0,
    rings: 'rings' in border ? border.rings.length : 0,
  }));

describe('a file of several levels', () => {
  it('becomes areas of each, made of their parts', async () => {
    const read = await readCoverage(file(towns()), options);
    const all = sizes(read);
    const count = (level: number) => all.filter(({ adminLevel }) => adminLevel === level).length;
    expect([2, 4, 6, 8].map(count)).toEqual([1, 2, 4, 8]);
    const country = all.find(({ adminLevel }) => adminLevel === 2);
    expect(country).toEqual({
      sourceId: 'CHE',
      adminLevel: 2,
      name: 'Switzerland',
      area: expect.closeTo(8, 9),
      rings: 1,
    });
    expect(all.find(({ sourceId }) => sourceId === 'CHE.2_1')).toMatchObject({
      name: 'State 2',
      area: expect.closeTo(4, 9),
    });
    expect(read.boundaries.find(({ adminLevel }) => adminLevel === 2)).toMatchObject({ iso: 'CH', countryCode: 'CH' });
    expect(new Set(read.boundaries.map((one) => one.country))).toEqual(new Set(['CH']));
    expect(read.notices.join()).toContain('1 of admin_level 2, 2 of admin_level 4, 4 of admin_level 6');
  });

  it('has every vertex of the parts that is on the border of the whole, also where parts overlap by a sliver', async () => {
    const rows = towns();
    // A vertex of a northern neighbor halves an edge of a town, and one town is 1 m wider than it should be.
    const next: Row = { properties: row(3, 1, 1), x: 0.5, y: 1, size: 0.2 };
    const wide: Row = { ...(rows[3] as Row), size: 0.10001 };
    const { boundaries } = await readCoverage(file([...rows.slice(0, 3), wide, ...rows.slice(4), next]), options);
    const edges = (level: number): Map<string, number> => {
      const count = new Map<string, number>();
      for (const { adminLevel, border } of boundaries) {
        if (adminLevel !== level || !('rings' in border)) continue;
        for (const ring of border.rings) {
          for (let i = 0; i + 3 < ring.length; i += 2) {
            const ends = [`${ring[i]},${ring[i + 1]}`, `${ring[i + 2]},${ring[i + 3]}`].sort().join(' ');
            count.set(ends, (count.get(ends) ?? 0) + 1);
          }
        }
      }
      return count;
    };
    const once = (level: number) => [...edges(level)].filter(([, times]) => times === 1).map(([ends]) => ends);
    // What bounds the country bounds exactly one town, by the same edges, and one state.
    const outline = [...edges(2).keys()].sort();
    expect(outline.length).toBeGreaterThan(10);
    for (const level of [4, 6, 8]) expect(once(level).sort()).toEqual(outline);
  });

  it('takes a row at the finest level that it has', async () => {
    const island = { properties: row(3, 0, 0, { GID_2: '', NAME_2: '', GID_3: '', NAME_3: '' }), x: 9, y: 0 };
    const all = sizes(await readCoverage(file([...towns(), island]), options));
    expect(all.find(({ sourceId }) => sourceId === 'CHE.3_1')).toMatchObject({ adminLevel: 4, name: 'State 3' });
    expect(all.find(({ sourceId }) => sourceId === 'CHE')?.area).toBeCloseTo(9, 9);
    expect(all).toHaveLength(1 + 3 + 4 + 8);
  });

  it.each([
    [
      'two names',
      { NAME_1: 'Other' },
      /rows 1 and 9 have the same GID_1 CHE\.1_1 and differ in NAME_1 \("State 1" and "Other"\)/,
    ],
    [
      'two parents',
      { GID_3: 'CHE.2.1.1_1' },
      /rows 5 and 9 have the same id CHE\.2\.1\.1_1 and are parts of different areas/,
    ],
    [
      'an id at two levels',
      { GID_3: 'CHE.2_1', GID_2: 'CHE.2.9_1' },
      /CHE\.2_1 is an id of admin_level 4 and of admin_level 8/,
    ],
    ['no name', { GID_1: 'CHE.9_1', NAME_1: '' }, /row 9 has no NAME_1 for GID_1 CHE\.9_1/],
  ])('is refused with %s', async (_, more, message) => {
    const rows = [...towns(), { properties: row(1, 1, 3, more), x: 9, y: 0 }];
    await expect(readCoverage(file(rows), options)).rejects.toThrow(message);
  });

  it('is refused without the columns, with those there are', async () => {
    const wrong = { ...options, levels: [...levels.slice(0, 3), { adminLevel: 6, id: 'GID_9', name: 'NAME_9' }] };
    await expect(readCoverage(file(towns()), wrong)).rejects.toThrow(
      /--levels 6=GID_9:NAME_9 names; they have COUNTRY, GID_0/,
    );
  });
});
