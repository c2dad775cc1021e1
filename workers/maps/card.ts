/** The preview picture of a link: areas in outline, with a title beside them. */
import type { Polygons } from '../contract.ts';
import { clustersOf } from './clusters.ts';
import { canDraw, widthOf, wrap } from './font.ts';
import { type Mark, type Picture, rectangle } from './marks.ts';
import { drawPanel, panelOf, scaleIn, shape } from './panel.ts';
import { EARTH_M } from './projection.ts';

/** In pixels; written at two pixels for each, as sites that show links expect it: 1200 x 630. */
const SIZE = { width: 600, height: 315 } as const;
const MAP = { x: 252, y: 20, width: 328, height: 275 } as const;
const LEFT = 24;
const COLUMN = 210;
const COLORS = { paper: '#f4f4f0', ink: '#1d2733', soft: '#56626f', area: '#d9a1bd', mark: '#9c1b57' } as const;
const TEXT = { title: 25, about: 13, foot: 9.5 } as const;

/** What a card says. */
export interface CardText {
  /** Titles, best first: the first one that fonts can draw is shown. */
  readonly titles: readonly string[];
  readonly about: string;
  readonly attribution: string;
}

const UNLABELED = { unit: '', labels: 'none', outlined: true } as const;

/** Meters on the ground of a pixel of the areas. */
export function metersPerCardPixel(areas: readonly Polygons[]): number {
  const [cluster] = clustersOf(areas, false);
  return EARTH_M / scaleIn(panelOf(cluster, areas), MAP.width, MAP.height);
}

/** Draws a card. `check` may end it. */
export function drawCard(
  shapes: readonly Polygons[],
  { titles, about, attribution }: CardText,
  check: () => void,
): Picture {
  const title = titles.find(canDraw) ?? '';
  const marks: Mark[] = [shape(rectangle(0, 0, SIZE.width, SIZE.height), COLORS.paper, null, 0)];
  const [cluster] = clustersOf(shapes, false, check);
  const areas = shapes.map(() => ({ name: '', value: null }));
  const drawing = { areas, shapes, colorOf: () => COLORS.area, spec: UNLABELED, check };
  marks.push(...drawPanel(panelOf(cluster, shapes), MAP, drawing));
  marks.push(shape(rectangle(0, 0, 8, SIZE.height), COLORS.mark, null, 0));
  const text = (content: string, y: number, size: number, fill: string, bold: boolean): void => {
    // A word wider than the column is drawn smaller.
    const fits = Math.min(1, COLUMN / widthOf(content, size, bold));
    marks.push({ kind: 'text', text: content, x: LEFT, y, size: size * fits, bold, fill, rim: null });
  };
  let y = 20;
  for (const line of wrap(title, COLUMN, TEXT.title, 4, true)) {
    y += TEXT.title * 1.2;
    text(line, y, TEXT.title, COLORS.ink, true);
  }
  y += 8;
  for (const line of canDraw(about) ? wrap(about, COLUMN, TEXT.about, 5) : []) {
    y += TEXT.about * 1.45;
    text(line, y, TEXT.about, COLORS.soft, false);
  }
  const foot = canDraw(attribution) ? wrap(attribution, COLUMN, TEXT.foot, 4) : [];
  const last = SIZE.height - 18;
  const lines = [...foot, 'Boundary Lookup'];
  lines.forEach((line, i) => {
    text(line, last - (lines.length - 1 - i) * TEXT.foot * 1.4, TEXT.foot, COLORS.soft, i === lines.length - 1);
  });
  return { ...SIZE, title, description: about, marks };
}
