import { describe, expect, it } from 'vitest';
import wkx from 'wkx';
import { writeGeojson } from '../../workers/formats/geojson/write.ts';
import { writeWkt } from '../../workers/formats/wkt/write.ts';
import { documentOf, HOSTILE, NESTED, polygonsOf, square, text } from './support.ts';

const ONE = polygonsOf([[square(6.1234567, 49.5, 0.5), square(6.1234567, 49.5, 0.25, true)]]);
const NONE = polygonsOf([]);

const NESTED_COORDINATES = [[square(0, 0, 10), square(0, 0, 6, true)], [square(0, 0, 2.5)]];

describe('geojson', () => {
  it('writes one polygon as a Polygon, byte for byte', () => {
    const doc = documentOf({
      properties: { name: 'L', parents: [{ id: 'r2' }], population: null },
      bbox: [5.6234567, 49, 6.6234567, 50],
    });
    expect(text(writeGeojson(ONE, doc))).toBe(
      '{"type":"Feature","id":"r1","bbox":[5.6234567,49,6.6234567,50],' +
        '"properties":{"name":"L","parents":[{"id":"r2"}],"population":null,"attribution":"© OpenStreetMap contributors"},' +
        '"geometry":{"type":"Polygon","coordinates":[' +
        '[[5.6234567,49],[6.6234567,49],[6.6234567,50],[5.6234567,50],[5.6234567,49]],' +
        '[[5.8734567,49.25],[5.8734567,49.75],[6.3734567,49.75],[6.3734567,49.25],[5.8734567,49.25]]]}}',
    );
  });

  it('writes several polygons as a MultiPolygon, an island in a hole too', () => {
    const feature = JSON.parse(text(writeGeojson(NESTED, documentOf())));
    expect(feature.geometry).toEqual({ type: 'MultiPolygon', coordinates: NESTED_COORDINATES });
  });

  it('writes no polygon as an empty MultiPolygon, and leaves out an id and a bbox that are null', () => {
    expect(JSON.parse(text(writeGeojson(NONE, documentOf({ id: null, attribution: '' }))))).toEqual({
      type: 'Feature',
      properties: {},
      geometry: { type: 'MultiPolygon', coordinates: [] },
    });
  });

  it('keeps an attribution that the properties carry', () => {
    const feature = JSON.parse(text(writeGeojson(NONE, documentOf({ properties: { attribution: 'own' } }))));
    expect(feature.properties).toEqual({ attribution: 'own' });
  });

  it('keeps hostile text as it is, lone surrogates too', () => {
    const doc = documentOf({ id: HOSTILE, properties: { [HOSTILE]: HOSTILE } });
    const feature = JSON.parse(text(writeGeojson(ONE, doc)));
    expect(feature.id).toBe(HOSTILE);
    expect(feature.properties[HOSTILE]).toBe(HOSTILE);
  });

  it('writes a box across the antimeridian and tiny numbers as plain decimals', () => {
    const bytes = writeGeojson(NONE, documentOf({ bbox: [179.9999999, -0.0000001, -179.5, 0.1], digits: 2 }));
    expect(text(bytes)).toContain('"bbox":[179.9999999,-0.0000001,-179.5,0.1]');
  });

  it('rounds to the digits of the document, half away from zero', () => {
    const polygons = polygonsOf([[square(-0.125, 0.005, 1)]]);
    const feature = JSON.parse(text(writeGeojson(polygons, documentOf({ digits: 2 }))));
    expect(feature.geometry.coordinates[0][0]).toEqual([-1.13, -1]);
  });
});

describe('wkt', () => {
  it('writes POLYGON, MULTIPOLYGON and MULTIPOLYGON EMPTY, and nothing else', () => {
    const doc = documentOf({ name: HOSTILE });
    expect(text(writeWkt(NONE, doc))).toBe('MULTIPOLYGON EMPTY');
    expect(text(writeWkt(polygonsOf([[square(1, 2, 0.5)]]), doc))).toBe(
      'POLYGON((0.5 1.5,1.5 1.5,1.5 2.5,0.5 2.5,0.5 1.5))',
    );
    expect(text(writeWkt(NESTED, doc))).toBe(
      'MULTIPOLYGON(((-10 -10,10 -10,10 10,-10 10,-10 -10),(-6 -6,-6 6,6 6,6 -6,-6 -6)),' +
        '((-2.5 -2.5,2.5 -2.5,2.5 2.5,-2.5 2.5,-2.5 -2.5)))',
    );
  });

  it('is read by wkx', () => {
    const read = (bytes: Uint8Array) => wkx.Geometry.parse(text(bytes)).toGeoJSON();
    expect(read(writeWkt(NESTED, documentOf()))).toEqual({ type: 'MultiPolygon', coordinates: NESTED_COORDINATES });
    expect(read(writeWkt(ONE, documentOf()))).toEqual(JSON.parse(text(writeGeojson(ONE, documentOf()))).geometry);
    expect(read(writeWkt(NONE, documentOf()))).toEqual({ type: 'MultiPolygon', coordinates: [] });
  });
});
