/**
 * Writes the glyphs for map labels, from the font of a package (Noto Sans, OFL):
 *
 *   npx tsx scripts/make_glyphs.ts [FOLDER]     # the output folder; default dist/glyphs
 *
 * Writes nothing if the folder was built from the same sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FONT, glyphFiles } from './glyphs/glyphs.ts';

const root = resolve(import.meta.dirname, '..');
const target = resolve(process.argv[2] ?? join(root, 'dist/glyphs'));
const mark = join(target, '.sources');
const hash = createHash('sha256');
for (const name of [
  'scripts/make_glyphs.ts',
  'scripts/glyphs/glyphs.ts',
  'scripts/glyphs/sdf.ts',
  'workers/formats/tile/protobuf.ts',
  'node_modules/@fontsource/noto-sans/package.json',
]) {
  hash.update(readFileSync(join(root, name)));
}
const sources = hash.digest('hex');
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== sources) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, FONT), { recursive: true });
  for (const [name, bytes] of glyphFiles(root)) writeFileSync(join(target, FONT, `${name}.pbf`), bytes);
  writeFileSync(mark, sources);
}
