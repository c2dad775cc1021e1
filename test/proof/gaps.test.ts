/** Gaps and overlaps of random worlds, islands in lakes on islands among them, are what PostGIS finds. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanCoverage } from '../../workers/arcs/clean.ts';
import { apart, fillGaps, gapsOf, giveOverlaps, overlapsOf, type Seam, shareGaps } from '../../workers/arcs/tiling.ts';
import { defined } from '../../workers/defined.ts';
import { generator, type Point } from './made.ts';
import { oracleUrl } from './oracle.ts';
import { seeds } from './rounds.ts';

const SIDE = 11;
/** The seed of a world with an island in a gap. */
const WITH_ISLAND = 6;
const STEP = 300_000;

/** Areas of the cells of a grid whose corners are off by chance: in rings around the middle, or anywhere; -1 is none. */
function worldOf(seed: number) {
  const random = generator(seed);
  const count = 2 + Math.floor(5 * random());
  const corners = Array.from({ length: (SIDE + 1) ** 2 }, (_, i): Point => {
    const off = () => Math.round((random() - 0.5) * STEP * 0.6);
    return [30_000_000 + STEP * (i % (SIDE + 1)) + off(), 400_000_000 + STEP * Math.floor(i / (SIDE + 1)) + off()];
  });
  const isNested = random() < 0.5;
  const disorder = isNested ? 0.15 * random() : 1;
  const rings: Int32Array[][] = Array.from({ length: count }, () => []);
  const any = () => Math.floor((count + 1 + count * 0.4) * random()) - 1;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const depth = Math.min(x, y, SIDE - 1 - x, SIDE - 1 - y);
      const planned = depth % 2 === 1 ? -1 : (depth / 2 + (x > SIDE / 2 ? 1 : 0)) % count;
      const owners = random() < disorder ? [any()] : [planned];
      // What two of them have, or several.
      if (random() < 0.1) owners.push(any());
      if (random() < 0.05) owners.push(any(), any());
      const [a, b] = [y * (SIDE + 1) + x, (y + 1) * (SIDE + 1) + x];
      const ring = [a, a + 1, b + 1, b, a].flatMap((i) => corners[i] as Point);
      for (const owner of new Set(owners)) rings[owner]?.push(Int32Array.from(ring));
    }
  }
  return rings.map((all) => ({ rings: all, polygonEnd: all.map((_, r) => r + 1) }));
}

