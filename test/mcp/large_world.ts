import { defined } from '../../src/common/elements.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

/** Number of parts of Largeland. */
export const MANY = 100;
const VERTICES = 2_000;
const PIECES = 3;
const three = (n: number): string => String(n).padStart(3, '0');

/** Largeland (r90000): a border of 2,000 vertices and 100 parts (r90001 …), each with three pieces (r91000 …). */
export function largeWorld(): StoreInput {
  const coast: [number, number][] = [];
  for (let i = 0; i < VERTICES; i++) {
    const angle = (2 * Math.PI * i) / VERTICES;
    const radius = 4 + 0.05 * Math.sin(i * 1.7);
    coast.push([60 + radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  coast.push(defined(coast[0]));
  const boundaries = [fixtureBoundary('r90000', 'Largeland', ringsOf(coast), { adminLevel: 2, countryCode: 'XL' })];
  for (let i = 0; i < MANY; i++) {
    const west = 58 + (i % 10) * 0.4;
    const south = -2 + Math.floor(i / 10) * 0.4;
    const part = ringsOf(rectangle(west, south, west + 0.3, south + 0.3));
    boundaries.push(fixtureBoundary(`r${90_001 + i}`, `Part ${three(i + 1)}`, part));
    for (let j = 0; j < PIECES; j++) {
      const at = west + 0.05 + j * 0.08;
      const piece = ringsOf(rectangle(at, south + 0.05, at + 0.05, south + 0.25));
      boundaries.push(fixtureBoundary(`r${91_000 + i * PIECES + j}`, `Piece ${i}-${j}`, piece, { adminLevel: 10 }));
    }
  }
  return { source: { ...FIXTURE_SOURCE, id: 'large' }, file: 'large', boundaries, ways: new Map() };
}
