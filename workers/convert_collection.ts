/** Writes areas that were read from a file, with their attributes, as a file in a collection format. */

import { type IsCancelled, TooLarge, throwIfCancelled } from './cancel.ts';
import type { Box, Format, Polygons } from './contract.ts';
import { ByteWriter } from './formats/bytes.ts';
import type { CollectionFormat } from './formats/collection/formats.ts';
import { uniqueNames } from './formats/collection/names.ts';
import { type About, TEXT_FORMATS, type TextFormat, textHead, textTail, writeText } from './formats/collection/text.ts';
import { writeTopology } from './formats/collection/topology.ts';
import type { Column, Feature } from './formats/collection/types.ts';
import { polygonsBox } from './kernels/box.ts';
import { digitsOf } from './kernels/levels.ts';
import type { ReadFeature } from './readers/model.ts';

/** An area and its attributes in the file. */
export interface ReadArea {
  readonly feature: Pick<ReadFeature, 'id' | 'name' | 'properties'>;
  readonly polygons: Polygons;
}

export interface FileOfAreas {
  readonly format: CollectionFormat;
  /** The format of the files in a zip. */
  readonly zipOf: Format;
  readonly name: string;
  readonly attribution: string;
  readonly level: number;
  readonly maxBytes: number;
  readonly isCancelled: IsCancelled;
}

/** Formats that hold any JSON, so values keep their types. */
const JSON_FORMATS: readonly CollectionFormat[] = ['geojson', 'geojsonseq', 'ndjson', 'topojson'];
const NAME_BYTES = 1_000;
const START_BYTES = 1 << 20;

type Values = Feature['values'];

/**
 * Writes the file.
 * @throws TooLarge beyond `maxBytes`
 * @throws FormatLimitError when the format cannot hold the areas
 * @throws DOMException named AbortError when canceled
 */
export async function writeAreas(areas: readonly ReadArea[], file: FileOfAreas): Promise<Uint8Array> {
  const { format, name, attribution, level } = file;
  const { columns, values } = attributesOf(areas, format);
  const ids = new Set(areas.map(({ feature }) => feature.id));
  // A file that was read may repeat an id, or have none.
  const isKeyed = ids.size < areas.length || ids.has(null);
  const features = areas.map(({ polygons }, i): Feature => {
    const key = isKeyed ? { key: String(i + 1) } : {};
    return { ...key, values: values[i], polygons, box: polygonsBox(polygons) };
  });
  const about: About = { name, attribution, columns, box: boxOfAll(features), digits: digitsOf(level), geometry: true };
  if (isText(format)) return writeTexts(features, format, about, file);
  if (format === 'topojson') return writeTopology(features, about, file);
  return writeBytes(features, format, columns, file);
}

const isText = (format: CollectionFormat): format is TextFormat => TEXT_FORMATS.some((one) => one === format);

function writeTexts(
  features: readonly Feature[],
  format: TextFormat,
  about: About,
  { maxBytes, isCancelled }: FileOfAreas,
) {
  const out = new ByteWriter(START_BYTES, { maxBytes, isCancelled });
  out.utf8(textHead(format, about));
  features.forEach((feature, i) => {
    throwIfCancelled(isCancelled);
    writeText(out, format, feature, { about, first: i === 0 });
  });
  out.utf8(textTail(format));
  return out.finish();
}

async function writeBytes(
  features: readonly Feature[],
  format: Exclude<CollectionFormat, TextFormat | 'topojson'>,
  columns: readonly Column[],
  { name, attribution, level, zipOf, maxBytes, isCancelled }: FileOfAreas,
): Promise<Uint8Array> {
  const one = async function* () {
    for (const feature of features) {
      throwIfCancelled(isCancelled);
      yield feature;
    }
  };
  const options = {
    name,
    count: features.length,
    attribution,
    level,
    format: zipOf,
    digits: digitsOf(level),
    limits: { maxBytes },
  };
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (await writerOf(format))(one(), columns, options)) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new TooLarge(bytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function writerOf(format: Exclude<CollectionFormat, TextFormat | 'topojson'>) {
  switch (format) {
    case 'flatgeobuf':
      return (await import('./formats/collection/flatgeobuf.ts')).writeFlatgeobuf;
    case 'geopackage':
      return (await import('./formats/collection/geopackage.ts')).writeGeopackage;
    case 'geoparquet':
      return (await import('./formats/collection/geoparquet.ts')).writeGeoparquet;
    case 'shapefile':
      return (await import('./formats/collection/shapefile.ts')).writeShapefile;
    case 'zip':
      return (await import('./formats/collection/single_files.ts')).writeZip;
    case 'pmtiles':
      return (await import('./pmtiles.ts')).writePmtiles;
  }
}

/**
 * The columns of the areas (`id` and `name` first, the others in order of appearance) and the values of each area. A
 * column of only integers, or only numbers, has that type. Other values become text; lists and objects become JSON.
 */
function attributesOf(areas: readonly ReadArea[], format: CollectionFormat): { columns: Column[]; values: Values[] } {
  const rows = areas.map(({ feature: { id, name, properties } }) => {
    const row = new Map<string, unknown>();
    if (id !== null) row.set('id', properties.id !== undefined && String(properties.id) === id ? properties.id : id);
    if (name !== null) row.set('name', name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === null || value === undefined || row.get(key) === value) continue;
      row.set(row.has(key) ? `${key}_2` : key, value);
    }
    return row;
  });
  const met = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const names = [
    ...['id', 'name'].filter((one) => met.includes(one)),
    ...met.filter((one) => one !== 'id' && one !== 'name'),
  ];
  const isJson = JSON_FORMATS.includes(format);
  const types = names.map((name) => typeOf(rows.flatMap((row) => (row.has(name) ? [row.get(name)] : []))));
  const own = isJson ? names : uniqueNames(names, { maxBytes: NAME_BYTES, reserved: format === 'csv' ? ['wkt'] : [] });
  const columns = own.map((name, c): Column => ({ name, type: types[c] }));
  const values = rows.map((row) =>
    names.map((name, c) =>
      isJson ? ((row.get(name) ?? null) as string | null) : asType(row.get(name) ?? null, types[c]),
    ),
  );
  return { columns, values };
}

function typeOf(values: readonly unknown[]): Column['type'] {
  if (values.length === 0 || !values.every((value) => typeof value === 'number' && Number.isFinite(value)))
    return 'string';
  return values.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0)) ? 'integer' : 'number';
}

function asType(value: unknown, type: Column['type']): string | number | null {
  if (value === null) return null;
  if (type !== 'string') return value as number;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The bounding box of all features; spans all longitudes when one crosses the antimeridian. */
function boxOfAll(features: readonly Feature[]): Box | null {
  let all: Box | null = null;
  for (const { box } of features) {
    if (box === null) continue;
    const [west, south, east, north] = box[0] > box[2] ? [-1_800_000_000, box[1], 1_800_000_000, box[3]] : box;
    const [w, s, e, n]: Box = all ?? [west, south, east, north];
    all = [Math.min(w, west), Math.min(s, south), Math.max(e, east), Math.max(n, north)];
  }
  return all;
}
