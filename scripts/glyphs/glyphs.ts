import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import opentype, { type Glyph } from 'opentype.js';
import { ProtobufWriter } from '../../workers/formats/tile/protobuf.ts';
import { type Command, distanceField } from './sdf.ts';

/** Pixels per em that map libraries expect in glyph files. */
const SIZE = 24;
/** Code points per file. */
const RANGE = 256;
const PARTS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'];

/** The fontstack of the files. */
export const FONT = 'Noto Sans Regular';

/**
 * The glyph files of the font by range (`0-255`), in MapLibre's format. `root` is the folder of the installed package.
 */
export function glyphFiles(root: string): Map<string, Uint8Array> {
  const glyphs = new Map<number, Uint8Array>();
  for (const part of PARTS) {
    const path = join(root, 'node_modules/@fontsource/noto-sans/files', `noto-sans-${part}-400-normal.woff`);
    const bytes = readFileSync(path);
    const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const ascender = Math.round((font.ascender / font.unitsPerEm) * SIZE);
    for (let i = 0; i < font.glyphs.length; i++) {
      const glyph = font.glyphs.get(i);
      for (const code of glyph.unicodes ?? []) {
        if (code > 0xffff || glyphs.has(code)) continue;
        glyphs.set(code, glyphOf(code, glyph, font.unitsPerEm, ascender));
      }
    }
  }
  const files = new Map<string, Uint8Array>();
  const ranges = new Set([...glyphs.keys()].map((code) => Math.floor(code / RANGE)));
  for (const range of [...ranges].sort((a, b) => a - b)) {
    const name = `${RANGE * range}-${RANGE * range + RANGE - 1}`;
    const stack = new ProtobufWriter();
    stack.text(1, FONT);
    stack.text(2, name);
    for (let code = RANGE * range; code < RANGE * (range + 1); code++) {
      const glyph = glyphs.get(code);
      if (glyph) stack.block(3, glyph);
    }
    const file = new ProtobufWriter();
    file.block(1, stack.view());
    files.set(name, file.finish());
  }
  return files;
}

function glyphOf(code: number, glyph: Glyph, unitsPerEm: number, ascender: number): Uint8Array {
  const field = distanceField(glyph.getPath(0, 0, SIZE).commands as readonly Command[]);
  const out = new ProtobufWriter();
  out.number(1, code);
  if (field) out.block(2, field.bitmap);
  out.number(3, field?.width ?? 0);
  out.number(4, field?.height ?? 0);
  signedField(out, 5, field?.left ?? 0);
  // Map libraries measure from the ascender of the font.
  signedField(out, 6, field ? -field.top - ascender : 0);
  out.number(7, Math.round(((glyph.advanceWidth ?? 0) / unitsPerEm) * SIZE));
  return out.finish();
}

function signedField(out: ProtobufWriter, field: number, value: number): void {
  out.number(field, ((value << 1) ^ (value >> 31)) >>> 0);
}
