import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createGlyphs, FONT } from '../../src/transports/tiles/glyphs.ts';

const root = resolve(import.meta.dirname, '../..');

interface Glyph {
  id: number;
  bitmap: Uint8Array;
  width: number;
  height: number;
  left: number;
  top: number;
  advance: number;
}

/** The glyphs of a file, by their letter. */
function readGlyphs(bytes: Uint8Array): Map<string, Glyph> {
  const found = new Map<string, Glyph>();
  const glyph = (tag: number, one: Glyph | undefined, pbf: PbfReader): void => {
    if (!one) return;
    if (tag === 1) one.id = pbf.readVarint();
    if (tag === 2) one.bitmap = pbf.readBytes();
    if (tag === 3) one.width = pbf.readVarint();
    if (tag === 4) one.height = pbf.readVarint();
    if (tag === 5) one.left = pbf.readSVarint();
    if (tag === 6) one.top = pbf.readSVarint();
    if (tag === 7) one.advance = pbf.readVarint();
  };
  const empty = (): Glyph => ({ id: 0, bitmap: new Uint8Array(0), width: 0, height: 0, left: 0, top: 0, advance: 0 });
  new PbfReader(bytes).readFields((tag, _, file) => {
    if (tag !== 1) return;
    file.readMessage((field, _none, stack) => {
      if (field !== 3) return;
      const one = stack.readMessage(glyph, empty());
      found.set(String.fromCodePoint(one.id), one);
    }, undefined);
  }, undefined);
  return found;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphs-'));
  execFileSync(join(root, 'node_modules/.bin/tsx'), [join(root, 'scripts/make_glyphs.ts'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['0-255', 'AÖñz0'],
  ['256-511', 'ŁőŽ'],
  ['768-1023', 'Ωά'],
  ['1024-1279', 'ЖщїЁ'],
])('has letters of %s: %s', async (range, letters) => {
  const { bytes } = await createGlyphs(folder)(FONT, range);
  const glyphs = readGlyphs(bytes);
  for (const letter of letters) {
    const { bitmap, width, height, advance } = glyphs.get(letter) as Glyph;
    expect(bitmap.length).toBe((width + 6) * (height + 6));
    expect([Math.max(...bitmap) > 191, Math.min(...bitmap) < 100, advance > 4]).toEqual([true, true, true]);
  }
});

it('draws an I that is upright, as high as a capital and filled inside', async () => {
  const { bytes } = await createGlyphs(folder)(FONT, '0-255');
  const glyph = readGlyphs(bytes).get('l') as Glyph;
  expect(glyph.height).toBeGreaterThan(3 * glyph.width);
  // 26 pixels of ascender; the letter ends about 18 above its line.
  expect(glyph.top).toBeGreaterThan(-10);
  expect(glyph.top).toBeLessThan(-4);
  const columns = glyph.width + 6;
  const row = Math.floor((glyph.height + 6) / 2) * columns;
  const across = [...glyph.bitmap.subarray(row, row + columns)];
  expect(across.indexOf(Math.max(...across))).toBeGreaterThan(1);
  expect(Math.max(...across)).toBeGreaterThan(191);
  expect(across[0]).toBeLessThan(150);
});

it('answers a range without letters with none, and refuses what is not a range or another font', async () => {
  const glyphs = createGlyphs(folder);
  expect((await glyphs(FONT, '20480-20735')).bytes.length).toBe(0);
  for (const [font, range] of [
    [FONT, '1-256'],
    [FONT, '0-511'],
    [FONT, '65536-65791'],
    ['../../etc', '0-255'],
  ]) {
    await expect(glyphs(defined(font), defined(range))).rejects.toMatchObject({ code: 'not_found' });
  }
});
