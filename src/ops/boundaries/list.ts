import { defined } from '../../common/elements.ts';

export const JSON_TYPE = 'application/json';

const COMMA = 0x2c;

/**
 * `{…before, "items": […], …more}` as JSON, from items that are JSON already: their bytes are copied once and never
 * parsed. `more` has at least one member, and so has `before` if it is given.
 */
export function writtenList(
  items: readonly Uint8Array[],
  more: Readonly<Record<string, unknown>>,
  before?: Readonly<Record<string, unknown>>,
): Buffer {
  const tail = Buffer.from(`],${JSON.stringify(more).slice(1)}`);
  const head = Buffer.from(`${before === undefined ? '{' : `${JSON.stringify(before).slice(0, -1)},`}"items":[`);
  let size = head.length + tail.byteLength + Math.max(0, items.length - 1);
  for (const { byteLength } of items) size += byteLength;
  const bytes = Buffer.allocUnsafe(size);
  bytes.set(head);
  let at = head.length;
  for (const [i, item] of items.entries()) {
    if (i > 0) bytes[at++] = COMMA;
    bytes.set(item, at);
    at += item.byteLength;
  }
  bytes.set(tail, at);
  return bytes;
}

/** A JSON object that is written already, with members added; it has at least one of its own, and `more` has one. */
export function withMembers(object: Uint8Array, more: Readonly<Record<string, unknown>>): Buffer {
  const tail = Buffer.from(`,${JSON.stringify(more).slice(1)}`);
  const bytes = Buffer.allocUnsafe(object.byteLength - 1 + tail.byteLength);
  bytes.set(object.subarray(0, -1));
  bytes.set(tail, object.byteLength - 1);
  return bytes;
}

/** What follows an object of a list when members are added to it: the last bytes of the object. */
export function endOfObject(more: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(`,${JSON.stringify(more).slice(1)}`);
}

/** What follows the items of `{"items": […], …more}`; `more` has at least one member. */
export function endOfList(more: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(`],${JSON.stringify(more).slice(1)}`);
}

const HEAD = Buffer.from('{"items":[');

/**
 * `{"items": […], …more}` as JSON, as writtenList() of withMembers() writes it, with each byte copied once: `ends` has an
 * endOfObject() for each item, and `end` is an endOfList().
 */
export function joinedList(items: readonly Uint8Array[], ends: readonly Uint8Array[], end: Uint8Array): Buffer {
  let size = HEAD.byteLength + end.byteLength + Math.max(0, items.length - 1);
  for (let i = 0; i < items.length; i++) size += defined(items[i]).byteLength - 1 + defined(ends[i]).byteLength;
  // Not of the pool: a caller may keep it.
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.set(HEAD);
  let at = HEAD.byteLength;
  for (let i = 0; i < items.length; i++) {
    const item = defined(items[i]);
    const tail = defined(ends[i]);
    if (i > 0) bytes[at++] = COMMA;
    // The end replaces the closing brace.
    bytes.set(item, at);
    at += item.byteLength - 1;
    bytes.set(tail, at);
    at += tail.byteLength;
  }
  bytes.set(end, at);
  return bytes;
}
