import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../src/sources/coverage/geometry.ts';
import { readGml } from '../../workers/formats/gml/read.ts';
import { readKml } from '../../workers/formats/kml/read.ts';
import type { ReadFeature } from '../../workers/formats/reading/document.ts';

/** Elements that are repeated very often: each costs the same, so that what is quadratic runs into the time limit. */
const LIMIT = 20_000;

const only = (features: unknown): ReadFeature => [...(features as Iterable<ReadFeature>)][0] as ReadFeature;

describe('GML', () => {
  const exterior =
    '<gml:exterior><gml:LinearRing><gml:posList>0 0 0 1 1 1 0 0</gml:posList></gml:LinearRing></gml:exterior>';
  const gml = (elements: string, rings = exterior): string =>
    `<c xmlns:gml="http://www.opengis.net/gml/3.2"><gml:featureMember><f>${elements}` +
    `<g><gml:Polygon srsName="EPSG:4326">${rings}</gml:Polygon></g></f></gml:featureMember></c>`;

  test('100,000 elements of ten names are ten lists', { timeout: LIMIT }, () => {
    const names = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const { properties } = only(
      readGml(gml(names.map((name) => `<${name}>x</${name}>`.repeat(10_000)).join(''))).features,
    );
    expect(Object.keys(properties)).toEqual(names);
    for (const name of names) expect(properties[name]).toEqual(Array.from({ length: 10_000 }, () => 'x'));
  });

  test('100,000 elements of as many names', { timeout: LIMIT }, () => {
    const elements = Array.from({ length: 100_000 }, (_, i) => `<t${i}>${i}</t${i}>`).join('');
    const { properties } = only(readGml(gml(elements)).features);
    expect(Object.keys(properties)).toHaveLength(100_000);
    expect(properties.t99999).toBe('99999');
  });

  test('more than 10,000 elements of one name are refused', () => {
    expect(() => readGml(gml('<t>x</t>'.repeat(10_001)))).toThrow('a feature has more than 10000 elements "t"');
  });

  test('a polygon with two exteriors is refused', () => {
    expect(() => readGml(gml('', exterior + exterior))).toThrow('a polygon has two exteriors');
  });
});

describe('KML', () => {
  const polygon =
    '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>';
  const kml = (content: string): string =>
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;
  const placemark = (content: string): string => `<Placemark>${content}</Placemark>`;
  const multi = (content: string): string => `<MultiGeometry>${content}</MultiGeometry>`;

  test.each([
    ['one MultiGeometry', multi(multi(polygon.repeat(30_000)))],
    ['a MultiGeometry each', multi(multi(polygon).repeat(30_000))],
  ])('30,000 polygons in %s, in another', { timeout: LIMIT }, (_, geometry) => {
    expect(only(readKml(kml(placemark(geometry))).features).polygons).toHaveLength(30_000);
  });

  test('values of declared fields are bounded: each placemark has one for each field', () => {
    const fields = Array.from({ length: 5_000 }, (_, i) => `<SimpleField name="f${i}" type="int"/>`).join('');
    const schema = `<Schema name="s" id="s">${fields}</Schema>`;
    expect(only(readKml(kml(schema + placemark(polygon))).features).properties).toHaveProperty('f4999', null);
    expect(() => readKml(kml(schema + placemark(polygon).repeat(2_001)))).toThrow(
      'its schemas declare 5000 fields and it has 2001 placemarks: at most 10000000 values of declared fields are read',
    );
  });
});

test('300,000 points and as many polygons in a collection of GeoJSON', { timeout: LIMIT }, () => {
  const ring = [[0, 0], [1, 0], [1, 1], [0, 0]]; // biome-ignore format: a ring
  const part = (i: number): GeoJSON.Geometry =>
    i % 2 === 0 ? { type: 'Point', coordinates: [0, 0] } : { type: 'Polygon', coordinates: [ring] };
  const shape = shapeOf({ type: 'GeometryCollection', geometries: Array.from({ length: 600_000 }, (_, i) => part(i)) });
  expect([shape.polygonEnd.length, shape.others]).toEqual([300_000, 300_000]);
});
