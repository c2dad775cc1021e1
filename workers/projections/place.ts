/** Rings of a reference system as rings in degrees of WGS 84. */
import { bends, METERS, STEEP, turn } from './bends.ts';
import type { System } from './systems.ts';
import { transformer } from './transform.ts';

type Position = readonly [x: number, y: number];

/** Moves rings into degrees of WGS 84. */
export interface Placer {
  /**
   * The ring in degrees, with further vertices where a straight edge would leave its place by more than 1 cm. They depend on
   * the two ends of the edge only, not on its direction, so neighbors keep sharing all vertices.
   * @throws RangeError for a position at which the system has no place, and when the edges of a file get too many vertices
   */
  readonly ring: (ring: readonly Position[]) => Position[];
  /** The accuracy in meters of what was moved so far; null if a place had no published transformation to WGS 84. */
  readonly accuracy: () => number | null;
  readonly system: System;
  /** Whether it changes nothing. */
  readonly isIdentity: boolean;
}

/** Meters by which an edge may leave its place. */
const TOLERANCE = 0.01;

/** The share of that, by the limits of bends(), within which an edge needs no look at its course. */
const STRAIGHT = 0.75 * TOLERANCE;

/**
 * Edges up to this length (meters) below this latitude (degrees) are not examined: even where a projection bends straight
 * lines ten times as much as the Earth's own curvature, they leave their place by 2 mm.
 */
const SHORT = 100;

/** The most vertices that the edges of a file get: of 20,000 km, an edge gets up to 65,536. */
const MOST_ADDED = 5_000_000;

/** The most halvings of an edge: at a break between two transformations of a datum it would not end otherwise. */
const DEEPEST = 16;

/**
 * @param order see transformer()
 * @param mostAdded the most vertices that the edges of all rings get
 */
export function placer(system: System, order: 'xy' | 'authority' = 'xy', mostAdded = MOST_ADDED): Placer {
  const { apply, probe, isSmooth, accuracy, isIdentity } = transformer(system, order);
  if (isIdentity) return { system, isIdentity, accuracy: () => system.accuracy, ring: (ring) => ring as Position[] };
  const { unit } = system.plane ?? system.base;
  const bend = bends({ apply: probe, isSmooth, unit, isDegrees: system.isDegrees });
  const one = new Float64Array(2);
  let added = 0;

  const placeOf = (x: number, y: number): Position => {
    one[0] = x;
    one[1] = y;
    apply(one);
    if (!Number.isFinite(one[0]) || !Number.isFinite(one[1])) {
      throw new RangeError(`${system.name} has no place at ${x},${y}`);
    }
    return [one[0], one[1]];
  };

  /** Adds the vertices between two ends, of which `a` is the smaller. */
  const divide = (p: Position, q: Position, a: Position, b: Position, out: Position[], depth: number): void => {
    if (depth === DEEPEST || isShort(a, b) || bend(p[0], p[1], q[0], q[1]) <= STRAIGHT) return;
    const middle: Position = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    const at = placeOf(middle[0], middle[1]);
    const isThere = (place: Position, part: number): boolean => distance(place, between(a, b, part)) <= TOLERANCE;
    const isStraight =
      isThere(at, 0.5) &&
      isThere(placeOf((p[0] + middle[0]) / 2, (p[1] + middle[1]) / 2), 0.25) &&
      isThere(placeOf((middle[0] + q[0]) / 2, (middle[1] + q[1]) / 2), 0.75);
    if (isStraight) return;
    if (++added > mostAdded) {
      throw new RangeError(
        `its edges are too long: in degrees, those of the file need more than ${mostAdded} vertices to stay in place within ${100 * TOLERANCE} cm`,
      );
    }
    divide(p, middle, a, at, out, depth + 1);
    out.push(at);
    divide(middle, q, at, b, out, depth + 1);
  };

  return {
    system,
    isIdentity,
    accuracy,
    ring: (ring) => {
      const out: Position[] = [];
      for (let i = 0; i < ring.length; i++) {
        const place = placeOf(ring[i][0], ring[i][1]);
        const previous = out.at(-1);
        if (previous !== undefined) {
          const [p, q] = [ring[i - 1], ring[i]];
          if (p[0] < q[0] || (p[0] === q[0] && p[1] < q[1])) divide(p, q, previous, place, out, 0);
          else {
            const inner: Position[] = [];
            divide(q, p, place, previous, inner, 0);
            for (let k = inner.length; k-- > 0; ) out.push(inner[k]);
          }
        }
        out.push(place);
      }
      return out;
    },
  };
}

/** A part of the way between two places, straight in degrees. */
function between(a: Position, b: Position, part: number): Position {
  return [a[0] + turn(b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
}

/** Meters between two near places. */
function distance(a: Position, b: Position): number {
  const east = turn(a[0] - b[0]) * Math.cos((b[1] * Math.PI) / 180);
  return METERS * Math.hypot(east, a[1] - b[1]);
}

const isShort = (a: Position, b: Position): boolean =>
  Math.abs(a[1]) < STEEP && Math.abs(b[1]) < STEEP && distance(a, b) < SHORT;
