import type { NamedShape, ResolvedBoundary } from '../../domain/boundaries.ts';
import type { Asker } from '../../domain/upstream.ts';
import type { ProblemCode } from '../../errors.ts';
import type { Context } from '../../op.ts';

/** What an operation that needs polygons may answer where an upstream source is configured. */
export const UPSTREAM_ERRORS = [
  'geometry_pending',
  'upstream_busy',
  'upstream_unavailable',
] as const satisfies readonly ProblemCode[];

/** Who asks, as the budget of the upstream counts them. */
export function askerOf({ caller, signal }: Context): Asker {
  return { who: caller.account === null && !caller.operator ? 'anonymous' : 'known', signal };
}

/**
 * The boundaries that ids name, with their polygons: fetched first where they are not stored and an upstream source is
 * configured. Throws what Boundaries.resolve() throws, and UPSTREAM_ERRORS.
 */
export async function boundariesFor(ctx: Context, ids: readonly string[]): Promise<ResolvedBoundary[]> {
  const { boundaries, upstream } = ctx.services;
  return upstream ? upstream.resolve(ids, askerOf(ctx)) : boundaries.resolve(ids);
}

/** boundariesFor() where only their shapes are needed. */
export async function shapesFor(ctx: Context, ids: readonly string[]): Promise<NamedShape[]> {
  const { boundaries, upstream } = ctx.services;
  return upstream ? upstream.shapes(ids, askerOf(ctx)) : boundaries.shapes(ids);
}

/** boundariesFor() of one. */
export async function boundaryFor(ctx: Context, id: string): Promise<ResolvedBoundary> {
  return (await boundariesFor(ctx, [id]))[0];
}

/** The subdivisions of a boundary, as Boundaries.children(). Throws UPSTREAM_ERRORS when they have to be asked for. */
export function childrenFor(ctx: Context, id: string, adminLevel?: number) {
  const { boundaries, upstream } = ctx.services;
  return upstream ? upstream.children(id, adminLevel, askerOf(ctx)) : boundaries.children(id, adminLevel);
}
