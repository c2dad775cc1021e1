/** The areas of a set that is made from groups of boundaries: those of dissolve, in full detail. */
import type { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { codeOf } from '../../common/set_ids.ts';
import { parseLargeInput } from '../../core/large_input.ts';
import { type Context, isBytes } from '../../core/op.ts';
import { withSets } from '../../core/with_sets.ts';
import { dissolve } from '../boundaries/dissolve.ts';

/** Groups of boundaries by the names of their areas, as an input has them. */
export const groupsField = dissolve.input.shape.groups;
type Groups = NonNullable<z.output<typeof groupsField>>;

/** Checks the number of groups and members. @throws too_many_boundaries */
export const countGroups = (groups: unknown): void => dissolve.count?.({ groups });

/** Groups whose members were found. */
export interface PlannedGroups {
  /** The number of distinct members. */
  readonly units: number;
  /** The ids of the members by the code of their area. */
  readonly members: Readonly<Record<string, readonly string[]>>;
  /** The areas as GeoJSON, with the property `group`. */
  merge(): Promise<Uint8Array>;
}

/** Finds the members of groups, which may be areas of sets as well. @throws as dissolve before it merges */
export async function planGroups(ctx: Context, groups: Groups): Promise<PlannedGroups> {
  const own = await withSets(ctx, { groups });
  const input = (await parseLargeInput(dissolve.input, { groups, detail: 'full' })) as z.output<typeof dissolve.input>;
  const prepared = await defined(dissolve.prepare)(own, input);
  const { boundaries, groups: resolved } = prepared.division;
  const idsOf = (places: readonly number[]) => places.map((place) => defined(boundaries[place]).id);
  return {
    units: defined(dissolve.price)(own, input, prepared),
    members: Object.fromEntries(resolved.map(({ name, members }) => [codeOf(name), idsOf(members)])),
    async merge() {
      const made = await dissolve.run(own, input, prepared, async () => undefined);
      if (!isBytes(made)) throw new Error('a dissolve as GeoJSON is bytes');
      return made.bytes;
    },
  };
}
