/** A map of areas in a rectangle of a picture: fills, borders and labels. */
import type { Polygons } from '../contract.ts';
import { cutEdges } from '../formats/seam.ts';
import type { Cluster } from './clusters.ts';
import { isDark } from './colors.ts';
import { canDraw } from './font.ts';
import { type LabelBox, labelMark, type PixelRing, placeLabel } from './labels.ts';
import { formatter } from './legend.ts';
import { type Mark, px } from './marks.ts';
import { alongRing, type Project, projectionFor, seamVertices } from './projection.ts';
import type { MapArea, MapSpec } from './spec.ts';

const LABEL_SIZE = 11.5;
const BORDER = { color: '#4d4d4d', width: 0.5 } as const;
/** Height of the map by its width, at least and at most. */
const SHAPE = { least: 0.35, most: 1.4 } as const;
/** Labels are for maps on which they can be read. */
const MOST_LABELS = 400;

/** A map of some parts, and its projection. */
export interface Panel {
  readonly cluster: Cluster;
  readonly project: Project;
  /** Bounds in the units of the projection. */
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
}

/** A panel for a cluster, with the projection of its extent. */
export function panelOf(cluster: Cluster, areas: readonly Polygons[]): Panel {
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

/** The height of a panel of a width. */
export const mapHeight = ({ bounds: [left, top, right, bottom] }: Panel, width: number): number =>
  width * Math.min(SHAPE.most, Math.max(SHAPE.least, (bottom - top) / Math.max(right - left, 1e-12)));

/** Pixels for one unit of the projection, so that a panel fits into a box. */
export const scaleIn = (
  { bounds: [left, top, right, bottom] }: Pick<Panel, 'bounds'>,
  width: number,
  height: number,
): number => Math.min(width / Math.max(right - left, 1e-9), height / Math.max(bottom - top, 1e-9));

/** A rectangle of a picture, in pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What all panels of a map have in common. */
export interface Drawing {
  readonly areas: readonly MapArea[];
  readonly shapes: readonly Polygons[];
  readonly colorOf: (area: number) => string | null;
  readonly spec: Pick<MapSpec, 'unit' | 'labels' | 'outlined'>;
  readonly check: () => void;
}

/** The marks of a panel in a box: fills, hatched areas, borders, labels. */
export function drawPanel({ cluster, project, bounds }: Panel, box: Box, drawing: Drawing): Mark[] {
  const { shapes, colorOf, areas, spec, check } = drawing;
  const [left, top, right, bottom] = bounds;
  const scale = scaleIn({ bounds }, box.width, box.height);
  const dx = box.x + box.width / 2 - (scale * (left + right)) / 2;
  const dy = box.y + box.height / 2 - (scale * (top + bottom)) / 2;
  const byArea = new Map<number, number[]>();
  for (const { area, polygon } of cluster.parts) {
    const polygons = byArea.get(area);
    if (polygons) polygons.push(polygon);
    else byArea.set(area, [polygon]);
  }
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
    const box = placeLabel(shell, text, LABEL_SIZE, taken);
    if (box === null) continue;
    taken.push(box);
    const color = colorOf(area);
    marks.push(labelMark(text, box, LABEL_SIZE, color !== null && isDark(color)));
  }
  return marks;
}

const titleOf = ({ name, value }: MapArea, { unit }: Pick<MapSpec, 'unit'>): string =>
  `${name}: ${value} ${unit}`.trim();

/** The mark of a shape. */
export const shape = (path: string, fill: string | null, stroke: string | null, width: number, title?: string) =>
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
