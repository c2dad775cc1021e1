import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf, unitOf } from '../../workers/arcs/levels.ts';
import { FULL, type Polygons, type Rings } from '../../workers/contract.ts';
import { leading } from '../setup/elements.ts';
import { deviation, outline } from './deviation.ts';
import { dataDir } from './environment.ts';
import { generator } from './made.ts';
import { integerWkb, Oracle, oracleUrl } from './oracle.ts';
import { drawn, rounds } from './rounds.ts';
import { Chooser, realWorlds, type World, type WorldBoundary } from './worlds.ts';

/** WORLDS=all is the proof in full: the 35,357 communes of France and everything else (about half an hour). */
const WORLDS =
  process.env.WORLDS === 'all'
    ? ['europe', 'more of OpenStreetMap', 'usa', 'italy', 'spain', 'countries of the world', 'france']
    : (process.env.WORLDS ?? 'europe,some of France').split(',');
/** 2 m to 1 km. */
const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1);
const SEED = Number(process.env.SEED ?? 20261121);
/** Unions of neighbors compared per level and group, and boundaries whose distance PostGIS measures too. */
const UNIONS = rounds(4);
const MEASURED = rounds(20);

const OVERLAPS = `
select a.id as a, b.id as b from proof_shape a join proof_shape b on a.id < b.id and a.geom && b.geom
where st_area(st_intersection(a.geom, b.geom)) > 0`;

/** The Hausdorff distance of each pair of polygons, in meters: longitudes times the cosine given. */
const DISTANCE = `
select i, st_hausdorffdistance(st_scale(f, cosine * $4, $4), st_scale(s, cosine * $4, $4)) as meters
from unnest($1::float8[], $2::bytea[], $3::bytea[]) with ordinality as t(cosine, fb, sb, i),
     st_geomfromwkb(fb) as f, st_geomfromwkb(sb) as s`;

describe.skipIf(!dataDir || !oracleUrl)('detail tiers of real boundaries, from 2 m to 1 km', () => {
  describe.each(drawn(WORLDS))('%s', { timeout: 3_600_000 }, (name) => {
    let world: World;
    const oracle = new Oracle();

    beforeAll(async () => {
      await oracle.open();
      await oracle.client.query('create index on proof_shape using gist (geom)');
      world = await defined(realWorlds(dataDir as string)[name])();
    }, 600_000);
    afterAll(() => oracle.close());

    it('are valid, not empty, within T, and neighbors share their border without overlap or gap', async () => {
      const groups = new Map<number, WorldBoundary[]>();
      for (const one of world.boundaries) {
        const group = groups.get(one.adminLevel);
        if (group) group.push(one);
        else groups.set(one.adminLevel, [one]);
      }
      for (const [adminLevel, boundaries] of groups) await expectTiers(world, adminLevel, boundaries, oracle);
    });
  });
});

