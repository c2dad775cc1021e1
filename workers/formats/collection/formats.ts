/** Properties of each collection format, independent of the code that writes it. */

/** Formats written from polygons by a separate thread (workers/collection_writer.ts). */
export const BINARY_FORMATS = ['flatgeobuf', 'geopackage', 'geoparquet', 'shapefile', 'zip', 'pmtiles'] as const;
export type BinaryFormat = (typeof BINARY_FORMATS)[number];

/** Collection formats that can be requested. */
export const COLLECTION_FORMATS = [
  'geojson',
  'geojsonseq',
  'ndjson',
  'topojson',
  ...BINARY_FORMATS,
  'csv',
  'kml',
  'gml',
  'svg',
  'poly',
] as const;
export type CollectionFormat = (typeof COLLECTION_FORMATS)[number];

interface FormatKind {
  readonly contentType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
}

const KINDS: Readonly<Record<CollectionFormat, FormatKind>> = {
  geojson: { contentType: 'application/geo+json', extension: 'geojson' },
  geojsonseq: { contentType: 'application/geo+json-seq', extension: 'geojsons' },
  ndjson: { contentType: 'application/x-ndjson', extension: 'ndjson' },
  topojson: { contentType: 'application/topo+json', extension: 'topojson' },
  flatgeobuf: { contentType: 'application/flatgeobuf', extension: 'fgb' },
  geopackage: { contentType: 'application/geopackage+sqlite3', extension: 'gpkg' },
  geoparquet: { contentType: 'application/vnd.apache.parquet', extension: 'parquet' },
  shapefile: { contentType: 'application/zip', extension: 'zip' },
  zip: { contentType: 'application/zip', extension: 'zip' },
  pmtiles: { contentType: 'application/vnd.pmtiles', extension: 'pmtiles' },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  kml: { contentType: 'application/vnd.google-earth.kml+xml', extension: 'kml' },
  gml: { contentType: 'application/gml+xml; version=3.2', extension: 'gml' },
  svg: { contentType: 'image/svg+xml', extension: 'svg' },
  poly: { contentType: 'text/plain; charset=utf-8', extension: 'poly' },
};

/** The media type of a collection. */
export const collectionType = (format: CollectionFormat): string => KINDS[format].contentType;

/** The file name extension of a collection, without the dot. */
export const collectionExtension = (format: CollectionFormat): string => KINDS[format].extension;

/** Media types by file name extension. */
export const TYPE_OF_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.values(KINDS).map(({ extension, contentType }) => [extension, contentType]),
);
