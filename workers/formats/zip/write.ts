import type { Limits } from '../../cancel.ts';
import type { Polygons } from '../../contract.ts';
import type { CollectionWriter, Column, Feature, SingleFormat } from '../types.ts';
import { fileName, type ZipEntry, zip } from './pack.ts';

const SCALE = 1e7;
const DIGITS = 7;

/** Default limit of one file, in bytes. */
const MAX_BYTES = 2 ** 28;

const EMPTY: Polygons = { coords: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) };

/** Options for the files in the archive. */
export interface SingleFiles {
  readonly single: SingleFormat;
  readonly attribution?: string;
  /** Decimal places of a degree, 0 … 7; default 7. */
  readonly digits?: number;
  /** Limits of each file; default 256 MB. */
  readonly limits?: Limits;
}

/**
 * Writes a zip with one file per feature, as features arrive. Memory: one file at a time, and about 200 bytes per file.
 * A file is named after the columns `name` and `id`, "Vaduz (r1155956).geojson"; a name already taken (regardless of
 * case) gets a number. The other values become properties. A feature without polygons gives a file without polygons.
 * @throws TooLarge for a file beyond its limit
 */
export async function* writeZip(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: Parameters<CollectionWriter>[2] & SingleFiles,
): AsyncGenerator<Uint8Array> {
  yield* zip(files(features, columns, options));
}

async function* files(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  { single, attribution = '', digits = DIGITS, limits = { maxBytes: MAX_BYTES } }: SingleFiles,
): AsyncGenerator<ZipEntry> {
  const idAt = columns.findIndex((column) => column.name === 'id');
  const nameAt = columns.findIndex((column) => column.name === 'name');
  const taken = new Set<string>();
  for await (const { values, polygons, box } of features) {
    const text = (at: number): string => String(values[at] ?? '');
    const document = {
      id: values[idAt] == null ? null : text(idAt),
      name: text(nameAt) || text(idAt),
      properties: Object.fromEntries(columns.map(({ name }, i) => [name, values[i]])),
      bbox: box && ([box[0] / SCALE, box[1] / SCALE, box[2] / SCALE, box[3] / SCALE] as const),
      attribution,
      digits,
    };
    const bytes = single.document(polygons ?? EMPTY, document, limits);
    const named = [fileName(text(nameAt)), fileName(text(idAt)) && `(${fileName(text(idAt))})`];
    const name = freeName(named.filter(Boolean).join(' ') || 'boundary', taken);
    yield { name: `${name}.${single.extension}`, bytes };
  }
}

/** The name, or the first free one of name_2, name_3 …; adds it to `taken`. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`;
  taken.add(free.toLowerCase());
  return free;
}