/** Proves the tiers of the boundaries of one admin level, and prints what was seen. */
async function expectTiers(world: World, adminLevel: number, boundaries: readonly WorldBoundary[], oracle: Oracle) {
  const { arcs } = world;
  const endClass = endClassOf([adminLevel > 12 ? null : adminLevel]);
  const lay = (rings: Rings, level: number) => materialize(arcs, rings, level, endClass);
  const full = boundaries.map(({ rings }) => lay(rings, FULL));
  expect(await oracle.load(full.map((one) => [one]))).toEqual([]);
  // Levels of OpenStreetMap hold areas that overlap: what is disjoint in full must stay so.
  const overlapping = new Set<number>();
  const allowed = new Set<string>();
  for (const { a, b } of (await oracle.client.query<{ a: number; b: number }>(OVERLAPS)).rows) {
    overlapping.add(a).add(b);
    allowed.add(`${a} ${b}`);
  }
  const apart = boundaries.flatMap((_, i) => (overlapping.has(i) ? [] : [i]));
  const merged = mergeBoundaries(
    arcs,
    boundaries.map(({ rings }) => rings.refs),
    apart,
    [],
  );
  if ('trouble' in merged) throw new Error(merged.trouble.reason);
  const single = boundaries.map(({ rings }) => singleRings(rings));
  const random = generator(SEED);
  const chooser = new Chooser({ ...world, boundaries: apart.map((i) => defined(boundaries[i])) }, random);
  const seen = { boundaries: boundaries.length, overlapping: allowed.size, rings: 0, vertices: 0, worst: 0, pairs: 0 };

  for (const level of LEVELS) {
    const where = `${world.name}, admin level ${adminLevel}, T = ${2 ** level} m`;
    const laid = boundaries.map(({ rings }) => lay(rings, level));
    const empty = laid.flatMap(({ polygonEnd }, i) => (polygonEnd.length === 0 ? [defined(boundaries[i]).id] : []));
    expect(empty, `empty: ${where}`).toEqual([]);
    const invalid = await oracle.load(laid.map((one) => [one]));
    expect(
      invalid.map((i) => defined(boundaries[i]).id),
      `invalid: ${where}`,
    ).toEqual([]);

    for (const [i, rings] of single.entries()) {
      for (const ring of rings) {
        const simple = lay(ring, level).coords;
        if (simple.length === 0) continue;
        const far = deviation(lay(ring, FULL).coords, simple, unitOf(level));
        if (far > 2 ** level * (1 + 1e-9)) throw new Error(`${defined(boundaries[i]).id} is ${far} m away: ${where}`);
        seen.rings++;
        seen.worst = Math.max(seen.worst, far / 2 ** level);
      }
      seen.vertices += defined(laid[i]).coords.length / 2;
    }
    await expectDistances(oracle, full, laid, level, random, where);

    const overlaps = (await oracle.client.query<{ a: number; b: number }>(OVERLAPS)).rows
      .map(({ a, b }) => `${a} ${b}`)
      .filter((pair) => !allowed.has(pair));
    expect(overlaps, `overlaps: ${where}`).toEqual([]);

    // The union of all that do not overlap in full: edges cancel in pairs, and what is left is the union's own tier.
    const edges = outline(apart.map((i) => defined(laid[i])));
    expect(edges, `gaps: ${where}`).toEqual(outline([lay(merged.rings, level)]));
    if (apart.length < 2) continue;
    const cases = Array.from({ length: UNIONS }, () => {
      const choice = chooser.choose(100_000, 120);
      const [include, exclude] = leading(
        [choice.include, choice.exclude].map((list) => list.map((i) => defined(apart[i]))),
        2,
      );
      const rings = mergeBoundaries(
        arcs,
        boundaries.map((one) => one.rings.refs),
        include,
        exclude,
      );
      if ('trouble' in rings) throw new Error(rings.trouble.reason);
      return { include, exclude, ours: lay(rings.rings, level) };
    });
    for (const { valid, difference, sameRings } of await oracle.compare(cases)) {
      expect({ valid, difference, sameRings }, `unions: ${where}`).toEqual({
        valid: true,
        difference: 0,
        sameRings: true,
      });
      seen.pairs++;
    }
  }
  console.log(`tiers of ${world.name}, admin level ${adminLevel}: ${JSON.stringify(seen)}`);
}

/** Each ring as rings of its own. */
function singleRings({ refs, ringEnd }: Rings): Rings[] {
  return Array.from(ringEnd, (end, r) => {
    const own = refs.slice(r === 0 ? 0 : ringEnd[r - 1], end);
    return { refs: own, ringEnd: Uint32Array.of(own.length), polygonEnd: Uint32Array.of(1) };
  });
}

/** Some of the boundaries measured by PostGIS as well: those that lost no ring (no island has anything near it then). */
async function expectDistances(
  oracle: Oracle,
  full: readonly Polygons[],
  laid: readonly Polygons[],
  level: number,
  random: () => number,
  where: string,
): Promise<void> {
  const whole = full.flatMap(({ ringEnd }, i) => (defined(laid[i]).ringEnd.length === ringEnd.length ? [i] : []));
  const some = Array.from({ length: Math.min(MEASURED, whole.length) }, () =>
    defined(whole[Math.floor(random() * whole.length)]),
  );
  const meters = (6_399_593.626 * Math.PI) / 180 / 1e7;
  const cosines = some.map((i) => {
    // The largest absolute latitude: nothing is taken for nearer than it is by the metric of any part.
    let most = 0;
    const { coords } = defined(full[i]);
    for (let v = 1; v < coords.length; v += 2) most = Math.max(most, Math.abs(defined(coords[v])));
    return Math.cos((most / 1e7) * (Math.PI / 180));
  });
  const { rows } = await oracle.client.query<{ meters: number }>(DISTANCE, [
    cosines,
    some.map((i) => integerWkb(defined(full[i]))),
    some.map((i) => integerWkb(defined(laid[i]))),
    meters,
  ]);
  const allowed = 2 ** level + unitOf(level) * meters;
  for (const row of rows) expect(row.meters, where).toBeLessThanOrEqual(allowed);
}
