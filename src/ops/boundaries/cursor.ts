import { createHash } from 'node:crypto';
import { invalidInput } from '../../errors.ts';

/** Where a page begins, in which list and in which state of the data. */
export interface Place {
  readonly revision: number;
  readonly offset: number;
  /** Tells the list. */
  readonly list: string;
}

/** The short name of a list that a cursor carries, from all that tells the list. */
export function listTag(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A cursor that readCursor() reads. */
export function cursorOf({ revision, offset, list }: Place): string {
  return Buffer.from(`${revision}.${offset}.${list}`).toString('base64url');
}

/** What a cursor says. Throws invalid_input for one that is none of ours. */
export function readCursor(cursor: string): Place {
  const [, revision, offset, list] =
    /^(\d{1,15})\.(\d{1,9})\.([0-9a-f]{16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (list === undefined) throw unreadable();
  return { revision: Number(revision), offset: Number(offset), list };
}

/** The refusal of a cursor that belongs to another list. */
export function unreadable() {
  return invalidInput([
    { path: 'cursor', code: 'invalid_value', message: 'must be next of an answer to the same call' },
  ]);
}

/** The refusal of a cursor of an older state of the data. */
export function changed() {
  const message = 'the boundaries have changed since that answer: start again without a cursor';
  return invalidInput([{ path: 'cursor', code: 'changed', message }]);
}
