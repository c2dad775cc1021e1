import { createHash } from 'node:crypto';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';

/** The start of a page: in which list, and in which state of the data. */
export interface ListPosition {
  readonly revision: number;
  readonly offset: number;
  /** Identifies the list; see listTag(). */
  readonly list: string;
}

/** The short name of a list in a cursor, from the text that identifies the list and its date, if any: 16 hex digits. */
export function listTag({ services: { asOf } }: Pick<Context, 'services'>, text: string): string {
  const dated = asOf === undefined ? text : `${text} @${asOf}`;
  return createHash('sha256').update(dated).digest('hex').slice(0, 16);
}

/** A cursor that readCursor() reads. */
export function cursorOf({ revision, offset, list }: ListPosition): string {
  return Buffer.from(`${revision}.${offset}.${list}`).toString('base64url');
}

/** Parses a cursor. @throws invalid_input when cursorOf() did not write it */
export function readCursor(cursor: string): ListPosition {
  const [, revision, offset, list] =
    /^(\d{1,15})\.(\d{1,9})\.([0-9a-f]{16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (list === undefined) throw wrongCursor();
  return { revision: Number(revision), offset: Number(offset), list };
}

/** The error for a cursor of another list. */
export function wrongCursor() {
  return invalidInput([
    { path: 'cursor', code: 'invalid_value', message: 'must be next of an answer to the same call' },
  ]);
}

/** The error for a cursor of an older state of the data. */
export function dataChanged() {
  const message = 'the boundaries have changed since that answer: start again without a cursor';
  return invalidInput([{ path: 'cursor', code: 'changed', message }]);
}
