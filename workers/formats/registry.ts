/** The file formats, and what derives from their declarations: lists, types, media types, extensions and writers. */
import type { Limits } from '../cancel.ts';
import type { Document, Polygons } from '../contract.ts';
import type { ByteWriter } from './bytes.ts';
import { uniqueNames } from './column_names.ts';
import { csv } from './csv/format.ts';
import { flatgeobuf } from './flatgeobuf/format.ts';
import type { AttributeRules, FormatDeclaration } from './format.ts';
import { geojson } from './geojson/format.ts';
import { geojsonseq } from './geojsonseq/format.ts';
import { geopackage } from './geopackage/format.ts';
import { geoparquet } from './geoparquet/format.ts';
import { gml } from './gml/format.ts';
import { json } from './json/format.ts';
import { kml } from './kml/format.ts';
import { ndjson } from './ndjson/format.ts';
import { parquet } from './parquet/format.ts';
import { pdf } from './pdf/format.ts';
import { pmtiles } from './pmtiles/format.ts';
import { png } from './png/format.ts';
import { poly } from './poly/format.ts';
import { shapefile } from './shapefile/format.ts';
import { svg } from './svg/format.ts';
import { topojson } from './topojson/format.ts';
import type { About, Column, Feature, FileOptions, SingleFormat } from './types.ts';
import { wkt } from './wkt/format.ts';
import { zip } from './zip/format.ts';

/** All formats. Where two have the same extension, it stands for the first. */
const REGISTRY = {
  geojson,
  geojsonseq,
  ndjson,
  topojson,
  flatgeobuf,
  geopackage,
  geoparquet,
  shapefile,
  zip,
  pmtiles,
  csv,
  kml,
  wkt,
  svg,
  gml,
  poly,
  json,
  parquet,
  png,
  pdf,
} as const;

type Registry = typeof REGISTRY;
/** The formats that have a part. */
type With<Part extends keyof FormatDeclaration> = {
  [Name in keyof Registry]: Registry[Name] extends { readonly [P in Part]: unknown } ? Name : never;
}[keyof Registry];

/** The name of any format: of areas, or of tables. */
export type FileFormat = keyof Registry;
/** Formats of a file of one area. */
export type Format = With<'document'>;
/** Collections that are written feature by feature, or by a thread of its own from polygons. */
export type TextFormat = With<'text'>;
export type BinaryFormat = With<'file'>;
export type CollectionFormat = TextFormat | BinaryFormat | With<'topology'>;
/** Formats that are read. A zip is read by what is in it. */
export type Readable = With<'reader'> | 'zip';
/** Formats from whose files tiles are drawn, by reading the whole file. */
export type DrawnFormat = With<'isDrawn'>;

/** The declaration of a format. */
export const declarationOf = (format: FileFormat): FormatDeclaration => REGISTRY[format];

export const FILE_FORMATS = Object.keys(REGISTRY) as FileFormat[];

/** The formats that pass a test, in the order of the registry. */
const those = <Name extends FileFormat>(has: (declaration: FormatDeclaration) => unknown): readonly Name[] =>
  FILE_FORMATS.filter((name): name is Name => Boolean(has(REGISTRY[name])));

export const FORMATS = those<Format>(({ document }) => document);
export const TEXT_FORMATS = those<TextFormat>(({ text }) => text);
export const BINARY_FORMATS = those<BinaryFormat>(({ file }) => file);
export const COLLECTION_FORMATS = those<CollectionFormat>(({ text, file, topology }) => text ?? file ?? topology);
export const READABLE = those<Readable>((declaration) => declaration.reader ?? declaration === zip);
export const DRAWN_FORMATS = those<DrawnFormat>(({ isDrawn }) => isDrawn);

/** The media type of a format. */
export const contentType = (format: FileFormat): string => REGISTRY[format].contentType;

/** The file name extension of a format, without the dot. */
export const extension = (format: FileFormat): string => REGISTRY[format].extension;

/**
 * The formats that a file name extension stands for, most likely first.
 * @param reads whether the file is read: some extensions are not those of files that are written
 */
export function formatsOfExtension(name: string, reads = false): FileFormat[] {
  const also = (format: FileFormat): readonly string[] => {
    const { otherExtensions = [], readExtensions = [] } = declarationOf(format);
    return reads ? [...otherExtensions, ...readExtensions] : otherExtensions;
  };
  const own = FILE_FORMATS.filter((format) => extension(format) === name);
  return [...own, ...FILE_FORMATS.filter((format) => !own.includes(format) && also(format).includes(name))];
}

/** Bytes of a file from which its format is recognized. */
export const START_BYTES = 4096;

/**
 * The format of a file, by its first START_BYTES bytes, else by its extension; null for none that is read.
 * @param extension its file name extension; what comes before the last dot does not count, so a whole name serves as well
 */
export function formatOf(head: Uint8Array, extension: string): Readable | null {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, START_BYTES)).toString('latin1');
  const plain = start.replace(/^(?:\xef\xbb\xbf)?[ \t\r\n]*/, '');
  const known = formatsOfExtension(extension.slice(extension.lastIndexOf('.') + 1).toLowerCase(), true);
  return (
    READABLE.find((format) => declarationOf(format).isStart?.(plain)) ??
    READABLE.find((format) => known.includes(format)) ??
    null
  );
}

/** What becomes of attributes in a format. */
export const attributeRules = (format: FileFormat): AttributeRules => declarationOf(format).attributes ?? {};

/** Column names as a format has them: the names themselves, or distinct ones within its limits. */
export function columnNames(format: FileFormat, names: readonly string[]): string[] {
  const { columnNames: rules } = declarationOf(format);
  return rules ? uniqueNames(names, rules) : [...names];
}

/**
 * The polygons as a file of the format. The bytes start a buffer of their own, which may be moved to another thread.
 * Without polygons the document is valid and empty.
 *
 * @throws TooLarge when more than `limits.maxBytes` are written
 * @throws DOMException named AbortError when canceled
 */
export function writeDocument(
  format: Format,
  polygons: Polygons,
  doc: Document,
  limits?: Limits,
): Uint8Array<ArrayBuffer> {
  return REGISTRY[format].document(polygons, doc, limits);
}

/** The format of the files in a zip, as their writer takes it. */
export const singleFormat = (format: Format): SingleFormat => REGISTRY[format];

/** The text before the first feature of a collection. */
export const textHead = (format: TextFormat, about: About): string => REGISTRY[format].text.head(about);

/** The text after the last feature. */
export const textTail = (format: TextFormat): string => REGISTRY[format].text.tail;

/** Writes one feature. `first`: it is the first of the collection, so no separator precedes it. */
export function writeText(
  out: ByteWriter,
  format: TextFormat,
  feature: Feature,
  { about, first }: { readonly about: About; readonly first: boolean },
): void {
  const { separator, write } = REGISTRY[format].text;
  if (!first) out.ascii(separator);
  write(out, feature, about);
}

/**
 * Writes a collection from polygons, and yields its bytes in order.
 * @param zipOf the format of the files in a zip
 * @throws FormatLimitError when the format cannot hold it; TooLarge for a file in a zip beyond its limit
 */
export async function* writeFile(
  format: BinaryFormat,
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  { zipOf, ...options }: FileOptions & { readonly zipOf: Format },
): AsyncGenerator<Uint8Array> {
  const write = await REGISTRY[format].file();
  yield* write(features, columns, { ...options, single: singleFormat(zipOf) });
}
