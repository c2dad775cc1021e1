import { withoutColumns } from '../../../workers/formats/reading/layers.ts';
import { readPieces } from './documents.ts';
import { openFile } from './files.ts';
import type { Frames } from './frames.ts';
import { NotDegrees } from './geometry.ts';
import { troubleWithDegrees, troubleWithDocument } from './system.ts';

/** What takes the features of a file. */
export type FeatureSink = Pick<Frames, 'areas' | 'system' | 'feature' | 'document' | 'isFull'>;

/** Which part of a file is read, and how. */
export type FileOptions = Parameters<typeof openFile>[1];

/**
 * Gives the features of a file in any format to a reader, until there are no more or it has enough.
 * @param onRead bytes read, of how many, where the file is read piece by piece
 * @throws Error that says what is wrong with the file
 */
export async function feed(
  path: string,
  reader: FeatureSink,
  options: FileOptions,
  onRead?: (done: number, total: number) => void,
): Promise<void> {
  const document = await openFile(path, options);
  if (document) return reader.areas(document);
  if (options.geometry !== undefined) throw withoutColumns();
  for await (const piece of readPieces(path, onRead, options.encoding)) {
    if (piece.type === 'head') reader.system((piece.value as { readonly crs?: unknown }).crs);
    else if (piece.type === 'feature') reader.feature(piece.value);
    else reader.document(piece.value, piece.features, options.layer);
    if (reader.isFull) return;
  }
}

/**
 * An error of reading a file, with its path. If the coordinates are not degrees and no reference system is known, the file
 * is read again for its extent, and the error names the likely systems.
 */
export async function readingError(
  error: unknown,
  path: string,
  { crs, ...options }: FileOptions & { readonly crs?: string | undefined },
): Promise<Error> {
  const isPlane = crs === undefined && isNotDegrees(error);
  const message = (isPlane ? await troubleIn(path, options) : null) ?? (error as Error).message;
  return new Error(message.startsWith(path) ? message : `${path}: ${message}`, { cause: error });
}

async function troubleIn(path: string, options: FileOptions): Promise<string | null> {
  const document = await openFile(path, options);
  return document ? troubleWithDocument(document) : troubleWithDegrees(path, options.encoding);
}

/** Whether a coordinate was no number of degrees. */
const isNotDegrees = (error: unknown): boolean =>
  error instanceof NotDegrees || (error instanceof Error && error.cause instanceof NotDegrees);
