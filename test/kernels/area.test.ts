import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import geographiclib from 'geographiclib-geodesic';
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson';
import pg from 'pg';
import { feature } from 'topojson-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arcArea, ringsArea } from '../../workers/arcs/area.ts';
import { ringsBox } from '../../workers/arcs/box.ts';
import { insideCenter } from '../../workers/arcs/center.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import { locate } from '../../workers/arcs/locate.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { stitch } from '../../workers/arcs/stitch.ts';
import type { Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';
import { arrange, chain, type Line, polygonsOf, rect, ringsOf, tableOf, withAreas, wkt } from './topology.ts';

const { Geodesic } = geographiclib;
const DATA = process.env.REAL_DATA_DIR;
const ORACLE = process.env.ORACLE_DATABASE_URL;

/** Degrees to 1e-7 integers. */
const degrees = (line: Line): Line => line.map(([x, y]) => [Math.round(x * 1e7), Math.round(y * 1e7)]);

function build(...rings: Line[]) {
  const { table, refs } = arrange([rings.map(degrees)]);
  return { table: withAreas(table), rings: ringsOf(stitch(table, defined(refs[0]))) };
}

function areaOf(...rings: Line[]): number {
  const { table, rings: result } = build(...rings);
  return ringsArea(table, result);
}

/** Surface of the WGS84 ellipsoid in m2 (Karney's GeographicLib, Geodesic::EllipsoidArea). */
const ELLIPSOID = 510_065_621_724_088.44;

/** A ring along a parallel, in steps of 10 degrees, from -180 to 180. */
function parallel(latitude: number): [number, number][] {
  return Array.from({ length: 37 }, (_, i) => [-180 + 10 * i, latitude]);
}

describe('arcArea', () => {
  it('changes its sign with the direction, at half turns too', () => {
    for (const line of [
      [
        [2, 48],
        [3, 49],
        [2.5, 51],
      ],
      [
        [0, 10],
        [180, 20],
      ],
      [
        [-180, -40],
        [0, -60],
        [30, -60],
      ],
      [
        [170, 10],
        [-170, 12],
      ],
    ] as Line[]) {
      const there = chain(degrees(line));
      const back = chain(degrees([...line].reverse()));
      const forward = arcArea(there, 0, line.length);
      const backward = arcArea(back, 0, line.length);
      expect(backward.turn).toBe(-forward.turn);
      expect(Math.abs(backward.area + forward.area)).toBeLessThan(1e-3);
      expect(Math.abs(forward.area)).toBeGreaterThan(1e6);
    }
  });

  it('takes every edge the short way round', () => {
    expect(
      arcArea(
        chain(
          degrees([
            [170, 10],
            [-170, 10],
          ]),
        ),
        0,
        2,
      ).turn,
    ).toBe(200_000_000);
    expect(
      arcArea(
        chain(
          degrees([
            [-180, 10],
            [180, 11],
          ]),
        ),
        0,
        2,
      ),
    ).toEqual({ area: 0, turn: 0 });
    expect(arcArea(chain(degrees(parallel(20))), 0, 37).turn).toBe(3_600_000_000);
  });

  it('is positive to the east in the north, negative in the south, nothing along a meridian', () => {
    expect(
      arcArea(
        chain(
          degrees([
            [0, 10],
            [5, 10],
          ]),
        ),
        0,
        2,
      ).area,
    ).toBeGreaterThan(1e10);
    expect(
      arcArea(
        chain(
          degrees([
            [0, -10],
            [5, -10],
          ]),
        ),
        0,
        2,
      ).area,
    ).toBeLessThan(-1e10);
    expect(
      arcArea(
        chain(
          degrees([
            [5, -10],
            [5, 60],
          ]),
        ),
        0,
        2,
      ).area,
    ).toBe(0);
  });

  it('has nothing for no vertices, and refuses a latitude beyond 90 degrees', () => {
    expect(arcArea(new Int32Array(0), 0, 0)).toEqual({ area: 0, turn: 0 });
    expect(() =>
      arcArea(
        chain([
          [0, 0],
          [1, 900_000_001],
        ]),
        0,
        2,
      ),
    ).toThrow(RangeError);
  });
});

describe('ringsArea', () => {
  it('is 12,308.778 km2 for the degree square at the origin, anywhere on the equator, and in the south', () => {
    for (const [x, y] of [
      [0, 0],
      [100, 0],
      [-180, 0],
      [179, -1],
      [0, -1],
    ] as const) {
      expect(areaOf(rect(x, y, x + 1, y + 1)) / 1e6).toBeCloseTo(12_308.778, 3);
    }
  });

  it('takes holes off, and is nothing for nothing', () => {
    const whole = areaOf(rect(0, 40, 4, 44));
    const hole = areaOf(rect(1, 41, 2, 42));
    expect(areaOf(rect(0, 40, 4, 44), rect(1, 41, 2, 42))).toBeCloseTo(whole - hole, 0);
    const { table } = build(rect(0, 0, 1, 1));
    expect(
      ringsArea(table, { refs: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) }),
    ).toBe(0);
  });

  it('adds the caps of both poles and the belt between them to the ellipsoid', () => {
    const seam = (latitude: number, pole: number): [number, number][] => [
      [180, pole],
      [-180, pole],
      [-180, latitude],
    ];
    const south = areaOf([...parallel(-60), ...seam(-60, -90)]);
    const north = areaOf([...parallel(50), ...seam(50, 90)]);
    const belt = areaOf([...parallel(-60), ...parallel(50).reverse(), [-180, -60]]);
    expect(south).toBeGreaterThan(3e13);
    expect((south + north + belt) / ELLIPSOID).toBeCloseTo(1, 12);
    const polygon = Geodesic.WGS84.Polygon(false);
    for (const [x, y] of parallel(-60).slice(0, 36).reverse()) polygon.AddPoint(y, x);
    expect(south / polygon.Compute(false, true).area!).toBeCloseTo(1, 12);
  });

  it('goes all the way round on an edge along one parallel', () => {
    const cap = areaOf(rect(-180, -90, 180, -60));
    const fine = Array.from({ length: 3601 }, (_, i): [number, number] => [-180 + i / 10, -60]);
    expect(cap / areaOf([...fine, [180, -90], [-180, -90], [-180, -60]])).toBeCloseTo(1, 5);
    expect(areaOf(rect(-180, -90, 180, 90)) / ELLIPSOID).toBeCloseTo(1, 12);
    const half = areaOf(rect(-180, 0, 180, 90));
    expect(half / ELLIPSOID).toBeCloseTo(0.5, 12);
    expect((areaOf(rect(-180, -60, 180, 90)) + cap) / ELLIPSOID).toBeCloseTo(1, 12);
  });

  it('takes a hole with a pole in it off a shell with the same pole', () => {
    // As rings on the globe, without a seam: closed chains that turn once.
    const shell = chain(degrees(parallel(40)));
    const hole = chain(degrees(parallel(70)));
    const table = withAreas(tableOf([shell, hole]));
    const ring = (refs: number[], ringEnd: number[]): Rings => ({
      refs: Int32Array.from(refs),
      ringEnd: Uint32Array.from(ringEnd),
      polygonEnd: Uint32Array.of(ringEnd.length),
    });
    const large = ringsArea(table, ring([0], [1]));
    const small = ringsArea(table, ring([1], [1]));
    expect(large).toBeGreaterThan(small);
    expect(ringsArea(table, ring([0, ~1], [1, 2])) / (large - small)).toBeCloseTo(1, 12);
  });

  it('is additive over a union', () => {
    const { table, refs } = arrange([[degrees(rect(5, 49, 6, 50))], [degrees(rect(6, 49, 7, 50))]]);
    withAreas(table);
    const area = (include: number[]) => ringsArea(table, ringsOf(mergeBoundaries(table, refs, include, [])));
    expect(area([0, 1]) / (area([0]) + area([1]))).toBeCloseTo(1, 12);
  });
});

