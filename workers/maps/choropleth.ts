/** A map of figures: areas in the color of their class, with a legend, insets for far parts, and where it is from. */
import { scaleThreshold } from 'd3-scale';
import type { Polygons } from '../contract.ts';
import { cutEdges } from '../formats/seam.ts';
import { boundsOf, type Classes } from './classes.ts';
import { type Cluster, clustersOf } from './clusters.ts';
import { colorsOf, isDark } from './colors.ts';
import { canDraw, widthOf, wrap } from './font.ts';
import { type LabelBox, labelMark, type PixelRing, placeLabel } from './labels.ts';
import { HATCH, type Mark, type Picture, px, rectangle } from './marks.ts';
import { alongRing, EARTH_M, type Project, projectionFor, seamVertices } from './projection.ts';
import type { Scheme } from './schemes.ts';

/** What a map shows and says. */
export interface MapSpec {
  readonly title: string;
  /** What the figures are, such as `inhabitants per km2`; empty: nothing. */
  readonly unit: string;
  readonly source: string;
  readonly attribution: string;
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly classes: Classes;
  readonly colors: Scheme;
  readonly reverse: boolean;
  readonly labels: 'names' | 'values' | 'none';
  readonly insets: boolean;
  /** Whether labels without glyphs are left out: in pictures without fonts. */
  readonly outlined: boolean;
}

/** An area of the map. */
export interface MapArea {
  readonly name: string;
  /** Null: no figure. */
  readonly value: number | null;
}

const MARGIN = 20;
const TEXT = { title: 22, unit: 14, legend: 13, label: 11.5, foot: 11 } as const;
const INK = '#1a1a1a';
const GRAY = '#555555';
const BORDER = { color: '#4d4d4d', width: 0.5 } as const;
/** Height of the map by its width, at least and at most. */
const SHAPE = { least: 0.35, most: 1.4 } as const;
/** Insets: their share of the map's height, and the largest share of its width of one. */
const INSET = { high: 0.2, wide: 0.34, pad: 6 } as const;
/** Labels are for maps on which they can be read. */
const MOST_LABELS = 400;

interface Panel {
  readonly cluster: Cluster;
  readonly project: Project;
  /** Bounds in the units of the projection. */
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
}

function panelOf(cluster: Cluster, areas: readonly Polygons[]): Panel {
  const { project } = projectionFor(cluster.extent);
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { area, polygon } of cluster.parts) {
    const { coords, ringEnd, polygonEnd } = areas[area];
    const ring = polygon === 0 ? 0 : polygonEnd[polygon - 1];
    alongRing(coords, ring === 0 ? 0 : ringEnd[ring - 1], ringEnd[ring], (lon, lat) => {
      const [x, y] = project(lon, lat);
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], y);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], y);
    });
  }
  return { cluster, project, bounds };
}

const mapHeight = ({ bounds: [left, top, right, bottom] }: Panel, width: number): number =>
  width * Math.min(SHAPE.most, Math.max(SHAPE.least, (bottom - top) / Math.max(right - left, 1e-12)));

/** Pixels for one unit of the projection, so that a panel fits into a box. */
const scaleIn = ({ bounds: [left, top, right, bottom] }: Panel, width: number, height: number): number =>
  Math.min(width / Math.max(right - left, 1e-9), height / Math.max(bottom - top, 1e-9));

/** Meters on the ground of a pixel of the main map: borders need no more detail. */
export function metersPerPixel(
  areas: readonly Polygons[],
  { width, insets }: Pick<MapSpec, 'width' | 'insets'>,
): number {
  const panel = panelOf(clustersOf(areas, insets)[0], areas);
  const inner = width - 2 * MARGIN;
  return EARTH_M / scaleIn(panel, inner, mapHeight(panel, inner));
}

/** Lengths of the colors and the texts of a legend's classes. */
interface Legend {
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
  readonly texts: readonly string[];
}

/** Figures with as few digits as tell them apart. */
function formatter(figures: readonly number[]): (value: number) => string {
  const distinct = [...new Set(figures)];
  for (let digits = 3; digits < 15; digits++) {
    const format = new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits });
    const near = (value: number) => Math.abs(Number(format.format(value).replaceAll(',', '')) - value);
    const close = distinct.every((one) => near(one) <= Math.abs(one) * 5e-3);
    if (close && new Set(distinct.map((one) => format.format(one))).size === distinct.length) {
      return (value) => format.format(value);
    }
  }
  return String;
}

function legendOf(classes: Classes, figures: readonly number[], scheme: Scheme, reverse: boolean): Legend {
  const bounds = boundsOf(classes, figures);
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
    return most > last ? `${format(last)} – ${format(most)}` : `≥ ${format(last)}`;
  });
  return { bounds, colors, texts };
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
  y = drawLegend(
    legend,
    areas.some(({ value }) => value === null),
    y + 4,
    inner,
    marks,
  );
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

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Drawing {
  readonly areas: readonly MapArea[];
  readonly shapes: readonly Polygons[];
  readonly colorOf: (area: number) => string | null;
  readonly spec: MapSpec;
  readonly check: () => void;
}

