import { createRequire } from 'node:module';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Document } from '../../workers/contract.ts';
import { elementName } from '../../workers/formats/gml/element_names.ts';
import { writeGml } from '../../workers/formats/gml/write.ts';
import { writeKml } from '../../workers/formats/kml/write.ts';
import { writeSvg } from '../../workers/formats/svg/write.ts';
import { xmlText } from '../../workers/formats/xml.ts';
import { documentOf, HOSTILE, HOSTILE_READ, NESTED, polygonsOf, square, text } from './support.ts';
import { all, one, readXml, type XmlElement } from './xml_tree.ts';

// It has no types of its own.
const togeojson: { kml(dom: unknown): GeoJSON.FeatureCollection } = createRequire(import.meta.url)('@mapbox/togeojson');

const NONE = polygonsOf([]);
const ONE = polygonsOf([[square(6.1234567, 49.5, 0.5), square(6.1234567, 49.5, 0.25, true)]]);
const ONE_COORDINATES = [square(6.1234567, 49.5, 0.5), square(6.1234567, 49.5, 0.25, true)].map((ring) =>
  ring.map((position) => position.map((degrees) => Math.round(degrees * 1e7) / 1e7)),
);

const HOSTILE_DOCUMENT: Document = documentOf({
  id: HOSTILE,
  name: HOSTILE,
  attribution: HOSTILE,
  properties: { [HOSTILE]: HOSTILE, name: 'other', area_km2: 2586.4, disputed: false, parents: [1], iso: null },
  bbox: [-10, -10, 10, 10],
});

describe('xmlText', () => {
  it('reads back the same, in content and in an attribute, for every UTF-16 code unit', () => {
    for (let from = 0; from < 0x10000; from += 0x800) {
      const source = Array.from({ length: 0x800 }, (_, i) => `${String.fromCharCode(from + i)}.`).join('');
      const expected = Array.from({ length: 0x800 }, (_, i) => {
        const unit = from + i;
        const legal =
          (unit >= 0x20 && unit < 0xd800) || (unit >= 0xe000 && unit <= 0xfffd) || [0x09, 0x0a, 0x0d].includes(unit);
        return `${legal ? String.fromCharCode(unit) : '\ufffd'}.`;
      }).join('');
      const element = readXml(`<a b="${xmlText(source)}">${xmlText(source)}</a>`);
      expect(element.text).toBe(expected);
      expect(element.attributes.b).toBe(expected);
    }
  });

  it('leaves characters beyond the first plane whole', () => {
    expect(xmlText('🚀\u{10ffff}')).toBe('🚀\u{10ffff}');
  });
});

describe.each([
  ['kml', writeKml],
  ['gml', writeGml],
  ['svg', writeSvg],
] as const)('%s', (_, write) => {
  it.each([
    ['no polygon', NONE],
    ['one', ONE],
    ['an island in a hole', NESTED],
  ])('is well-formed around hostile text and %s', (_, polygons) => {
    const source = text(write(polygons, HOSTILE_DOCUMENT));
    const root = readXml(source);
    const names = [root, ...all(root, 'script')].map(({ name }) => name);
    expect(names).toEqual([root.name]);
    expect(root.name).not.toBe('script');
  });

  it('is written without an attribution, an id and a box as well', () => {
    readXml(text(write(NONE, documentOf({ id: null, name: '', attribution: '', bbox: null }))));
  });
});