interface Shape {
  readonly name: string;
  /** Polygons as rings of 1e-7 integers. */
  readonly polygons: Line[][];
}

function shapesOf(file: string, dir: string): Shape[] {
  const bytes = readFileSync(join(dir, 'coverage', file));
  const json = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
  const collection: FeatureCollection =
    json.type === 'Topology' ? (feature(json, json.objects.countries) as unknown as FeatureCollection) : json;
  return collection.features
    .filter((f): f is Feature<Polygon | MultiPolygon> => f.geometry?.type.endsWith('Polygon') ?? false)
    .map((f) => ({
      name: String(f.properties?.name ?? f.properties?.nameEn ?? f.id),
      polygons: (f.geometry.type === 'Polygon' ? [f.geometry.coordinates] : f.geometry.coordinates).map((rings) =>
        rings.map((ring) => degrees(ring as [number, number][])),
      ),
    }));
}

/** Assembles rings that fit each other; the quantised files have some that do not. */
async function sound(rings: Line[]) {
  const { arcs, refs } = cutChains(rings.map(chain));
  const table = tableOf(arcs);
  const walked = refs.flatMap((list) => [...list]).map((ref) => (ref < 0 ? ~ref : ref));
  const assembled = assembleRings(table, Int32Array.from(walked));
  if ('trouble' in assembled) return null;
  const polygons = polygonsOf(table, assembled.rings);
  return (await isValid(polygons)) ? null : { table: withAreas(table), rings: assembled.rings, polygons };
}

