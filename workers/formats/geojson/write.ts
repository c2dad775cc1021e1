import type { Limits } from '../../cancel.ts';
import type { Document, Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter, type PointLayout } from '../bytes.ts';
import { capacity } from '../capacity.ts';
import type { TextWriter } from '../format.ts';
import { type About, COLLECTION_DIGITS, type Feature, properties, textOf } from '../types.ts';

const POINTS: PointLayout = { latitudeFirst: false, between: 0x2c, separator: '],[' };

/** Decimal places that reproduce a bounding box exactly as stored. */
const ALL_DIGITS = 7;

/**
 * A GeoJSON Feature (RFC 7946): id and bbox if there are any, properties, and a Polygon if there is exactly one,
 * otherwise a MultiPolygon (without polygons when empty). Rings keep their order. The attribution is added to the
 * properties unless they have one.
 *
 * @returns UTF-8, without a line break
 * @throws TypeError from JSON.stringify, for properties that JSON cannot hold (a cycle, a bigint)
 */
export function writeGeojson(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 4, 16), limits);
  out.ascii('{"type":"Feature"');
  if (doc.id !== null) out.utf8(`,"id":${JSON.stringify(doc.id)}`);
  if (doc.bbox !== null) {
    out.ascii(',"bbox":');
    writeGeojsonBox(
      out,
      doc.bbox.map((degrees) => Math.round(degrees * 1e7)),
    );
  }
  const signed = Object.hasOwn(doc.properties, 'attribution') || doc.attribution === '';
  const properties = signed ? doc.properties : { ...doc.properties, attribution: doc.attribution };
  out.utf8(`,"properties":${JSON.stringify(properties)},"geometry":`);
  writeGeojsonGeometry(out, polygons, doc.digits);
  out.ascii('}');
  return out.finish();
}

/** Writes a box in 1e-7 degrees as the array of a bbox member, exactly as stored. */
function writeGeojsonBox(out: ByteWriter, box: readonly number[]): void {
  box.forEach((value, i) => {
    out.ascii(i === 0 ? '[' : ',');
    out.degrees(value, ALL_DIGITS);
  });
  out.ascii(']');
}

/** Writes a Polygon if there is exactly one, otherwise a MultiPolygon. */
function writeGeojsonGeometry(out: ByteWriter, polygons: Polygons, digits: number): void {
  const { ringEnd, polygonEnd } = polygons;
  const single = polygonEnd.length === 1;
  out.ascii(`{"type":"${single ? 'Polygon' : 'MultiPolygon'}","coordinates":${single ? '' : '['}`);
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    out.ascii(polygon === 0 ? '[' : ',[');
    for (const shell = ring; ring < defined(polygonEnd[polygon]); ring++) {
      out.ascii(ring === shell ? '[[' : ',[[');
      out.points(polygons, first, defined(ringEnd[ring]), digits, POINTS);
      out.ascii(']]');
      first = defined(ringEnd[ring]);
    }
    out.ascii(']');
  }
  out.ascii(single ? '}' : ']}');
}

/** Writes a feature of a collection, with its box and the values of its columns. */
export function writeGeojsonFeature(out: ByteWriter, feature: Feature, about: About): void {
  const id = textOf(feature, about.columns, 'id');
  out.utf8(`{"type":"Feature"${id === null ? '' : `,"id":${JSON.stringify(id)}`}`);
  if (feature.box) {
    out.ascii(',"bbox":');
    writeGeojsonBox(out, feature.box);
  }
  out.utf8(`,"properties":${JSON.stringify(properties(feature, about.columns))},"geometry":`);
  if (feature.polygons) writeGeojsonGeometry(out, feature.polygons, COLLECTION_DIGITS);
  else out.ascii('null');
  out.ascii('}');
}

/** A FeatureCollection, with the name, the attribution and the box of the whole. */
export const GEOJSON_COLLECTION: TextWriter = {
  head: ({ name, attribution, box }) =>
    `{"type":"FeatureCollection","name":${JSON.stringify(name)},"attribution":${JSON.stringify(attribution)},` +
    `${box === null ? '' : `"bbox":${JSON.stringify(box.map((value) => value / 1e7))},`}"features":[\n`,
  separator: ',\n',
  write: writeGeojsonFeature,
  tail: '\n]}\n',
};
