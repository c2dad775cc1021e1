import { beforeAll, describe, expect, it } from 'vitest';
import { countryTable } from '../../src/sources/countries.ts';
import { kindOf } from '../../src/sources/kinds.ts';
import { readAtlas } from '../../src/sources/starter/rows.ts';
import { type StarterCoverage, starterBoundaries } from '../../src/sources/starter.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import type { Coords } from '../../workers/contract.ts';
import { doubleArea, geosArea, geosCheck, nest } from './coverage_support.ts';

const ringsOf = (boundary: SourceBoundary): readonly Coords[] =>
  'rings' in boundary.border ? boundary.border.rings : [];
/** Planar area in square degrees. */
const areaOf = (rings: readonly Coords[]) =>
  nest(rings).reduce((sum, [shell, ...holes]) => {
    const size = (ring: Coords) => Math.abs(doubleArea(ring)) / 2e14;
    return sum + size(shell!) - holes.reduce((all, hole) => all + size(hole), 0);
  }, 0);

describe('starterBoundaries', () => {
  let sources: StarterCoverage[] = [];
  const steps: string[] = [];
  const get = (source: string) => sources.find((one) => one.source.id === source)!;
  const find = (source: string, sourceId: string) => get(source).boundaries.find((one) => one.sourceId === sourceId)!;
  const level = (source: string, adminLevel: number) =>
    get(source).boundaries.filter((one) => one.adminLevel === adminLevel);

  beforeAll(async () => {
    sources = await starterBoundaries(({ source, done, total }) => steps.push(`${source} ${done}/${total}`));
  }, 60_000);

  it('reports its progress, its sources and what it left out', () => {
    expect(steps).toEqual(['country-coder 0/3', 'us-atlas 1/3', 'es-atlas 2/3']);
    for (const { source } of sources) for (const text of Object.values(source)) expect(text).not.toBe('');
    expect(sources.map((one) => one.boundaries.length)).toEqual([245, 3286, 8188]);
    expect(sources.map((one) => one.mended)).toEqual([10, 45, 296]);
    expect(get('us-atlas').skipped.map((one) => one.id)).toEqual(['51610']);
  });

  it('has every country and territory with an ISO code once, with wikidata and an id of its own', () => {
    const carriers = sources.flatMap((one) => one.boundaries).filter((one) => one.countryCode !== null);
    expect(carriers.map((one) => one.countryCode).sort()).toEqual(Object.keys(countryTable().countries).sort());
    for (const one of carriers) {
      expect(one.wikidata, one.name).toMatch(/^Q\d+$/);
      expect(one.iso).toBe(one.countryCode);
      expect(kindOf({ ...one }).kind).toBe('country');
    }
    expect(find('country-coder', 'FR')).toMatchObject({ id: 'r2202162', adminLevel: 2, wikidata: 'Q142' });
    expect(find('country-coder', 'FR').names).toMatchObject({ de: 'Frankreich', en: 'France', ja: 'フランス' });
    expect(find('country-coder', 'MQ')).toMatchObject({ adminLevel: 6, country: 'MQ' });
    expect(find('us-atlas', '72')).toMatchObject({ id: 'r4422604', iso: 'PR', country: 'PR', adminLevel: 4 });
  });

  it('gives no id twice, and no source id twice in a source', () => {
    const ids = sources.flatMap((one) => one.boundaries).flatMap((one) => one.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { boundaries } of sources)
      expect(new Set(boundaries.map((one) => one.sourceId)).size).toBe(boundaries.length);
  });

  it('makes a country of all its parts, and of what it claims', () => {
    const size = (code: string) => areaOf(ringsOf(find('country-coder', code)));
    // The metropolis, twelve parts with a code of their own, Clipperton.
    const overseas = ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'];
    expect(size('FR')).toBeGreaterThan(overseas.reduce((sum, code) => sum + size(code), 0) + 50);
    expect(ringsOf(find('country-coder', 'FR')).length).toBeGreaterThan(15);
    const holds = (code: string, x: number, y: number) =>
      isInside(ringsOf(find('country-coder', code)), x * 1e7, y * 1e7);
    expect(holds('RU', 34.1, 44.95) && holds('UA', 34.1, 44.95)).toBe(true);
    expect(holds('CY', 33.36, 35.2)).toBe(true);
    expect(holds('ES', -16.5, 28.3) && holds('ES', -5.31, 35.89)).toBe(true);
    expect(holds('ZA', 28.2, -29.6)).toBe(false);
    expect(holds('CN', 114.15, 22.3) && holds('HK', 114.15, 22.3)).toBe(true);
  });

  it('has the states and counties of the United States, by FIPS and relation', () => {
    expect(level('us-atlas', 4)).toHaveLength(56);
    expect(level('us-atlas', 6)).toHaveLength(3230);
    expect(find('us-atlas', '06')).toMatchObject({ id: 'r165475', name: 'California', iso: 'US-CA', country: 'US' });
    expect(find('us-atlas', '06').names).toMatchObject({ fr: 'Californie', zh: '加利福尼亚州' });
    expect(find('us-atlas', '06037')).toMatchObject({ id: null, name: 'Los Angeles', codes: ['06037'] });
    expect(level('us-atlas', 4).filter((one) => one.id === null)).toEqual([]);
    expect(kindOf({ ...find('us-atlas', '06037') })).toEqual({ kind: 'county', known: true });
  });

  it('has the communities, provinces and municipalities of Spain, by INE code and relation', () => {
    expect(level('es-atlas', 4)).toHaveLength(19);
    expect(level('es-atlas', 6)).toHaveLength(50);
    expect(level('es-atlas', 8)).toHaveLength(8119);
    expect(find('es-atlas', 'ccaa-16')).toMatchObject({ id: 'r349042', iso: 'ES-PV' });
    expect(find('es-atlas', 'provincia-28')).toMatchObject({ iso: 'ES-M', name: 'Madrid' });
    expect(find('es-atlas', '28079')).toMatchObject({ name: 'Madrid', country: 'ES', adminLevel: 8 });
    expect(find('es-atlas', 'provincia-03').otherNames.map((one) => one.text)).toEqual(['Alacant', 'Alicante']);
    expect(get('es-atlas').boundaries.some((one) => /gibraltar\./i.test(one.name))).toBe(false);
  });

  it.each([
    ['us-atlas', 4],
    ['us-atlas', 6],
    ['es-atlas', 4],
    ['es-atlas', 6],
    ['es-atlas', 8],
  ])('%s, level %i, is a valid coverage to GEOS', async (source, adminLevel) => {
    const features = level(source, adminLevel).map((one) => ({ rings: ringsOf(one) }));
    expect(await geosCheck(features)).toEqual({ invalid: [], matches: true });
  });

  it('has valid countries', async () => {
    const features = get('country-coder').boundaries.map((one) => ({ rings: ringsOf(one) }));
    expect((await geosCheck(features)).invalid).toEqual([]);
  });

  it('nests exactly: every segment of an outline is one of the finer level', () => {
    const segments = (boundaries: readonly SourceBoundary[]) => {
      const found = new Set<string>();
      for (const ring of boundaries.flatMap(ringsOf)) {
        for (let i = 2; i < ring.length; i += 2) {
          const ends = [`${ring[i - 2]} ${ring[i - 1]}`, `${ring[i]} ${ring[i + 1]}`];
          found.add(ends.sort().join(' '));
        }
      }
      return found;
    };
    const counties = segments(level('us-atlas', 6));
    for (const segment of segments(level('us-atlas', 4))) expect(counties.has(segment)).toBe(true);
    const communities = segments(level('es-atlas', 4));
    const provinces = segments(level('es-atlas', 6));
    // Ceuta and Melilla are in no province.
    const cities = segments([find('es-atlas', '51001'), find('es-atlas', '52001')]);
    for (const segment of communities) expect(provinces.has(segment) || cities.has(segment)).toBe(true);
  });

  it('has the areas of the outlines that the atlases ship, to a thousandth', async () => {
    // The shipped outlines are not all valid: GEOS repairs them for the comparison.
    const shippedArea = async (rings: readonly Coords[]) => (await geosArea([rings])).area / 1e14;
    const [states] = readAtlas('us-atlas/counties-10m.json', ['states']);
    // The outline of Illinois does not close as shipped, by one step of its grid.
    expect(states!.filter((state) => state.rings.length === 0).map((state) => state.code)).toEqual(['17']);
    for (const state of states!) {
      if (state.rings.length === 0) continue;
      const shipped = await shippedArea(state.rings);
      expect(Math.abs(areaOf(ringsOf(find('us-atlas', state.code))) - shipped) / shipped, state.name).toBeLessThan(
        1e-3,
      );
    }
    const [provinces, regions] = readAtlas('es-atlas/es/municipalities.json', ['provinces', 'autonomous_regions']);
    for (const [prefix, areas] of [
      ['provincia', provinces!],
      ['ccaa', regions!],
    ] as const) {
      for (const { code, name, rings } of areas) {
        const own = get('es-atlas').boundaries.find((one) => one.sourceId === `${prefix}-${code}`);
        if (own === undefined) continue;
        const shipped = await shippedArea(rings);
        expect(Math.abs(areaOf(ringsOf(own)) - shipped) / shipped, name).toBeLessThan(1e-3);
      }
    }
  });
});

function isInside(rings: readonly Coords[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
  }
  return inside;
}
