import { isValid } from '../../workers/arcs/overlay.ts';
import { BUFFER, EXTENT } from '../../workers/arcs/tile_ring.ts';
import type { Coords, Polygons } from '../../workers/contract.ts';
import { geosCheck, pairsMeetAtEdges } from '../sources/coverage_support.ts';
import { type Decoded, doubleArea } from './decode.ts';

/** The polygons of an area of a tile, as MVT 2.1 reads its rings: a shell has a positive area, its holes follow it. */
export function polygonsOf({ parts }: Decoded): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const ring of parts) {
    if (doubleArea(ring) > 0) polygonEnd.push(ringEnd.length + 1);
    else polygonEnd[polygonEnd.length - 1]!++;
    for (const { x, y } of ring) coords.push(x, y);
    ringEnd.push(coords.length / 2);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** What is wrong with the areas of a tile, by GEOS and by the specification of vector tiles. */
export async function troublesOf(areas: readonly Decoded[]): Promise<string[]> {
  const found: string[] = [];
  for (const area of areas) {
    const name = `${area.properties.id ?? area.id}`;
    if (area.parts.length === 0 || doubleArea(area.parts[0]!) <= 0) found.push(`${name}: does not begin with a shell`);
    for (const ring of area.parts) {
      if (doubleArea(ring) === 0) found.push(`${name}: a ring without area`);
      if (ring.some(({ x, y }, i) => i > 0 && ring[i - 1]!.x === x && ring[i - 1]!.y === y)) {
        found.push(`${name}: a repeated point`);
      }
    }
    const trouble = await isValid(polygonsOf(area));
    if (trouble) found.push(`${name}: ${trouble.reason} at ${trouble.x} ${trouble.y}`);
  }
  return found;
}

interface Shape {
  readonly rings: readonly Coords[];
  readonly box: readonly [number, number, number, number];
}

function shapeOf({ parts }: Decoded): Shape {
  const all = parts.flat();
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  return {
    rings: parts.map((ring) => Int32Array.from(ring.flatMap(({ x, y }) => [x, y]))),
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
  };
}

type Point = Decoded['parts'][number][number];

/** The coordinates of the edges of what a tile holds: the tile with its buffer. */
const CUTS = [-BUFFER, EXTENT + BUFFER];

/**
 * The areas with a vertex wherever one of them has one on the edge at which the tile is cut off. There each area ends by
 * itself, outside of what is shown: its vertices need not be those of others.
 */
function withVerticesOnCuts(areas: readonly Decoded[]): Decoded[] {
  const all = areas.flatMap(({ parts }) => parts.flat());
  const on = (along: 'x' | 'y', across: 'x' | 'y', cut: number): number[] =>
    [...new Set(all.filter((one) => one[across] === cut).map((one) => one[along]))].sort((a, b) => a - b);
  const known = new Map(
    CUTS.flatMap((cut): [string, number[]][] => [
      [`x ${cut}`, on('x', 'y', cut)],
      [`y ${cut}`, on('y', 'x', cut)],
    ]),
  );
  const between = (a: Point, b: Point): Point[] => {
    for (const [along, across] of [
      ['x', 'y'],
      ['y', 'x'],
    ] as const) {
      if (a[across] !== b[across]) continue;
      const [least, most] = [Math.min(a[along], b[along]), Math.max(a[along], b[along])];
      const found = (known.get(`${along} ${a[across]}`) ?? []).filter((value) => value > least && value < most);
      if (a[along] > b[along]) found.reverse();
      return found.map((value) => ({ ...a, [along]: value }));
    }
    return [];
  };
  return areas.map((area) => ({
    ...area,
    parts: area.parts.map((ring) => ring.flatMap((b, i) => (i === 0 ? [b] : [...between(ring[i - 1]!, b), b]))),
  }));
}

/**
 * Pairs of areas that overlap, or of which one has a vertex inside an edge of the other, by GEOS. Its check of coverages
 * knows no holes that touch their shell: where it refuses, pairs decide.
 */
export async function misfits(areas: readonly Decoded[]): Promise<[Decoded, Decoded][]> {
  const shapes = withVerticesOnCuts(areas).map(shapeOf);
  if (shapes.length < 2 || (await geosCheck(shapes)).matches === true) return [];
  const found: [Decoded, Decoded][] = [];
  for (const [i, one] of shapes.entries()) {
    for (const [j, other] of shapes.slice(0, i).entries()) {
      const [a, b] = [one.box, other.box];
      const isBeside = a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3];
      if (!isBeside && !(await pairsMeetAtEdges([one, other]))) found.push([areas[i]!, areas[j]!]);
    }
  }
  return found;
}

/** The edges of lines that no area has, as text. */
export function looseLines(areas: readonly Decoded[], lines: readonly Decoded[]): string[] {
  const edgesOf = (all: readonly Decoded[]): string[] =>
    all.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.slice(1).map(({ x, y }, i) => [`${x} ${y}`, `${part[i]!.x} ${part[i]!.y}`].sort().join(', ')),
      ),
    );
  const known = new Set(edgesOf(areas));
  return edgesOf(lines).filter((edge) => !known.has(edge));
}
