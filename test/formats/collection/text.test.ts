import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../workers/formats/bytes.ts';
import { type TextFormat, textHead, textTail, writeText } from '../../../workers/formats/registry.ts';
import type { About, Column, Feature } from '../../../workers/formats/types.ts';
import { all, readXml } from '../xml_tree.ts';

const square = {
  coords: Int32Array.of(0, 0, 1e7, 0, 1e7, 1e7, 0, 1e7, 0, 0),
  ringEnd: Uint32Array.of(5),
  polygonEnd: Uint32Array.of(1),
};

const string = (name: string): Column => ({ name, type: 'string' });

/** A collection with the values of its columns, each feature a square. */
function written(
  format: TextFormat,
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
): string {
  const about: About = { name: 'all', attribution: '', columns, box: [0, 0, 1e7, 1e7], digits: 7, geometry: true };
  const out = new ByteWriter(1024, { maxBytes: 1e6 });
  rows.forEach((values, i) => {
    const feature: Feature = { values, polygons: square, box: [0, 0, 1e7, 1e7] };
    writeText(out, format, feature, { about, first: i === 0 });
  });
  return textHead(format, about) + Buffer.from(out.finish()).toString() + textTail(format);
}

/** Every gml:id of a document. */
function gmlIds(source: string): string[] {
  const root = readXml(source);
  return ['Collection', 'Boundary', 'MultiSurface', 'Polygon'].flatMap((name) =>
    (name === root.name ? [root] : all(root, name)).map(({ attributes }) => String(attributes['gml:id'])),
  );
}

describe('a collection as GML', () => {
  it.each([
    ['ids that are not XML names', [string('id')], [['1'], ['2'], ['x y'], ['é']]],
    ['ids with a part of another', [string('id')], [['a'], ['a.geometry'], ['a.geometry.1'], ['collection']]],
    ['names alone', [string('name')], [['west coast'], ['east coast'], ['north']]],
  ])('gives each object its own gml:id: %s', (_, columns, rows) => {
    const ids = gmlIds(written('gml', columns, rows));
    expect(ids).toHaveLength(1 + 3 * rows.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z_][\w.-]*$/);
  });

  it('does so for any ids, and keeps those of boundaries', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('area_1', '1', 'area_area_5f1', '_', 'a.b', 'a_2eb'),
    );
    const any = fc.uniqueArray(id, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(any, (list) => {
        const ids = gmlIds(
          written(
            'gml',
            [string('id')],
            list.map((one) => [one]),
          ),
        );
        return new Set(ids).size === ids.length && ids.every((one) => /^[A-Za-z_][\w.-]*$/.test(one));
      }),
    );
    expect(gmlIds(written('gml', [string('id')], [['r62422'], ['w5']]))).toEqual(
      expect.arrayContaining(['r62422', 'w5']),
    );
  });
});

it('a GeoJSON feature without an id has no id member (RFC 7946, section 3.2)', () => {
  const features = JSON.parse(written('geojson', [string('name')], [['a'], ['b']])).features;
  for (const feature of features) expect(feature).not.toHaveProperty('id');
  expect(JSON.parse(written('ndjson', [string('id')], [['r1']]))).toMatchObject({ id: 'r1' });
});
