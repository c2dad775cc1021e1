import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined, only } from '../../common/elements.ts';
import { writeAll } from '../../common/write_all.ts';
import { readExactly } from './bytes.ts';

/**
 * Opens new files in the folder for temporary files (TMPDIR) and unlinks them, so they are deleted when they are closed
 * or the process is killed.
 */
export async function temporaryFiles(count: number): Promise<FileHandle[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-'));
  const files: FileHandle[] = [];
  try {
    for (let k = 0; k < count; k++) files.push(await open(join(folder, `${k}`), 'wx+', 0o600));
    return files;
  } catch (error) {
    for (const file of files) await file.close();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens one unlinked temporary file; see temporaryFiles. */
export async function temporaryFile(): Promise<FileHandle> {
  return only(await temporaryFiles(1));
}

/** Pieces at most this many bytes apart are read together. */
const GAP = 16 * 1024;
/** The most bytes of one read, unless a single piece is larger. */
const READ = 1024 * 1024;

/** A temporary file with appends and random reads. */
export class Spool {
  readonly file: FileHandle;
  size = 0;

  constructor(file: FileHandle) {
    this.file = file;
  }

  /** Appends bytes; returns their position. */
  async append(bytes: Uint8Array): Promise<number> {
    const start = this.size;
    this.size += bytes.length;
    await this.write(bytes, start);
    return start;
  }

  /** Writes bytes at a position. */
  write(bytes: Uint8Array, at: number): Promise<void> {
    return writeAll(this.file, bytes, at);
  }

  /**
   * Reads pieces, given in ascending order, and calls `use` for each; the bytes are valid only during the call. They
   * are aligned to 8 bytes in memory if the size of every append was a multiple of 8.
   */
  async each(
    pieces: Iterable<{ readonly at: number; readonly size: number }>,
    use: (bytes: Uint8Array, index: number) => void,
  ): Promise<void> {
    let waiting: { at: number; size: number }[] = [];
    let index = 0;
    const flush = async () => {
      if (waiting.length === 0) return;
      const from = defined(waiting[0]).at;
      const bytes = await readExactly(this.file, from, end - from);
      for (const { at, size } of waiting) use(bytes.subarray(at - from, at - from + size), index++);
      waiting = [];
    };
    let end = 0;
    for (const { at, size } of pieces) {
      if (waiting.length > 0 && (at - end > GAP || at + size - defined(waiting[0]).at > READ)) await flush();
      waiting.push({ at, size });
      end = at + size;
    }
    await flush();
  }
}
