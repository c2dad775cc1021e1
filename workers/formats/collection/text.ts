/**
 * Text formats of collections: a head, the features, a tail. Each feature is written independently, so different
 * threads write parts of a collection, and a part is sent while the next is made.
 */
import type { Box, Polygons } from '../../contract.ts';
import { ByteWriter } from '../bytes.ts';
import { writeGeojsonBox, writeGeojsonGeometry } from '../geojson.ts';
import { GML_NAMESPACE, writeGmlBox, writeGmlGeometry } from '../gml.ts';
import { KML_STYLE, writeKmlGeometry } from '../kml.ts';
import { frameAround, ontoGrid } from '../picture.ts';
import { SEAM_LONGITUDE } from '../seam.ts';
import { svgHead, writeSvgArea } from '../svg.ts';
import { writeWktGeometry } from '../wkt.ts';
import { isXmlName, xmlText } from '../xml.ts';
import type { Column, Feature } from './types.ts';

/** Formats written feature by feature. */
export const TEXT_FORMATS = ['geojson', 'geojsonseq', 'ndjson', 'csv', 'kml', 'gml', 'svg', 'poly'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** What a text format needs from the whole collection. All text is untrusted input: writers escape it. */
export interface About {
  readonly name: string;
  readonly attribution: string;
  readonly columns: readonly Column[];
  /** The box of all features in 1e-7 degrees; west > east across the antimeridian; null without features. */
  readonly box: Box | null;
  /** Decimal places of a degree at this level; they set the grid of a picture. */
  readonly digits: number;
  /** False: attributes only (csv). */
  readonly geometry: boolean;
}

interface Writer {
  readonly head: (about: About) => string;
  /** Between two features. */
  readonly separator: string;
  readonly write: (out: ByteWriter, feature: Feature, about: About) => void;
  readonly tail: string;
}

const WRITERS: Readonly<Record<TextFormat, Writer>> = {
  geojson: {
    head: ({ name, attribution, box }) =>
      `{"type":"FeatureCollection","name":${JSON.stringify(name)},"attribution":${JSON.stringify(attribution)},` +
      `${box === null ? '' : `"bbox":${JSON.stringify(box.map((value) => value / 1e7))},`}"features":[\n`,
    separator: ',\n',
    write: writeFeature,
    tail: '\n]}\n',
  },
  geojsonseq: {
    head: () => '',
    separator: '',
    write(out, feature, about) {
      out.ascii('\x1e');
      writeFeature(out, feature, about);
      out.ascii('\n');
    },
    tail: '',
  },
  ndjson: { head: () => '', separator: '\n', write: writeFeature, tail: '\n' },
  csv: { head: csvHead, separator: '\r\n', write: writeRow, tail: '\r\n' },
  kml: { head: kmlHead, separator: '', write: writePlacemark, tail: '</Document></kml>\n' },
  gml: { head: gmlHead, separator: '', write: writeMember, tail: '</b:Collection>\n' },
  svg: { head: pictureHead, separator: '', write: writeGroup, tail: '</svg>\n' },
  poly: { head: ({ name }) => `${line(name)}\n`, separator: '', write: writeSections, tail: 'END\n' },
};

/** The text before the first feature. */
export function textHead(format: TextFormat, about: About): string {
  return WRITERS[format].head(about);
}

/** The text after the last feature. */
export function textTail(format: TextFormat): string {
  return WRITERS[format].tail;
}

/** Writes one feature. `first`: it is the first of the collection, so no separator precedes it. */
export function writeText(
  out: ByteWriter,
  format: TextFormat,
  feature: Feature,
  { about, first }: { readonly about: About; readonly first: boolean },
): void {
  const { separator, write } = WRITERS[format];
  if (!first) out.ascii(separator);
  write(out, feature, about);
}

/** The value of a column as text; null when it is missing. */
function textOf({ values }: Feature, { columns }: About, name: string): string | null {
  const value = values[columns.findIndex((column) => column.name === name)] ?? null;
  return value === null ? null : String(value);
}

/** The values of a feature, keyed by column name. */
export function properties(
  { values }: Pick<Feature, 'values'>,
  columns: readonly Column[],
): Record<string, string | number | null> {
  return Object.fromEntries(columns.map(({ name }, i) => [name, values[i] ?? null]));
}

const DIGITS = 7;

function writeFeature(out: ByteWriter, feature: Feature, about: About): void {
  const id = textOf(feature, about, 'id');
  out.utf8(`{"type":"Feature"${id === null ? '' : `,"id":${JSON.stringify(id)}`}`);
  if (feature.box) {
    out.ascii(',"bbox":');
    writeGeojsonBox(out, feature.box);
  }
  out.utf8(`,"properties":${JSON.stringify(properties(feature, about.columns))},"geometry":`);
  if (feature.polygons) writeGeojsonGeometry(out, feature.polygons, DIGITS);
  else out.ascii('null');
  out.ascii('}');
}

/** Quotes by RFC 4180: fields with a quote, a comma or a line break, and those with surrounding spaces. */
function field(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvHead({ columns, geometry }: About): string {
  return `${[...columns.map(({ name }) => name), ...(geometry ? ['wkt'] : [])].map(field).join(',')}\r\n`;
}

function writeRow(out: ByteWriter, { values, polygons }: Feature, { columns, geometry }: About): void {
  out.utf8(columns.map((_, i) => field(values[i] ?? null)).join(','));
  if (!geometry) return;
  out.ascii(',');
  if (!polygons) return;
  out.ascii('"');
  writeWktGeometry(out, polygons, DIGITS);
  out.ascii('"');
}

const KML_TYPES = { string: 'string', integer: 'int', number: 'double' } as const;

/** Declares typed fields, which readers of KML 2.2 turn into columns. */
function kmlHead({ name, attribution, columns }: About): string {
  const fields = columns
    .filter((column) => column.name !== 'name')
    .map((column) => `<SimpleField type="${KML_TYPES[column.type]}" name="${xmlText(column.name)}"/>`);
  // Viewers show a description as HTML, so it is escaped twice.
  const about = attribution === '' ? '' : `<description>${xmlText(xmlText(attribution))}</description>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
    `<name>${xmlText(name)}</name>${about}\n<Schema name="boundary" id="boundary">${fields.join('')}</Schema>\n` +
    `${KML_STYLE.replace('<Style>', '<Style id="area">')}\n`
  );
}

function writePlacemark(out: ByteWriter, feature: Feature, about: About): void {
  const id = textOf(feature, about, 'id') ?? '';
  out.utf8(
    `<Placemark${isXmlName(id) ? ` id="${id}"` : ''}><name>${xmlText(textOf(feature, about, 'name') ?? '')}</name>`,
  );
  out.ascii('<styleUrl>#area</styleUrl><ExtendedData><SchemaData schemaUrl="#boundary">');
  about.columns.forEach(({ name }, i) => {
    const value = feature.values[i] ?? null;
    if (value === null || name === 'name') return;
    out.utf8(`<SimpleData name="${xmlText(name)}">${xmlText(String(value))}</SimpleData>`);
  });
  out.ascii('</SchemaData></ExtendedData>\n');
  if (feature.polygons) writeKmlGeometry(out, feature.polygons, DIGITS);
  out.ascii('</Placemark>\n');
}

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

/** Column names as element names: `name:pt-BR` becomes `name_pt-BR`. */
const elementName = (column: string): string => column.replace(/[^A-Za-z0-9_.-]/g, '_');

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

function writeMember(out: ByteWriter, feature: Feature, about: About): void {
  const key = gmlId(feature.key ?? textOf(feature, about, 'id') ?? textOf(feature, about, 'name') ?? '');
  out.ascii(`<b:featureMember><b:Boundary gml:id="${key}">`);
  if (feature.box) writeGmlBox(out, feature.box);
  about.columns.forEach((column, i) => {
    const value = feature.values[i] ?? null;
    const name = elementName(column.name);
    if (value !== null) out.utf8(`<b:${name}>${xmlText(String(value))}</b:${name}>`);
  });
  if (feature.polygons) {
    out.ascii('\n<b:geometry>');
    writeGmlGeometry(out, feature.polygons, DIGITS, key);
    out.ascii('</b:geometry>');
  }
  out.ascii('</b:Boundary></b:featureMember>\n');
}

function pictureHead({ name, attribution, box, digits }: About): string {
  const { width, height } = box ? frameAround(box, digits) : { width: 0, height: 0 };
  return svgHead(width, height, { name, attribution });
}

/** Writes one group with the id, the attributes as data-…, and the name as its title. */
function writeGroup(out: ByteWriter, feature: Feature, about: About): void {
  const id = textOf(feature, about, 'id') ?? '';
  out.ascii(`<g${isXmlName(id) ? ` id="${id}"` : ''}`);
  about.columns.forEach((column, i) => {
    const value = feature.values[i] ?? null;
    if (value === null || column.name === 'id') return;
    const name = column.name.toLowerCase().replace(/[^a-z0-9_.-]/g, '-');
    out.utf8(` data-${name}="${xmlText(String(value))}"`);
  });
  out.utf8(`>\n<title>${xmlText(textOf(feature, about, 'name') ?? '')}</title>\n`);
  const { polygons } = feature;
  if (polygons && about.box) {
    const frame = frameAround(about.box, about.digits);
    const grid = ontoGrid(polygons.coords, frame);
    // Rounding may move a vertex out of the frame by less than a cell.
    for (let i = 0; i < grid.length; i++) if (grid[i] < 0) grid[i] = 0;
    writeSvgArea(out, grid, polygons, reachesBothSides(polygons));
  }
  out.ascii('</g>\n');
}

function reachesBothSides({ coords }: Polygons): boolean {
  let west = false;
  let east = false;
  for (let i = 0; i < coords.length; i += 2) {
    if (coords[i] <= -SEAM_LONGITUDE) west = true;
    else if (coords[i] >= SEAM_LONGITUDE) east = true;
  }
  return west && east;
}

/** Text on one line, for the names of sections and files. */
const line = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() || 'area';

/** Writes a section per ring, `r62422 1`. Sections of holes begin with an exclamation mark and follow their shell. */
function writeSections(out: ByteWriter, feature: Feature, about: About): void {
  const { polygons } = feature;
  if (!polygons) return;
  const { coords, ringEnd, polygonEnd } = polygons;
  const id = textOf(feature, about, 'id') ?? textOf(feature, about, 'name') ?? '';
  let ring = 0;
  let v = 0;
  for (const end of polygonEnd) {
    for (const shell = ring; ring < end; ring++) {
      out.utf8(`${ring === shell ? '' : '!'}${line(id)} ${ring + 1}\n`);
      for (; v < ringEnd[ring]; v++) {
        out.ascii('\t');
        out.degrees(coords[2 * v], DIGITS);
        out.ascii('\t');
        out.degrees(coords[2 * v + 1], DIGITS);
        out.ascii('\n');
      }
      out.ascii('END\n');
    }
  }
}
