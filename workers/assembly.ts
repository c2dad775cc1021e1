/** Takes an assembled arrangement apart into the tasks that complete it, and puts their results together. */
import type {
  AssembleResult,
  BuildResult,
  BuildTask,
  BuiltBoundary,
  DescribeTask,
  TieredArrangement,
  TiersOfArcs,
} from './arrangement.ts';

/** The arrangement with the tiers of its arcs. */
export function withTiers(assembled: AssembleResult, tiers: TiersOfArcs): TieredArrangement {
  return { ...assembled, arcs: { ...assembled.arcs, ...tiers } };
}

/** The task to describe the boundaries that were assembled. `asked` has their places. */
export function describeTask(
  { arcs, boundaries }: Pick<AssembleResult, 'arcs' | 'boundaries'>,
  asked: BuildTask['boundaries'],
): DescribeTask {
  const { coords, first, length, area, turn, box } = arcs;
  return {
    arcs: { coords, first, length, area, turn, box },
    boundaries: boundaries.flatMap((one, i) =>
      'rings' in one ? [{ ...one, ...(asked[i].places && { places: asked[i].places }) }] : [],
    ),
  };
}

/** The boundaries with their descriptions, which are in order but only of those that were assembled. */
export function withDescriptions(
  assembled: AssembleResult['boundaries'],
  described: readonly BuiltBoundary[],
): BuildResult['boundaries'] {
  let next = 0;
  return assembled.map((one) => ('rings' in one ? described[next++] : one));
}
