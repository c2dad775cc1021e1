/** Cancels long kernels. Kernels check often enough that a canceled task frees its thread within a few milliseconds. */

/**
 * Returns whether the task is canceled. Reads a flag in shared memory, cheap enough to call every few thousand steps.
 */
export type IsCanceled = () => boolean;

/**
 * Ends the task if it is canceled.
 * @throws DOMException named AbortError when it is
 */
export function throwIfCanceled(isCanceled: IsCanceled | undefined): void {
  if (isCanceled?.()) throw new DOMException('canceled', 'AbortError');
}

/** A task in the server's own thread would have taken too many steps; it stopped there. */
export class TooManySteps extends Error {
  override name = 'TooManySteps';
}

/** A document exceeded the byte limit of one answer; writing stopped there. */
export class TooLarge extends Error {
  override name = 'TooLarge';
  /** Bytes written so far. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`more than ${bytes} bytes`);
    this.bytes = bytes;
  }
}

/** Limits of a writer. */
export interface Limits {
  readonly maxBytes: number;
  readonly isCanceled?: IsCanceled;
}
