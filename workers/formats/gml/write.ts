import type { Limits } from '../../cancel.ts';
import type { Box, Document, Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter, literal, type PointLayout } from '../bytes.ts';
import { capacity } from '../capacity.ts';
import type { TextWriter } from '../format.ts';
import { collectionOf } from '../single.ts';
import { type About, COLLECTION_DIGITS, type Feature, textOf } from '../types.ts';
import { xmlText } from '../xml.ts';
import { elementName } from './element_names.ts';

/** EPSG:4326 as a URN has latitude before longitude. */
const POINTS: PointLayout = { latitudeFirst: true, between: 0x20, separator: ' ' };

const SHELL = literal('"><gml:exterior><gml:LinearRing><gml:posList>');
const SHELL_END = literal('</gml:posList></gml:LinearRing></gml:exterior>');
const HOLE = literal('<gml:interior><gml:LinearRing><gml:posList>');
const HOLE_END = literal('</gml:posList></gml:LinearRing></gml:interior>');
const POLYGON_END = literal('</gml:Polygon></gml:surfaceMember>\n');

const SRS = 'srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2"';

/** The namespace of the collection, the boundary and its properties. */
const GML_NAMESPACE = 'urn:x-boundary-lookup:gml:1';

/** 180 degrees in 1e-7 degrees. */
const HALF_TURN = 1_800_000_000;

/** Decimal places that reproduce a bounding box exactly as stored. */
const ALL_DIGITS = 7;

/** The text after the last feature. */
const GML_TAIL = '</b:Collection>\n';

/**
 * A GML 3.2.1 document (OGC 07-036), as a collection of one feature. Every object has its own gml:id, derived from the
 * area's id.
 *
 * @returns UTF-8
 */
export function writeGml(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 2, 240), limits);
  const { about, feature } = collectionOf(polygons, doc);
  out.utf8(gmlHead(about));
  writeGmlMember(out, feature, about, doc.digits);
  out.ascii(GML_TAIL);
  return out.finish();
}

/**
 * The text before the first feature. An envelope has its smallest coordinates first, so that of an area across the
 * antimeridian spans all longitudes.
 */
function gmlHead({ name, attribution, box }: About): string {
  const out = new ByteWriter(1024);
  out.ascii(`<?xml version="1.0" encoding="UTF-8"?>\n<b:Collection xmlns:b="${GML_NAMESPACE}"`);
  out.ascii(' xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="collection">\n');
  if (attribution !== '') out.utf8(`<gml:description>${xmlText(attribution)}</gml:description>`);
  out.utf8(`<gml:name>${xmlText(name)}</gml:name>\n`);
  if (box) writeGmlBox(out, box);
  out.ascii('\n');
  return Buffer.from(out.finish()).toString();
}

/**
 * Writes a feature: gml:name, gml:boundedBy, an element per other attribute (elementName() gives its name), and one
 * gml:MultiSurface for any number of polygons. Coordinates are latitude longitude. `digits`: decimal places of a degree.
 */
function writeGmlMember(out: ByteWriter, feature: Feature, { columns }: About, digits: number): void {
  const key = gmlId(feature.key ?? textOf(feature, columns, 'id') ?? textOf(feature, columns, 'name') ?? '');
  out.ascii(`<b:featureMember><b:Boundary gml:id="${key}">`);
  const name = textOf(feature, columns, 'name');
  if (name !== null) out.utf8(`<gml:name>${xmlText(name)}</gml:name>`);
  if (feature.box) writeGmlBox(out, feature.box);
  columns.forEach((column, i) => {
    const value = feature.values[i] ?? null;
    if (value === null || column.name === 'name') return;
    const element = elementName(column.name);
    out.utf8(`<b:${element}>${xmlText(String(value))}</b:${element}>`);
  });
  if (feature.polygons) {
    out.ascii('\n<b:geometry>');
    writeGmlGeometry(out, feature.polygons, digits, key);
    out.ascii('</b:geometry>');
  }
  out.ascii('</b:Boundary></b:featureMember>\n');
}

/** Ids that are a gml:id as they are: without a dot, which begins the ids of parts, and none that gmlId() makes. */
const PLAIN_ID = /^(?!area_|collection$)[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * The gml:id of a feature, from its id or name: an XML name, different for different texts, and different from the ids
 * of the collection and of geometries. A text that is not such a name becomes `area_` and its UTF-8 bytes, those other
 * than ASCII letters, digits and hyphens in hexadecimal: `west coast` is `area_west_20coast`.
 */
function gmlId(text: string): string {
  if (PLAIN_ID.test(text)) return text;
  return `area_${Buffer.from(text)
    .toString('latin1')
    .replace(/[^A-Za-z0-9-]/g, escapedByte)}`;
}

const escapedByte = (byte: string): string => `_${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Writes a box in 1e-7 degrees as gml:boundedBy. */
function writeGmlBox(out: ByteWriter, box: Box): void {
  const [west, south, east, north] = widenAcrossSeam(box);
  out.ascii(`<gml:boundedBy><gml:Envelope ${SRS}><gml:lowerCorner>`);
  corner(out, south, west);
  out.ascii('</gml:lowerCorner><gml:upperCorner>');
  corner(out, north, east);
  out.ascii('</gml:upperCorner></gml:Envelope></gml:boundedBy>');
}

/** Writes a gml:MultiSurface. `id` is an XML name that the document uses for nothing else. */
function writeGmlGeometry(out: ByteWriter, polygons: Polygons, digits: number, id: string): void {
  const { ringEnd, polygonEnd } = polygons;
  out.ascii(`<gml:MultiSurface gml:id="${id}.geometry" ${SRS}>\n`);
  const polygonStart = literal(`<gml:surfaceMember><gml:Polygon gml:id="${id}.polygon.`);
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    out.raw(polygonStart);
    out.integer(polygon + 1);
    for (const shell = ring; ring < defined(polygonEnd[polygon]); ring++) {
      out.raw(ring === shell ? SHELL : HOLE);
      out.points(polygons, first, defined(ringEnd[ring]), digits, POINTS);
      out.raw(ring === shell ? SHELL_END : HOLE_END);
      first = defined(ringEnd[ring]);
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

/** A document with all features. */
export const GML_COLLECTION: TextWriter = {
  head: gmlHead,
  separator: '',
  write: (out, feature, about) => writeGmlMember(out, feature, about, COLLECTION_DIGITS),
  tail: GML_TAIL,
};
