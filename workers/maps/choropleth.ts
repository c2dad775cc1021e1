/** A map of figures: areas in the color of their class, with a legend, insets for far parts, and where it is from. */
import { scaleThreshold } from 'd3-scale';
import type { Polygons } from '../contract.ts';
import { clustersOf } from './clusters.ts';
import { wrap } from './font.ts';
import { drawLegend, legendOf } from './legend.ts';
import { type Mark, type Picture, rectangle } from './marks.ts';
import { type Drawing, drawPanel, mapHeight, type Panel, panelOf, scaleIn, shape } from './panel.ts';
import { EARTH_M } from './projection.ts';
import type { MapArea, MapSpec } from './spec.ts';

const MARGIN = 20;
const TEXT = { title: 22, unit: 14, foot: 11 } as const;
const INK = '#1a1a1a';
const GRAY = '#555555';
/** Insets: their share of the map's height, and the largest share of its width of one. */
const INSET = { high: 0.2, wide: 0.34, pad: 6 } as const;

/** Meters on the ground of a pixel of the main map: borders need no more detail. */
export function metersPerPixel(
  areas: readonly Polygons[],
  { width, insets }: Pick<MapSpec, 'width' | 'insets'>,
): number {
  const panel = panelOf(clustersOf(areas, insets)[0], areas);
  const inner = width - 2 * MARGIN;
  return EARTH_M / scaleIn(panel, inner, mapHeight(panel, inner));
}

/** Draws a map. `areas` and `shapes` are parallel; `check` may end it. */
export function drawMap(
  areas: readonly MapArea[],
  shapes: readonly Polygons[],
  spec: MapSpec,
  check: () => void,
): Picture {
  const figures = areas.flatMap(({ value }) => (value === null ? [] : [value]));
  const legend = legendOf(spec.classes, figures, spec.colors, spec.reverse);
  const classOf = scaleThreshold<number, number>()
    .domain(legend.bounds)
    .range(legend.colors.map((_, i) => i));
  const inner = spec.width - 2 * MARGIN;
  const marks: Mark[] = [];
  const text = (content: string, x: number, y: number, size: number, fill = INK, bold = false) =>
    void marks.push({ kind: 'text', text: content, x, y, size, bold, fill, rim: null });

  let y = MARGIN;
  for (const line of wrap(spec.title, inner, TEXT.title, 3, true)) {
    y += TEXT.title * 1.2;
    text(line, MARGIN, y - 4, TEXT.title, INK, true);
  }
  for (const line of wrap(spec.unit, inner, TEXT.unit, 2)) {
    y += TEXT.unit * 1.4;
    text(line, MARGIN, y - 3, TEXT.unit, GRAY);
  }
  y += 12;

  const panels = clustersOf(shapes, spec.insets, check).map((cluster) => panelOf(cluster, shapes));
  const [main, ...insets] = panels;
  const high = mapHeight(main, inner);
  const colorOf = (area: number): string | null => {
    const { value } = areas[area];
    return value === null ? null : legend.colors[classOf(value)];
  };
  const drawing = { areas, shapes, colorOf, spec, check };
  marks.push(...drawPanel(main, { x: MARGIN, y, width: inner, height: high }, drawing));
  y += high + 10;
  if (insets.length > 0) y = drawInsets(insets, y, high, drawing, marks) + 10;
  const isMissing = areas.some(({ value }) => value === null);
  y = drawLegend(legend, isMissing, { left: MARGIN, from: y + 4, inner }, marks);
  const foot = [
    spec.source === '' ? '' : `Source: ${spec.source}`,
    `Boundaries: ${spec.attribution}`,
    insets.length > 0 ? 'Insets have scales of their own.' : '',
  ];
  y += 6;
  for (const line of foot.filter(Boolean).flatMap((one) => wrap(one, inner, TEXT.foot, 4))) {
    y += TEXT.foot * 1.4;
    text(line, MARGIN, y, TEXT.foot, GRAY);
  }
  const without = areas.length - figures.length;
  const description =
    `Map of ${areas.length} areas in ${legend.colors.length} classes: ${legend.texts.join('; ')}.` +
    (without > 0 ? ` ${without} without data.` : '');
  return { width: spec.width, height: Math.ceil(y + MARGIN), title: spec.title, description, marks };
}

/** Draws insets in rows, each in a frame. @returns where the last row ends */
function drawInsets(
  insets: readonly Panel[],
  from: number,
  mapHigh: number,
  drawing: Drawing & { readonly spec: MapSpec },
  marks: Mark[],
): number {
  const inner = drawing.spec.width - 2 * MARGIN;
  const high = INSET.high * mapHigh + 30;
  let [x, y] = [MARGIN, from];
  for (const panel of insets) {
    const [left, top, right, bottom] = panel.bounds;
    const ratio = (right - left) / Math.max(bottom - top, 1e-9);
    const wide = Math.max(60, Math.min(INSET.wide * inner, (high - 2 * INSET.pad) * ratio + 2 * INSET.pad));
    if (x + wide > MARGIN + inner && x > MARGIN) {
      x = MARGIN;
      y += high + 8;
    }
    marks.push(shape(rectangle(x, y, wide, high), null, '#b5b5b5', 0.8));
    const pad = INSET.pad;
    marks.push(...drawPanel(panel, { x: x + pad, y: y + pad, width: wide - 2 * pad, height: high - 2 * pad }, drawing));
    x += wide + 8;
  }
  return y + high;
}