/** The marks of a panel in a box: fills, hatched areas, borders, labels. */
function drawPanel({ cluster, project, bounds }: Panel, box: Box, drawing: Drawing): Mark[] {
  const { shapes, colorOf, areas, spec, check } = drawing;
  const [left, top, right, bottom] = bounds;
  const scale = Math.min(box.width / Math.max(right - left, 1e-9), box.height / Math.max(bottom - top, 1e-9));
  const dx = box.x + box.width / 2 - (scale * (left + right)) / 2;
  const dy = box.y + box.height / 2 - (scale * (top + bottom)) / 2;
  const byArea = new Map<number, number[]>();
  for (const { area, polygon } of cluster.parts) byArea.set(area, [...(byArea.get(area) ?? []), polygon]);
  const fills: Mark[] = [];
  const borders: string[] = [];
  const hatched: string[] = [];
  const shells: { readonly area: number; readonly shell: PixelRing; readonly size: number }[] = [];
  for (const [area, polygons] of byArea) {
    check();
    const { coords, ringEnd, polygonEnd } = shapes[area];
    const seam = seamVertices(cutEdges(shapes[area]));
    const rings: string[] = [];
    let largest: { shell: PixelRing; size: number } | null = null;
    for (const polygon of polygons) {
      const first = polygon === 0 ? 0 : polygonEnd[polygon - 1];
      for (let ring = first; ring < polygonEnd[polygon]; ring++) {
        const points: number[] = [];
        const border = new Line();
        alongRing(coords, ring === 0 ? 0 : ringEnd[ring - 1], ringEnd[ring], (lon, lat, vertex) => {
          const [x, y] = project(lon, lat);
          points.push(dx + scale * x, dy + scale * y);
          border.to(points[points.length - 2], points[points.length - 1]);
          if (seam.has(vertex)) border.lift();
        });
        rings.push(pathOf(points));
        borders.push(border.path);
        const size = ring === first ? Math.abs(areaOf(points)) : 0;
        if (size > (largest?.size ?? 0)) largest = { shell: points, size };
      }
    }
    const color = colorOf(area);
    const path = rings.join('');
    if (color === null) hatched.push(path);
    else fills.push(shape(path, color, color, 0.4, titleOf(areas[area], spec)));
    if (largest !== null) shells.push({ area, ...largest });
  }
  if (hatched.length > 0) fills.unshift({ ...shape(hatched.join(''), null, null, 0, 'No data'), hatched: true });
  const lines = shape(borders.join(''), null, BORDER.color, BORDER.width);
  return [...fills, lines, ...labelsOf(shells, drawing)];
}

function labelsOf(
  shells: readonly { readonly area: number; readonly shell: PixelRing; readonly size: number }[],
  { areas, colorOf, spec }: Drawing,
): Mark[] {
  if (spec.labels === 'none') return [];
  const taken: LabelBox[] = [];
  const marks: Mark[] = [];
  const bySize = shells.toSorted((a, b) => b.size - a.size).slice(0, MOST_LABELS);
  const format = formatter(areas.flatMap(({ value }) => (value === null ? [] : [value])).slice(0, MOST_LABELS));
  for (const { area, shell } of bySize) {
    const { name, value } = areas[area];
    const text = spec.labels === 'names' ? name : value === null ? '' : format(value);
    if (text === '' || (spec.outlined && !canDraw(text))) continue;
    const box = placeLabel(shell, text, TEXT.label, taken);
    if (box === null) continue;
    taken.push(box);
    const color = colorOf(area);
    marks.push(labelMark(text, box, TEXT.label, color !== null && isDark(color)));
  }
  return marks;
}

const titleOf = ({ name, value }: MapArea, { unit }: MapSpec): string => `${name}: ${value} ${unit}`.trim();

const shape = (path: string, fill: string | null, stroke: string | null, width: number, title?: string) =>
  ({ kind: 'shape', path, fill, stroke, width, ...(title !== undefined && { title }) }) as const;

/** A line that leaves out the edges where it is lifted. Points closer than a tenth of a pixel are one. */
class Line {
  path = '';
  private isUp = true;

  to(x: number, y: number): void {
    this.path += `${this.isUp ? 'M' : 'L'}${px(x)} ${px(y)}`;
    this.isUp = false;
  }

  lift(): void {
    this.isUp = true;
  }
}

function pathOf(points: readonly number[]): string {
  let path = '';
  for (let i = 0; i + 2 < points.length; i += 2) path += `${i === 0 ? 'M' : 'L'}${px(points[i])} ${px(points[i + 1])}`;
  return `${path}Z`;
}

function areaOf(points: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 3 < points.length; i += 2) sum += points[i] * points[i + 3] - points[i + 2] * points[i + 1];
  return sum / 2;
}

/** Draws insets in rows, each in a frame. @returns where the last row ends */
function drawInsets(insets: readonly Panel[], from: number, mapHigh: number, drawing: Drawing, marks: Mark[]): number {
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

/** Draws the classes, and what no data looks like. @returns where the last line ends */
function drawLegend({ colors, texts }: Legend, withHatch: boolean, from: number, inner: number, marks: Mark[]): number {
  const [wide, high] = [22, 14];
  let [x, y] = [MARGIN, from];
  const entry = (content: string, fill: string | null) => {
    const total = wide + 6 + widthOf(content, TEXT.legend) + 16;
    if (x + total > MARGIN + inner + 16 && x > MARGIN) {
      x = MARGIN;
      y += high + 8;
    }
    marks.push({
      ...shape(rectangle(x, y, wide, high), fill, '#777777', 0.6),
      ...(fill === null && { hatched: true, fill: HATCH.ground }),
    });
    const label = { kind: 'text', text: content, x: x + wide + 6, y: y + high - 2.5, size: TEXT.legend } as const;
    marks.push({ ...label, bold: false, fill: INK, rim: null });
    x += total;
  };
  texts.forEach((content, i) => {
    if (content !== '' && Number.isFinite(Number.parseFloat(content.replace(/^[<≥ ]+/, '')))) entry(content, colors[i]);
  });
  if (withHatch) entry('no data', null);
  return y + high + 4;
}
