import { readFileSync } from 'node:fs';
import geographiclib from 'geographiclib-geodesic';
import { beforeAll, describe, expect, it } from 'vitest';
import { countryAt, countryTable } from '../../src/sources/countries.ts';
import { kindOf } from '../../src/sources/kinds.ts';
import { type SeedCoverage, seedBoundaries } from '../../src/sources/seed/all.ts';
import { readAtlas } from '../../src/sources/seed/rows.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { insideCenter } from '../../workers/arcs/center.ts';
import type { Coords, Polygons } from '../../workers/contract.ts';
import { doubleArea, geosArea, geosCheck, nest } from '../sources/coverage_support.ts';

const { Geodesic, Constants } = geographiclib;

/** Areas of the shapes as their sources publish them, worked out by PostGIS. */
const published = JSON.parse(readFileSync(new URL('country_areas.json', import.meta.url), 'utf8')) as {
  countries: Record<string, { source: string; km2: number }>;
};

const ringsOf = (boundary: SourceBoundary): readonly Coords[] =>
  'rings' in boundary.border ? boundary.border.rings : [];
/** Planar area in square degrees. */
const areaOf = (rings: readonly Coords[]) =>
  nest(rings).reduce((sum, [shell, ...holes]) => {
    const size = (ring: Coords) => Math.abs(doubleArea(ring)) / 2e14;
    return sum + size(shell!) - holes.reduce((all, hole) => all + size(hole), 0);
  }, 0);

