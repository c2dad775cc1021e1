/** The task that makes a tile: from arcs in shared memory to the bytes of a Mapbox Vector Tile. */
import type { Rings } from './contract.ts';
import { tableOf, type Workplace } from './exact.ts';
import { EXTENT, TileLayer, writeTile } from './formats/tile/mvt.ts';
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

/** Lines are written in one feature for each level and mark. */
interface Border {
  readonly level: number | null;
  readonly disputed: boolean;
  readonly lines: Int32Array[];
}

/** Layers `areas`, `lines` (each border once, with the lowest level that it bounds) and `labels`. */
export function tile(task: TileTask, { common, isCancelled }: Workplace): TileResult {
  const table = tableOf(task.heap, common);
  const { features, frame } = task;
  const areas = new TileLayer('areas');
  const borders = new Map<string, Border>();
  let current = -1;
  const end = (): void => {
    if (current >= 0) areas.end('polygon', numberOf(features[current].id), attributesOf(features[current]));
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
        areas.ring(points, 0, count);
      },
      line(b, disputed, points, count) {
        const { level } = features[b];
        const key = `${level} ${disputed}`;
        let border = borders.get(key);
        if (!border) {
          border = { level, disputed, lines: [] };
          borders.set(key, border);
        }
        border.lines.push(points.slice(0, 2 * count));
      },
    },
    isCancelled,
  );
  end();
  const lines = new TileLayer('lines');
  for (const { level, disputed, lines: all } of borders.values()) {
    for (const points of all) lines.line(points, 0, points.length / 2);
    lines.end('line', null, { level, disputed });
  }
  const bytes = writeTile([areas, lines, labelsOf(task)]);
  return { kind: 'bytes', bytes, areas: areas.count };
}

function labelsOf({ features, frame: { z, x, y } }: TileTask): TileLayer {
  const labels = new TileLayer('labels');
  const world = EXTENT * 2 ** z;
  for (const feature of features) {
    if (feature.label === null) continue;
    const column = columnOf(feature.label[0], world) - EXTENT * x;
    const row = rowOf(feature.label[1], world) - EXTENT * y;
    if (column < 0 || row < 0 || column >= EXTENT || row >= EXTENT) continue;
    labels.point(column, row);
    labels.end('point', numberOf(feature.id), { ...attributesOf(feature), rank: feature.rank });
  }
  return labels;
}

const attributesOf = ({ id, name, level, kind, country }: TileFeature) => ({ id, name, level, kind, country });

/** The number of a relation: what a map keeps the state of a feature by. A way may have the same, and gets none. */
function numberOf(id: string): number | null {
  const number = /^r(\d{1,15})$/.exec(id)?.[1];
  return number === undefined ? null : Number(number);
}
