/** The legend of a map: which color stands for which figures. */
import { meaningful } from '../digits.ts';
import { boundsOf, type Classes } from './classes.ts';
import { colorsOf } from './colors.ts';
import { widthOf } from './font.ts';
import { HATCH, type Mark, rectangle } from './marks.ts';
import type { Scheme } from './schemes.ts';

const SIZE = 13;
const INK = '#1a1a1a';

/** The classes of a map: the bounds between them, and the color and the text of each. */
export interface Legend {
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
  readonly texts: readonly string[];
}

/** Figures with as few digits as tell them apart. */
export function formatter(figures: readonly number[]): (value: number) => string {
  const distinct = [...new Set(figures)];
  for (let digits = 3; digits < 15; digits++) {
    const format = new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits });
    const near = (value: number) => Math.abs(Number(format.format(value).replaceAll(',', '')) - value);
    const close = distinct.every((one) => near(one) <= Math.abs(one) * 5e-3);
    if (close && new Set(distinct.map((one) => format.format(one))).size === distinct.length) {
      return (value) => format.format(value);
    }
  }
  return (value) => String(meaningful(value));
}

/** The legend of figures. */
export function legendOf(classes: Classes, figures: readonly number[], scheme: Scheme, reverse: boolean): Legend {
  const bounds = boundsOf(classes, figures);
  if (bounds.length === 0 && figures.length === 0) return { bounds, colors: [], texts: [] };
  const colors = colorsOf(scheme, bounds.length + 1, reverse);
  const [least, most] = figures.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Infinity, -Infinity],
  );
  const format = formatter([...bounds, ...(figures.length > 0 ? [least, most] : [])]);
  const texts = colors.map((_, i) => {
    if (bounds.length === 0) return least === most ? format(least) : `${format(least)} – ${format(most)}`;
    if (i === 0) return least < bounds[0] ? `${format(least)} – ${format(bounds[0])}` : `< ${format(bounds[0])}`;
    if (i < bounds.length) return `${format(bounds[i - 1])} – ${format(bounds[i])}`;
    const last = bounds[i - 1];
    return most > last ? `${format(last)} – ${format(most)}` : `${format(last)} +`;
  });
  return { bounds, colors, texts };
}

/** Draws the classes, and what no data looks like. @returns where the last line ends */
export function drawLegend(
  { colors, texts }: Legend,
  withHatch: boolean,
  { left, from, inner }: { readonly left: number; readonly from: number; readonly inner: number },
  marks: Mark[],
): number {
  const [wide, high] = [22, 14];
  let [x, y] = [left, from];
  const entry = (content: string, fill: string | null) => {
    const total = wide + 6 + widthOf(content, SIZE) + 16;
    if (x + total > left + inner + 16 && x > left) {
      x = left;
      y += high + 8;
    }
    marks.push({
      ...{ kind: 'shape', path: rectangle(x, y, wide, high), fill, stroke: '#777777', width: 0.6 },
      ...(fill === null && { hatched: true, fill: HATCH.ground }),
    });
    const label = { kind: 'text', text: content, x: x + wide + 6, y: y + high - 2.5, size: SIZE } as const;
    marks.push({ ...label, bold: false, fill: INK, rim: null });
    x += total;
  };
  texts.forEach((content, i) => void entry(content, colors[i]));
  if (withHatch) entry('no data', null);
  return y + high + 4;
}