describe('kml', () => {
  const read = (source: string) => togeojson.kml(new DOMParser().parseFromString(source, 'text/xml')).features;

  it('has one Placemark with name, data and attribution, in the order of the schema', () => {
    const root = readXml(text(writeKml(ONE, HOSTILE_DOCUMENT)));
    expect(root).toMatchObject({ name: 'kml', uri: 'http://www.opengis.net/kml/2.2' });
    const placemark = one(root, 'Placemark');
    const order = ['name', 'styleUrl', 'ExtendedData', 'Polygon'];
    expect(placemark.children.map(({ name }) => name)).toEqual(order);
    expect(placemark.attributes).toEqual({});
    expect(defined(placemark.children[0]).text).toBe(HOSTILE_READ);
    // The description is shown as HTML: there, its text is the hostile one.
    expect(one(root, 'description').text).toBe(xmlText(HOSTILE_READ));
    const types = all(root, 'SimpleField').map(({ attributes }) => [attributes.type, attributes.name]);
    const data = all(placemark, 'SimpleData').map((field) => [field.attributes.name, field.text]);
    const name = HOSTILE_READ.replace(/[\t\n\r]/g, '_');
    expect(data).toEqual([
      ['id', HOSTILE_READ],
      [expect.stringContaining(name.slice(0, 20)), HOSTILE_READ],
      ['name_2', 'other'],
      ['area_km2', '2586.4'],
      ['disputed', '0'],
      ['parents', '[1]'],
      ['attribution', HOSTILE_READ],
    ]);
    expect(types.slice(2)).toEqual([
      ['string', 'name_2'],
      ['double', 'area_km2'],
      ['bool', 'disputed'],
      ['string', 'parents'],
      ['string', 'iso'],
      ['string', 'attribution'],
    ]);
  });

  it('takes an id that is an XML name as the id of the Placemark', () => {
    const root = readXml(text(writeKml(ONE, documentOf({ id: 'r2171347' }))));
    expect(one(root, 'Placemark').attributes).toEqual({ id: 'r2171347' });
  });

  it('has one outer boundary per polygon, closed, and holes as inner ones', () => {
    const root = readXml(text(writeKml(NESTED, documentOf())));
    const polygons = one(root, 'MultiGeometry').children;
    expect(polygons.map((polygon) => polygon.children.map(({ name }) => name))).toEqual([
      ['outerBoundaryIs', 'innerBoundaryIs'],
      ['outerBoundaryIs'],
    ]);
    expect(one(defined(polygons[1]), 'coordinates').text).toBe('-2.5,-2.5 2.5,-2.5 2.5,2.5 -2.5,2.5 -2.5,-2.5');
  });

  it('is read by togeojson', () => {
    const single = defined(read(text(writeKml(ONE, documentOf({ name: HOSTILE.slice(0, 30) }))))[0]);
    expect(single.geometry).toEqual({ type: 'Polygon', coordinates: ONE_COORDINATES });
    expect(single.properties).toMatchObject({
      name: HOSTILE.slice(0, 30),
      attribution: '© OpenStreetMap contributors',
    });
    const several = defined(read(text(writeKml(NESTED, documentOf())))[0]);
    expect(several.geometry).toEqual({
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', coordinates: [square(0, 0, 10), square(0, 0, 6, true)] },
        { type: 'Polygon', coordinates: [square(0, 0, 2.5)] },
      ],
    });
  });
});

describe('gml', () => {
  const GML = 'http://www.opengis.net/gml/3.2';
  const ids = (element: XmlElement): string[] => [
    ...('gml:id' in element.attributes ? [element.attributes['gml:id']] : []),
    ...element.children.flatMap(ids),
  ];

  it.each([
    ['r1', 'r1'],
    ['a-b', 'a-b'],
    [null, 'area'],
    ['1 a', 'area_1_20a'],
  ])('gives every object its own gml:id, from the id %j', (id, base) => {
    const root = readXml(text(writeGml(NESTED, documentOf({ id }))));
    const found = ids(root);
    expect(found).toEqual(['collection', base, `${base}.geometry`, `${base}.polygon.1`, `${base}.polygon.2`]);
    for (const name of ['MultiSurface', 'Polygon']) {
      for (const element of all(root, name)) expect(element.attributes).toHaveProperty('gml:id');
    }
  });

  it('has latitude first in closed rings of at least four positions', () => {
    const root = readXml(text(writeGml(ONE, documentOf())));
    const surface = one(root, 'MultiSurface');
    expect(surface.uri).toBe(GML);
    expect(surface.attributes.srsName).toBe('urn:ogc:def:crs:EPSG::4326');
    expect(defined(one(one(root, 'Polygon'), 'exterior').children[0]).name).toBe('LinearRing');
    const rings = all(root, 'posList').map((list) => list.text.split(' ').map(Number));
    expect(rings).toEqual(ONE_COORDINATES.map((ring) => ring.flatMap(([x, y]) => [y, x])));
    for (const ring of rings) {
      expect(ring.length).toBeGreaterThanOrEqual(8);
      expect(ring.slice(-2)).toEqual(ring.slice(0, 2));
    }
  });

  it('has one surface member with one exterior per polygon', () => {
    const root = readXml(text(writeGml(NESTED, documentOf())));
    const sides = all(root, 'surfaceMember').map((member) =>
      defined(member.children[0]).children.map(({ name }) => name),
    );
    expect(sides).toEqual([['exterior', 'interior'], ['exterior']]);
    expect(all(readXml(text(writeGml(NONE, documentOf()))), 'surfaceMember')).toEqual([]);
  });

  it('has name, box, properties and attribution', () => {
    const feature = one(readXml(text(writeGml(ONE, HOSTILE_DOCUMENT))), 'Boundary');
    const values = feature.children.map(({ name, text: value }) => [name, value]);
    expect(values).toEqual([
      ['name', HOSTILE_READ],
      ['boundedBy', ''],
      ['id', HOSTILE_READ],
      [elementName(HOSTILE), HOSTILE_READ],
      ['name_2', 'other'],
      ['area_km2', '2586.4'],
      ['disputed', 'false'],
      ['parents', '[1]'],
      ['attribution', HOSTILE_READ],
      ['geometry', expect.any(String)],
    ]);
    expect(one(feature, 'lowerCorner').text).toBe('-10 -10');
  });

  it('has an envelope all the way round where the box crosses the antimeridian', () => {
    const root = one(readXml(text(writeGml(ONE, documentOf({ bbox: [177.5, -20.25, -178, -12] })))), 'Boundary');
    expect(one(root, 'lowerCorner').text).toBe('-20.25 -180');
    expect(one(root, 'upperCorner').text).toBe('-12 180');
  });
});
