/** Where the labels of areas are written: inside them, and never on one another. */
import { widthOf } from './font.ts';
import type { Mark } from './marks.ts';

export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A ring of a map in pixels, x and y interleaved. */
export type PixelRing = readonly number[];

/** Parallels that are tried in an area, as parts of its height. */
const ROWS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/** How far a name may reach beyond the widest stretch of its area, as a part of its own width. */
const OVERHANG = 0.15;

/**
 * The place for a text in an area: the middle of its widest stretch along a parallel, of nine parallels, where the text
 * fits and meets no other; null when there is none. @param shell the outer ring of the area's largest part
 */
export function placeLabel(shell: PixelRing, text: string, size: number, taken: readonly LabelBox[]): LabelBox | null {
  let [top, bottom] = [Infinity, -Infinity];
  for (let i = 1; i < shell.length; i += 2) {
    top = Math.min(top, shell[i]);
    bottom = Math.max(bottom, shell[i]);
  }
  const width = widthOf(text, size);
  const height = size * 1.15;
  if (bottom - top < height) return null;
  let best: { box: LabelBox; room: number } | null = null;
  for (const row of ROWS) {
    const y = top + row * (bottom - top);
    const stretch = widest(shell, y);
    if (stretch === null) continue;
    const room = stretch[1] - stretch[0];
    if (room < width * (1 - OVERHANG) || (best !== null && room <= best.room)) continue;
    const box = { x: (stretch[0] + stretch[1] - width) / 2, y: y - height / 2, width, height };
    if (taken.some((other) => overlap(box, other))) continue;
    best = { box, room };
  }
  return best?.box ?? null;
}

function widest(shell: PixelRing, y: number): readonly [number, number] | null {
  const crossings: number[] = [];
  for (let i = 0; i + 3 < shell.length; i += 2) {
    const [ax, ay, bx, by] = [shell[i], shell[i + 1], shell[i + 2], shell[i + 3]];
    if (ay > y !== by > y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
  }
  crossings.sort((a, b) => a - b);
  let best: readonly [number, number] | null = null;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    if (best === null || crossings[i + 1] - crossings[i] > best[1] - best[0]) best = [crossings[i], crossings[i + 1]];
  }
  return best;
}

const overlap = (a: LabelBox, b: LabelBox): boolean =>
  a.x < b.x + b.width + 3 && b.x < a.x + a.width + 3 && a.y < b.y + b.height + 1 && b.y < a.y + a.height + 1;

/** The mark of a label in its box. */
export const labelMark = (text: string, box: LabelBox, size: number, white: boolean): Mark => ({
  kind: 'text',
  text,
  x: box.x,
  y: box.y + box.height * 0.78,
  size,
  bold: false,
  fill: white ? '#ffffff' : '#1a1a1a',
  rim: white ? '#1a1a1a' : '#ffffff',
});
