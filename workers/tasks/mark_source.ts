/** Marks where the lines of a file that read_source.ts has read are at sea. */
import { BORDER } from '../arcs/sea_borders.ts';
import { markPolygons, type Outline } from '../arcs/sea_outlines.ts';
import { throwIfCanceled } from '../cancel.ts';
import type { Polygons } from '../contract.ts';
import { PARTS, polygonsIn, type TileSource } from './file_tile.ts';
import { shared } from './shared.ts';
import type { TaskContext } from './task.ts';

/** Outlines of features, by their place in the source; null where nothing is known. */
export interface MarkSourceTask {
  readonly source: TileSource;
  readonly places: readonly number[];
  readonly outlines: readonly (Outline | null)[];
}

/**
 * The source with the flags of its lines, in shared memory, and its size.
 * @throws DOMException named AbortError when canceled
 */
export function run(
  { source, places, outlines }: MarkSourceTask,
  { isCanceled }: TaskContext,
): { readonly source: TileSource; readonly size: number } {
  const { featureEnd } = source;
  const of = new Map(places.map((place, i) => [place, outlines[i]]));
  const count = featureEnd.length / PARTS;
  const shapes = Array.from({ length: count }, (_, f) => {
    throwIfCanceled(isCanceled);
    const polygons = polygonsIn(source, f);
    const outline = of.get(f);
    return outline ? markPolygons(outline, polygons) : polygons;
  });
  const sum = (of: (polygons: Polygons) => number): number => shapes.reduce((all, one) => all + of(one), 0);
  const vertices = sum(({ coords }) => coords.length / 2);
  const marked = {
    coords: shared(Int32Array, 2 * vertices),
    flags: shared(Uint8Array, vertices),
    ringEnd: shared(Uint32Array, source.ringEnd.length),
    polygonEnd: source.polygonEnd,
    featureEnd: shared(Uint32Array, featureEnd.length),
    boxes: source.boxes,
    attributes: source.attributes,
  };
  marked.featureEnd.set(featureEnd);
  let [vertex, ring] = [0, 0];
  shapes.forEach(({ coords, ringEnd, flags }, f) => {
    marked.coords.set(coords, 2 * vertex);
    if (flags) marked.flags.set(flags, vertex);
    else marked.flags.fill(BORDER, vertex, vertex + coords.length / 2);
    marked.ringEnd.set(ringEnd, ring);
    vertex += coords.length / 2;
    ring += ringEnd.length;
    marked.featureEnd[PARTS * f] = vertex;
  });
  return { source: marked, size: Object.values(marked).reduce((all, { byteLength }) => all + byteLength, 0) };
}
