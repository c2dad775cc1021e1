/** Files of areas that a caller sends: written to a private folder, read in a process of its own, and removed. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  contentType,
  extension,
  type FileFormat,
  formatOf,
  READABLE,
  type Readable,
  START_BYTES,
} from '../../../workers/formats/registry.ts';
import { mediaTypeIn } from '../../common/media_type.ts';
import { writeAll } from '../../common/write_all.ts';
import { asProblem, invalidInput, problem } from '../../core/errors.ts';
import type { BodyStream, Context } from '../../core/op.ts';
import type { ReadOptions } from '../../sources/coverage/options.ts';
import type { OfficialChains, TilingOptions } from '../../sources/coverage/tiling.ts';
import { type Asked, type IsolatedRead, readIsolated } from '../../sources/read_isolated.ts';
import { keepForDay } from '../boundaries/kept_file.ts';
import { acting } from '../orgs/org.ts';

/** Limit of a file that is sent, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Limit of a file of the library in bytes: one that was sent gzipped is there as it unpacks. */
const MOST_STORED_BYTES = 8 * MOST_BYTES;

/** A file. */
export type Given = {
  /** Without the dot; '' where the beginning of the file says its format. */
  readonly extension: string;
  /** Limit of its bytes, unless it is that of a file that is sent. */
  readonly mostBytes?: number;
  /** Its length in bytes, where its sender said it. */
  readonly announced?: number;
} & ({ readonly bytes: Uint8Array } | { readonly chunks: AsyncIterable<Uint8Array> });

/** How areas are made of a file. */
export interface Making {
  readonly most: Pick<Asked, 'mostAreas' | 'mostVertices'>;
  readonly tiling: TilingOptions;
  readonly official: OfficialChains;
  /** The organization whose set it is. */
  readonly org: string;
}

/** The bytes of a file up to its limit. @throws too_large, before any are read if its sender said that it is larger */
async function* bytesOf(given: Given): AsyncGenerator<Uint8Array, void, undefined> {
  const { mostBytes = MOST_BYTES, announced = 0 } = given;
  const tooLarge = () => problem('too_large', `A file of areas has at most ${mostBytes} bytes.`);
  if (announced > mostBytes) throw tooLarge();
  let bytes = 0;
  for await (const chunk of 'bytes' in given ? [given.bytes] : given.chunks) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw tooLarge();
    yield chunk;
  }
}

/** Unpacks a gzip. @throws invalid_input for one that is damaged, too_large for more than a file of the library may have */
async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  // An error destroys gunzip, which throws it in the loop below.
  pipeline(packed, gunzip, () => {});
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MOST_STORED_BYTES) {
        throw problem('too_large', `A file of areas unpacks to at most ${MOST_STORED_BYTES} bytes.`);
      }
      yield chunk;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw invalidInput([{ path: 'file', code: 'unreadable', message: `the gzip is damaged: ${message}` }]);
  }
}

/**
 * Writes a file to a private folder, which is removed after `work`. A client that waits gets its answer even after the
 * deadline of its call: reading has a limit of its own.
 * @param work gets the path, and a signal that aborts when the client has left or the job has ended
 * @throws too_large, and what `work` throws
 */
