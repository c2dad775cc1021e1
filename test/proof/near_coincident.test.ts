import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../setup/elements.ts';
import { dataDir, openEnvironments, type ProofEnvironment } from './environment.ts';
import { madeBoundary, type Point, storeMade } from './made.ts';

/** Numbers of outlines that are imported beside the same ones of another source. */
const COUNTS = [8, 16, 32, 64];
/** What moves a vertex at most, in degrees (20 m): by another distance at each place. */
const REACH = 2e-4;

type Ring = readonly (readonly [number, number])[];
const onGrid = ([x, y]: readonly [number, number]): Point => [Math.round(x * 1e7), Math.round(y * 1e7)];
const warped = ([x, y]: readonly [number, number]): Point =>
  onGrid([x + REACH * Math.sin(37 * x + 11 * y), y + REACH * Math.cos(41 * y - 13 * x)]);

/** The rings of countries of middle size away from the antimeridian, by name. */
async function outlines(): Promise<Ring[][]> {
  const path = join(dataDir as string, 'coverage/world-countries-10m.topo.json');
  const topology = JSON.parse(await readFile(path, 'utf8')) as Topology<{ countries: GeometryCollection }>;
  return feature(topology, topology.objects.countries)
    .features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [],
    )
    .map((polygon) => polygon.map((ring) => ring.slice(0, -1) as unknown as Ring))
    .filter(([shell]) => {
      const vertices = defined(shell).length;
      return (
        vertices > 400 && vertices < 3_000 && defined(shell).every(([x, y]) => Math.abs(x) < 179 && Math.abs(y) < 80)
      );
    });
}

const verticesOf = (all: readonly Ring[][]): number => all.flat().reduce((sum, ring) => sum + ring.length, 0);

describe.skipIf(!dataDir)('outlines of a second source', () => {
  let environments: Awaited<ReturnType<typeof openEnvironments>>;
  beforeAll(async () => {
    environments = await openEnvironments();
  }, 300_000);
  afterAll(() => environments?.close());

  it('near those of the first take work in proportion to their vertices', { timeout: 1_800_000 }, async () => {
    const all = await outlines();
    const work: { readonly loaded: number; readonly conflicts: number; readonly retiered: number }[] = [];
    for (const count of COUNTS) {
      const some = all.slice(0, count);
      expect(some).toHaveLength(count);
      const server: ProofEnvironment = await environments.open();
      try {
        const first = some.map((rings, i) =>
          madeBoundary(
            `first ${i}`,
            rings.map((ring) => ring.map(onGrid)),
            2,
          ),
        );
        await storeMade(server, first);
        const second = some.map((rings, i) =>
          madeBoundary(
            `second ${i}`,
            rings.map((ring) => ring.map(warped)),
            3,
          ),
        );
        const before = process.cpuUsage();
        const { summary } = await storeMade(server, second);
        const { user, system } = process.cpuUsage(before);
        const vertices = verticesOf(some);
        work.push({
          loaded: summary.loaded / vertices,
          conflicts: summary.conflicts / vertices,
          retiered: summary.retiered / vertices,
        });
        const perVertex = ((user + system) / vertices).toFixed(0);
        console.log(
          `${count} outlines, ${vertices} vertices: ${JSON.stringify(work.at(-1))}, ${perVertex} us a vertex`,
        );
      } finally {
        await server.close();
      }
    }
    // Twice the outlines have few more neighbors each; work that grows with the square would double here.
    const [half, whole] = leading(work.slice(-2), 2);
    for (const what of ['loaded', 'conflicts', 'retiered'] as const)
      expect(whole[what], what).toBeLessThan(1.5 * half[what]);
    expect(Math.min(...work.map(({ conflicts }) => conflicts))).toBeGreaterThan(0);
  });
});
