import type { Limits } from '../cancel.ts';
import type { Box, Document, Polygons } from '../contract.ts';
import { ByteWriter, literal, type PointLayout } from './bytes.ts';
import { capacity } from './capacity.ts';
import { fields, isXmlName, xmlText } from './xml.ts';

/** EPSG:4326 as a URN has latitude before longitude. */
const POINTS: PointLayout = { latitudeFirst: true, between: 0x20, separator: ' ' };

const SHELL = literal('"><gml:exterior><gml:LinearRing><gml:posList>');
const SHELL_END = literal('</gml:posList></gml:LinearRing></gml:exterior>');
const HOLE = literal('<gml:interior><gml:LinearRing><gml:posList>');
const HOLE_END = literal('</gml:posList></gml:LinearRing></gml:interior>');
const POLYGON_END = literal('</gml:Polygon></gml:surfaceMember>\n');

const SRS = 'srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2"';

/** The namespace of the collection, the boundary and its properties. */
export const GML_NAMESPACE = 'urn:x-boundary-lookup:gml:1';

/** 180 degrees in 1e-7 degrees. */
const HALF_TURN = 1_800_000_000;

/** Decimal places that reproduce a bounding box exactly as stored. */
const ALL_DIGITS = 7;

/**
 * A GML 3.2.1 document (OGC 07-036): a collection of one feature with gml:name, gml:boundedBy, the scalar properties
 * whose keys are XML names, the attribution, and one gml:MultiSurface for any number of polygons. Coordinates are
 * latitude longitude. Every object has its own gml:id, derived from the boundary's id.
 *
 * An envelope has its smallest coordinates first, so that of an area across the antimeridian spans all longitudes.
 *
 * @returns UTF-8
 */
export function writeGml(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 2, 240), limits);
  const id = doc.id !== null && isXmlName(doc.id) ? doc.id : 'area';
  out.ascii('<?xml version="1.0" encoding="UTF-8"?>\n<b:Collection');
  out.ascii(` xmlns:b="${GML_NAMESPACE}" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="${id}.collection">\n`);
  out.ascii(`<b:featureMember><b:Boundary gml:id="${id}">`);
  out.utf8(`<gml:name>${xmlText(doc.name)}</gml:name>`);
  if (doc.bbox !== null) {
    const [west, south, east, north] = doc.bbox.map((degrees) => Math.round(degrees * 1e7));
    writeGmlBox(out, [west, south, east, north]);
  }
  out.ascii('\n');
  for (const [key, value] of fields(doc)) {
    if (isXmlName(key)) out.utf8(`<b:${key}>${xmlText(value)}</b:${key}>`);
  }
  out.ascii('\n<b:geometry>');
  writeGmlGeometry(out, polygons, doc.digits, id);
  out.ascii('</b:geometry></b:Boundary></b:featureMember>\n</b:Collection>\n');
  return out.finish();
}

/** Writes a box in 1e-7 degrees as gml:boundedBy. */
export function writeGmlBox(out: ByteWriter, box: Box): void {
  const [west, south, east, north] = widenAcrossSeam(box);
  out.ascii(`<gml:boundedBy><gml:Envelope ${SRS}><gml:lowerCorner>`);
  corner(out, south, west);
  out.ascii('</gml:lowerCorner><gml:upperCorner>');
  corner(out, north, east);
  out.ascii('</gml:upperCorner></gml:Envelope></gml:boundedBy>');
}

/** Writes a gml:MultiSurface. `id` is an XML name that the document uses for nothing else. */
export function writeGmlGeometry(out: ByteWriter, polygons: Polygons, digits: number, id: string): void {
  const { coords, ringEnd, polygonEnd } = polygons;
  out.ascii(`<gml:MultiSurface gml:id="${id}.geometry" ${SRS}>\n`);
  const polygonStart = literal(`<gml:surfaceMember><gml:Polygon gml:id="${id}.polygon.`);
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    out.raw(polygonStart);
    out.integer(polygon + 1);
    for (const shell = ring; ring < polygonEnd[polygon]; ring++) {
      out.raw(ring === shell ? SHELL : HOLE);
      out.points(coords, first, ringEnd[ring], digits, POINTS);
      out.raw(ring === shell ? SHELL_END : HOLE_END);
      first = ringEnd[ring];
    }
    out.raw(POLYGON_END);
  }
  out.ascii('</gml:MultiSurface>');
}

/** The box, widened to -180 … 180 if it crosses the antimeridian. */
function widenAcrossSeam([west, south, east, north]: Box): Box {
  return west > east ? [-HALF_TURN, south, HALF_TURN, north] : [west, south, east, north];
}

function corner(out: ByteWriter, latitude: number, longitude: number): void {
  out.degrees(latitude, ALL_DIGITS);
  out.ascii(' ');
  out.degrees(longitude, ALL_DIGITS);
}
