/** The 32-bit integers of a bytea column, copied to align them. */
export function intsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
