/** What is known of each format of a collection, whoever writes it. */

/** Formats that a thread of their own writes from polygons (workers/collection_writer.ts). */
export const BINARY_FORMATS = ['flatgeobuf', 'geopackage', 'geoparquet', 'shapefile', 'zip', 'pmtiles'] as const;
export type BinaryFormat = (typeof BINARY_FORMATS)[number];

/** Formats of collections that can be asked for. */
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
  /** What a file ends in, without the dot. */
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

/** The media type to serve a collection with. */
export const collectionType = (format: CollectionFormat): string => KINDS[format].contentType;

/** What a file of a collection ends in, without the dot. */
export const collectionExtension = (format: CollectionFormat): string => KINDS[format].extension;

/** The media types of files by what they end in. */
export const TYPE_OF_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.values(KINDS).map(({ extension, contentType }) => [extension, contentType]),
);
