import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { writeHashed } from '../../src/adapters/hashed_file.ts';

const PARTS = [Buffer.from('north, '), Buffer.from('east, south'), Buffer.from(' and west')];
const WHOLE = Buffer.concat(PARTS);
const { signal } = new AbortController();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-hashed-'));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(folder, { recursive: true }));

/** From now on the system takes at most three bytes at a time, as it may where a disk fills up. */
async function takeParts(): Promise<void> {
  const file = await open(join(folder, 'any'), 'w');
  const { prototype } = file.constructor;
  await file.close();
  const real = prototype.write;
  vi.spyOn(prototype, 'write').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [bytes, from = 0, length, at = null] = given as [Uint8Array, number?, number?, (number | null)?];
    return real.call(this, bytes, from, Math.min(3, length ?? bytes.byteLength), at);
  });
}

it('writes all parts, also where the system takes only a part of each at a time', async () => {
  const path = join(folder, 'whole');
  await takeParts();
  const sha256 = createHash('sha256').update(WHOLE).digest('hex');
  expect(await writeHashed(path, PARTS, { most: WHOLE.length, signal })).toEqual({ sha256, bytes: WHOLE.length });
  expect(await readFile(path, 'utf8')).toBe(WHOLE.toString());
});

it('refuses more bytes than it may write, with advice', async () => {
  const most = WHOLE.length - 1;
  const path = join(folder, 'large');
  const detail = `The file has more than ${most} bytes.`;
  await expect(writeHashed(path, PARTS, { most, signal })).rejects.toMatchObject({
    code: 'too_large',
    message: detail,
  });
  const advised = writeHashed(path, PARTS, { most, signal, advice: 'Ask for less.' });
  await expect(advised).rejects.toMatchObject({ message: `${detail} Ask for less.` });
});

it('ends when its signal does', async () => {
  const ended = AbortSignal.abort(new Error('left'));
  await expect(writeHashed(join(folder, 'left'), PARTS, { most: 100, signal: ended })).rejects.toThrow('left');
});
