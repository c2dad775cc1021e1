/** What ends a long kernel before its time. Kernels look often enough that a thread is free a few milliseconds later. */

/** Whether no one waits for the work any more: a flag in shared memory, cheap enough to be asked every few thousand steps. */
export type IsCancelled = () => boolean;

/** Throws a DOMException named AbortError when no one waits any more. */
export function stopIf(isCancelled: IsCancelled | undefined): void {
  if (isCancelled?.()) throw new DOMException('cancelled', 'AbortError');
}

/** A document grew beyond the bytes that one answer may have; it is not written to its end. */
export class TooLarge extends Error {
  override name = 'TooLarge';
  /** Bytes written so far. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`more than ${bytes} bytes`);
    this.bytes = bytes;
  }
}

/** The bounds of a writer. */
export interface Limits {
  readonly maxBytes: number;
  readonly isCancelled?: IsCancelled;
}
