/**
 * Unpacks a block of LZ4 (github.com/lz4/lz4, doc/lz4_Block_format.md) into a buffer.
 * @returns the offset after the last byte written
 * @throws RangeError when the block does not fit, is cut off, or copies from before its start
 */
function unpackBlock(block: Uint8Array, whole: Uint8Array, start: number): number {
  let [at, out] = [0, start];
  /** A length whose first four bits are in the token; bytes of 255 continue it. */
  const lengthOf = (bits: number): number => {
    let length = bits;
    if (bits !== 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      if (at >= block.length) throw new RangeError('a length is cut off');
      byte = block[at++];
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = lengthOf(token >> 4);
    if (at + literals > block.length || out + literals > whole.length) throw new RangeError('letters are cut off');
    whole.set(block.subarray(at, at + literals), out);
    at += literals;
    out += literals;
    // The last sequence has letters alone.
    if (at === block.length) return out;
    if (at + 2 > block.length) throw new RangeError('an offset is cut off');
    const from = out - (block[at] | (block[at + 1] << 8));
    at += 2;
    const length = lengthOf(token & 15) + 4;
    if (from < start || from === out || out + length > whole.length) throw new RangeError('a copy is from nowhere');
    // A copy may overlap itself, which repeats its bytes.
    for (let i = 0; i < length; i++) whole[out + i] = whole[from + i];
    out += length;
  }
  return out;
}

/** Unpacks a page of the codec LZ4_RAW: one block. @throws RangeError unless it unpacks to `size` bytes */
export function unpackLz4(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  if (unpackBlock(bytes, whole, 0) !== size) throw new RangeError('a page has another size than it says');
  return whole;
}

/**
 * Unpacks a page of the older codec LZ4, as Hadoop writes it: blocks, each after its unpacked and its packed length. Some
 * programs write one block without them.
 * @throws RangeError unless it unpacks to `size` bytes
 */
export function unpackHadoopLz4(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = new Uint8Array(size);
  let [at, out] = [0, 0];
  while (at < bytes.length) {
    const isFramed = at + 8 <= bytes.length && at + 8 + view.getUint32(at + 4) <= bytes.length;
    const end = isFramed ? out + view.getUint32(at) : -1;
    if (!isFramed || end > size) return unpackLz4(bytes, size);
    const packed = bytes.subarray(at + 8, at + 8 + view.getUint32(at + 4));
    if (unpackBlock(packed, whole, out) !== end) throw new RangeError('a block has another size than it says');
    at += 8 + packed.length;
    out = end;
  }
  if (out !== size) throw new RangeError('a page has another size than it says');
  return whole;
}
