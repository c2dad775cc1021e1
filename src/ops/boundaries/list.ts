export const JSON_TYPE = 'application/json';

const COMMA = 0x2c;

/**
 * `{"items": […], …more}` as JSON, from items that are JSON already: their bytes are copied once and never parsed.
 * `more` has at least one member.
 */
export function writtenList(items: readonly Uint8Array[], more: Readonly<Record<string, unknown>>): Buffer {
  const tail = Buffer.from(`],${JSON.stringify(more).slice(1)}`);
  const head = '{"items":[';
  let size = head.length + tail.byteLength + Math.max(0, items.length - 1);
  for (const { byteLength } of items) size += byteLength;
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.write(head, 'latin1');
  for (const [i, item] of items.entries()) {
    if (i > 0) bytes[at++] = COMMA;
    bytes.set(item, at);
    at += item.byteLength;
  }
  bytes.set(tail, at);
  return bytes;
}
