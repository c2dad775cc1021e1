import { ringsBox } from '../arcs/box.ts';
import { materialize } from '../arcs/layout.ts';
import { throwIfCanceled } from '../cancel.ts';
import { END_CLASSES, FULL, LEVELS } from '../contract.ts';
import type { MapFormat } from '../maps/marks.ts';
import type { MapArea, MapSpec } from '../maps/spec.ts';
import { type PackedRings, unpackRings } from '../packed_tile.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Draws a map of figures. */
export interface DrawMapTask {
  readonly heap: TaskHeap;
  /** `boundaries` and `areas` are parallel. */
  readonly boundaries: PackedRings;
  readonly areas: readonly MapArea[];
  readonly spec: Omit<MapSpec, 'outlined'>;
  readonly format: MapFormat;
  readonly maxBytes: number;
}

/** The bytes of the picture; `no_glyphs`: a text of the map that a picture without fonts cannot show. */
export type DrawMapResult =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'no_glyphs'; readonly text: string };

/** The level at which the extent of the map is found: 1 km, or 32 m for what is small. */
const ROUGH = { large: 10, small: 5 };
/** A border is drawn to half a pixel. */
const PIXELS = 0.5;

/**
 * A choropleth map of boundaries, all at one level, which follows from the scale of the map: neighbors share every
 * vertex of their border.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: DrawMapTask, { common, isCanceled }: TaskContext): Promise<DrawMapResult> {
  // Loaded with the first map: fonts and what draws pictures are large.
  const { drawMap, metersPerPixel } = await import('../maps/choropleth.ts');
  const { canDraw } = await import('../maps/font.ts');
  const { writePdf, writePng, writeSvg } = await import('../maps/writers.ts');
  const { spec, format, areas } = task;
  const outlined = format !== 'svg';
  if (outlined) {
    const text = [spec.title, spec.unit, spec.source, spec.attribution].find((one) => !canDraw(one));
    if (text !== undefined) return { kind: 'no_glyphs', text };
  }
  const table = tableOf(task.heap, common);
  const rings = unpackRings(task.boundaries);
  const at = (level: number) => rings.map((one) => materialize(table, one, level, END_CLASSES - 1, isCanceled));
  const height = rings.reduce((most, one) => {
    const box = ringsBox(table, one);
    return box === null ? most : Math.max(most, box[3] - box[1]);
  }, 0);
  const rough = at(height > 1e7 ? ROUGH.large : ROUGH.small);
  const check = () => throwIfCanceled(isCanceled);
  const tolerance = PIXELS * metersPerPixel(rough, spec);
  const level = tolerance < 1 ? FULL : Math.min(LEVELS - 1, Math.floor(Math.log2(tolerance)));
  const picture = drawMap(areas, at(level), { ...spec, outlined }, check);
  check();
  const bytes =
    format === 'svg'
      ? new TextEncoder().encode(writeSvg(picture))
      : await (format === 'png' ? writePng(picture) : writePdf(picture));
  return bytes.length > task.maxBytes ? { kind: 'too_large', bytes: bytes.length } : { kind: 'bytes', bytes };
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
