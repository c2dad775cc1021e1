/** Many unions at once: each group of boundaries becomes one area, and neighboring areas share their borders. */
import { createHash } from 'node:crypto';
import { polygonsArea, ringsArea } from '../arcs/area.ts';
import { polygonsBox, ringsBox } from '../arcs/box.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { mergeGroups } from '../arcs/groups.ts';
import { materialize } from '../arcs/layout.ts';
import { levelFor, toleranceMeters } from '../arcs/levels.ts';
import { isValid, overlay } from '../arcs/overlay.ts';
import { simplifyPolygons } from '../arcs/simplify_polygons.ts';
import { type IsCanceled, TooLarge, throwIfCanceled } from '../cancel.ts';
import type { Detail } from '../contract.ts';
import {
  type ArcTable,
  type Box,
  END_CLASSES,
  FULL,
  type GeometryFault,
  type Polygons,
  type Rings,
} from '../contract.ts';
import { writeGeojson } from '../formats/geojson/write.ts';
import { arraysOf, bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import type { WriteResult } from './written.ts';

/** Merges each of many groups of boundaries, into one collection. */
export interface DissolveTask {
  readonly heap: TaskHeap;
  /** The signed slots of all boundaries. Those of boundary i end before `refEnd[i]`. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Pairs of slots whose arcs are recorded as crossing. */
  readonly conflicts: Int32Array;
  /** Per boundary, a number of its arrangement: arcs of two arrangements may meet anywhere. */
  readonly arrangements: Uint32Array;
  /** The name of each group. */
  readonly names: readonly string[];
  /** Indexes of boundaries. Those of group g end before `groupEnd[g]`. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
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

/** The union of a group: as rings of arcs, or as polygons where arcs of its members cross. */
export interface Area {
  readonly shape: { readonly rings: Rings } | { readonly polygons: Polygons };
  readonly areaKm2: number;
  /** West > east across the antimeridian; null when empty. */
  readonly box: Box | null;
}

/**
 * Yields the union of each group of a task, in order. Groups are merged on arcs; a group whose members' arcs cross or
 * do not fit together is overlaid on the integer grid.
 * @throws GroupTrouble when neither strategy gives a valid area
 * @throws DOMException named AbortError when canceled
 */
export async function* areasOf(task: DissolveTask, table: ArcTable, isCanceled: IsCanceled): AsyncGenerator<Area> {
  const partners = partnersOf(task.conflicts);
  let g = 0;
  for (const quick of mergeGroups(table, task, isCanceled)) {
    throwIfCanceled(isCanceled);
    const crossing = isMixed(task, g) || (partners.size > 0 && crosses(arcsOfGroup(task, g), partners));
    const rings = crossing ? null : (quick ?? merge(table, arcsOfGroup(task, g), isCanceled));
    if (rings) {
      yield { shape: { rings }, areaKm2: ringsArea(table, rings) / 1e6, box: ringsBox(table, rings) };
    } else {
      const polygons = await overlaid(table, arcsOfGroup(task, g), task.names[g], isCanceled);
      yield { shape: { polygons }, areaKm2: polygonsArea(polygons, isCanceled) / 1e6, box: polygonsBox(polygons) };
    }
    g++;
  }
}

/** Neither strategy gives a valid union of a group. */
class GroupTrouble extends Error {
  readonly group: string;
  readonly trouble: GeometryFault;

  constructor(group: string, trouble: GeometryFault) {
    super(trouble.reason);
    this.group = group;
    this.trouble = trouble;
  }
}

/**
 * Writes the unions of groups as a GeoJSON FeatureCollection with one feature per group: bbox, and the properties
 * group, members (their number), area_km2 and exact (false: overlaid). Returns areas when `members` is null. All areas
 * use one level, the task's or that of its detail for the largest area, so areas on arcs share every vertex of their
 * common borders.
 */
export async function run(task: DissolveTask, { common, isCanceled }: TaskContext): Promise<DissolveResult> {
  const table = tableOf(task.heap, common);
  try {
    const areas: Area[] = [];
    for await (const area of areasOf(task, table, isCanceled)) areas.push(area);
    const level = task.level ?? Math.max(FULL, ...levelsOf(task, areas));
    if (task.members === null) return await layOutAreas(task, table, areas, level, isCanceled);
    return await write(task, table, areas, level, isCanceled);
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    if (error instanceof GroupTrouble) return { kind: 'trouble', group: error.group, ...error.trouble };
    throw error;
  }
}

function levelsOf({ detail }: DissolveTask, areas: readonly Area[]): number[] {
  let most = FULL;
  for (const { box } of areas) most = Math.max(most, levelFor(detail ?? 'medium', box));
  return [most];
}

function materializeArea(
  table: ArcTable,
  { shape }: Area,
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
  areas: readonly Area[],
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
  areas: readonly Area[],
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

/** Whether members of a group are of two arrangements. */
function isMixed({ arrangements, groupMembers, groupEnd }: DissolveTask, g: number): boolean {
  const from = groupEnd[g - 1] ?? 0;
  for (let i = from; i < groupEnd[g]; i++) {
    if (arrangements[groupMembers[i]] !== arrangements[groupMembers[from]]) return true;
  }
  return false;
}

/** The arcs of each member of a group. */
function arcsOfGroup({ refs, refEnd, groupMembers, groupEnd }: DissolveTask, g: number): Int32Array[] {
  const members = groupMembers.subarray(groupEnd[g - 1] ?? 0, groupEnd[g]);
  return Array.from(members, (i) => refs.subarray(refEnd[i - 1] ?? 0, refEnd[i]));
}

/** The union of members, even when one contains another; null when their arcs do not fit together. */
function merge(table: ArcTable, members: readonly Int32Array[], isCanceled: IsCanceled): Rings | null {
  const merged = mergeBoundaries(table, members, [...members.keys()], [], isCanceled);
  return 'rings' in merged ? merged.rings : null;
}

function partnersOf(conflicts: Int32Array): ReadonlyMap<number, readonly number[]> {
  const partners = new Map<number, number[]>();
  for (let i = 0; i < conflicts.length; i += 2) {
    const [a, b] = [conflicts[i], conflicts[i + 1]];
    partners.set(a, [...(partners.get(a) ?? []), b]);
  }
  return partners;
}

/** Whether any two arcs of the members are recorded as crossing. */
function crosses(members: readonly Int32Array[], partners: ReadonlyMap<number, readonly number[]>): boolean {
  const wanted = new Set<number>();
  const own = new Set<number>();
  for (const refs of members) {
    for (const ref of refs) {
      const arc = ref < 0 ? ~ref : ref;
      own.add(arc);
      for (const other of partners.get(arc) ?? []) wanted.add(other);
    }
  }
  for (const arc of wanted) if (own.has(arc)) return true;
  return false;
}

/**
 * The union of members as an overlay on the integer grid.
 * @throws GroupTrouble when a member or the result is not valid
 */
async function overlaid(
  table: ArcTable,
  members: readonly Int32Array[],
  group: string,
  isCanceled: IsCanceled,
): Promise<Polygons> {
  const whole = members.map((refs) => {
    const rings = mergeBoundaries(table, [refs], [0], [], isCanceled);
    if ('trouble' in rings) throw new GroupTrouble(group, rings.trouble);
    return materialize(table, rings.rings, FULL, 0, isCanceled);
  });
  throwIfCanceled(isCanceled);
  const place = { x: whole[0]?.coords[0] ?? 0, y: whole[0]?.coords[1] ?? 0 };
  let result: Polygons;
  try {
    result = await overlay(whole, []);
  } catch (error) {
    throw new GroupTrouble(group, { reason: error instanceof Error ? error.message : String(error), ...place });
  }
  const trouble = await isValid(result);
  if (trouble) throw new GroupTrouble(group, trouble);
  return result;
}

/** The memory of the result, which is moved to the main thread. */
export function moved(result: DissolveResult): ArrayBufferView[] {
  return result.kind === 'areas' ? arraysOf(result.areas.map(({ polygons }) => polygons)) : bytesOf(result);
}
