import type { Limits } from '../cancel.ts';
import type { Document, Polygons } from '../contract.ts';
import { ByteWriter, literal, type PointLayout } from './bytes.ts';
import { capacity } from './capacity.ts';
import { fields, isXmlName, xmlText } from './xml.ts';

const POINTS: PointLayout = { latitudeFirst: false, between: 0x2c, separator: ' ' };

const SHELL = literal('<Polygon><outerBoundaryIs><LinearRing><coordinates>');
const SHELL_END = literal('</coordinates></LinearRing></outerBoundaryIs>');
const HOLE = literal('<innerBoundaryIs><LinearRing><coordinates>');
const HOLE_END = literal('</coordinates></LinearRing></innerBoundaryIs>');
const POLYGON_END = literal('</Polygon>\n');

/** Without a style, an area is opaque white. Colors are alpha, blue, green, red. */
export const KML_STYLE =
  '<Style><LineStyle><color>ff8b5f1f</color><width>1.5</width></LineStyle>' +
  '<PolyStyle><color>408b5f1f</color></PolyStyle></Style>';

/**
 * A KML 2.2 document (OGC 07-147r2) with one Placemark: name, the attribution as description, the scalar properties and
 * again the attribution as ExtendedData, and a Polygon if there is exactly one, otherwise a MultiGeometry (empty
 * without polygons). Coordinates are longitude,latitude.
 *
 * @returns UTF-8
 */
export function writeKml(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 2, 160), limits);
  out.ascii('<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>');
  const name = xmlText(doc.name);
  out.utf8(`<name>${name}</name>\n<Placemark${doc.id !== null && isXmlName(doc.id) ? ` id="${doc.id}"` : ''}>`);
  out.utf8(`<name>${name}</name>`);
  // Viewers show a description as HTML, but not a name or data, so the description is escaped twice.
  if (doc.attribution !== '') out.utf8(`<description>${xmlText(xmlText(doc.attribution))}</description>`);
  out.ascii(KML_STYLE);
  out.ascii('\n<ExtendedData>');
  for (const [key, value] of fields(doc)) {
    out.utf8(`<Data name="${xmlText(key)}"><value>${xmlText(value)}</value></Data>`);
  }
  out.ascii('</ExtendedData>\n');
  writeKmlGeometry(out, polygons, doc.digits);
  out.ascii('</Placemark></Document></kml>\n');
  return out.finish();
}

/** Writes a Polygon if there is exactly one, otherwise a MultiGeometry. */
export function writeKmlGeometry(out: ByteWriter, polygons: Polygons, digits: number): void {
  const { coords, ringEnd, polygonEnd } = polygons;
  const multiple = polygonEnd.length !== 1;
  if (multiple) out.ascii('<MultiGeometry>');
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    for (const shell = ring; ring < polygonEnd[polygon]; ring++) {
      out.raw(ring === shell ? SHELL : HOLE);
      out.points(coords, first, ringEnd[ring], digits, POINTS);
      out.raw(ring === shell ? SHELL_END : HOLE_END);
      first = ringEnd[ring];
    }
    out.raw(POLYGON_END);
  }
  if (multiple) out.ascii('</MultiGeometry>');
}
