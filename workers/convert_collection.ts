/** Writes areas that were read from a file, with their attributes, as a file in a collection format. */

import { polygonsBox } from './arcs/box.ts';
import { digitsOf } from './arcs/levels.ts';
import { type IsCanceled, TooLarge, throwIfCanceled } from './cancel.ts';
import type { Box, Polygons } from './contract.ts';
import { type Attributes, attributesOf, valuesOf } from './formats/attributes.ts';
import { ByteWriter } from './formats/bytes.ts';
import type { ReadFeature } from './formats/reading/document.ts';
import type { Format } from './formats/registry.ts';
import {
  attributeRules,
  type BinaryFormat,
  type CollectionFormat,
  columnNames,
  declarationOf,
  TEXT_FORMATS,
  type TextFormat,
  textHead,
  textTail,
  writeFile,
  writeText,
} from './formats/registry.ts';
import { writeTopology } from './formats/topojson/write.ts';
import type { About, Column, Feature, Value } from './formats/types.ts';

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
  readonly isCanceled: IsCanceled;
}

const START_BYTES = 1 << 20;

/**
 * Writes the file.
 * @throws TooLarge beyond `maxBytes`
 * @throws FormatLimitError when the format cannot hold the areas
 * @throws DOMException named AbortError when canceled
 */
export async function writeAreas(areas: readonly ReadArea[], file: FileOfAreas): Promise<Uint8Array> {
  const { format, name, attribution, level } = file;
  const attributes = attributesOf(areas.map(({ feature }) => feature));
  const values = attributes.rows.map((row) => rowOf(row, attributes, format));
  const columns = columnsOf(attributes, format, values);
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
  { maxBytes, isCanceled }: FileOfAreas,
) {
  const out = new ByteWriter(START_BYTES, { maxBytes, isCanceled });
  out.utf8(textHead(format, about));
  features.forEach((feature, i) => {
    throwIfCanceled(isCanceled);
    writeText(out, format, feature, { about, first: i === 0 });
  });
  out.utf8(textTail(format));
  return out.finish();
}

async function writeBytes(
  features: readonly Feature[],
  format: BinaryFormat,
  columns: readonly Column[],
  { name, attribution, level, zipOf, maxBytes, isCanceled }: FileOfAreas,
): Promise<Uint8Array> {
  const one = async function* () {
    for (const feature of features) {
      throwIfCanceled(isCanceled);
      yield feature;
    }
  };
  const options = {
    name,
    count: features.length,
    attribution,
    level,
    zipOf,
    digits: digitsOf(level),
    limits: { maxBytes },
  };
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of writeFile(format, one(), columns, options)) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new TooLarge(bytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The values of an area: as they are in JSON, without those that the area lacks. */
function rowOf(row: Attributes['rows'][number], { columns }: Attributes, format: CollectionFormat): Value[] {
  // The formats of single areas, which a zip holds, make text of values themselves.
  if (!attributeRules(format).isJson && format !== 'zip') return valuesOf(row, columns);
  return columns.map(({ name }) => row.get(name) as Value);
}

function columnsOf({ columns }: Attributes, format: CollectionFormat, values: readonly Value[][]): Column[] {
  const { columns: own } = declarationOf(format);
  if (own) return own(columns, values);
  const names = columnNames(
    format,
    columns.map(({ name }) => name),
  );
  return columns.map(({ type }, i): Column => ({ name: names[i], type }));
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
