import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { problem } from '../../core/errors.ts';

/** The fontstack of our styles, and the only one available. */
export const FONT = 'Noto Sans Regular';

const RANGE = /^(\d{1,5})-(\d{1,5})$/;
const SIZE = 256;
const LAST = 0xffff;

/** A glyph file as it is sent. */
export interface Glyphs {
  readonly bytes: Uint8Array;
  /** Hexadecimal, of the bytes. */
  readonly sha256: string;
}

/** The folder that `npm run build` writes the glyphs to. */
function glyphFolder(): string {
  return join(packageRoot(), 'dist/glyphs');
}

/**
 * Returns a function that reads the glyphs of a range of code points (`0-255`), each file once. A range without glyphs
 * in the font is an empty file and not an error, so that a map draws its other labels.
 * @throws not_found for other fonts and ranges
 */
export function createGlyphs(folder = glyphFolder()): (fontstack: string, range: string) => Promise<Glyphs> {
  const read = new Map<number, Promise<Glyphs>>();
  return async (fontstack, range) => {
    const [, first = '', last = ''] = RANGE.exec(range) ?? [];
    const from = Number(first);
    const exists = first !== '' && from % SIZE === 0 && Number(last) === from + SIZE - 1 && from < LAST;
    // A style may list several fonts; its fallback fonts are included.
    if (!exists || !fontstack.split(',').includes(FONT)) {
      throw problem('not_found', `Only ${FONT} has glyphs, in ranges such as 0-255 and 256-511.`);
    }
    if (!existsSync(join(folder, FONT))) throw problem('not_found', 'The glyphs are missing. Run: npm run build');
    const known = read.get(from) ?? load(join(folder, FONT, `${from}-${from + SIZE - 1}.pbf`));
    read.set(from, known);
    known.catch(() => read.delete(from));
    return known;
  };
}

async function load(path: string): Promise<Glyphs> {
  const bytes = existsSync(path) ? await readFile(path) : new Uint8Array(0);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
