/** Color schemes that people with any kind of color vision can tell apart. */
import * as chromatic from 'd3-scale-chromatic';
import type { Scheme } from './schemes.ts';

type Steps = readonly (readonly string[])[];

/** ColorBrewer's schemes that are marked as safe for color-blind readers: from light to dark, or from two sides. */
const STEPPED = {
  blues: chromatic.schemeBlues,
  greens: chromatic.schemeGreens,
  oranges: chromatic.schemeOranges,
  purples: chromatic.schemePurples,
  ylgnbu: chromatic.schemeYlGnBu,
  ylorrd: chromatic.schemeYlOrRd,
  brbg: chromatic.schemeBrBG,
  prgn: chromatic.schemePRGn,
  puor: chromatic.schemePuOr,
  rdbu: chromatic.schemeRdBu,
  rdylbu: chromatic.schemeRdYlBu,
} as const;
const SMOOTH = { viridis: chromatic.interpolateViridis, cividis: chromatic.interpolateCividis } as const;

/** That many colors of a scheme (1 to 9), as #rrggbb, for the lowest class first. */
export function colorsOf(scheme: Scheme, count: number, reverse: boolean): string[] {
  let colors: string[];
  if (scheme in SMOOTH) {
    const at = SMOOTH[scheme as keyof typeof SMOOTH];
    // Light is low, as in the other schemes.
    colors = Array.from({ length: count }, (_, i) => hex(at(1 - (i + 0.5) / count)));
  } else {
    const steps: Steps = STEPPED[scheme as keyof typeof STEPPED];
    if (count >= 3) colors = [...steps[count]];
    else if (count === 2) colors = [steps[3][0], steps[3][2]];
    else colors = [steps[4][2]];
  }
  return reverse ? colors.reverse() : colors;
}

/** A color in either notation of CSS as #rrggbb. */
function hex(color: string): string {
  if (color.startsWith('#')) return color;
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Whether text on a color must be white to be read. */
export function isDark(color: string): boolean {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 < 0.22;
}
