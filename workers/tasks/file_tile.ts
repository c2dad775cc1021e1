/** One tile of a file that read_source.ts has read. */

import type { MarkedPolygons } from '../arcs/sea_outlines.ts';
import { PolygonTile } from '../arcs/tile_polygons.ts';
import type { TilePlace } from '../arcs/tile_ring.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type Area, aboutOf, cellOf, drawAreas } from '../formats/tile/area_tiles.ts';
import { bytesOf, type TaskContext } from './task.ts';
import type { TileResult } from './tile.ts';

/** The areas of a file in shared memory, ordered by admin_level, then by decreasing size. */
export interface TileSource {
  /** x, y per vertex in 1e-7 degrees. */
  readonly coords: Int32Array;
  /** Per vertex, the flags of the border that leaves it (arcs/sea_borders.ts); absent: nothing is known of any. */
  readonly flags?: Uint8Array;
  /** Ends of rings and polygons, counted from the first vertex and the first ring of their feature. */
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /** Four numbers per feature: total vertices, rings, polygons and attribute bytes up to its end. */
  readonly featureEnd: Uint32Array;
  /** West, south, east, north of each feature in 1e-7 degrees. */
  readonly boxes: Int32Array;
  /** The properties of each feature as JSON. */
  readonly attributes: Uint8Array;
}

/** Draws one tile of a file. */
export interface FileTileTask {
  readonly source: TileSource;
  readonly place: TilePlace;
  /** The last zoom. */
  readonly maxZoom: number;
}

/** Numbers per feature in `featureEnd`. */
export const PARTS = 4;

/**
 * The bytes of a tile of a file, zero bytes when nothing is in it.
 * @throws DOMException named AbortError when canceled
 */
export function run({ source, place, maxZoom }: FileTileTask, { isCanceled }: TaskContext): TileResult {
  const tile = new PolygonTile(place, cellOf(place, maxZoom));
  const areas: Area[] = [];
  const { boxes } = source;
  for (let f = 0; 4 * f < boxes.length; f++) {
    if (tile.isBeside(boxes[4 * f], boxes[4 * f + 1], boxes[4 * f + 2], boxes[4 * f + 3])) continue;
    throwIfCanceled(isCanceled);
    areas.push(areaOf(source, f));
  }
  const bytes = drawAreas(tile, place, areas);
  return { kind: 'bytes', bytes, areas: areas.length };
}

/** The polygons of a feature of a source. */
export function polygonsIn({ coords, flags, ringEnd, polygonEnd, featureEnd }: TileSource, f: number): MarkedPolygons {
  const [from, ring, polygon] = f === 0 ? [0, 0, 0] : featureEnd.subarray(PARTS * (f - 1), PARTS * f);
  const [to, lastRing, lastPolygon] = featureEnd.subarray(PARTS * f, PARTS * (f + 1));
  return {
    coords: coords.subarray(2 * from, 2 * to),
    ringEnd: ringEnd.subarray(ring, lastRing),
    polygonEnd: polygonEnd.subarray(polygon, lastPolygon),
    ...(flags && { flags: flags.subarray(from, to) }),
  };
}

function areaOf(source: TileSource, f: number): Area {
  const polygons = polygonsIn(source, f);
  const { featureEnd, attributes } = source;
  // TextDecoder cannot read shared memory, so the bytes are copied first.
  const text = Buffer.from(
    attributes.subarray(f === 0 ? 0 : featureEnd[PARTS * f - 1], featureEnd[PARTS * f + PARTS - 1]),
  ).toString();
  return { polygons: polygons.polygonEnd.length > 0 ? polygons : null, about: aboutOf(JSON.parse(text)) };
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
