import { defined } from '../../common/elements.ts';
import { type ProblemCode, ProblemError, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { NamedShape, ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { requireSubdivided, type SubdivisionFilter } from '../../domain/boundaries/children.ts';
import { isBoundaryId, looksLikeName } from '../../domain/boundaries/ids.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { isTwin } from '../../domain/search/ranking.ts';
import { searchBoundaries } from '../../domain/search/search.ts';
import { isMarkedSeed, isSeed, markAsSeed } from '../../domain/upstream/questions.ts';
import type { UpstreamCaller } from '../../domain/upstream/upstream.ts';
import { ArcsMoved } from '../../geometry/arc_leases.ts';
import { geometryOf } from './document.ts';

/** Further errors of an operation that needs polygons, when an upstream source is configured. */
export const UPSTREAM_ERRORS = [
  'geometry_pending',
  'upstream_busy',
  'upstream_unavailable',
] as const satisfies readonly ProblemCode[];

/** The kind of caller, as the budget of the upstream counts it. */
export function askerOf({ caller, signal }: Context): UpstreamCaller {
  return { who: caller.account === null && !caller.operator ? 'anonymous' : 'known', signal };
}

/** Limit of the candidates listed for a name that was given as an id. */
const CANDIDATES = 5;

/**
 * Runs work that needs ids. When it fails with invalid_id and the first such id looks like a name, the error lists what
 * the name may mean.
 */
export async function withCandidates<T>(ctx: Context, ids: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = ids.find((id) => !isBoundaryId(id))?.trim();
    const unread = error instanceof ProblemError && error.code === 'invalid_id';
    if (!unread || name === undefined || !looksLikeName(name)) throw error;
    const found = await searchBoundaries(ctx.services, { q: name, limit: CANDIDATES });
    throw problem('invalid_id', error.message, {
      candidates: found.map(({ id, name, parents }) => ({ id, name, parents })),
    });
  }
}

/**
 * The boundaries of ids, with their polygons: fetched first when they are not stored and an upstream source is
 * configured.
 * @throws what Boundaries.resolve() throws, and UPSTREAM_ERRORS
 */
async function boundariesFor(ctx: Context, ids: readonly string[]): Promise<ResolvedBoundary[]> {
  const { boundaries, upstream } = ctx.services;
  return withCandidates(ctx, ids, () => (upstream ? upstream.resolve(ids, askerOf(ctx)) : boundaries.resolve(ids)));
}

/** boundariesFor() when only their shapes are needed. */
export async function shapesFor(ctx: Context, ids: readonly string[]): Promise<NamedShape[]> {
  const { boundaries, upstream } = ctx.services;
  return withCandidates(ctx, ids, () => (upstream ? upstream.shapes(ids, askerOf(ctx)) : boundaries.shapes(ids)));
}

/**
 * Makes an answer from one state of the data: `work` starts over when the data changes before it ends.
 * @throws what `work` throws, and rate_limited
 */
export function onSnapshot<T>({ services }: Context, work: (reading: Snapshot) => Promise<T>): Promise<T> {
  return services.boundaries.withSnapshot(async (reading) => {
    try {
      return await work(reading);
    } catch (error) {
      throw error instanceof ArcsMoved ? new DataMoved() : error;
    }
  });
}

/** The boundary that boundaryFor() found for a text, as it is in a reading. */
export async function asRead(reading: Snapshot, text: string, found: ResolvedBoundary): Promise<ResolvedBoundary> {
  const now = await reading.get(text);
  return isMarkedSeed(found) && isSeed(now) ? markAsSeed(now) : now;
}

/** boundariesFor() of one id. */
export async function boundaryFor(ctx: Context, id: string): Promise<ResolvedBoundary> {
  return defined((await boundariesFor(ctx, [id]))[0]);
}

/**
 * A boundary whose subdivisions are to be listed, once its known subdivisions are stored.
 * @throws what requireSubdivided() throws, and UPSTREAM_ERRORS when they must be fetched
 */
export function parentFor(ctx: Context, id: string, which: SubdivisionFilter): Promise<ResolvedBoundary> {
  const { boundaries, upstream } = ctx.services;
  return withCandidates(ctx, [id], async () => {
    if (upstream) return upstream.subdivided(id, which, askerOf(ctx));
    const parent = await boundaries.get(id);
    requireSubdivided(parent, which);
    return parent;
  });
}

/**
 * Checks that every boundary has a polygon. An id stands only for its own boundary: when another boundary of the same
 * place has a polygon, the error names that one.
 * @throws no_geometry, with the reason and the place
 */
export async function requireGeometry(ctx: Context, wanted: readonly NamedShape[]): Promise<void> {
  for (const boundary of wanted) {
    try {
      geometryOf(boundary);
    } catch (error) {
      const twin = await twinOf(ctx, boundary.id);
      if (!(error instanceof ProblemError) || twin === null) throw error;
      throw problem('no_geometry', `${error.message} ${twin} is the same place and has a polygon.`);
    }
  }
}

/** The id of a boundary of the same place that has a polygon (isTwin), or null. */
async function twinOf({ services: { boundaries } }: Context, id: string): Promise<string | null> {
  const [own] = await boundaries.byIds([id]);
  if (!own) return null;
  const { wikidata, iso } = own.boundary;
  const names = [wikidata && `wikidata:${wikidata}`, iso && `iso:${iso}`].filter((name) => typeof name === 'string');
  const others = await boundaries.lookup(names);
  return others.find((other) => other !== null && isTwin(own.boundary, other.boundary))?.id ?? null;
}
