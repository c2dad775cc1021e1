/** The union of each of many groups of boundaries, by whichever strategy gives a valid area. */
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { type ArcTable, type Box, FULL, type GeometryFault, type Polygons, type Rings } from '../contract.ts';
import { polygonsArea, ringsArea } from './area.ts';
import { polygonsBox, ringsBox } from './box.ts';
import { mergeBoundaries } from './classify.ts';
import { type Groups, mergeGroups } from './groups.ts';
import { materialize } from './layout.ts';
import { isValid, overlay } from './overlay.ts';

/** Groups of boundaries whose arcs may cross. */
export interface MixedGroups extends Groups {
  /** Pairs of slots whose arcs are recorded as crossing. */
  readonly conflicts: Int32Array;
  /** Per boundary, a number of its arrangement: arcs of two arrangements may meet anywhere. */
  readonly arrangements: Uint32Array;
  /** The name of each group. */
  readonly names: readonly string[];
}

/** The union of a group: as rings of arcs, or as polygons where arcs of its members cross. */
export interface GroupUnion {
  readonly shape: { readonly rings: Rings } | { readonly polygons: Polygons };
  readonly areaKm2: number;
  /** West > east across the antimeridian; null when empty. */
  readonly box: Box | null;
}

/** Neither strategy gives a valid union of a group. */
export class GroupTrouble extends Error {
  readonly group: string;
  readonly trouble: GeometryFault;

  constructor(group: string, trouble: GeometryFault) {
    super(trouble.reason);
    this.group = group;
    this.trouble = trouble;
  }
}

/**
 * Yields the union of each group, in order. Groups are merged on arcs; a group whose members' arcs cross or
 * do not fit together is overlaid on the integer grid.
 * @throws GroupTrouble when neither strategy gives a valid area
 * @throws DOMException named AbortError when canceled
 */
export async function* unionsOfGroups(
  table: ArcTable,
  groups: MixedGroups,
  isCanceled: IsCanceled,
): AsyncGenerator<GroupUnion> {
  const partners = partnersOf(groups.conflicts);
  let g = 0;
  for (const quick of mergeGroups(table, groups, isCanceled)) {
    throwIfCanceled(isCanceled);
    const crossing = isMixed(groups, g) || (partners.size > 0 && crosses(arcsOfGroup(groups, g), partners));
    const rings = crossing ? null : (quick ?? merge(table, arcsOfGroup(groups, g), isCanceled));
    if (rings) {
      yield { shape: { rings }, areaKm2: ringsArea(table, rings) / 1e6, box: ringsBox(table, rings) };
    } else {
      const polygons = await overlaid(table, arcsOfGroup(groups, g), groups.names[g], isCanceled);
      yield { shape: { polygons }, areaKm2: polygonsArea(polygons, isCanceled) / 1e6, box: polygonsBox(polygons) };
    }
    g++;
  }
}

/** Whether members of a group are of two arrangements. */
function isMixed({ arrangements, groupMembers, groupEnd }: MixedGroups, g: number): boolean {
  const from = groupEnd[g - 1] ?? 0;
  for (let i = from; i < groupEnd[g]; i++) {
    if (arrangements[groupMembers[i]] !== arrangements[groupMembers[from]]) return true;
  }
  return false;
}

/** The arcs of each member of a group. */
function arcsOfGroup({ refs, refEnd, groupMembers, groupEnd }: MixedGroups, g: number): Int32Array[] {
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
    const known = partners.get(a);
    if (known) known.push(b);
    else partners.set(a, [b]);
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
