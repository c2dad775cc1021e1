import type { Atlas } from '../atlas.ts';
import { t } from '../language.ts';
import type { LegendEntry, MapLegend } from '../legend.ts';
import { COLORS } from '../map_style.ts';
import { drawLight, lightColor } from './light.ts';

interface About extends MapLegend {
  readonly attribution: string;
}

/** Lines of a text that fit a width; a word that does not is on a line of its own. */
function wrapped(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * Draws the view in light colors, and below it the title, what its colors mean, the scale and whom the data is by.
 * @throws when the browser has no memory for the picture
 */
async function pictureOf(atlas: Atlas, { title, entries, attribution }: About): Promise<HTMLCanvasElement> {
  const view = document.createElement('canvas');
  const { scale, bar } = await drawLight(atlas, view);
  const made = document.createElement('canvas');
  const pen = made.getContext('2d');
  if (!pen) throw new Error(t('tools.theBrowserCannotDraw'));
  const { fontFamily } = getComputedStyle(document.body);
  const { ink } = COLORS.light;
  const size = 12 * scale;
  const font = (pixels: number, weight = 'normal'): string => `${weight} ${pixels}px ${fontFamily}`;
  const pad = 12 * scale;
  const lineHeight = size * 1.5;
  const inner = view.width - 2 * pad;
  const widthOf = (text: string): number => pen.measureText(text).width;
  pen.font = font(size * 1.3, 'bold');
  const titles = wrapped(title, inner, widthOf);
  pen.font = font(size);
  // The entries of the legend, as many on a line as fit.
  const rows: LegendEntry[][] = [];
  let used = Number.POSITIVE_INFINITY;
  const swatch = size * 1.6;
  const widthOfEntry = ({ label }: LegendEntry): number => swatch + widthOf(label) + pad;
  for (const entry of entries) {
    if (used + widthOfEntry(entry) > inner) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(entry);
    used += widthOfEntry(entry);
  }
  const notes = wrapped(attribution === '' ? '' : t('shell.data', { names: attribution }), inner, widthOf);
  made.width = view.width;
  made.height = Math.ceil(
    view.height +
      2 * pad +
      titles.length * lineHeight * 1.3 +
      (rows.length + notes.length) * lineHeight +
      (bar ? lineHeight : 0),
  );
  // What was set is gone with the size.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, made.width, made.height);
  pen.drawImage(view, 0, 0);
  pen.fillStyle = ink;
  pen.strokeStyle = ink;
  pen.lineWidth = scale;
  pen.textBaseline = 'top';
  let y = view.height + pad;
  pen.font = font(size * 1.3, 'bold');
  for (const line of titles) {
    pen.fillText(line, pad, y);
    y += lineHeight * 1.3;
  }
  pen.font = font(size);
  for (const row of rows) {
    let x = pad;
    for (const entry of row) {
      drawSwatch(pen, lightColor(entry.color), x, y, size);
      pen.fillStyle = ink;
      pen.fillText(entry.label, x + swatch, y, inner - swatch);
      x += widthOfEntry(entry);
    }
    y += lineHeight;
  }
  if (bar) {
    pen.strokeRect(pad, y + size / 4, bar.width * scale, size / 2);
    pen.fillText(bar.text, pad + bar.width * scale + size / 2, y);
    y += lineHeight;
  }
  for (const line of notes) {
    pen.fillText(line, pad, y);
    y += lineHeight;
  }
  return made;
}

function drawSwatch(pen: CanvasRenderingContext2D, color: string | null, x: number, y: number, side: number): void {
  if (color !== null) {
    pen.fillStyle = color;
    pen.fillRect(x, y, side, side);
    return;
  }
  pen.beginPath();
  for (const [x1, y1, x2, y2] of [
    [0, 1, 1, 0],
    [0, 0.5, 0.5, 0],
    [0.5, 1, 1, 0.5],
  ] as const) {
    pen.moveTo(x + x1 * side, y + y1 * side);
    pen.lineTo(x + x2 * side, y + y2 * side);
  }
  pen.stroke();
}

/** Saves the view as a PNG. @throws when the browser has no memory for the picture */
export async function savePicture(atlas: Atlas, about: About): Promise<void> {
  const made = await pictureOf(atlas, about);
  const blob = await new Promise<Blob | null>((resolve) => made.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error(t('tools.theBrowserCannotWrite'));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${
    about.title
      .replace(/[^\p{L}\p{N} .,-]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'map'
  }.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
