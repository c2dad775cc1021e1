/** Many unions at once: each group of boundaries becomes one area, and neighboring areas share their borders. */
import { createHash } from 'node:crypto';
import { GroupTrouble, type GroupUnion, type MixedGroups, unionsOfGroups } from '../arcs/group_unions.ts';
import { materialize } from '../arcs/layout.ts';
import { levelFor, toleranceMeters } from '../arcs/levels.ts';
import { simplifyPolygons } from '../arcs/simplify_polygons.ts';
import { type IsCanceled, TooLarge, throwIfCanceled } from '../cancel.ts';
import { type ArcTable, type Box, type Detail, END_CLASSES, FULL, type Polygons } from '../contract.ts';
import { writeGeojson } from '../formats/geojson/write.ts';
import { arraysOf, bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import type { WriteResult } from './written.ts';

/** Merges each of many groups of boundaries, into one collection. */
export interface DissolveTask extends MixedGroups {
  readonly heap: TaskHeap;
  /** Per group, the area with inland water, in km2: features say how much of it was cut out. */
  readonly landKm2?: readonly number[];
  /** Applies to the largest group, and only when `level` is null. */
  readonly detail: Detail | null;
  readonly level: number | null;
  /**
   * Members of the GeoJSON collection besides `features`; detail and tolerance_m precede them. Null: return areas
   * instead of a document.
   */
  readonly members: Readonly<Record<string, unknown>> | null;
  /** Limits the document, or the coordinates of all areas together. */
  readonly maxBytes: number;
}

/** The merged area of one group. */
export interface DissolvedArea {
  readonly polygons: Polygons;
  /** West > east across the antimeridian; null when empty. */
  readonly box: Box | null;
  readonly areaKm2: number;
  /** False: computed by an overlay. */
  readonly exact: boolean;
}

/** The area of each group, in order. */
export interface DissolvedAreas {
  readonly kind: 'areas';
  readonly level: number;
  readonly areas: readonly DissolvedArea[];
}

/** A written collection, or areas, or why there is neither: `trouble` names the group that failed. */
export type DissolveResult =
  | DissolvedAreas
  | Exclude<WriteResult, { kind: 'trouble' }>
  | (Extract<WriteResult, { kind: 'trouble' }> & { readonly group: string });

/** The end class of every boundary: keeps arc ends at all junctions, so that areas made from any admin_level fit. */
const ALL_ENDS = END_CLASSES - 1;

/**
 * Writes the unions of groups as a GeoJSON FeatureCollection with one feature per group: bbox, and the properties
 * group, members (their number), area_km2 and exact (false: overlaid). Returns areas when `members` is null. All areas
 * use one level, the task's or that of its detail for the largest area, so areas on arcs share every vertex of their
 * common borders.
 */
export async function run(task: DissolveTask, { common, isCanceled }: TaskContext): Promise<DissolveResult> {
  const table = tableOf(task.heap, common);
  try {
    const areas: GroupUnion[] = [];
    for await (const area of unionsOfGroups(table, task, isCanceled)) areas.push(area);
    const level = task.level ?? levelOfLargest(task, areas);
    if (task.members === null) return await layOutAreas(task, table, areas, level, isCanceled);
    return await write(task, table, areas, level, isCanceled);
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    if (error instanceof GroupTrouble) return { kind: 'trouble', group: error.group, ...error.trouble };
    throw error;
  }
}

/** The level of a task's detail for its largest area; FULL without areas. */
function levelOfLargest({ detail }: DissolveTask, areas: readonly GroupUnion[]): number {
  let level = FULL;
  for (const { box } of areas) level = Math.max(level, levelFor(detail ?? 'medium', box));
  return level;
}

function materializeArea(
  table: ArcTable,
  { shape }: GroupUnion,
  level: number,
  isCanceled: IsCanceled,
): Polygons | Promise<Polygons> {
  return 'rings' in shape
    ? materialize(table, shape.rings, level, ALL_ENDS, isCanceled)
    : simplifyPolygons(shape.polygons, level, isCanceled);
}

async function layOutAreas(
  task: DissolveTask,
  table: ArcTable,
  areas: readonly GroupUnion[],
  level: number,
  isCanceled: IsCanceled,
): Promise<DissolvedAreas> {
  const made: DissolvedArea[] = [];
  let bytes = 0;
  for (const area of areas) {
    throwIfCanceled(isCanceled);
    const polygons = await materializeArea(table, area, level, isCanceled);
    bytes += polygons.coords.byteLength;
    if (bytes > task.maxBytes) throw new TooLarge(bytes);
    made.push({ polygons, box: area.box, areaKm2: area.areaKm2, exact: 'rings' in area.shape });
  }
  return { kind: 'areas', level, areas: made };
}

async function write(
  task: DissolveTask,
  table: ArcTable,
  areas: readonly GroupUnion[],
  level: number,
  isCanceled: IsCanceled,
): Promise<DissolveResult> {
  const head = { detail: task.detail, tolerance_m: toleranceMeters(level), ...task.members };
  const parts: Uint8Array[] = [
    Buffer.from(`{"type":"FeatureCollection",${JSON.stringify(head).slice(1, -1)},"features":[`),
  ];
  let bytes = parts[0].length;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes > task.maxBytes) throw new TooLarge(bytes);
  };
  const comma = Buffer.from(',');
  for (let g = 0; g < areas.length; g++) {
    throwIfCanceled(isCanceled);
    const { shape, areaKm2, box } = areas[g];
    const exact = 'rings' in shape;
    const polygons = await materializeArea(table, areas[g], level, isCanceled);
    const members = task.groupEnd[g] - (task.groupEnd[g - 1] ?? 0);
    const document = {
      id: null,
      name: task.names[g],
      bbox: box && ([box[0] / 1e7, box[1] / 1e7, box[2] / 1e7, box[3] / 1e7] as const),
      digits: 7,
      attribution: '',
      properties: {
        ...{ group: task.names[g], members, area_km2: areaKm2, exact },
        ...(task.landKm2 && { inland_water_km2: Math.max(0, task.landKm2[g] - areaKm2) }),
      },
    };
    if (g > 0) add(comma);
    add(writeGeojson(polygons, document, { maxBytes: task.maxBytes - bytes, isCanceled }));
  }
  add(Buffer.from(']}'));
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  const sha256 = createHash('sha256').update(whole).digest('hex');
  return { kind: 'bytes', bytes: whole, sha256, areaKm2: 0, level };
}

/** The memory of the result, which is moved to the main thread. */
export function moved(result: DissolveResult): ArrayBufferView[] {
  return result.kind === 'areas' ? arraysOf(result.areas.map(({ polygons }) => polygons)) : bytesOf(result);
}
