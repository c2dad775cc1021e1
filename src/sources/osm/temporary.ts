import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined, only } from '../../elements.ts';
import { readExactly } from './bytes.ts';

/**
 * New files in the folder for temporary files (TMPDIR) that have no name any more: they go when they are closed, and when
 * the process is killed.
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

/** One of temporaryFiles(). */
export async function temporaryFile(): Promise<FileHandle> {
  return only(await temporaryFiles(1));
}

/** Pieces this near are read as one, and one read has at most so many bytes beside those of a larger piece. */
const GAP = 16 * 1024;
const READ = 1024 * 1024;

/** A temporary file that grows at its end and is read anywhere. */
export class Spool {
  readonly file: FileHandle;
  size = 0;

  constructor(file: FileHandle) {
    this.file = file;
  }

  /** Gives where they are. */
  async append(bytes: Uint8Array): Promise<number> {
    const start = this.size;
    this.size += bytes.length;
    await this.write(bytes, start);
    return start;
  }

  async write(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  }

  /**
   * Hands over pieces, which come in ascending order; the bytes are only lent. Where they lie in memory is a multiple of 8
   * when all that was appended is.
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