const ringText = (ring: ArrayLike<number>): string =>
  `(${Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]} ${ring[2 * i + 1]}`).join(',')})`;
const polygonText = (rings: readonly Int32Array[]) => `POLYGON(${rings.map(ringText).join(',')})`;

const byPair = (p: { a: number; b: number }, q: { a: number; b: number }) => p.a - q.a || p.b - q.b;

/** The regions of both that the other has, too, each in one form; and their km2. */
const SAME = `
with ours as (select st_geomfromtext(t) as geom from unnest($1::text[]) t),
theirs as (select (st_dump(st_collectionextract($2::geometry, 3))).geom)
select (select bool_and(st_isvalid(geom)) from ours) as valid,
  (select coalesce(array_agg(t order by t), '{}') from (select st_astext(st_normalize(geom)) as t from ours) o) as ours,
  (select coalesce(array_agg(t order by t), '{}') from (select st_astext(st_normalize(geom)) as t from theirs) o) as theirs,
  (select sum(st_area(st_setsrid(st_scale(geom, 1e-7, 1e-7), 4326)::geography)) / 1e6 from theirs) as km2`;

describe.skipIf(oracleUrl === undefined)('gaps and overlaps', () => {
  const oracle = new pg.Client({ connectionString: oracleUrl });
  beforeAll(() => oracle.connect());
  afterAll(() => oracle.end());
  const counts = { gaps: 0, islands: 0, overlaps: 0, points: 0 };

  async function compare(seams: readonly Seam[], theirs: string): Promise<void> {
    const texts = seams.flatMap(({ polygons }) => polygons.map(polygonText));
    const [row] = (await oracle.query(SAME, [texts, theirs])).rows;
    expect(row.ours).toEqual(row.theirs);
    expect(row.valid).not.toBe(false);
    const km2 = seams.reduce((sum, one) => sum + one.km2, 0);
    expect(Math.abs(km2 - Number(row.km2))).toBeLessThan(1e-6 * (1 + km2));
  }

  // Few worlds have an island in a gap: this one does.
  it.each([...new Set([WITH_ISLAND, ...seeds(1, 150)])])('are those of PostGIS in world %i', async (seed) => {
    const { features, overlaps } = await cleanCoverage(worldOf(seed));
    // An even-odd area of PostGIS, of the rings of each of ours.
    const made = `array(select st_buildarea(st_collect(array(select st_geomfromtext(t)
      from jsonb_array_elements_text(e) t))) from jsonb_array_elements($1::jsonb) with ordinality x(e, i) order by i)`;
    const lines = JSON.stringify(features.map(({ rings }) => rings.map((ring) => `LINESTRING${ringText(ring)}`)));
    const [world] = (
      await oracle.query(
        `with a as materialized (select ${made} as g),
        u as materialized (select st_union(x) as geom from a, unnest(g) x),
        faces as (select (st_dump(st_polygonize(st_unaryunion(st_boundary(u.geom))))).geom from u)
        select st_collect(array(select f.geom from faces f, u where not st_intersects(st_pointonsurface(f.geom), u.geom)))::text
          as gaps, a.g::text[] as areas from a`,
        [lines],
      )
    ).rows;
    const gaps = gapsOf(features);
    await compare(gaps, world.gaps);
    counts.gaps += gaps.length;
    for (const { polygons } of gaps) counts.islands += (polygons[0]?.length ?? 1) - 1;
    const both = overlapsOf(features, overlaps);
    counts.overlaps += both.length;
    for (const [i, { a, b }] of overlaps.entries()) {
      const [{ common }] = (
        await oracle.query('select st_intersection($1::geometry, $2::geometry)::text as common', [
          world.areas[a],
          world.areas[b],
        ])
      ).rows;
      await compare(both.slice(i, i + 1), common);
    }
    const filled = await fillGaps(features, gaps);
    expect(gapsOf(filled)).toEqual([]);
    const after = await cleanCoverage(filled);
    expect(after.overlaps).toEqual(overlaps);
    // Shared, none is left, nothing else changed, and each place went to the area that PostGIS finds nearest.
    const shared = await shareGaps(features, gaps);
    expect(gapsOf(shared)).toEqual([]);
    const still = (await cleanCoverage(shared)).overlaps.map(({ a, b, km2 }) => ({
      a,
      b,
      km2: expect.closeTo(km2, 2),
    }));
    expect([...overlaps].sort(byPair)).toEqual(still.sort(byPair));
    const sharedText = JSON.stringify(shared.map(({ rings }) => rings.map((ring) => `LINESTRING${ringText(ring)}`)));
    const nearest = `with t as materialized (select x as g, i from unnest(${made}) with ordinality y (x, i)),
      old as (select st_setsrid(st_scale(x::geometry, 1e-7, 1e-7), 4326)::geography as g, x::geometry as flat, i from unnest($2::text[]) with ordinality y (x, i)),
      gap as (select (st_dump($3::geometry)).geom),
      points as (select (st_dump(st_generatepoints(geom, 40, 7))).geom as p from gap)
      select count(*)::integer as count,
        count(*) filter (where st_area(st_difference(g.whole, u.whole)) > 0)::integer as lost,
        coalesce(max((select min(st_distance(o.g, at.p)) from old o join t on t.i = o.i where st_intersects(t.g, points.p))
          / nullif((select min(st_distance(o.g, at.p)) from old o), 0)), 1)::float8 as ratio,
        count(*) filter (where not exists (select from t where st_intersects(t.g, points.p)))::integer as uncovered
      from points
      cross join lateral (select st_setsrid(st_scale(points.p, 1e-7, 1e-7), 4326)::geography as p) at
      cross join (select st_union($3::geometry) as whole) g
      cross join (select st_buffer(st_union(g), 2) as whole from t) u`;
    const [places] = (await oracle.query(nearest, [sharedText, world.areas, world.gaps])).rows;
    counts.points += places.count;
    expect([places.lost, places.uncovered]).toEqual([0, 0]);
    expect(places.ratio).toBeLessThan(1.03);
    // Given away, all areas together are what they were with the gaps, and no two of them overlap.
    for (const rule of ['first', 'longest_border'] as const) {
      const tiled = await giveOverlaps(filled, rule);
      expect([gapsOf(tiled), (await cleanCoverage(tiled)).overlaps]).toEqual([[], []]);
      const text = JSON.stringify(tiled.map(({ rings }) => rings.map((ring) => `LINESTRING${ringText(ring)}`)));
      const sql = `with t as materialized (select x as g from unnest(${made}) x)
        select st_area(st_symdifference((select st_union(g) from t), st_union(st_union(a), $3::geometry))) as off,
          (select sum(st_area(g)) from t) - st_area(st_union(st_union(a), $3::geometry)) as twice
        from (select x::geometry as a from unnest($2::text[]) x) b`;
      const [row] = (await oracle.query(sql, [text, world.areas, world.gaps])).rows;
      expect([Math.abs(row.off), Math.abs(row.twice) < 1e-3 * STEP]).toEqual([0, true]);
    }
  });

  it('were of all sorts', () => {
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });
});

it('the shapes of overlaps cost one reading of a large area, however many others are in it', async () => {
  const sides = 100_000;
  const large = Array.from({ length: sides + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % sides)) / sides;
    const radius = 50_000_000 * (1 + 0.02 * Math.sin(angle * 5_000));
    return [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))];
  });
  const small = Array.from({ length: 130 }, (_, i) => {
    const [x, y] = [-30_000_000 + (i % 20) * 3_000_000, -30_000_000 + Math.floor(i / 20) * 3_000_000];
    return Int32Array.from([x, y, x + 1e6, y, x + 1e6, y + 1e6, x, y + 1e6, x, y]);
  });
  const rings = [Int32Array.from(large.flat()), ...small];
  const { features, overlaps } = await cleanCoverage(rings.map((ring) => ({ rings: [ring] })));
  const timeOf = (count: number): number => {
    const { user } = process.cpuUsage();
    expect(overlapsOf(features, overlaps.slice(0, count)).every(({ polygons }) => polygons.length === 1)).toBe(true);
    return process.cpuUsage().user - user;
  };
  timeOf(1);
  expect(timeOf(130)).toBeLessThan(20 * timeOf(1));
});

it('a gap that is a thousand times as long as it is wide is divided along its middle', async () => {
  // Two areas, 2 m from each other along a bent border, and one at each end.
  const bent = Array.from({ length: 11 }, (_, i): [number, number] => [30_000_000 + 5_000 * i, 4_000 * (i % 2)]);
  const ringOf = (line: readonly (readonly [number, number])[], to: number) => {
    const all = [...line, [line.at(-1)?.[0] as number, to] as const, [line[0]?.[0] as number, to] as const];
    return Int32Array.from([...all, all[0] as readonly [number, number]].flat());
  };
  const side = (x: number, toX: number) =>
    Int32Array.from([x, -90_000, toX, -90_000, toX, 90_200, x, 90_200, x, -90_000]);
  const above = bent.map(([x, y]) => [x, y + 200] as const);
  const rings = [
    ringOf(bent, -90_000),
    ringOf(above, 90_200),
    side(29_900_000, 30_000_000),
    side(30_050_000, 30_100_000),
  ];
  const { features } = await cleanCoverage(rings.map((ring) => ({ rings: [ring] })));
  const gaps = gapsOf(features);
  expect(gaps.length).toBe(1);
  const shared = await shareGaps(features, gaps);
  expect(gapsOf(shared)).toEqual([]);
  // Neither of the two keeps its border, and what they got is half each.
  const got = shared.map(({ rings: all }, f) => apart(all, defined(features[f]).rings));
  const total = got.reduce((sum, km2) => sum + km2, 0);
  expect(total).toBeCloseTo(defined(gaps[0]).km2, 6);
  for (const km2 of got.slice(0, 2)) expect(km2 / total).toBeCloseTo(0.5, 2);
});
