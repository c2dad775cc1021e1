/** How the areas of a table are split among others: by area, or by the weights of finer boundaries. */
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { NamedShape } from '../../domain/boundaries/boundary.ts';
import type { Piece, Pieces } from '../../domain/tables/conversion.ts';
import { geometryOf } from '../boundaries/document.ts';

/** Limits of the pairs of areas, and of the triples where a finer boundary is cut by both sides. */
const MOST_PAIRS = 200_000;
const MOST_TRIPLES = 50_000;
/** Within this of 1, a sum of shares is whole: what rounding to the grid leaves (crosswalk). */
const WHOLE = 1e-5;
/** Shares that add up to more say that areas of the result overlap, and counts would be there twice. */
const MOST_SHARES = 1.01;

/** The areas of a table (a), those of the result (b) and finer ones with their weights, each list by its places. */
export interface Given {
  readonly boundaries: readonly NamedShape[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly fine: readonly number[];
  readonly weights: readonly number[];
}

/** How each area of a table is split. */
export interface SplitAreas extends Pieces {
  /** By position in a, the sum of its shares; by position in b, the share of its area that areas of the table have. */
  readonly sums: Float64Array;
  readonly covered: Float64Array;
}

type Pairs = Awaited<ReturnType<Context['services']['engine']['relations']['crosswalk']>>;

/**
 * Splits areas.
 * @throws invalid_input when areas of the result overlap; too_large for too many pairs; ArcsMoved
 */
export async function splitAreas(ctx: Context, given: Given): Promise<SplitAreas> {
  const { boundaries, a, b, fine } = given;
  const { relations } = ctx.services.engine;
  const refs = boundaries.map(geometryOf);
  const pairs = await relations.crosswalk(refs, { a, b, maxPairs: MOST_PAIRS }, ctx.signal);
  const weighed = fine.length === 0 ? null : await weigh(ctx, given, pairs);
  const sums = new Float64Array(a.length);
  const covered = new Float64Array(b.length);
  const turns = new Turns(ctx.signal);
  const pieces: Piece[] = [];
  for (const [p, i] of pairs.a.entries()) {
    if (turns.spend()) await turns.next();
    const [j, areaKm2] = [defined(pairs.b[p]), defined(pairs.areaKm2[p])];
    const whole = weighed === null ? 0 : defined(weighed.whole[i]);
    const weight = weighed === null ? 0 : defined(weighed.weight[p]);
    const share = whole > 0 ? weight / whole : areaKm2 / defined(pairs.wholeA[i]);
    const byArea = whole > 0 && weight > 0 ? Math.min(1, defined(weighed?.cut[p]) / weight) : 1;
    sums[i] = defined(sums[i]) + share;
    covered[j] = defined(covered[j]) + areaKm2 / defined(pairs.wholeB[j]);
    pieces.push({ a: i, b: j, share, byArea, weight, areaKm2 });
  }
  const double = sums.findIndex((sum) => sum > MOST_SHARES);
  if (double >= 0) {
    const { id, name } = defined(boundaries[defined(a[double])]);
    const message = `areas overlap within ${id} (${name}): its counts would be there twice. Take boundaries of one level`;
    throw invalidInput([{ path: 'b', code: 'conflict', message }]);
  }
  const isWhole = (i: number) => defined(sums[i]) > 1 - WHOLE;
  const scaled: Piece[] = [];
  for (const one of pieces) {
    if (turns.spend()) await turns.next();
    scaled.push(isWhole(one.a) ? { ...one, share: one.share / defined(sums[one.a]) } : one);
  }
  const rest = Array.from(sums, (sum, i) => {
    const share = isWhole(i) ? 0 : 1 - sum;
    const whole = weighed === null ? 0 : defined(weighed.whole[i]);
    return { share, weight: whole * share, areaKm2: defined(pairs.wholeA[i]) * share };
  });
  return { pieces: scaled, rest, targets: b.length, sums, covered };
}

/** The weight of each pair, how much of it is of finer boundaries that are cut, and of each area of a in all. */
interface Weighed {
  readonly weight: Float64Array;
  readonly cut: Float64Array;
  readonly whole: Float64Array;
}

/**
 * Gives each pair its share of the weights of finer boundaries: of one that a pair does not contain, the share of its
 * area (areal interpolation with ancillary data: Goodchild, Anselin, Deichmann 1993).
 */
async function weigh(ctx: Context, { boundaries, a, b, fine, weights }: Given, pairs: Pairs): Promise<Weighed> {
  const { relations } = ctx.services.engine;
  const refs = boundaries.map(geometryOf);
  const turns = new Turns(ctx.signal);
  const inSide = async (side: readonly number[]) => {
    const found = await relations.crosswalk(refs, { a: fine, b: side, maxPairs: MOST_PAIRS }, ctx.signal);
    const shares: (readonly [place: number, share: number])[][] = fine.map(() => []);
    for (const [p, f] of found.a.entries()) {
      if (turns.spend()) await turns.next();
      const share = Math.min(1, defined(found.areaKm2[p]) / defined(found.wholeA[f]));
      defined(shares[f]).push([defined(found.b[p]), share]);
    }
    return { shares, areaKm2: found.wholeA };
  };
  const [inA, inB] = [await inSide(a), await inSide(b)];
  const places = new Map<number, number>();
  for (const [p, i] of pairs.a.entries()) {
    if (turns.spend()) await turns.next();
    places.set(i * b.length + defined(pairs.b[p]), p);
  }
  const made = {
    ...{ weight: new Float64Array(places.size), cut: new Float64Array(places.size) },
    whole: new Float64Array(a.length),
  };
  const add = (p: number, weight: number, share: number) => {
    made.weight[p] = defined(made.weight[p]) + weight * share;
    if (share < 1 - WHOLE) made.cut[p] = defined(made.cut[p]) + weight * share;
  };
  const open: { readonly triple: readonly [number, number, number]; readonly f: number; readonly p: number }[] = [];
  for (const [f, weight] of weights.entries()) {
    for (const [i, shareOfA] of defined(inA.shares[f])) {
      made.whole[i] = defined(made.whole[i]) + weight * shareOfA;
      for (const [j, shareOfB] of defined(inB.shares[f])) {
        if (turns.spend()) await turns.next();
        const p = places.get(i * b.length + j);
        if (p === undefined) continue;
        if (shareOfA > 1 - WHOLE) add(p, weight, shareOfB);
        else if (shareOfB > 1 - WHOLE) add(p, weight, shareOfA);
        else open.push({ triple: [defined(fine[f]), defined(a[i]), defined(b[j])], f, p });
        if (open.length > MOST_TRIPLES) {
          throw problem(
            'too_large',
            `More than ${MOST_TRIPLES} parts of the boundaries of weights are cut by both sides.`,
          );
        }
      }
    }
  }
  const triples = open.map(({ triple }) => triple);
  const areas = await relations.tripleAreas(refs, triples, ctx.signal);
  for (const [t, { f, p }] of open.entries()) {
    add(p, defined(weights[f]), Math.min(1, defined(areas[t]) / defined(inB.areaKm2[f])));
  }
  return made;
}
