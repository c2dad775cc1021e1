import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { packageRoot } from '../../src/common/package_root.ts';

// Node's types declare only the name.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/**
 * A flag of V8 for a process that opens the embedded database and soon ends: to compile it once and not to optimize it
 * meanwhile, which takes a quarter less of the processors.
 */
export const COMPILE_ONCE = '--liftoff-only';

const LIBRARY = /^(?:\.\/)?lib\/postgresql\/postgis-3\.so$/;
const BLOCK = 512;

let kept: Promise<readonly object[]> | null = null;

/**
 * Keeps the machine code of the embedded database in this process between databases: V8 reuses compiled and optimized
 * code only while a module with the same bytes is alive. Call it while a database is open; only the first call does
 * anything.
 */
export async function keepCompiled(): Promise<void> {
  kept ??= compileAll();
  await kept;
}

async function compileAll(): Promise<readonly object[]> {
  const folder = join(packageRoot(), 'node_modules/@electric-sql');
  const archive = await promisify(gunzip)(await readFile(join(folder, 'pglite-postgis/dist/postgis.tar.gz')));
  const server = await readFile(join(folder, 'pglite/dist/pglite.wasm'));
  return Promise.all([server, memberOf(archive, LIBRARY)].map((bytes) => WebAssembly.compile(bytes)));
}

/**
 * A file's bytes from a tar archive, in which a header of 512 bytes (name at 0, octal size at 124) precedes each file.
 */
function memberOf(archive: Buffer, wanted: RegExp): Buffer {
  for (let at = 0; at < archive.length; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8) || 0;
    const start = at + BLOCK;
    if (wanted.test(name)) return archive.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`no ${wanted.source} in the archive`);
}
