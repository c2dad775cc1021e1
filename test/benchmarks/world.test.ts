import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeWorld, writeWorld } from '../../benchmarks/planet/file.ts';
import { planetOf } from '../../benchmarks/planet/planet.ts';
import { BOUNDARIES_OF_COUNTRY } from '../../benchmarks/planet/world.ts';
import { type OsmExtract, readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { buildArrangement } from '../../workers/build.ts';

let folder = '';
let world: MadeWorld;
let extract: OsmExtract;
const file = (name: string) => join(folder, `${name}.osm.pbf`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-world-'));
  world = await writeWorld(file('one'), { countries: 1, segments: 4, seed: 3 });
  extract = await readOsmFile(file('one'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a made world', () => {
  it('is a file that says how much it holds', async () => {
    expect((await readFile(file('one'))).length).toBe(world.bytes);
    const { nodes, ways, relations, bytes } = world;
    expect(extract.read).toEqual({ nodes, ways, relations, bytes });
    expect(relations).toBe(BOUNDARIES_OF_COUNTRY);
  });

  it('has nested levels from 2 to 10 whose borders are ways in common', () => {
    const { boundaries, skipped } = toSourceBoundaries(extract);
    expect(skipped).toEqual([]);
    const levels = new Map<number | null, number>();
    for (const { id, adminLevel } of boundaries) {
      if (id?.startsWith('r')) levels.set(adminLevel, (levels.get(adminLevel) ?? 0) + 1);
    }
    expect(Object.fromEntries(levels)).toEqual({ 2: 1, 4: 9, 6: 81, 8: 1296, 10: 1296 });
    const used = boundaries.flatMap(({ border }) => ('ways' in border ? border.ways : []));
    expect(used.length / new Set(used).size).toBeGreaterThan(2);
  });

  it('assembles: nothing crosses or touches, every boundary has its rings', () => {
    const places = new Map([...extract.ways.values()].map(({ id }, k) => [id, k]));
    const chains = [...extract.ways.values()].map(({ coords }) => coords as Int32Array);
    const { boundaries } = toSourceBoundaries(extract);
    const built = buildArrangement({
      chains,
      storedFrom: chains.length,
      boundaries: boundaries.map(({ border, adminLevel }) => ({
        chains: Uint32Array.from('ways' in border ? border.ways : [], (way) => places.get(way) as number),
        adminLevel: adminLevel ?? 13,
      })),
      stored: { arcClass: new Uint8Array(0), main: new Uint8Array(0), conflicted: new Uint8Array(0) },
      loose: new Int32Array(0),
    });
    expect(built.conflicts).toEqual([]);
    expect(built.boundaries.filter((one) => 'trouble' in one)).toEqual([]);
  }, 60_000);

  it('is decided by its seed', async () => {
    const sha256 = async (name: string, seed: number) => {
      await writeWorld(file(name), { countries: 1, segments: 4, seed });
      return createHash('sha256')
        .update(await readFile(file(name)))
        .digest('hex');
    };
    const first = await sha256('again', 3);
    expect(first).toBe(
      createHash('sha256')
        .update(await readFile(file('one')))
        .digest('hex'),
    );
    expect(await sha256('other', 4)).not.toBe(first);
  });
});

it('what a boundary and a vertex cost follows from two worlds, and so the planet', () => {
  const cost = (one: { boundaries: number; vertices: number }) => 0.002 * one.boundaries + 0.00001 * one.vertices;
  const [many, dense] = [
    { boundaries: 60_000, vertices: 1e6 },
    { boundaries: 5_000, vertices: 5e6 },
  ];
  const { aBoundary, aVertex, planet } = planetOf([dense, many], cost);
  expect(aBoundary).toBeCloseTo(0.002, 9);
  expect(aVertex).toBeCloseTo(0.00001, 12);
  expect(planet).toBeCloseTo(0.002 * 600_000 + 0.00001 * 250e6, 6);
});
