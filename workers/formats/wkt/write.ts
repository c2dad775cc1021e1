import type { Limits } from '../../cancel.ts';
import type { Document, Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter, type PointLayout } from '../bytes.ts';
import { capacity } from '../capacity.ts';

const POINTS: PointLayout = { latitudeFirst: false, between: 0x20, separator: ',' };

/**
 * Well-known text of OGC Simple Features (06-103r4), longitude before latitude: a POLYGON if there is exactly one,
 * otherwise a MULTIPOLYGON, "MULTIPOLYGON EMPTY" without polygons. WKT cannot hold a name or an attribution, and the
 * file contains only WKT, without a final line break: the caller states the attribution separately.
 *
 * @returns ASCII
 */
export function writeWkt(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 2, 8), limits);
  writeWktGeometry(out, polygons, doc.digits);
  return out.finish();
}

/** Writes a POLYGON if there is exactly one, otherwise a MULTIPOLYGON. */
export function writeWktGeometry(out: ByteWriter, polygons: Polygons, digits: number): void {
  const { ringEnd, polygonEnd } = polygons;
  if (polygonEnd.length === 0) out.ascii('MULTIPOLYGON EMPTY');
  else out.ascii(polygonEnd.length === 1 ? 'POLYGON' : 'MULTIPOLYGON(');
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    out.ascii(polygon === 0 ? '(' : ',(');
    for (const shell = ring; ring < defined(polygonEnd[polygon]); ring++) {
      out.ascii(ring === shell ? '(' : ',(');
      out.points(polygons, first, defined(ringEnd[ring]), digits, POINTS);
      out.ascii(')');
      first = defined(ringEnd[ring]);
    }
    out.ascii(')');
  }
  if (polygonEnd.length > 1) out.ascii(')');
}
