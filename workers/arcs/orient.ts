/**
 * Relative error of `a * b - c * d` in doubles when the four factors are exact. Each product is off by at most 2^-53 of
 * itself, and so is the difference: 4 x 2^-53 of |a * b| + |c * d| is a safe bound (Shewchuk, "Adaptive Precision
 * Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, section 4.1).
 */
const ERROR_BOUND = 4 * 2 ** -53;

/**
 * The side of the directed line a -> b that c is on: 1 left (a, b, c turn counterclockwise), -1 right, 0 on the line.
 *
 * Exact for all multiples of 1/2 below 2^50 in magnitude, so for 1e-7-degree integers and for midpoints between them.
 * The differences are exact doubles. Beyond the error bound the sign of the determinant is certain; BigInt decides the
 * rest.
 */
export function orient(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): -1 | 0 | 1 {
  const ux = bx - ax;
  const uy = by - ay;
  const vx = cx - ax;
  const vy = cy - ay;
  return crossSign(ux, uy, vx, vy);
}

/** The sign of the cross product u x v (1: v is counterclockwise of u). Exact under the same conditions as `orient`. */
export function crossSign(ux: number, uy: number, vx: number, vy: number): -1 | 0 | 1 {
  const left = ux * vy;
  const right = uy * vx;
  const determinant = left - right;
  const bound = (Math.abs(left) + Math.abs(right)) * ERROR_BOUND;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  // Both products are multiples of 1/4 below 2^50: nothing was rounded.
  if (Math.abs(left) < 2 ** 50 && Math.abs(right) < 2 ** 50) return 0 < determinant ? 1 : determinant < 0 ? -1 : 0;
  const exact = BigInt(2 * ux) * BigInt(2 * vy) - BigInt(2 * uy) * BigInt(2 * vx);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/**
 * Compares two rays from one origin by angle, counterclockwise from the positive x axis: negative when u comes first, 0
 * when they have the same direction. Exact under the same conditions as `orient`.
 */
export function compareRays(ux: number, uy: number, vx: number, vy: number): number {
  const upper = uy > 0 || (uy === 0 && ux > 0) ? 0 : 1;
  const other = vy > 0 || (vy === 0 && vx > 0) ? 0 : 1;
  if (upper !== other) return upper - other;
  return crossSign(vx, vy, ux, uy);
}
