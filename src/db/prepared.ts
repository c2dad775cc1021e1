import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { packageRoot } from '../common/package_root.ts';
import { writeAll } from '../common/write_all.ts';

/**
 * Databases made when the program was built: creating an embedded database takes ten seconds, unpacking one takes one.
 * Each is a gzipped file: a line of JSON with the names and sizes of its folders and files, then their contents. Next
 * to each file that has seed data is a backup of it, for native databases.
 */

/** Contents of a prepared database, as in the setting SEED; `none` is empty tables. */
export type Contents = (typeof CONTENTS)[number];
/** Ordered from least to most. */
export const CONTENTS = ['none', 'countries', 'all'] as const;

/** The index of a packed database: folders end in `/` and have size 0. */
interface Index {
  readonly entries: readonly (readonly [path: string, size: number])[];
}

/** Bytes read and unpacked at a time: with the default of 16 KiB, 150 MB take three times as long. */
const CHUNK_BYTES = 2 ** 20;
/** Limit of an index, in bytes: some 1,400 files. */
const INDEX_BYTES = 2 ** 20;
const NEW_LINE = 0x0a;
/** Files that mark a database as in use. */
const LOCKS = new Set(['postmaster.pid', 'postmaster.opts']);
const WAL_FILE = /^pg_wal\/[0-9A-F]{24}$/;
/** Start of the part of a WAL file's name that numbers the files of a small database. */
const WAL_NUMBER = 12;

/** The folder of the prepared databases of this build. */
export function preparedFolder(): string {
  return join(packageRoot(), 'dist', 'prepared');
}

/** A hash, in hex, of what a prepared database depends on: the migrations and the release of the embedded database. */
export function preparedKey(): string {
  const hash = createHash('sha256');
  const folder = join(packageRoot(), 'sql', 'migrations');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  const require = createRequire(import.meta.url);
  for (const name of ['@electric-sql/pglite', '@electric-sql/pglite-postgis'])
    hash.update(
      createHash('sha256')
        .update(readFileSync(require.resolve(name)))
        .digest(),
    );
  return hash.digest('hex');
}

/**
 * The file of a prepared database with these contents or, if there is none, with the most of them. Null when none was
 * made for the current migrations.
 */
export function preparedFile(contents: Contents, folder = preparedFolder()): string | null {
  return filesUpTo(contents, 'gz', folder);
}

/** The same for the backup of a prepared database with seed data. */
export function preparedBackup(contents: Contents, folder = preparedFolder()): string | null {
  return filesUpTo(contents, 'backup', folder);
}

function filesUpTo(contents: Contents, ending: string, folder: string): string | null {
  const key = join(folder, 'key');
  if (!existsSync(key) || readFileSync(key, 'utf8').trim() !== preparedKey()) return null;
  const least = CONTENTS.slice(0, CONTENTS.indexOf(contents) + 1).reverse();
  return least.map((some) => join(folder, `${some}.${ending}`)).find((file) => existsSync(file)) ?? null;
}

/**
 * Packs the files of a closed database into `file`. `wal` is the WAL file that it wrote last. WAL files before it are
 * no longer needed, and those after the next one were never used.
 */
export async function packDatabase(folder: string, wal: string, file: string): Promise<void> {
  const last = Number.parseInt(wal.slice(WAL_NUMBER), 16) + 1;
  const isNeeded = (path: string): boolean => {
    if (LOCKS.has(path)) return false;
    if (!WAL_FILE.test(path)) return true;
    const number = Number.parseInt(path.slice(-WAL_NUMBER), 16);
    return path.slice('pg_wal/'.length) >= wal && number <= last;
  };
  const entries: [string, number][] = [];
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of names.sort((a, b) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1))) {
    const whole = join(entry.parentPath, entry.name);
    const path = whole.slice(folder.length + 1);
    if (entry.isDirectory()) entries.push([`${path}/`, 0]);
    else if (isNeeded(path)) entries.push([path, (await stat(whole)).size]);
  }
  async function* bytes(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify({ entries } satisfies Index)}\n`);
    for (const [path, size] of entries) if (size > 0) yield await readFile(join(folder, path));
  }
  await pipeline(bytes, createGzip(), createWriteStream(file));
}

/** Unpacks a prepared database into `folder`, which is created. @throws Error when the file is incomplete */
export async function unpackDatabase(file: string, folder: string): Promise<void> {
  const packed = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  await pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), async (parts: AsyncIterable<Buffer>) => {
    const reader = new Reader(parts);
    const { entries } = JSON.parse((await reader.line()).toString()) as Index;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [path, size] of entries) {
      if (path.split('/').includes('..')) throw new Error(`${path} lies outside`);
      if (path.endsWith('/')) await mkdir(join(folder, path), { mode: 0o700 });
      else if (size === 0) await writeFile(join(folder, path), '', { mode: 0o600 });
      else await reader.writeTo(join(folder, path), size);
    }
    await reader.end();
  });
}

/** Reads a stream of parts in the sizes that are requested. */
class Reader {
  readonly #parts: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(parts: AsyncIterable<Buffer>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  async #more(): Promise<Buffer> {
    const next = await this.#parts.next();
    if (next.done) throw new Error('the file ends too early');
    return next.value;
  }

  /** All bytes up to the next line end. */
  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(NEW_LINE);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > INDEX_BYTES) throw new Error('this is not a prepared database');
      this.#rest = Buffer.concat([this.#rest, await this.#more()]);
    }
  }

  /** Writes the next `size` bytes to a file. */
  async writeTo(path: string, size: number): Promise<void> {
    if (size <= this.#rest.length) {
      // Most files are small: asynchronous calls would take longer than the disk does.
      writeFileSync(path, this.#rest.subarray(0, size), { flag: 'wx', mode: 0o600 });
      this.#rest = this.#rest.subarray(size);
      return;
    }
    const file = await open(path, 'wx', 0o600);
    try {
      for (let left = size; left > 0; ) {
        if (this.#rest.length === 0) this.#rest = await this.#more();
        const some = this.#rest.subarray(0, left);
        await writeAll(file, some);
        this.#rest = this.#rest.subarray(some.length);
        left -= some.length;
      }
    } finally {
      await file.close();
    }
  }

  /** @throws Error when any bytes are left */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || !(await this.#parts.next()).done) throw new Error('the file is too long');
  }
}
