import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from '../common/write_all.ts';
import { problem } from '../core/errors.ts';
import { readTarHeader, TAR_BLOCK, tarHeader, tarPadding } from './tar.ts';

/** Names of the first member of an archive and of the last two. */
export const MARK = 'boundary-backup.json';
export const MANIFEST = 'manifest.json';
const MANIFEST_SUM = 'manifest.sha256';

/** Version of the archive format; higher versions are refused. */
export const FORMAT = 1;

/** The content of an archive's manifest. */
export interface Manifest {
  readonly format: number;
  /** The release that wrote the archive. */
  readonly version: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly database: { readonly kind: 'embedded' | 'native'; readonly version: string };
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** By table name: the number of rows, and the columns in order. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly columns: readonly string[] }>>;
  readonly sequences: Readonly<Record<string, { readonly last_value: number; readonly is_called: boolean }>>;
  readonly library: {
    readonly files: number;
    readonly bytes: number;
    /** Content of library files that the store had lost or damaged: `sha256.extension`. */
    readonly missing: readonly string[];
  };
  /** SHA-256 of all members before the manifest: for each, its name, a newline, its size, a newline and its bytes. */
  readonly sha256: string;
}

const CHUNK = 1 << 20;

/** Writes an archive, one member after the other. */
export interface ArchiveWriter {
  add(name: string, content: Uint8Array): Promise<void>;
  /** Adds the first `size` bytes of an open file. @throws Error if it has fewer */
  addFile(name: string, source: FileHandle, size: number): Promise<void>;
  /** Adds the manifest and syncs the file to disk. */
  finish(manifest: Omit<Manifest, 'sha256' | 'format'>): Promise<Manifest>;
  close(): Promise<void>;
}

/** Begins an archive in a new file that only its owner can read (mode 0600). */
export async function writeArchive(path: string): Promise<ArchiveWriter> {
  const file = await open(path, 'w', 0o600);
  await file.chmod(0o600);
  const sum = createHash('sha256');
  const at = new Date();
  let sealed = false;

  async function begin(name: string, size: number): Promise<void> {
    if (!sealed) sum.update(`${name}\n${size}\n`);
    await writeAll(file, tarHeader({ name, size }, at));
  }

  async function add(name: string, content: Uint8Array): Promise<void> {
    await begin(name, content.byteLength);
    if (!sealed) sum.update(content);
    await writeAll(file, content);
    await writeAll(file, Buffer.alloc(tarPadding(content.byteLength)));
  }

  await add(MARK, Buffer.from(`${JSON.stringify({ format: FORMAT })}\n`));
  return {
    add,
    async addFile(name, source, size) {
      await begin(name, size);
      const block = Buffer.allocUnsafe(Math.min(CHUNK, size));
      for (let at = 0; at < size; ) {
        const { bytesRead } = await source.read(block, 0, Math.min(block.byteLength, size - at), at);
        if (bytesRead === 0) throw new Error(`${name} has ${at} bytes instead of ${size}`);
        at += bytesRead;
        const some = block.subarray(0, bytesRead);
        sum.update(some);
        await writeAll(file, some);
      }
      await writeAll(file, Buffer.alloc(tarPadding(size)));
    },
    async finish(about) {
      sealed = true;
      const manifest: Manifest = { format: FORMAT, ...about, sha256: sum.digest('hex') };
      const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
      await add(MANIFEST, text);
      await add(MANIFEST_SUM, Buffer.from(`${sha256(text)}\n`));
      await writeAll(file, Buffer.alloc(2 * TAR_BLOCK));
      await file.sync();
      return manifest;
    },
    close: () => file.close(),
  };
}

/** A member of an archive. Its bytes can be read once, before the next member is requested. */
export interface Member {
  readonly name: string;
  readonly size: number;
  stream(): AsyncIterable<Buffer>;
  /** All bytes. @throws Error if there are more than `limit` */
  bytes(limit: number): Promise<Buffer>;
}

/** The most bytes of a manifest: enough for a thousand tables and a hundred thousand missing files. */
const MANIFEST_LIMIT = 64 * 1024 * 1024;

