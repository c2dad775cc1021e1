import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlanet, type Planet } from '../../benchmarks/import/planet.ts';
import { defined } from '../../src/common/elements.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';

const data = process.env.REAL_DATA_DIR;

describe.skipIf(!data)('a made planet (needs REAL_DATA_DIR)', () => {
  let folder: string;
  let planet: Planet;
  const file = () => join(folder, 'planet.osm.pbf');
  const make = (path: string, seed: number) => makePlanet(path, data as string, 1_000_000, seed);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boundary-planet-'));
    planet = await make(file(), 1);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is as large as asked and counts what it holds', async () => {
    expect((await readFile(file())).length).toBe(planet.bytes);
    expect(planet.bytes).toBeGreaterThanOrEqual(1_000_000);
    const { read } = await readOsmFile(file());
    expect(read).toEqual({
      nodes: planet.nodes,
      ways: planet.ways,
      relations: planet.relations,
      bytes: planet.bytes,
    });
  });

  it('holds the boundaries of each source with their shapes', async () => {
    const made = await readOsmFile(file());
    const source = await readOsmFile(join(data as string, 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf'));
    const named = (extract: typeof made) =>
      toSourceBoundaries(extract).boundaries.find(({ name }) => name === 'Esch-sur-Alzette');
    const [ours, theirs] = [named(made), named(source)];
    if (!ours || !theirs || !('ways' in ours.border) || !('ways' in theirs.border)) throw new Error('no such boundary');
    expect(ours.border.ways).toHaveLength(theirs.border.ways.length);
    const shift = new Set<string>();
    ours.border.ways.forEach((way, k) => {
      const here = made.ways.get(way)?.coords as Int32Array;
      const there = source.ways.get(defined((theirs.border as { ways: number[] }).ways[k]))?.coords as Int32Array;
      expect(here).toHaveLength(there.length);
      for (let v = 0; v < here.length; v += 2)
        shift.add(`${defined(here[v]) - defined(there[v])} ${defined(here[v + 1]) - defined(there[v + 1])}`);
    });
    // One and the same for every vertex.
    expect(shift.size).toBe(1);
  });

  it('is decided by its seed', async () => {
    const sha256 = async (path: string) =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    const [again, other] = [join(folder, 'again.osm.pbf'), join(folder, 'other.osm.pbf')];
    await make(again, 1);
    await make(other, 2);
    expect(await sha256(again)).toBe(await sha256(file()));
    expect(await sha256(other)).not.toBe(await sha256(file()));
  });
});
