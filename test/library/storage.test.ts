import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { boundedBlobs } from '../../src/adapters/blobs.ts';
import { openStorage } from '../../src/adapters/open_storage.ts';
import type { Storage, Stored } from '../../src/adapters/storage.ts';
import { ConfigError } from '../../src/common/config_error.ts';
import { defined } from '../../src/common/elements.ts';
import { type S3Server, startS3 } from './s3_server.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const blob = (text: string) => {
  const bytes = Buffer.from(text);
  return { name: `${sha256(bytes)}.kml`, sha: sha256(bytes), bytes };
};
async function all(storage: Storage): Promise<Stored[]> {
  const found: Stored[] = [];
  for await (const one of storage.list()) found.push(one);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

let s3: S3Server;
let folder: string;
beforeAll(async () => {
  s3 = await startS3();
  folder = await mkdtemp(join(tmpdir(), 'boundary-storage-'));
});
afterAll(async () => {
  await s3?.close();
  await rm(folder, { recursive: true, force: true });
});

const KINDS = [
  ['the data directory', () => null],
  ['a file: address', () => `file://${folder}/else where`.replace(' ', '%20')],
  ['an s3: address', () => s3.url],
] as const;

describe.each(KINDS)('storage in %s', (_title, url) => {
  const open = (area: 'exports' | 'library') => openStorage(url(), folder, area);
  afterEach(async () => {
    const exports = await open('exports');
    for (const { name } of await all(exports)) await exports.remove(name);
  });

  it('keeps bytes by name, each area apart', async () => {
    const [library, exports] = [await open('library'), await open('exports')];
    const [one, two] = [blob('one'), blob('two')];
    expect([await library.get(one.name), await library.size(one.name)]).toEqual([null, null]);
    expect(await library.touch(one.name)).toBe(false);
    await library.put(one.name, one.bytes);
    await library.put(one.name, one.bytes);
    await library.put(two.name, two.bytes);
    expect(Buffer.from((await library.get(one.name)) as Uint8Array).equals(one.bytes)).toBe(true);
    expect([await library.size(one.name), await library.touch(one.name)]).toEqual([3, true]);
    expect(await exports.get(one.name)).toBeNull();
    const names = [one.name, two.name].sort();
    expect((await all(library)).map(({ name, size }) => [name, size])).toEqual(names.map((name) => [name, 3]));
    for (const { usedAt } of await all(library)) expect(Math.abs(Date.now() - usedAt)).toBeLessThan(60_000);
    expect(await all(exports)).toEqual([]);
    // Another process, or this one after a restart.
    expect(await (await open('library')).size(two.name)).toBe(3);
    await library.remove(one.name);
    await library.remove(one.name);
    expect((await all(library)).map(({ name }) => name)).toEqual([two.name]);
    await library.remove(two.name);
  });

  it('keeps bytes of any size and value whole', async () => {
    const library = await open('library');
    for (const size of [0, 1, 65_536, 3_000_001]) {
      const bytes = Buffer.alloc(size, 0).map((_, i) => (i * 7) % 256);
      const name = `${sha256(bytes)}.gml`;
      await library.put(name, bytes);
      expect(Buffer.from((await library.get(name)) as Uint8Array).equals(bytes)).toBe(true);
      await library.remove(name);
    }
  });

  it('takes no name that leads elsewhere', async () => {
    const library = await open('library');
    for (const name of ['../x.kml', 'ab/cd', 'x', `${'a'.repeat(64)}.k/l`, `${'a'.repeat(64)}.KML`]) {
      await expect(Promise.resolve().then(() => library.put(name, Buffer.from('x')))).rejects.toThrow('not a name');
      await expect(Promise.resolve().then(() => library.get(name))).rejects.toThrow('not a name');
    }
  });

  it('as a cache keeps within its limit: the least recently used go', async () => {
    const exports = await open('exports');
    const cache = boundedBlobs(exports, 1000);
    const blobs = Array.from({ length: 12 }, (_, i) => blob(`${i}`.padEnd(100, '.')));
    for (const [i, { sha, bytes }] of blobs.entries()) {
      await cache.put(sha, 'kml', bytes);
      for (const [k, { name }] of blobs.slice(0, i + 1).entries()) await age(name, 30 - k);
      // The first is the oldest, and used now: it stays.
      expect(await cache.get(defined(blobs[0]).sha, 'kml')).not.toBeNull();
    }
    const sum = async () => (await all(exports)).reduce((total, { size }) => total + size, 0);
    await expect.poll(sum, { timeout: 20_000 }).toBeLessThanOrEqual(1000);
    const names = (await all(exports)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(7);
    expect(names).toEqual(expect.arrayContaining([defined(blobs[0]).name, defined(blobs[11]).name]));
    expect(names).not.toContain(defined(blobs[1]).name);

    /** As if last used hours ago; a blob that was removed stays removed. */
    async function age(name: string, hours: number): Promise<void> {
      const time = new Date(Date.now() - hours * 3_600_000);
      await utimes(fileOf(name), time, time).catch(() => undefined);
    }
    function fileOf(name: string): string {
      if (url() === s3.url) return join(s3.folder, `boundaries/some/where/exports/${name}._S3rver_object`);
      return join(url() === null ? folder : join(folder, 'else where'), 'exports', name.slice(0, 2), name);
    }
  });

  it('as a cache makes room for what came while it looked for room', async () => {
    const exports = await open('exports');
    let held: (() => void) | null = null;
    const slow = {
      ...exports,
      async *list() {
        const found = await all(exports);
        await new Promise<void>((go) => {
          held = go;
        });
        yield* found;
      },
    };
    const cache = boundedBlobs(slow, 1000);
    const listed = () => expect.poll(() => held, { interval: 2, timeout: 20_000 }).not.toBeNull();
    const blobs = Array.from({ length: 3 }, (_, i) => blob(`slow ${i}`.padEnd(450, '.')));
    const goOn = (): void => {
      held?.();
      held = null;
    };
    await cache.put(defined(blobs[0]).sha, 'kml', defined(blobs[0]).bytes);
    await listed();
    goOn();
    await sleep(20);
    // Begins to count in the background; what is put meanwhile is not in its list.
    await cache.put(defined(blobs[1]).sha, 'kml', defined(blobs[1]).bytes);
    await listed();
    const third = cache.put(defined(blobs[2]).sha, 'kml', defined(blobs[2]).bytes);
    const ended = third.then(() => true);
    while (!(await Promise.race([ended, sleep(20, false)]))) goOn();
    const left = await all(exports);
    expect(left.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1000);
  });

  it('as a cache finds what others have put there', async () => {
    const { sha, bytes } = blob('made elsewhere');
    await boundedBlobs(await open('exports'), 1000).put(sha, 'kml', bytes);
    const other = boundedBlobs(await open('exports'), 1000);
    expect(Buffer.from((await other.get(sha, 'kml')) as Uint8Array).equals(bytes)).toBe(true);
    expect(await other.touch(sha, 'kml')).toBe(true);
  });
});

describe('a folder', () => {
  it('loses what a crash left half written, and not the draft of another process', async () => {
    const { name, bytes } = blob('whole');
    const root = await mkdtemp(join(tmpdir(), 'boundary-drafts-'));
    const storage = await openStorage(null, root, 'library');
    await storage.put(name, bytes);
    const drafts = join(root, 'library', 'tmp');
    expect(await readdir(drafts)).toEqual([]);
    for (const draft of ['old', 'new']) await writeFile(join(drafts, draft), 'half');
    await utimes(join(drafts, 'old'), new Date(0), new Date(0));
    const again = await openStorage(null, root, 'library');
    expect(await readdir(drafts)).toEqual(['new']);
    expect((await all(again)).map((one) => one.name)).toEqual([name]);
    await rm(root, { recursive: true });
  });
});

describe('exports in a folder', () => {
  it('that a loss of power has cut count as missing, and are made again', async () => {
    const root = await mkdtemp(join(tmpdir(), 'boundary-cut-'));
    try {
      const exports = await openStorage(null, root, 'exports');
      const cache = boundedBlobs(exports, 1e6);
      for (const [i, left] of ['', 'half', 'half of another le'].entries()) {
        const { name, sha, bytes } = blob(`an export that is cut, ${i}`);
        const path = join(root, 'exports', name.slice(0, 2), name);
        await cache.put(sha, 'kml', bytes);
        await writeFile(path, left);
        if (i === 0) await expect(exports.read(name)).rejects.toThrow('ENOENT');
        expect(await cache.get(sha, 'kml')).toBeNull();
        expect(await exports.size(name)).toBeNull();
        await cache.put(sha, 'kml', bytes);
        expect(Buffer.from((await cache.get(sha, 'kml')) as Uint8Array).equals(bytes)).toBe(true);
        let streamed = '';
        for await (const part of await exports.read(name, { from: 3, to: 8 })) streamed += Buffer.from(part).toString();
        expect(streamed).toBe('export');
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe('an s3: address', () => {
  it.each(['s3:///no-bucket', 's3://bucket?endpoint=ftp://x', 's3://bucket?endpoint=nonsense', 's3://bucket?secret=x'])(
    '%s stops the start',
    async (url) => {
      await expect(openStorage(url, folder, 'library')).rejects.toThrow(ConfigError);
    },
  );

  it('a bucket that is not there is a fault, and no empty library', async () => {
    const storage = await openStorage(s3.url.replace('s3://boundaries', 's3://missing'), folder, 'library');
    await expect(storage.put(blob('x').name, blob('x').bytes)).rejects.toThrow();
    await expect(storage.get(blob('x').name)).rejects.toThrow();
  });
});

it('a write that fails leaves no draft behind, which would hold what room there is', async () => {
  const root = await mkdtemp(join(tmpdir(), 'boundary-storage-'));
  try {
    const storage = await openStorage(null, root, 'library');
    const one = blob('one');
    // A folder that is not empty, where the file belongs.
    await mkdir(join(root, 'library', one.name.slice(0, 2), one.name, 'in the way'), { recursive: true });
    await expect(storage.put(one.name, one.bytes)).rejects.toThrow();
    expect(await readdir(join(root, 'library', 'tmp'))).toEqual([]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
