import type { Limits } from '../../cancel.ts';
import type { Document, Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter, literal } from '../bytes.ts';
import { type CutEdge, cutEdges } from '../seam.ts';
import { xmlText } from '../xml.ts';
import { type Picture, project, type Scale } from './picture.ts';

/** The longer side of the picture in CSS pixels, and the margin on each side as a share of the longer side. */
const SIDE = 1000;
const MARGIN = 0.02;

const FILL = 'fill="#1f5f8b" fill-opacity="0.25" fill-rule="evenodd"';
const STROKE = 'stroke="#1f5f8b" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"';
const FIXED = 'vector-effect="non-scaling-stroke"';

const CLOSE = literal('z');

/** The indexes of a ring's first vertex and of its last, which repeats the first. */
type Ring = readonly [first: number, last: number];

/**
 * The area as an SVG 1.1 picture: projected by `project`, y down, even-odd fill, a border of constant width, title and
 * description (the attribution). An area cut at ±180 is filled up to the cut; the border is drawn there only where the
 * area does not continue on the other side.
 *
 * @returns UTF-8 without scripts or external references; text of the document only as escaped text
 */
export function writeSvg(polygons: Polygons, doc: Document, limits?: Limits): Uint8Array<ArrayBuffer> {
  const picture = project(polygons, doc);
  const { grid } = picture;
  const out = new ByteWriter(5 * grid.length + 24 * polygons.ringEnd.length + 8 * doc.name.length + 2048, limits);
  out.utf8(svgHead(picture, doc));
  writeSvgArea(out, picture, polygons);
  out.ascii('</svg>\n');
  return out.finish();
}

/** The start of a picture of a size, with its title and description. */
export function svgHead(
  { width, height }: Pick<Scale, 'width' | 'height'>,
  { name, attribution }: Pick<Document, 'name' | 'attribution'>,
): string {
  const longer = Math.max(width, height, 1);
  const margin = Math.ceil(longer * MARGIN);
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
  const pixels = (lengths: number) => Math.max(1, Math.round((lengths * SIDE) / (longer + 2 * margin)));
  const size = `width="${pixels(defined(box[2]))}" height="${pixels(defined(box[3]))}" viewBox="${box.join(' ')}"`;
  const about = attribution === '' ? '' : `<desc>${xmlText(attribution)}</desc>\n`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" version="1.1" ' +
    `${size}>\n<title>${xmlText(name)}</title>\n${about}`
  );
}

/** Writes an area of a picture as paths. */
export function writeSvgArea(out: ByteWriter, picture: Picture, polygons: Polygons): void {
  const edges = picture.cut ? cutEdges(polygons) : [];
  const { whole, parts } = split(polygons, edges);
  const { squeeze } = picture;
  const path = squeeze === 1 ? '<path' : `<path transform="scale(${Number(squeeze.toFixed(6))},1)"`;
  if (whole.length > 0) {
    out.ascii(`${path} ${FILL} ${STROKE} ${FIXED} d="`);
    for (const ring of whole) fill(out, picture, ring);
    out.ascii('"/>\n');
  }
  if (parts.length > 0) {
    out.ascii(`${path} ${FILL} d="`);
    for (const ring of parts) fill(out, picture, ring);
    out.ascii(`"/>\n${path} fill="none" ${STROKE} ${FIXED} d="`);
    drawBorder(out, picture, parts, edges);
    out.ascii('"/>\n');
  }
}

/** The rings of polygons without a cut edge, and those of the others. */
function split({ ringEnd, polygonEnd }: Polygons, edges: readonly CutEdge[]): { whole: Ring[]; parts: Ring[] } {
  const whole: Ring[] = [];
  const parts: Ring[] = [];
  let ring = 0;
  let first = 0;
  let edge = 0;
  for (const end of polygonEnd) {
    const isPart = edge < edges.length && defined(edges[edge]).vertex < defined(ringEnd[end - 1]);
    for (; ring < end; ring++) {
      (isPart ? parts : whole).push([first, defined(ringEnd[ring]) - 1]);
      first = defined(ringEnd[ring]);
    }
    while (edge < edges.length && defined(edges[edge]).vertex < first) edge++;
  }
  return { whole, parts };
}

function fill(out: ByteWriter, { grid, unit }: Picture, [first, last]: Ring): void {
  out.line(grid, first, last, unit);
  out.raw(CLOSE);
}

/** Draws the rings without their cut edges, except the parts of those that are a border. */
function drawBorder(out: ByteWriter, { grid, unit }: Picture, rings: readonly Ring[], edges: readonly CutEdge[]): void {
  let edge = 0;
  for (const [first, last] of rings) {
    let from = first;
    for (; edge < edges.length && defined(edges[edge]).vertex < last; edge++) {
      const { vertex, border } = defined(edges[edge]);
      if (vertex > from) out.line(grid, from, vertex + 1, unit);
      from = vertex + 1;
      const [x = 0, y = 0, toX = 0, toY = 0] = grid.subarray(2 * vertex, 2 * vertex + 4);
      const whole = (value: number) => Math.round(value / unit) * unit;
      for (const [start, end] of border) {
        const at = (t: number) => [whole(x + t * (toX - x)), whole(y + t * (toY - y))];
        out.line(Float64Array.from([...at(start), ...at(end)]), 0, 2, unit);
      }
    }
    if (last > from) out.line(grid, from, last + 1, unit);
  }
}
