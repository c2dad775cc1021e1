import type { Document, Polygons } from '../contract.ts';
import type { Limits } from '../halt.ts';
import { ByteWriter, type PointLayout } from './bytes.ts';
import { capacity } from './capacity.ts';

const POINTS: PointLayout = { latitudeFirst: false, between: 0x2c, separator: '],[' };

/** Digits that give a bounding box back exactly as it was stored. */
const ALL_DIGITS = 7;

/**
 * A GeoJSON Feature (RFC 7946): id where there is one, bbox where there is one, properties, and a Polygon where there
 * is exactly one, else a MultiPolygon (of nothing, when empty). Rings keep the order they come in. The attribution is
 * added to the properties when they carry none.
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

/** A box in 1e-7 degrees as a bbox member's array, exactly as it was stored. */
export function writeGeojsonBox(out: ByteWriter, box: readonly number[]): void {
  box.forEach((value, i) => {
    out.ascii(i === 0 ? '[' : ',');
    out.degrees(value, ALL_DIGITS);
  });
  out.ascii(']');
}

/** A Polygon where there is exactly one, else a MultiPolygon. */
export function writeGeojsonGeometry(out: ByteWriter, polygons: Polygons, digits: number): void {
  const { coords, ringEnd, polygonEnd } = polygons;
  const single = polygonEnd.length === 1;
  out.ascii(`{"type":"${single ? 'Polygon' : 'MultiPolygon'}","coordinates":${single ? '' : '['}`);
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    out.ascii(polygon === 0 ? '[' : ',[');
    for (const shell = ring; ring < polygonEnd[polygon]; ring++) {
      out.ascii(ring === shell ? '[[' : ',[[');
      out.points(coords, first, ringEnd[ring], digits, POINTS);
      out.ascii(']]');
      first = ringEnd[ring];
    }
    out.ascii(']');
  }
  out.ascii(single ? '}' : ']}');
}
