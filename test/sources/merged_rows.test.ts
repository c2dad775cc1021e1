import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReadOptions } from '../../src/sources/coverage/options.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';

const folder = mkdtempSync(join(tmpdir(), 'merged-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const box = (x: number, y: number) => [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1], [x, y]]; // biome-ignore format: a ring
const row = (properties: object, ...polygons: number[][][][]) => ({
  type: 'Feature',
  properties: { ja: null, people: null, iso: null, ...properties },
  geometry: { type: 'MultiPolygon', coordinates: polygons },
});

const OPTIONS: ReadOptions = {
  source: 'test',
  map: { id: 'code', name: 'nom', 'name:ja': 'ja', admin_level: 'level', population: 'people', iso: 'iso' },
};
const read = (features: unknown[], more: Partial<ReadOptions> = {}) => {
  const path = join(folder, 'rows.geojson');
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return readCoverage(path, { ...OPTIONS, ...more });
};
const reasonOf = (features: unknown[]) =>
  read(features).then(
    () => 'it was read',
    (error: Error) => error.message,
  );
/** The edges of a boundary, each as text, without direction. */
const edgesOf = ({ border }: SourceBoundary): string[] => {
  const edges: string[] = [];
  for (const ring of 'rings' in border ? border.rings : []) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      edges.push([`${ring[i]},${ring[i + 1]}`, `${ring[i + 2]},${ring[i + 3]}`].toSorted().join(' '));
    }
  }
  return edges.toSorted();
};

const facts = { code: '28214', nom: 'Takarazuka', level: 8 };
const neighbor = { code: '28217', nom: 'Kawanishi', level: 8 };

describe('several rows of one area', () => {
  it('are one area with the polygons of all, in the place of the first, and the report counts them', async () => {
    const island = [box(5, 5)];
    const parts = await read([row(facts, [box(0, 0)]), row(neighbor, [box(1, 0)]), row(facts, island), row(facts, [box(8, 8)])]); // biome-ignore format: rows
    const whole = await read([row(facts, [box(0, 0)], island, [box(8, 8)]), row(neighbor, [box(1, 0)])]);
    expect(parts.boundaries.map((one) => one.sourceId)).toEqual(['28214', '28217']);
    expect(parts.boundaries.map(edgesOf)).toEqual(whole.boundaries.map(edgesOf));
    expect(parts.boundaries[0]).toMatchObject({ name: 'Takarazuka', adminLevel: 8, codes: ['28214'] });
    expect(parts.notices).toEqual(['3 rows are parts of 1 area and were merged by id: 28214 (3 rows)']);
    expect(whole.notices).toEqual([]);
  });

  it('lose the border that they share, and keep the hole of a part that no other row fills', async () => {
    const hole = [box(0, 0), [[0.2, 0.2], [0.2, 0.4], [0.4, 0.4], [0.4, 0.2], [0.2, 0.2]]]; // biome-ignore format: rings
    const { boundaries, repaired } = await read([row(facts, hole), row(facts, [box(1, 0)])]);
    expect(edgesOf(boundaries[0]!)).not.toContain('10000000,0 10000000,10000000');
    expect(edgesOf(boundaries[0]!)).toHaveLength(6 + 4);
    expect(repaired.map(({ km2Before, km2After }) => km2After / km2Before)).toEqual([expect.closeTo(1, 9)]);
  });

  it('count overlapping area once, and the same row twice as one', async () => {
    const { boundaries, notices } = await read([row(facts, [box(0, 0)]), row(facts, [box(0, 0)])]);
    const once = await read([row(facts, [box(0, 0)])]);
    expect(boundaries.map(edgesOf)).toEqual(once.boundaries.map(edgesOf));
    expect(notices.join()).toContain('28214 (2 rows)');
  });

  it('have the values that any of them has, and no property in which they differ', async () => {
    const first = { code: '28214', nom: 'Takarazuka', length: 1, region: 'Hyogo' };
    const second = { ...facts, ja: '宝塚市', people: 226000, iso: 'JP-28', length: 2, region: 'Hyogo', note: 'x' };
    const { boundaries, skipped } = await read([row(first, [box(0, 0)]), row(second, [box(3, 0)])]);
    expect(skipped).toEqual([]);
    expect(boundaries).toHaveLength(1);
    expect(boundaries[0]).toMatchObject({
      ...{
        name: 'Takarazuka',
        names: { ja: '宝塚市' },
        adminLevel: 8,
        population: 226000,
        iso: 'JP-28',
        country: 'JP',
      },
      tags: { region: 'Hyogo', note: 'x', level: '8' },
    });
    expect(boundaries[0]!.tags).not.toHaveProperty('length');
    expect(edgesOf(boundaries[0]!)).toHaveLength(8);
  });

  it('lists a row without an area, and keeps the others', async () => {
    const none = { ...row(facts), geometry: null };
    const { boundaries, skipped } = await read([row(facts, [box(0, 0)]), none, row(neighbor, [box(1, 0)])]);
    expect(boundaries).toHaveLength(2);
    expect(skipped).toEqual([{ id: '28214', reason: 'no geometry' }]);
  });

  it.each([
    ['a name', { nom: 'Kobe' }, 'nom ("Takarazuka" and "Kobe")'],
    ['a level', { level: 7 }, 'level ("8" and "7")'],
    ['a name in a language', { ja: '神戸市' }, 'ja ("宝塚市" and "神戸市")'],
    ['a population', { people: 5 }, 'people ("226000" and "5")'],
    ['an ISO code', { iso: 'JP-27' }, 'iso ("JP-28" and "JP-27")'],
  ])('are refused where they differ in %s, with the column and the rows', async (_, change, named) => {
    const full = { ...facts, ja: '宝塚市', people: 226000, iso: 'JP-28' };
    const rows = [row(full, [box(0, 0)]), row(neighbor, [box(1, 0)]), row({ ...full, ...change }, [box(5, 0)])];
    expect(await reasonOf(rows)).toContain(`rows 1 and 3 have the same id 28214 and differ in ${named}: rows of one`);
  });
});
