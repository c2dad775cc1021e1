import type { Limits } from '../cancel.ts';
import type { Document, Format, Polygons } from '../contract.ts';
import { writeGeojson } from './geojson.ts';
import { writeGml } from './gml.ts';
import { writeKml } from './kml.ts';
import { writeSvg } from './svg.ts';
import { writeWkt } from './wkt.ts';

interface Writer {
  readonly write: (polygons: Polygons, doc: Document, limits?: Limits) => Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly extension: string;
}

const WRITERS: Readonly<Record<Format, Writer>> = {
  geojson: { write: writeGeojson, contentType: 'application/geo+json', extension: 'geojson' },
  kml: { write: writeKml, contentType: 'application/vnd.google-earth.kml+xml', extension: 'kml' },
  wkt: { write: writeWkt, contentType: 'text/plain; charset=utf-8', extension: 'wkt' },
  svg: { write: writeSvg, contentType: 'image/svg+xml', extension: 'svg' },
  gml: { write: writeGml, contentType: 'application/gml+xml; version=3.2', extension: 'gml' },
};

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
  return WRITERS[format].write(polygons, doc, limits);
}

/** The media type of a format. */
export function contentType(format: Format): string {
  return WRITERS[format].contentType;
}

/** The file name extension of a format, without the dot. */
export function extension(format: Format): string {
  return WRITERS[format].extension;
}
