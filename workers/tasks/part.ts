/** Parts of a collection as bytes. */
import { TooLarge, throwIfCanceled } from '../cancel.ts';
import { ByteWriter } from '../formats/bytes.ts';
import type { TaskContext } from './task.ts';

/** The bytes of a part of a file, or `too_large` with a lower bound of its size. */
export type PartResult =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly bytes: number };

const START_BYTES = 64 * 1024;

/** The bytes that `write` appends to an empty buffer, or `too_large` beyond `maxBytes`. */
export function writePart(
  maxBytes: number,
  { isCanceled }: TaskContext,
  write: (out: ByteWriter, check: () => void) => void,
): PartResult {
  try {
    const out = new ByteWriter(START_BYTES, { maxBytes, isCanceled });
    write(out, () => throwIfCanceled(isCanceled));
    return { kind: 'bytes', bytes: out.finish() };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/** How a position of an arc is written. */
export const POINTS = { latitudeFirst: false, between: 0x2c, separator: '],[' } as const;
/** Decimals of a degree in arcs. */
export const DIGITS = 7;
