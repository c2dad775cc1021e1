import type { Limits } from '../../cancel.ts';
import type { Document, Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter, literal, type PointLayout } from '../bytes.ts';
import { capacity } from '../capacity.ts';
import { uniqueNames } from '../column_names.ts';
import type { TextWriter } from '../format.ts';
import { collectionOf } from '../single.ts';
import { type About, COLLECTION_DIGITS, type Column, type Feature, textOf } from '../types.ts';
import { isXmlName, xmlText } from '../xml.ts';
import { COLUMN_NAMES } from './names.ts';

const POINTS: PointLayout = { latitudeFirst: false, between: 0x2c, separator: ' ' };

const SHELL = literal('<Polygon><outerBoundaryIs><LinearRing><coordinates>');
const SHELL_END = literal('</coordinates></LinearRing></outerBoundaryIs>');
const HOLE = literal('<innerBoundaryIs><LinearRing><coordinates>');
const HOLE_END = literal('</coordinates></LinearRing></innerBoundaryIs>');
const POLYGON_END = literal('</Polygon>\n');

/** Without a style, an area is opaque white. Colors are alpha, blue, green, red. */
const KML_STYLE =
  '<Style id="area"><LineStyle><color>ff8b5f1f</color><width>1.5</width></LineStyle>' +
  '<PolyStyle><color>408b5f1f</color></PolyStyle></Style>';

/** The text after the last placemark. */
const KML_TAIL = '</Document></kml>\n';

/**
 * A KML 2.2 document (OGC 07-147r2) with one Placemark, as a collection of one: name, all attributes as ExtendedData, and
 * a Polygon if there is exactly one, otherwise a MultiGeometry (empty without polygons). Coordinates are
 * longitude,latitude.
 *
 * @returns UTF-8
 */
export function writeKml(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(capacity(polygons, doc, 2, 160), limits);
  const { about, feature } = collectionOf(polygons, doc);
  const own = { ...about, columns: kmlColumns(about.columns, [feature.values]) };
  out.utf8(kmlHead(own));
  writeKmlPlacemark(out, feature, own, doc.digits);
  out.ascii(KML_TAIL);
  return out.finish();
}

const TYPES = { string: 'string', integer: 'int', number: 'double', boolean: 'bool' } as const;

/** The columns as KML declares them: with distinct names; integers beyond 32 bits are numbers. */
export function kmlColumns(columns: readonly Column[], rows: readonly Feature['values'][]): Column[] {
  const names = uniqueNames(
    columns.map(({ name }) => name),
    COLUMN_NAMES,
  );
  return columns.map(({ type }, i): Column => {
    const isLarge = type === 'integer' && rows.some((values) => Number(values[i]) !== (Number(values[i]) | 0));
    return { name: defined(names[i]), type: isLarge ? 'number' : type };
  });
}

/** The text before the first placemark. Declares typed fields, which readers of KML 2.2 turn into columns. */
function kmlHead({ name, attribution, columns }: About): string {
  const fields = columns
    .filter((column) => column.name !== 'name')
    .map((column) => `<SimpleField type="${TYPES[column.type]}" name="${xmlText(column.name)}"/>`);
  // Viewers show a description as HTML, but not a name or data, so the description is escaped twice.
  const about = attribution === '' ? '' : `<description>${xmlText(xmlText(attribution))}</description>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
    `<name>${xmlText(name)}</name>${about}\n${KML_STYLE}\n` +
    `<Schema name="boundary" id="boundary">${fields.join('')}</Schema>\n`
  );
}

/** Writes a feature as a Placemark with typed data. `digits`: decimal places of a degree. */
function writeKmlPlacemark(out: ByteWriter, feature: Feature, { columns }: About, digits: number): void {
  const id = textOf(feature, columns, 'id');
  // Ids of a document are XML names, each once.
  const own = id !== null && isXmlName(id) && feature.key === undefined ? ` id="${id}"` : '';
  out.utf8(`<Placemark${own}><name>${xmlText(textOf(feature, columns, 'name') ?? '')}</name>`);
  out.ascii('<styleUrl>#area</styleUrl><ExtendedData><SchemaData schemaUrl="#boundary">');
  columns.forEach(({ name }, i) => {
    const value = feature.values[i] ?? null;
    if (value === null || name === 'name') return;
    // XML Schema's other form of true and false, which GDAL reads as well.
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    out.utf8(`<SimpleData name="${xmlText(name)}">${xmlText(text)}</SimpleData>`);
  });
  out.ascii('</SchemaData></ExtendedData>\n');
  if (feature.polygons) writeKmlGeometry(out, feature.polygons, digits);
  out.ascii('</Placemark>\n');
}

/** Writes a Polygon if there is exactly one, otherwise a MultiGeometry. */
function writeKmlGeometry(out: ByteWriter, polygons: Polygons, digits: number): void {
  const { ringEnd, polygonEnd } = polygons;
  const multiple = polygonEnd.length !== 1;
  if (multiple) out.ascii('<MultiGeometry>');
  let ring = 0;
  let first = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    for (const shell = ring; ring < defined(polygonEnd[polygon]); ring++) {
      out.raw(ring === shell ? SHELL : HOLE);
      out.points(polygons, first, defined(ringEnd[ring]), digits, POINTS);
      out.raw(ring === shell ? SHELL_END : HOLE_END);
      first = defined(ringEnd[ring]);
    }
    out.raw(POLYGON_END);
  }
  if (multiple) out.ascii('</MultiGeometry>');
}

/** A document with all features. */
export const KML_COLLECTION: TextWriter = {
  head: kmlHead,
  separator: '',
  write: (out, feature, about) => writeKmlPlacemark(out, feature, about, COLLECTION_DIGITS),
  tail: KML_TAIL,
};
