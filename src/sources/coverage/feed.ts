import { withoutColumns } from '../../../workers/formats/reading/layers.ts';
import { readPieces } from './documents.ts';
import { openFile } from './files.ts';
import type { Reader } from './reader.ts';

/** Which part of a file is read, and how. */
export type FileOptions = Parameters<typeof openFile>[1];

/**
 * Gives the features of a file in any format to a reader, until there are no more or it has enough.
 * @param onRead bytes read, of how many, where the file is read piece by piece
 * @throws Error that says what is wrong with the file
 */
export async function feed(
  path: string,
  reader: Reader,
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