/** Yields the members of an archive in order. Updates `sum` with the data that the manifest's sha256 covers. */
export async function* readArchive(path: string, sum?: Hash): AsyncGenerator<Member> {
  const file = await open(path, 'r');
  try {
    const { size: length } = await file.stat();
    let at = 0;
    const read = async (size: number): Promise<Buffer> => {
      const block = Buffer.allocUnsafe(size);
      for (let done = 0; done < size; ) {
        const { bytesRead } = await file.read(block, done, size - done, at + done);
        if (bytesRead === 0) throw damaged(path, 'it is cut off');
        done += bytesRead;
      }
      at += size;
      return block;
    };
    for (;;) {
      const block = await read(TAR_BLOCK);
      const header = headerOf(path, block);
      if (header === null) {
        if (at + TAR_BLOCK !== length) throw damaged(path, 'it does not end where it should');
        return;
      }
      const { name, size } = header;
      if (at + size + tarPadding(size) > length) throw damaged(path, 'it is cut off');
      const end = at + size;
      const summed = sum !== undefined && name !== MANIFEST && name !== MANIFEST_SUM;
      if (summed) sum.update(`${name}\n${size}\n`);
      async function* stream(): AsyncGenerator<Buffer> {
        while (at < end) {
          const some = await read(Math.min(CHUNK, end - at));
          if (summed) sum?.update(some);
          yield some;
        }
      }
      yield {
        name,
        size,
        stream,
        async bytes(limit) {
          if (size > limit) throw damaged(path, `${name} has ${size} bytes`);
          const parts: Buffer[] = [];
          for await (const some of stream()) parts.push(some);
          return Buffer.concat(parts);
        },
      };
      // Reads the unread rest for the sum; without a sum, skips it.
      if (summed) for await (const _ of stream());
      at = end + tarPadding(size);
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads a whole archive and compares it with its manifest, which it returns.
 * @throws invalid_input when it is not a backup of this program, is damaged or truncated, or has a newer format
 */
export async function verifyArchive(path: string): Promise<Manifest> {
  const sum = createHash('sha256');
  let manifest: { readonly text: Buffer; readonly digest: string } | null = null;
  let sealed = false;
  let first = true;
  for await (const member of readArchive(path, sum)) {
    if (sealed || (manifest !== null && member.name !== MANIFEST_SUM)) throw damaged(path, 'something follows its end');
    if (first) checkMark(path, member.name === MARK ? await member.bytes(CHUNK) : null);
    first = false;
    if (member.name === MANIFEST) manifest = { text: await member.bytes(MANIFEST_LIMIT), digest: sum.digest('hex') };
    if (member.name !== MANIFEST_SUM || manifest === null) continue;
    if ((await member.bytes(CHUNK)).toString().trim() !== sha256(manifest.text)) throw damaged(path, 'its manifest');
    sealed = true;
  }
  if (manifest === null || !sealed) throw damaged(path, 'it has no manifest');
  const about = JSON.parse(manifest.text.toString()) as Manifest;
  if (about.sha256 !== manifest.digest) throw damaged(path, 'its content differs from what was written');
  return about;
}

function checkMark(path: string, content: Buffer | null): void {
  if (content === null) throw problem('invalid_input', `${path} is not a backup of Boundary Lookup.`);
  const [, digits] = /^\{"format":(\d+)\}\n$/.exec(content.toString()) ?? [];
  if (digits === undefined) throw damaged(path, `${MARK} says nothing`);
  const format = Number(digits);
  if (format > FORMAT) {
    throw problem('invalid_input', `${path} has format ${format} and needs a newer release: this one reads ${FORMAT}.`);
  }
}

function headerOf(path: string, block: Buffer): ReturnType<typeof readTarHeader> {
  try {
    return readTarHeader(block);
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
}

/** The error for a backup that cannot be restored, with the reason. */
export const damaged = (path: string, why: string): Error =>
  problem('invalid_input', `${path} is not a backup of Boundary Lookup, or it is damaged: ${why}.`);

/** Whether a file begins as an archive does, also one that was not finished. */
export async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(TAR_BLOCK), 0, TAR_BLOCK, 0);
    return bytesRead === TAR_BLOCK && readTarHeader(buffer)?.name === MARK;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
