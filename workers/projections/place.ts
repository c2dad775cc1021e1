/** Rings of a reference system as rings in degrees of WGS 84. */
import type { System } from './systems.ts';
import { transformer } from './transform.ts';

type Position = readonly [x: number, y: number];

/** Moves rings into degrees of WGS 84. */
export interface Placer {
  /**
   * The ring in degrees, with further vertices where a straight edge would leave its place by more than 1 cm. They depend on
   * the two ends of the edge only, not on its direction, so neighbors keep sharing all vertices.
   * @throws RangeError for a position at which the system has no place
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

/** Meters in a degree of latitude, roughly. */
const METERS = 111_320;

/**
 * Edges up to this length (meters) below this latitude (degrees) are not examined: even where a projection bends straight
 * lines ten times as much as the Earth's own curvature, they leave their place by 2 mm.
 */
const SHORT = 100;
const STEEP = 85;

/** The most halvings of an edge: at a break between two transformations of a datum it would not end otherwise. */
const DEEPEST = 16;

/** Parts of an edge at which its course is compared. */
const PARTS = [0.25, 0.5, 0.75] as const;

/** @param order see transformer() */
export function placer(system: System, order: 'xy' | 'authority' = 'xy'): Placer {
  const { apply, accuracy, isIdentity } = transformer(system, order);
  if (isIdentity) return { system, isIdentity, accuracy: () => system.accuracy, ring: (ring) => ring as Position[] };
  const one = new Float64Array(2);

  const placeOf = (x: number, y: number): Position => {
    one[0] = x;
    one[1] = y;
    apply(one);
    return [one[0], one[1]];
  };

  /** Adds the vertices between two ends, of which `a` is the smaller. */
  const divide = (p: Position, q: Position, a: Position, b: Position, out: Position[], depth: number): void => {
    if (depth === DEEPEST || isShort(a, b)) return;
    const middle: Position = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    const first: Position = [(p[0] + middle[0]) / 2, (p[1] + middle[1]) / 2];
    const last: Position = [(middle[0] + q[0]) / 2, (middle[1] + q[1]) / 2];
    const places = [first, middle, last].map(([x, y]) => placeOf(x, y));
    if (places.every((place, i) => distance(place, between(a, b, PARTS[i])) <= TOLERANCE)) return;
    const [, at] = places;
    divide(p, middle, a, at, out, depth + 1);
    out.push(at);
    divide(middle, q, at, b, out, depth + 1);
  };

  return {
    system,
    isIdentity,
    accuracy,
    ring: (ring) => {
      const flat = new Float64Array(2 * ring.length);
      for (let i = 0; i < ring.length; i++) {
        flat[2 * i] = ring[i][0];
        flat[2 * i + 1] = ring[i][1];
      }
      apply(flat);
      const out: Position[] = [];
      for (let i = 0; i < ring.length; i++) {
        const place: Position = [flat[2 * i], flat[2 * i + 1]];
        if (!Number.isFinite(place[0]) || !Number.isFinite(place[1])) {
          throw new RangeError(`${system.name} has no place at ${ring[i][0]},${ring[i][1]}`);
        }
        const previous = out.at(-1);
        if (previous !== undefined) {
          const [p, q] = [ring[i - 1], ring[i]];
          const inner: Position[] = [];
          if (p[0] < q[0] || (p[0] === q[0] && p[1] < q[1])) divide(p, q, previous, place, inner, 0);
          else {
            divide(q, p, place, previous, inner, 0);
            inner.reverse();
          }
          for (const vertex of inner) out.push(vertex);
        }
        out.push(place);
      }
      return out;
    },
  };
}

/** The difference of two longitudes, the short way. */
const turn = (degrees: number): number => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

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
