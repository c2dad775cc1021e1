import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceInfo } from '../../src/sources/store/source_rows.ts';
import type { StoreSummary } from '../../src/sources/store/summary.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { closed } from '../setup/elements.ts';
import type { ProofEnvironment } from './environment.ts';

/** A small seeded generator (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const MADE_SOURCE: SourceInfo = {
  id: 'made',
  name: 'Made boundaries',
  url: null,
  license: 'CC0',
  attribution: 'made by the tests',
  resolution: null,
  seed: false,
};

export type Point = readonly [number, number];

/** A boundary of the fixture source with the given rings (open lists of points in 1e-7 degrees, even-odd rule). */
export function madeBoundary(sourceId: string, rings: readonly (readonly Point[])[], adminLevel = 8): SourceBoundary {
  return {
    id: null,
    sourceId,
    version: '1',
    type: 'administrative',
    name: sourceId,
    names: {},
    otherNames: [],
    codes: [],
    adminLevel,
    kind: null,
    countryCode: null,
    country: 'XX',
    iso: null,
    wikidata: null,
    population: null,
    tags: {},
    place: null,
    subareas: [],
    border: { rings: rings.map((ring) => Int32Array.from(closed(ring).flat())) },
  };
}

/** Stores fixture boundaries; returns the summary, and the ids by name. */
export async function storeMade(
  server: ProofEnvironment,
  boundaries: readonly SourceBoundary[],
): Promise<{ summary: StoreSummary; ids: Map<string, string> }> {
  const deps = { db: server.test.db, engine: server.engine };
  const summary = await storeBoundaries(deps, { source: MADE_SOURCE, file: 'made', boundaries });
  const rows = await server.test.db.query<{ id: string; source_id: string }>(
    'select id, source_id from boundary where source = $1',
    [MADE_SOURCE.id],
  );
  return { summary, ids: new Map(rows.map(({ id, source_id }) => [source_id, id])) };
}

/** The antimeridian in 1e-7 degrees. */
const SEAM = 1_800_000_000;

/** A rectangle, counterclockwise. */
export function rectangle(west: number, south: number, east: number, north: number): Point[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** The size of a generated grid's cells in 1e-7 degrees, and the most vertices inside an edge. */
export interface GridShape {
  readonly cell?: number;
  readonly bends?: number;
}

/**
 * A jittered grid of `size` x `size` cells whose neighbors share their borders vertex by vertex. On the same borders:
 * blocks of cells, nested and overlapping; pairs of cells that touch at a corner; frames with a hole; in some cells an
 * enclave, an enclave within it, and the cell without them. A grid that reaches the antimeridian ends there in a
 * straight line.
 */
export function madeGrid(
  seed: number,
  size: number,
  west: number,
  south: number,
  { cell: unit = 100_000, bends = 4 }: GridShape = {},
): SourceBoundary[] {
  const random = generator(seed);
  const jitter = (reach: number) => (2 * random() - 1) * reach;
  const corners = Array.from({ length: (size + 1) ** 2 }, (_, i): Point => {
    const [column, row] = [i % (size + 1), Math.floor(i / (size + 1))];
    const x = west + column * unit;
    const aside = jitter(0.1) * unit;
    return [Math.round(Math.abs(x) === SEAM ? x : x + aside), Math.round(south + (row + jitter(0.1)) * unit)];
  });
  const corner = (column: number, row: number) => defined(corners[row * (size + 1) + column]);
  // At most 0.1 of an edge off the line, in its middle half: edges from a common corner stay 18 degrees apart.
  const edges = new Map<string, Point[]>();
  const edge = (from: Point, to: Point): Point[] => {
    const key = `${from}|${to}`;
    const known = edges.get(key);
    if (known) return known;
    const backward = edges.get(`${to}|${from}`);
    if (backward) return [from, ...backward.slice(1).reverse()];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const straight = dx === 0 && Math.abs(from[0]) === SEAM;
    const inner = Array.from({ length: Math.floor(random() * (bends + 1)) }, (_, i): Point => {
      const along = 0.25 + (0.5 / (bends + 1)) * (i + random() * 0.8);
      const aside = straight ? 0 : jitter(0.1);
      return [Math.round(from[0] + along * dx - aside * dy), Math.round(from[1] + along * dy + aside * dx)];
    });
    const made = [from, ...inner];
    edges.set(key, made);
    return made;
  };
  /** The outline of a block of cells starting at (column, row), counterclockwise. */
  const block = (column: number, row: number, width: number, height: number): Point[] => {
    const ring: Point[] = [];
    for (let i = 0; i < width; i++) ring.push(...edge(corner(column + i, row), corner(column + i + 1, row)));
    const [right, top] = [column + width, row + height];
    for (let j = 0; j < height; j++) ring.push(...edge(corner(right, row + j), corner(right, row + j + 1)));
    for (let i = 0; i < width; i++) ring.push(...edge(corner(right - i, top), corner(right - i - 1, top)));
    for (let j = 0; j < height; j++) ring.push(...edge(corner(column, top - j), corner(column, top - j - 1)));
    return ring;
  };
  const made: SourceBoundary[] = [madeBoundary('all', [block(0, 0, size, size)], 2)];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const name = `${column}-${row}`;
      const cell = block(column, row, 1, 1);
      made.push(madeBoundary(`cell ${name}`, [cell]));
      if ((row + column) % 3 > 0) continue;
      const [x, y] = [Math.round(west + (column + 0.5) * unit), Math.round(south + (row + 0.5) * unit)];
      const around = (reach: number) => rectangle(x - reach, y - reach, x + reach, y + reach);
      const [outer, inner] = [around(Math.round(0.2 * unit)), around(Math.round(0.09 * unit))];
      made.push(madeBoundary(`cell without enclave ${name}`, [cell, outer, inner], 9));
      made.push(madeBoundary(`enclave ${name}`, [outer, inner], 9));
      made.push(madeBoundary(`enclave within ${name}`, [inner], 10));
    }
  }
  const within = (extent: number) => Math.floor(random() * extent);
  for (let i = 0; i < size * 3; i++) {
    const [width, height] = [1 + within(size / 2), 1 + within(size / 2)];
    const [column, row] = [within(size - width + 1), within(size - height + 1)];
    made.push(madeBoundary(`block ${i}`, [block(column, row, width, height)], 6));
  }
  for (let i = 0; i < size; i++) {
    const [column, row] = [within(size - 1), within(size - 1)];
    const pair = [block(column, row, 1, 1), block(column + 1, row + 1, 1, 1)];
    made.push(madeBoundary(`corner ${i}`, pair, 7));
    if (size < 3) continue;
    const [left, low] = [within(size - 2), within(size - 2)];
    made.push(madeBoundary(`frame ${i}`, [block(left, low, 3, 3), block(left + 1, low + 1, 1, 1)], 7));
  }
  return made;
}
