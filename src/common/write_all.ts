import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes at a position, or where the last write ended. A single write may take only a part of them, without an
 * error: that of a disk which is full after it.
 */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const place = at === null ? null : at + done;
    done += (await file.write(bytes, done, bytes.byteLength - done, place)).bytesWritten;
  }
}
