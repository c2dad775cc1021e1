/** The file formats of areas, as the registry has them; test/web/formats.test.ts compares them. */

/** A format: its name where it has no text of the pages, the extension of its files, and what it holds. */
export interface FormatName {
  readonly label: string;
  readonly extension: string;
  /** One area by itself, as export_boundary and create_area write it. */
  readonly single?: true;
  /** Many areas with attributes, as export_collection writes it. */
  readonly collection?: true;
}

export const FORMATS: Readonly<Record<string, FormatName>> = {
  geojson: { label: 'GeoJSON', extension: 'geojson', single: true, collection: true },
  geopackage: { label: 'GeoPackage', extension: 'gpkg', collection: true },
  shapefile: { label: 'Shapefile', extension: 'zip', collection: true },
  kml: { label: 'KML', extension: 'kml', single: true, collection: true },
  csv: { label: 'CSV', extension: 'csv', collection: true },
  topojson: { label: 'TopoJSON', extension: 'topojson', collection: true },
  flatgeobuf: { label: 'FlatGeobuf', extension: 'fgb', collection: true },
  geoparquet: { label: 'GeoParquet', extension: 'parquet', collection: true },
  pmtiles: { label: 'PMTiles', extension: 'pmtiles', collection: true },
  svg: { label: 'SVG', extension: 'svg', single: true, collection: true },
  gml: { label: 'GML', extension: 'gml', single: true, collection: true },
  wkt: { label: 'WKT', extension: 'wkt', single: true },
  geojsonseq: { label: 'GeoJSON', extension: 'geojsons', collection: true },
  ndjson: { label: 'NDJSON', extension: 'ndjson', collection: true },
  poly: { label: 'poly', extension: 'poly', collection: true },
  zip: { label: 'Zip', extension: 'zip', collection: true },
};

/** The detail levels of an area. */
export const DETAILS = ['low', 'medium', 'high', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

export const extensionOf = (format: string): string => FORMATS[format]?.extension ?? format;
export const isSingle = (format: string): boolean => FORMATS[format]?.single === true;
export const isCollection = (format: string): boolean => FORMATS[format]?.collection === true;
