/** Text as outlines, for pictures that cannot count on a font: Noto Sans in the scripts that its packages have. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';

const SCRIPTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'];
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json')), 'files');

const fonts = new Map<string, Font>();

function fontOf(script: string, bold: boolean): Font {
  const name = `noto-sans-${script}-${bold ? 700 : 400}-normal.woff`;
  let font = fonts.get(name);
  if (font === undefined) {
    font = create(readFileSync(join(FOLDER, name))) as Font;
    fonts.set(name, font);
  }
  return font;
}

interface Run {
  readonly font: Font;
  text: string;
}

/** A text by the fonts that have its characters; null when none has one of them. */
function runsOf(text: string, bold: boolean): Run[] | null {
  const runs: Run[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const last = runs.at(-1);
    if (last?.font.hasGlyphForCodePoint(code)) {
      last.text += character;
      continue;
    }
    const script = SCRIPTS.find((one) => fontOf(one, bold).hasGlyphForCodePoint(code));
    if (script === undefined) return null;
    runs.push({ font: fontOf(script, bold), text: character });
  }
  return runs;
}

/** Whether there is a glyph for every character of a text. */
export const canDraw = (text: string): boolean => runsOf(text, false) !== null;

/** The width of a text at a size; of one without glyphs, an estimate. */
export function widthOf(text: string, size: number, bold = false): number {
  const runs = runsOf(text, bold);
  if (runs === null) return size * 0.9 * [...text].length;
  return runs.reduce((sum, { font, text: run }) => sum + (font.layout(run).advanceWidth * size) / font.unitsPerEm, 0);
}

/** The outline of a text as SVG path data, with its baseline at y from x on. @throws RangeError without glyphs */
export function outlineOf(text: string, x: number, y: number, size: number, bold = false): string {
  const runs = runsOf(text, bold);
  if (runs === null) throw new RangeError('no glyphs');
  let path = '';
  let at = x;
  for (const { font, text: run } of runs) {
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run);
    glyphs.forEach((glyph, i) => {
      const { xAdvance, xOffset, yOffset } = positions[i];
      path += glyph.path
        .scale(scale, -scale)
        .translate(at + xOffset * scale, y - yOffset * scale)
        .toSVG();
      at += xAdvance * scale;
    });
  }
  return path;
}

/**
 * Breaks a text into lines of at most a width, at spaces; a longer word is cut. At most `lines` of them: what is left
 * out ends as an ellipsis.
 */
export function wrap(text: string, width: number, size: number, lines: number, bold = false): string[] {
  const fits = (one: string): boolean => widthOf(one, size, bold) <= width;
  const broken: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') broken.push(line);
    line = word;
    for (let start = startOf(line, fits); start !== line && broken.length <= lines; start = startOf(line, fits)) {
      broken.push(start);
      line = line.slice(start.length);
    }
  }
  if (line !== '') broken.push(line);
  if (broken.length <= lines) return broken;
  let last = broken[lines - 1] ?? '';
  while (last !== '' && !fits(`${last} …`)) {
    const space = last.lastIndexOf(' ');
    last = space > 0 ? last.slice(0, space) : [...last].slice(0, -1).join('');
  }
  return [...broken.slice(0, lines - 1), `${last} …`];
}

/** The longest start of a word that fits, at least one character. */
function startOf(word: string, fits: (text: string) => boolean): string {
  if (fits(word)) return word;
  const characters = [...word];
  let [least, most] = [1, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(characters.slice(0, middle).join(''))) least = middle;
    else most = middle - 1;
  }
  return characters.slice(0, least).join('');
}
