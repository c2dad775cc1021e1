/** The task that makes a tile: from arcs in shared memory to the bytes of a Mapbox Vector Tile. */
import type { Rings } from './contract.ts';
import { tableOf, type Workplace } from './exact.ts';
import { AreaLayers, featureNumber } from './formats/tile/layers.ts';
import { EXTENT } from './formats/tile/mvt.ts';
import { columnOf, rowOf } from './kernels/mercator.ts';
import { drawTile, type TileFrame } from './kernels/tile.ts';
import type { TaskBase, TaskHeap } from './tasks.ts';

/** What a tile tells of a boundary. */
export interface TileFeature {
  readonly id: string;
  readonly name: string;
  /** Its admin_level; null: it has none. */
  readonly level: number | null;
  readonly kind: string;
  readonly country: string | null;
  readonly disputed: boolean;
  /** Longitude and latitude of its label in 1e-7 degrees; null: it has none. */
  readonly label: readonly [number, number] | null;
  /** Smaller is more important. */
  readonly rank: number;
}

/** Draw boundaries into a tile, the highest in the hierarchy first. */
export interface TileTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly frame: TileFrame;
  /** Parallel. */
  readonly boundaries: readonly Rings[];
  readonly features: readonly TileFeature[];
}

/** The bytes of a tile, none when nothing lies in it, and how many areas it has. */
export interface TileResult {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
  readonly areas: number;
}

/** Layers `areas`, `lines` (each border once, with the lowest level that it bounds) and `labels`. */
export function tile(task: TileTask, { common, isCancelled }: Workplace): TileResult {
  const table = tableOf(task.heap, common);
  const { features, frame } = task;
  const layers = new AreaLayers();
  let current = -1;
  const end = (): void => {
    if (current >= 0) layers.end(featureNumber(features[current].id), attributesOf(features[current]));
  };
  drawTile(
    table,
    task.boundaries,
    features.map(({ disputed }) => disputed),
    frame,
    {
      ring(b, points, count) {
        if (b !== current) {
          end();
          current = b;
        }
        layers.ring(points, count);
      },
      line: (b, disputed, points, count) => layers.line(features[b].level, disputed, points, count),
    },
    isCancelled,
  );
  end();
  addLabels(layers, task);
  return { kind: 'bytes', bytes: layers.finish(), areas: layers.count };
}

function addLabels(layers: AreaLayers, { features, frame: { z, x, y } }: TileTask): void {
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
