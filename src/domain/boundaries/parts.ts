import { ProblemError } from '../../core/errors.ts';
import type { NamedShape } from './boundary.ts';
import { type LandReader, type Part, type PartShape, partIn, partsOf } from './land.ts';
import { type Member, omitted, type ResolvedSelection } from './selection.ts';
import type { TileBoundary } from './tile_model.ts';

/** A selection of parts in place of whole boundaries; those without a known part are left out. */
export async function selectionOfParts(
  reading: LandReader,
  selected: ResolvedSelection,
  part: Part,
): Promise<ResolvedSelection> {
  if (part === 'all') return selected;
  const land = await reading.landOf(selected.members.map(({ id }) => id));
  const members: Member[] = [];
  const leftOut = [...selected.leftOut];
  for (const member of selected.members) {
    const own = partOrReason(land, member, part);
    if (own instanceof ProblemError) {
      const { id, name } = member;
      leftOut.push(omitted({ id, name, broken: { reason: own.message, lat: null, lon: null } }));
    } else if (own === null) members.push(member);
    else {
      const { ringHash, arrangement, areaKm2, box, center } = own;
      members.push({ ...member, ringHash, arrangement, areaKm2, box, center });
    }
  }
  return { ...selected, members, leftOut };
}

/**
 * Boundaries of a tile with their part in place of the whole; those without a known part are not drawn. Whole ones have
 * what is known of their water, by which their lines at sea are marked.
 */
export async function tileOfParts<T extends TileBoundary>(
  reading: LandReader,
  found: readonly T[],
  part: Part,
): Promise<readonly T[]> {
  if (found.length === 0) return found;
  const land = await reading.landOf(found.map(({ id }) => id));
  if (part === 'all') {
    return found.map((boundary) => {
      const water = land.get(boundary.id)?.water ?? null;
      return water === null ? boundary : { ...boundary, water };
    });
  }
  return found.flatMap((boundary) => {
    const own = partOrReason(land, boundary, part);
    if (own instanceof ProblemError) return [];
    if (own === null) return [boundary];
    const { ringHash, arrangement, center } = own;
    return [{ ...boundary, ringHash, arrangement, label: boundary.label && center }];
  });
}

/** The part of each boundary in its place; those of which it is not known stay, with the reason by id. */
export async function knownParts<T extends NamedShape>(reading: LandReader, whole: readonly T[], part: Part) {
  const reasons = new Map<string, string>();
  const found: T[] = [];
  // Read at once; then one by one, from memory.
  if (part !== 'all') await reading.landOf(whole.map(({ id }) => id));
  for (const one of whole) {
    try {
      found.push(...(await partsOf(reading, [one], part)));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      reasons.set(one.id, error.message);
      found.push(one);
    }
  }
  return { found, reasons };
}

/** As partIn(), with the error as a value. */
function partOrReason(...given: Parameters<typeof partIn>): PartShape | null | ProblemError {
  try {
    return partIn(...given);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}
