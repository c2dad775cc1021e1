import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { project } from '../../workers/projections/engine.ts';
import { middleOf, type System, systemOf } from '../../workers/projections/systems.ts';
import { transformer } from '../../workers/projections/transform.ts';
import { UnknownSystem } from '../../workers/projections/wkt.ts';

/** Systems whose projections, units, meridians and axes differ. */
const CODES = [
  2154, 27700, 31370, 28992, 2056, 21781, 3006, 5514, 3035, 3763, 6677, 2048, 22234, 3005, 5070, 2263, 32718, 3116,
  2227, 3338, 2193, 3031, 3413, 32661, 3857, 3395, 6933, 24600, 26191, 27572, 3375,
] as const;

const FORMS = ['wkt1', 'wkt_esri', 'wkt2_2019', 'projjson'] as const;

function textOf(code: number, form: (typeof FORMS)[number]): string {
  const { stdout, stderr } = spawnSync('gdalsrsinfo', ['-o', form, `EPSG:${code}`], { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(stderr);
  return stdout.trim();
}

/** The place of a system's middle and of two others, by its own coordinates according to another system. */
function placesOf(system: System, by: System): number[] {
  const [lon, lat] = middleOf(by.area as readonly [number, number, number, number]);
  const plane = by.plane as NonNullable<System['plane']>;
  const xy = Float64Array.of(lon - plane.base.meridian, lat);
  project(plane.projection, plane.base.ellipsoid)(xy);
  const [x, y] = [(xy[0] as number) / plane.unit, (xy[1] as number) / plane.unit];
  const values: Readonly<Record<string, number>> = { E: x, W: -x, N: y, S: -y };
  const axes = by.axes === 'NE' ? 'EN' : by.axes;
  const own = [values[axes.charAt(0)] as number, values[axes.charAt(1)] as number];
  const coords = Float64Array.from([0, 20_000, -30_000].flatMap((more) => own.map((one) => one + more)));
  transformer(system).apply(coords);
  return [...coords];
}

describe('what texts of GDAL say about a system', () => {
  test.each(CODES.flatMap((code) => FORMS.map((form) => [code, form] as const)))('EPSG:%d as %s', (code, form) => {
    const byCode = systemOf(`EPSG:${code}`);
    const byText = systemOf(textOf(code, form));
    const [expected, found] = [placesOf(byCode, byCode), placesOf(byText, byCode)];
    for (const [i, one] of found.entries()) expect(one).toBeCloseTo(expected[i] as number, 8);
    expect(byText.isDegrees).toBe(false);
  });
});

describe('names of systems', () => {
  test.each([
    ['EPSG:2154', 'EPSG:2154'],
    ['2154', 'EPSG:2154'],
    [2154, 'EPSG:2154'],
    ['epsg:2154', 'EPSG:2154'],
    ['urn:ogc:def:crs:EPSG::2154', 'EPSG:2154'],
    ['urn:ogc:def:crs:EPSG:9.9.1:2154', 'EPSG:2154'],
    ['urn:x-ogc:def:crs:EPSG:2154', 'EPSG:2154'],
    ['http://www.opengis.net/def/crs/EPSG/0/2154', 'EPSG:2154'],
    ['http://www.opengis.net/gml/srs/epsg.xml#2154', 'EPSG:2154'],
    ['https://www.opengis.net/def/crs/OGC/1.3/CRS84', 'OGC:CRS84'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'OGC:CRS84'],
    [{ type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } }, 'EPSG:2154'],
    [{ type: 'EPSG', properties: { code: 2154 } }, 'EPSG:2154'],
    [{ id: { authority: 'EPSG', code: 2154 } }, 'EPSG:2154'],
    ['ESRI:102008', 'ESRI:102008'],
    ['RGF_1993_Lambert_93', 'EPSG:2154'],
    ['CH1903+ / LV95', 'EPSG:2056'],
    ['CH1903 / LV03', 'EPSG:21781'],
  ])('%j', (said, code) => {
    expect(systemOf(said).code).toBe(code);
  });

  test.each([
    [4258, 1],
    [4269, 4],
    [6668, 1],
    [7844, 3],
    [4674, 1],
    [4171, 1],
    [4612, 1],
    [4167, 1],
    [4619, 1],
    [4326, 0],
  ])('EPSG:%d is degrees that agree with WGS 84', (code, accuracy) => {
    const system = systemOf(code);
    expect(system).toMatchObject({ isDegrees: true, axes: 'NE', accuracy });
    const middle = middleOf(system.area as readonly [number, number, number, number]);
    const coords = Float64Array.from(middle);
    transformer(system).apply(coords);
    expect([...coords]).toEqual([...middle]);
  });

  // By projinfo: the horizontal parts of systems with heights.
  test.each([
    ['EPSG:4979', 'EPSG:4326'],
    ['EPSG:4937', 'EPSG:4258'],
    ['EPSG:7843', 'EPSG:7844'],
    ['EPSG:7405', 'EPSG:27700'],
    ['EPSG:5698', 'EPSG:2154'],
    ['EPSG:7415', 'EPSG:28992'],
  ])('%s has places of %s', (code, horizontal) => {
    expect(systemOf(code)).toEqual(systemOf(horizontal));
  });

  test.each([
    ['EPSG:999999', 'not in the table'],
    ['Atlantis', 'names no reference system'],
    ['EPSG:29701', 'Laborde'],
    ['LOCAL_CS["Plan",UNIT["metre",1]]', 'no places on the Earth'],
    [
      'PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6378137,298.25]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Winkel_Tripel"],PARAMETER["central_meridian",0],UNIT["metre",1]]',
      'Winkel_Tripel',
    ],
    ['PROJCS["x"', 'not well-known text'],
    ['{"type":"EngineeringCRS"}', 'EngineeringCRS'],
    ['{', 'PROJJSON'],
  ])('refuses %s', (said, reason) => {
    expect(() => systemOf(said)).toThrow(UnknownSystem);
    expect(() => systemOf(said)).toThrow(reason);
  });
});