describe('seedBoundaries', () => {
  let sources: SeedCoverage[] = [];
  const steps: string[] = [];
  const get = (source: string) => sources.find((one) => one.source.id === source)!;
  const find = (source: string, sourceId: string) => get(source).boundaries.find((one) => one.sourceId === sourceId)!;
  const level = (source: string, adminLevel: number) =>
    get(source).boundaries.filter((one) => one.adminLevel === adminLevel);

  beforeAll(async () => {
    sources = await seedBoundaries(({ source, done, total }) => steps.push(`${source} ${done}/${total}`));
  }, 60_000);

  it('reports its progress, its sources and what it left out', () => {
    expect(steps).toEqual(['countries 0/3', 'us-atlas 1/3', 'es-atlas 2/3']);
    for (const { source } of sources) for (const text of Object.values(source)) expect(text).not.toBe('');
    expect(sources.map((one) => [one.source.id, one.boundaries.length, one.repairs])).toEqual([
      ['geo-maps', 70, 0],
      ['world-atlas', 173, 0],
      ['us-atlas', 3287, 45],
      ['es-atlas', 8189, 296],
    ]);
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
    expect(find('world-atlas', 'FR')).toMatchObject({ id: 'r2202162', adminLevel: 2, wikidata: 'Q142' });
    expect(find('world-atlas', 'FR').names).toMatchObject({ de: 'Frankreich', en: 'France', ja: 'フランス' });
    expect(find('geo-maps', 'MQ')).toMatchObject({ adminLevel: 6, country: 'MQ' });
    expect(find('us-atlas', '72')).toMatchObject({ id: 'r4422604', iso: 'PR', country: 'PR', adminLevel: 4 });
  });

  it('gives no id twice, and no source id twice in a source', () => {
    const ids = sources.flatMap((one) => one.boundaries).flatMap((one) => one.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { boundaries } of sources)
      expect(new Set(boundaries.map((one) => one.sourceId)).size).toBe(boundaries.length);
  });

  const country = (code: string) =>
    sources.flatMap((one) => one.boundaries).find((one) => one.countryCode === code) as SourceBoundary;
  const holds = (code: string, lon: number, lat: number) => isInside(ringsOf(country(code)), lon * 1e7, lat * 1e7);

  it('has the area of its source, within 3 %, for 78 countries of which 28 are under 1,000 km2', () => {
    const rows = Object.entries(published.countries);
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(rows.filter(([, { km2 }]) => km2 < 1_000).length).toBeGreaterThanOrEqual(10);
    const off = rows.flatMap(([code, { source, km2 }]) => {
      expect(get(source).boundaries, code).toContain(country(code));
      const share = geodesicKm2(ringsOf(country(code))) / km2;
      return Math.abs(share - 1) <= 0.03 || code === 'GI' ? [] : [`${code} ${share}`];
    });
    expect(off).toEqual([]);
    // Gibraltar gives way to what es-atlas draws of La Línea, on a grid of 190 m.
    expect(geodesicKm2(ringsOf(country('GI'))) / published.countries.GI!.km2).toBeGreaterThan(0.94);
  });

  it('is land: no country reaches out to sea', () => {
    for (const [lon, lat] of [
      [-30, 0],
      [-15, 45],
      [3, 56],
      [-150, 30],
      [-88, 48],
    ]) {
      const there = Object.keys(countryTable().countries).filter((code) => holds(code, lon!, lat!));
      expect(there, `${lon} ${lat}`).toEqual([]);
    }
    expect(countryAt(47.4, -88.5)).toBe('US');
  });

  it('centers a country in its main part', () => {
    const boxes: Record<string, [west: number, south: number, east: number, north: number]> = {
      FR: [-5, 42, 8.3, 51.1],
      GB: [-6.5, 50, 1.8, 59],
      PT: [-9.6, 36.9, -6.1, 42.2],
      ES: [-9.4, 36, 3.4, 43.8],
      US: [-125, 24, -66, 49.5],
      NO: [4, 57, 31, 71.3],
      NL: [3.3, 50.7, 7.3, 53.6],
      EC: [-81.1, -5.1, -75.1, 1.5],
      CL: [-76, -56, -66, -17],
      NZ: [166, -47.4, 179, -34],
      FJ: [176, -19.3, 180, -16],
      RU: [27, 41, 180, 78],
    };
    for (const [code, [west, south, east, north]] of Object.entries(boxes)) {
      const [x, y] = insideCenter(polygonsOf(ringsOf(country(code))));
      const [lon, lat] = [x / 1e7, y / 1e7];
      expect(west < lon && lon < east && south < lat && lat < north, `${code}: ${lon} ${lat}`).toBe(true);
      expect(holds(code, lon, lat)).toBe(true);
    }
  });

  it('makes a country of its integral parts and of what it claims, and leaves dependent territories to themselves', () => {
    const integral: [string, string, number, number][] = [
      ['FR', 'MQ', -61, 14.65],
      ['FR', 'GF', -53, 4],
      ['FR', 'RE', 55.5, -21.1],
      ['CN', 'HK', 114.15, 22.38],
      ['FI', 'AX', 19.95, 60.25],
      ['NL', 'BQ', -68.28, 12.19],
      ['NO', 'SJ', 16, 78.5],
    ];
    for (const [whole, part, lon, lat] of integral) {
      expect(holds(whole, lon, lat) && holds(part, lon, lat), part).toBe(true);
    }
    const apart: [string, string, number, number][] = [
      ['FR', 'NC', 165.5, -21.5],
      ['GB', 'FK', -58.5, -51.8],
      ['GB', 'IM', -4.5, 54.2],
      ['US', 'PR', -66.4, 18.2],
      ['DK', 'GL', -42, 70],
      ['NZ', 'CK', -159.78, -21.23],
    ];
    for (const [state, territory, lon, lat] of apart) {
      expect([holds(state, lon, lat), holds(territory, lon, lat)], territory).toEqual([false, true]);
    }
    expect(holds('RU', 34.1, 44.95) && holds('UA', 34.1, 44.95)).toBe(true);
    expect(holds('MA', -13, 26) && holds('EH', -13, 26)).toBe(true);
    expect(holds('CY', 33.36, 35.2)).toBe(true);
    expect(holds('ES', -16.5, 28.3) && holds('ES', -5.31, 35.89)).toBe(true);
    expect(holds('ZA', 28.2, -29.6)).toBe(false);
    expect(holds('IT', 12.4534, 41.9033)).toBe(false);
    expect(holds('VA', 12.4534, 41.9033)).toBe(true);
  });

  it('gives Spain and the United States no land but that of their subdivisions, and none that a neighbor has', async () => {
    for (const [source, code, finest] of [
      ['es-atlas', 'ES', 8],
      ['us-atlas', 'US', 6],
    ] as const) {
      const own = level(source, finest).filter((one) => one.country === code);
      const below = segmentsOf(own);
      for (const segment of segmentsOf([country(code)])) expect(below.has(segment)).toBe(true);
    }
    // Every segment of the border lies on one of the neighbor's, vertex for vertex; the sea is between elsewhere.
    for (const [code, neighbors] of [
      ['ES', ['FR', 'PT', 'AD']],
      ['US', ['CA', 'MX']],
    ] as const) {
      const ours = segmentsOf([country(code)]);
      for (const other of neighbors) {
        const shared = [...segmentsOf([country(other)])].filter((segment) => ours.has(segment));
        expect(shared.length, `${code} ${other}`).toBeGreaterThan(other === 'AD' ? 0 : 30);
      }
    }
  });

  it('has the states and counties of the United States, by FIPS and relation', () => {
    expect(level('us-atlas', 4)).toHaveLength(56);
    expect(level('us-atlas', 6)).toHaveLength(3230);
    expect(find('us-atlas', '06')).toMatchObject({ id: 'r165475', name: 'California', iso: 'US-CA', country: 'US' });
    expect(find('us-atlas', '06').names).toMatchObject({ fr: 'Californie', zh: '加利福尼亚州' });
    expect(find('us-atlas', '06037')).toMatchObject({ id: null, name: 'Los Angeles', codes: ['06037'] });
    expect(level('us-atlas', 4).filter((one) => one.id === null)).toEqual([]);
    expect(kindOf({ ...find('us-atlas', '06037') })).toEqual({ kind: 'county', known: true });
    const cities = level('us-atlas', 6).filter((one) => kindOf(one).kind === 'city');
    // Those of Virginia, which has 38, without Falls Church: see the skipped ones above.
    const others = ['24510', '29510', '32510'];
    const inVirginia = cities.map((one) => one.codes[0] ?? '').filter((code) => !others.includes(code));
    expect([inVirginia.length, cities.length]).toEqual([37, 40]);
    expect(inVirginia.every((code) => /^51[5-8]/.test(code))).toBe(true);
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
    const codes = Object.keys(countryTable().countries);
    const features = codes.map((code) => ({ rings: ringsOf(country(code)) }));
    expect((await geosCheck(features)).invalid).toEqual([]);
    // Those that are in no other make a coverage: none overlaps another, all meet at common vertices.
    const twice = ['UA', 'EH', 'MQ', 'GP', 'GF', 'RE', 'YT', 'HK', 'MO', 'AX', 'BQ', 'SJ'];
    const apart = features.filter((_, i) => !twice.includes(codes[i]!));
    expect(await geosCheck(apart)).toEqual({ invalid: [], matches: true });
  });

  it('nests exactly: every segment of an outline is one of the finer level', () => {
    const counties = segmentsOf(level('us-atlas', 6));
    for (const segment of segmentsOf(level('us-atlas', 4))) expect(counties.has(segment)).toBe(true);
    const communities = segmentsOf(level('es-atlas', 4));
    const provinces = segmentsOf(level('es-atlas', 6));
    // Ceuta and Melilla are in no province.
    const cities = segmentsOf([find('es-atlas', '51001'), find('es-atlas', '52001')]);
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

/** The segments of boundaries, each as its two ends in one order. */
function segmentsOf(boundaries: readonly SourceBoundary[]): Set<string> {
  const found = new Set<string>();
  for (const ring of boundaries.flatMap(ringsOf)) {
    for (let i = 2; i < ring.length; i += 2) {
      const ends = [`${ring[i - 2]} ${ring[i - 1]}`, `${ring[i]} ${ring[i + 1]}`];
      found.add(ends.sort().join(' '));
    }
  }
  return found;
}

/** Area on the ellipsoid. */
function geodesicKm2(rings: readonly Coords[]): number {
  return nest(rings).reduce((sum, polygon) => {
    const [shell, ...holes] = polygon.map((ring) => {
      const area = new Geodesic.Geodesic(Constants.WGS84.a, Constants.WGS84.f).Polygon(false);
      for (let i = 0; i + 3 < ring.length; i += 2) area.AddPoint(ring[i + 1]! / 1e7, ring[i]! / 1e7);
      return Math.abs(area.Compute(false, true).area ?? 0) / 1e6;
    });
    return sum + shell! - holes.reduce((all, hole) => all + hole, 0);
  }, 0);
}

/** Rings as polygons, shells first. */
function polygonsOf(rings: readonly Coords[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const polygon of nest(rings)) {
    for (const [r, ring] of polygon.entries()) {
      const isLeft = doubleArea(ring) > 0;
      const pairs = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
      coords.push(...(isLeft === (r === 0) ? pairs : pairs.reverse()).flat());
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}
