import { extname } from 'node:path';
import { type ReadDocument, Unreadable } from './model.ts';
import { readZip } from './zip.ts';

/** Text formats and their readers, which are loaded on demand. */
const TEXTS = {
  geojson: async () => (await import('./topojson.ts')).readJson,
  geojsonseq: async () => (await import('./lines.ts')).readGeojsonLines,
  ndjson: async () => (await import('./lines.ts')).readGeojsonLines,
  topojson: async () => (await import('./topojson.ts')).readTopojson,
  csv: async () => (await import('./csv.ts')).readCsv,
  kml: async () => (await import('./kml.ts')).readKml,
  gml: async () => (await import('./gml.ts')).readGml,
  wkt: async () => (await import('./wkt.ts')).readWkt,
  poly: async () => (await import('./poly.ts')).readPoly,
} as const satisfies Readonly<Record<string, () => Promise<(text: string) => ReadDocument>>>;

/** Binary formats and their readers. */
const BYTES = {
  flatgeobuf: async () => (await import('./flatgeobuf.ts')).readFlatgeobuf,
  geopackage: async () => (await import('./geopackage.ts')).readGeopackage,
  geoparquet: async () => (await import('./geoparquet.ts')).readGeoparquet,
} as const satisfies Readonly<
  Record<string, () => Promise<(bytes: Uint8Array) => ReadDocument | Promise<ReadDocument>>>
>;

/** The formats that can be read: all except pictures and tiles. */
export const READABLE = [
  ...(Object.keys(TEXTS) as (keyof typeof TEXTS)[]),
  ...(Object.keys(BYTES) as (keyof typeof BYTES)[]),
  'shapefile',
  'zip',
] as const;
export type Readable = (typeof READABLE)[number];

/** The format of a file in a zip, by its extension. */
const IN_ZIP: Readonly<Record<string, Readable>> = {
  '.geojson': 'geojson',
  '.json': 'geojson',
  '.kml': 'kml',
  '.gml': 'gml',
  '.wkt': 'wkt',
};

/**
 * Reads a file. Text must be UTF-8 (a byte order mark is skipped). `beside`: the other files of a shapefile that is not
 * in a zip, by extension.
 * @throws Unreadable
 */
export async function readDocument(
  format: Readable,
  bytes: Uint8Array,
  beside: Readonly<Record<string, Uint8Array>> = {},
): Promise<ReadDocument> {
  if (bytes.length === 0) throw new Unreadable('it is empty');
  if (format === 'shapefile' || format === 'zip') {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    return isZip ? readArchive(readZip(bytes)) : shapefile({ ...beside, '.shp': bytes });
  }
  if (isText(format)) return (await TEXTS[format]())(textOf(bytes));
  return (await BYTES[format]())(bytes);
}

const isText = (format: Exclude<Readable, 'shapefile' | 'zip'>): format is keyof typeof TEXTS => format in TEXTS;

function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('it is not text in UTF-8');
  }
  if (text.trim() === '') throw new Unreadable('it is empty');
  return text;
}

/** Reads a zip with a shapefile, or with one file per area; other files are skipped. */
async function readArchive(files: ReadonlyMap<string, Uint8Array>): Promise<ReadDocument> {
  const shapes = [...files.keys()].filter((name) => extname(name).toLowerCase() === '.shp');
  if (shapes.length > 1) throw new Unreadable(`the zip has ${shapes.length} shapefiles: unpack it`);
  const [shp] = shapes;
  if (shp !== undefined) {
    const stem = shp.slice(0, -4).toLowerCase();
    const own = [...files].filter(([name]) => name.slice(0, -4).toLowerCase() === stem);
    return shapefile(Object.fromEntries(own.map(([name, bytes]) => [extname(name).toLowerCase(), bytes])));
  }
  const features: ReadDocument['features'][number][] = [];
  let left = 0;
  for (const [name, bytes] of files) {
    const format = IN_ZIP[extname(name).toLowerCase()];
    if (format === undefined || name.startsWith('__MACOSX/')) continue;
    try {
      const read = await readDocument(format, bytes);
      features.push(...read.features);
      left += read.left;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Unreadable(`${name}: ${error.message}`);
    }
  }
  if (features.length === 0) throw new Unreadable('the zip has no shapefile and no geojson, kml, gml or wkt file');
  return { name: null, features, left };
}

async function shapefile(files: Readonly<Record<string, Uint8Array>>): Promise<ReadDocument> {
  const { readShapefile } = await import('./shapefile.ts');
  const [shp, dbf, prj, cpg] = ['.shp', '.dbf', '.prj', '.cpg'].map((extension) => files[extension]);
  return readShapefile({ shp, ...(dbf && { dbf }), ...(prj && { prj }), ...(cpg && { cpg }) });
}
