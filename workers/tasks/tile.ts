/** The tile task: from arcs in shared memory to the bytes of a Mapbox Vector Tile. */

import { columnOf, rowOf } from '../arcs/mercator.ts';
import type { Lines } from '../arcs/tagged_lines.ts';
import { drawTile, type TileFrame } from '../arcs/tile.ts';
import { AreaLayers, featureNumber } from '../formats/tile/layers.ts';
import { EXTENT } from '../formats/tile/mvt.ts';
import {
  type PackedFeatures,
  type PackedRings,
  type TileFeature,
  unpackFeatures,
  unpackRings,
} from '../packed_tile.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Draws boundaries into a tile, the highest in the hierarchy first. */
export interface TileTask {
  readonly heap: TaskHeap;
  readonly frame: TileFrame;
  /** `boundaries` and `features` are parallel. */
  readonly boundaries: PackedRings;
  readonly features: PackedFeatures;
  /** The water parts of the boundaries of which that is a part, in their order. */
  readonly waters: PackedRings;
  /** Borders that the map marks as ones at sea, around the tile. */
  readonly maritime: Lines;
}

/** The bytes of a tile, zero bytes when nothing is in it, and its number of areas. */
export interface TileResult {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
  readonly areas: number;
}

/**
 * A tile with the layers `areas`, `lines` (each border once, with the lowest level that it bounds) and `labels`.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: TileTask, { common, isCanceled }: TaskContext): TileResult {
  const table = tableOf(task.heap, common);
  const { frame } = task;
  const features = unpackFeatures(task.features);
  const waters = unpackRings(task.waters);
  let water = 0;
  const borders = features.map(({ disputed, water: of }) => ({
    marked: disputed,
    water: of === 'part' ? waters[water++] : of,
  }));
  const layers = new AreaLayers((b) => [featureNumber(features[b].id), attributesOf(features[b])]);
  drawTile(
    table,
    unpackRings(task.boundaries),
    borders,
    frame,
    {
      ring: (b, points, count) => layers.ring(b, points, count),
      line: (b, disputed, points, count, maritime) =>
        layers.line({ level: features[b].level, disputed, maritime }, points, count),
    },
    isCanceled,
    task.maritime,
  );
  addLabels(layers, features, frame);
  return { kind: 'bytes', bytes: layers.finish(), areas: layers.count };
}

function addLabels(layers: AreaLayers, features: readonly TileFeature[], { z, x, y }: TileFrame): void {
  const world = EXTENT * 2 ** z;
  for (const feature of features) {
    if (feature.label === null) continue;
    const column = columnOf(feature.label[0], world) - EXTENT * x;
    const row = rowOf(feature.label[1], world) - EXTENT * y;
    if (column < 0 || row < 0 || column >= EXTENT || row >= EXTENT) continue;
    const attributes = { ...attributesOf(feature), rank: feature.rank };
    layers.label(featureNumber(feature.id), attributes, column, row);
  }
}

const attributesOf = ({ id, name, level, kind, country }: TileFeature) => ({ id, name, level, kind, country });

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