export async function withGiven<T>(
  given: Given,
  signal: AbortSignal,
  work: (path: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-set-'));
  const left = new AbortController();
  const leave = () => {
    // A client that left, a job that ended; not a deadline, which is a problem to answer with.
    if (asProblem(signal.reason) === null) left.abort(signal.reason);
  };
  signal.addEventListener('abort', leave);
  try {
    const path = join(folder, given.extension === '' ? 'areas' : `areas.${given.extension}`);
    const file = await open(path, 'w', 0o600);
    try {
      for await (const chunk of bytesOf(given)) await writeAll(file, chunk);
    } finally {
      await file.close();
    }
    return await work(path, left.signal);
  } finally {
    signal.removeEventListener('abort', leave);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The areas of a file. @throws too_large, and what readIsolated() throws */
export function readGiven(
  given: GivenColumns,
  options: Pick<ReadOptions, 'layer' | 'crs' | 'encoding' | 'lone'>,
  { most, ...made }: Making,
  signal: AbortSignal,
): Promise<IsolatedRead> {
  // The level only lets the reader know that all areas are of one.
  const wanted = { source: 'set', adminLevel: 8, map: given.columns, ...options };
  return withGiven(given, signal, (path, left) => {
    const asked = { path, options: wanted, tiling: made.tiling, ...most };
    return readIsolated(asked, { org: made.org, shown: 'the file', official: made.official }, left);
  });
}

/**
 * Keeps a file in the library, restricted to the caller, for a day; unpacked if it is gzipped, as files of the library are.
 * @param format as the caller says; null: as its beginning says
 * @param nameOf the name of the entry
 * @throws invalid_input for a file whose format is not recognized, and a damaged gzip; too_large
 */
export async function keepUpload(
  ctx: Context,
  given: Given,
  {
    format: said,
    nameOf,
    madeBy,
  }: {
    readonly format: Readable | undefined;
    readonly nameOf: (format: FileFormat) => string;
    readonly madeBy: string;
  },
): Promise<{ readonly id: string; readonly bytes: number; readonly format: FileFormat }> {
  const sent = await startOf(bytesOf(given));
  const isGzip = sent.start[0] === 0x1f && sent.start[1] === 0x8b;
  const { start, all } = isGzip ? await startOf(unpacked(sent.all)) : sent;
  const format = said === 'shapefile' ? 'zip' : (said ?? formatOf(start, given.extension));
  if (format === null) {
    const message = 'the format of the file is not recognized: say it';
    throw invalidInput([{ path: 'format', code: 'missing', message }]);
  }
  const { id, bytes } = await keepForDay(ctx, all, { name: nameOf(format), format, madeBy });
  return { id, bytes, format };
}

/** The first bytes of a file, and all of it. */
async function startOf(chunks: AsyncIterable<Uint8Array>) {
  const reader = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let bytes = 0; bytes < START_BYTES; ) {
    const next = await reader.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.byteLength;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => reader };
  }
  return { start: Buffer.concat(first).subarray(0, START_BYTES), all: all() };
}

/** A file of the library, as it was kept. @throws not_found for one that the caller may not see */
export async function fromLibrary(ctx: Context, id: string): Promise<Given & { readonly name: string }> {
  const { files } = ctx.services;
  const { entry } = await files.get(acting(ctx), id);
  const { name, format } = entry;
  return { chunks: await files.read(entry), extension: extension(format), name, mostBytes: MOST_STORED_BYTES };
}

/** A file, and the property for each of ours that is not found by its name. */
export type GivenColumns = Given & { readonly columns: Readonly<Record<string, string>> };

/** The fields of a call that say which columns are meant. */
export const columnsOf = (
  fields: {
    readonly [Column in 'id' | 'name' | 'population' as `${Column}_column`]?: string | undefined;
  },
): Readonly<Record<string, string>> => ({
  ...(fields.id_column === undefined ? {} : { id: fields.id_column }),
  ...(fields.name_column === undefined ? {} : { name: fields.name_column }),
  ...(fields.population_column === undefined ? {} : { population: fields.population_column }),
});

/** How a file is read, as the fields of a call say. */
export const readingOf = (
  fields: {
    readonly [Field in 'layer' | 'crs' | 'text_encoding']?: string | undefined;
  },
): Pick<ReadOptions, 'layer' | 'crs' | 'encoding'> => ({
  ...(fields.layer === undefined ? {} : { layer: fields.layer }),
  ...(fields.crs === undefined ? {} : { crs: fields.crs }),
  ...(fields.text_encoding === undefined ? {} : { encoding: fields.text_encoding }),
});

/** The file of a call: its body, a file of the library, or its content. @throws not_found for one that the caller may not see */
export async function givenBy(
  ctx: Context,
  {
    format,
    file_id,
    content = '',
    encoding = 'utf8',
  }: {
    readonly format?: Readable | undefined;
    readonly file_id?: string | undefined;
    readonly content?: string | undefined;
    readonly encoding?: 'utf8' | 'base64';
  },
): Promise<Given> {
  if (ctx.intake) return fromBody(ctx.intake, format);
  if (file_id !== undefined) return fromLibrary(ctx, file_id);
  return { bytes: Buffer.from(content, encoding), extension: format === undefined ? '' : endingOf(format) };
}

/** A Shapefile is sent in a zip. */
const endingOf = (format: Readable): string => extension(format === 'shapefile' ? 'zip' : format);

/** Media types of files that are sent as the body. */
export const BODY_TYPES: readonly string[] = [
  ...new Set(READABLE.map((one) => mediaTypeIn(contentType(one)))),
  'application/octet-stream',
];

/** The file that is the body of a call. @param format as the caller says; else the media type says it */
export function fromBody({ contentType: type, ...body }: BodyStream, format: Readable | undefined): Given {
  const said = format === undefined ? null : endingOf(format);
  const known = READABLE.find((one) => mediaTypeIn(contentType(one)) === type);
  return { ...body, extension: said ?? (known ? extension(known) : '') };
}