describe.skipIf(!DATA)('boxes of real countries', () => {
  it('cross the antimeridian for Fiji and Asian Russia, and not for Antarctica or Germany', async () => {
    const boxes = new Map<string, readonly number[]>();
    for (const { name, polygons } of shapesOf('country-coder-borders.geojson.gz', DATA!)) {
      const shape = await sound(polygons.flat());
      if (shape)
        boxes.set(
          name,
          ringsBox(shape.table, shape.rings)!.map((value) => Math.round(value / 1e7)),
        );
    }
    for (const name of ['Fiji', 'Asian Russia']) {
      const [west, , east] = boxes.get(name)!;
      expect(west, name).toBeGreaterThan(0);
      expect(east, name).toBeLessThan(0);
    }
    expect(boxes.get('Antarctica')).toEqual([-180, -90, 180, -60]);
    const [west, south, east, north] = leading(boxes.get('Germany')!, 4);
    expect(west < 7 && south < 48 && east > 14 && east < 16 && north > 54).toBe(true);
  });
});

describe.skipIf(!DATA || !ORACLE)('areas and centers of real polygons against PostGIS', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: ORACLE });
    await client.connect();
  });
  afterAll(() => client.end());

  async function compare(name: string, shape: NonNullable<Awaited<ReturnType<typeof sound>>>): Promise<void> {
    const { rows } = await client.query('select ST_Area(ST_GeomFromText($1, 4326)::geography) as area', [
      wkt(shape.polygons, 1e-7),
    ]);
    expect(Math.abs(ringsArea(shape.table, shape.rings) / rows[0].area - 1), name).toBeLessThan(1e-6);
    const [x, y] = insideCenter(shape.polygons);
    expect(locate(shape.table, shape.rings.refs, x, y), name).toBe(1);
  }

  it('countries as polygons, multipolygons included', async () => {
    let checked = 0;
    for (const { name, polygons } of shapesOf('country-coder-borders.geojson.gz', DATA!)) {
      const shape = await sound(polygons.flat());
      // PostGIS takes the edge from -180 to 180 degrees along the parallel of 60 degrees south for nothing.
      if (!shape || name === 'Antarctica') continue;
      await compare(name, shape);
      checked++;
    }
    expect(checked).toBeGreaterThan(300);
  });

  it('the main parts of coastal countries, Antarctica, Fiji and Russia among them', async () => {
    const checked: string[] = [];
    for (const { name, polygons } of shapesOf('world-countries-10m.topo.json', DATA!)) {
      const wanted = ['Antarctica', 'Fiji', 'Russia'].includes(name) ? polygons : polygons.slice(0, 1);
      for (const rings of wanted) {
        const shape = await sound(rings);
        if (!shape) continue;
        await compare(name, shape);
        checked.push(name);
      }
    }
    expect(checked.length).toBeGreaterThan(300);
    for (const name of ['Antarctica', 'Fiji', 'Russia']) expect(checked).toContain(name);
  });
});
