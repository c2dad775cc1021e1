import { ProblemError } from '../../core/errors.ts';
import { type LandReader, type Part, partIn } from './land.ts';
import { type Member, omitted, type ResolvedSelection } from './selection.ts';

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
    try {
      const own = partIn(land, member, part);
      if (own === null) members.push(member);
      else {
        const { ringHash, arrangement, areaKm2, box, center } = own;
        members.push({ ...member, ringHash, arrangement, areaKm2, box, center });
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { id, name } = member;
      leftOut.push(omitted({ id, name, broken: { reason: error.message, lat: null, lon: null } }));
    }
  }
  return { ...selected, members, leftOut };
}
