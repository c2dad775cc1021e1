import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { levelOfTolerance } from '../../workers/arcs/levels.ts';
import { isNative } from '../setup/database.ts';
import { dataDir, openCounties, type ProofEnvironment, refsOf } from './environment.ts';
import { generator } from './made.ts';
import { drawn, rounds } from './rounds.ts';

/** Groupings of each country; CASES=2000 is the proof in full. */
const CASES = Number(process.env.CASES ?? rounds(40));
const SEED = Number(process.env.SEED ?? 20261122);

interface Collection {
  readonly features: readonly {
    readonly properties: { group: string; area_km2: number; exact: boolean };
    readonly geometry: object;
  }[];
}

/** Members of groups by name, as ids. */
type Grouping = ReadonlyMap<string, readonly string[]>;

describe.skipIf(!dataDir || !isNative)(`${CASES} random groupings a country, seed ${SEED}`, () => {
  let server: ProofEnvironment;
  beforeAll(async () => {
    server = await openCounties();
  }, 300_000);
  afterAll(() => server?.close());

  async function idsAt(country: string, level: number): Promise<string[]> {
    const rows = await server.test.db.query<{ id: string }>(
      'select id from boundary where has_geometry and admin_level = $1 and country = $2 order by id',
      [level, country],
    );
    return rows.map(({ id }) => id);
  }

  /** Boundaries that overlap another one of their level as the file has them: an import keeps that. */
  async function overlaps(country: string, level: number): Promise<Set<string>> {
    const rows = await server.test.db.query<{ id: string }>(
      `with one as (select b.id, s.geom from boundary b join boundary_shape s on s.boundary_id = b.id
                    where b.admin_level = $1 and b.country = $2)
       select a.id from one a join one b on a.id <> b.id and a.geom && b.geom
       where st_area(st_intersection(a.geom, b.geom)) > 0`,
      [level, country],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async function dissolve(grouping: Grouping, tolerance: number | null): Promise<Collection> {
    const ids = [...new Set([...grouping.values()].flat())];
    const place = new Map(ids.map((id, i) => [id, i]));
    const groups = [...grouping].map(([name, members]) => ({
      name,
      members: members.map((id) => place.get(id) as number),
    }));
    const level = tolerance === null ? null : levelOfTolerance(tolerance);
    const wanted = { detail: tolerance === null ? ('full' as const) : null, level, members: {} };
    const { bytes } = await server.engine.documents.dissolve(await refsOf(server, ids), groups, wanted);
    return JSON.parse(Buffer.from(bytes).toString());
  }

  /** Some of the boundaries at random in two to six groups, near each other or anywhere. */
  function randomGrouping(ids: readonly string[], random: () => number): Grouping {
    const count = 2 + Math.floor(random() * 5);
    const from = Math.floor(random() * ids.length);
    const near = random() < 0.5;
    const grouping = new Map<string, string[]>();
    for (let i = 0; i < 10 + random() * 50; i++) {
      const id = defined(ids[near ? (from + i) % ids.length : Math.floor(random() * ids.length)]);
      const name = `group ${Math.floor(random() * count)}`;
      const list = grouping.get(name) ?? [];
      if (!list.includes(id)) list.push(id);
      grouping.set(name, list);
    }
    return grouping;
  }

  it.each([
    ['LU', 8],
    ['US', 6],
  ])('%s: equal to ST_Union', { timeout: 60_000 + CASES * 2_000 }, async (country, level) => {
    const ids = await idsAt(country, level);
    const random = generator(SEED + level);
    let overlaid = 0;
    for (let i = 0; i < CASES; i++) {
      const grouping = randomGrouping(ids, random);
      const { features } = await dissolve(grouping, null);
      expect(features.map(({ properties }) => properties.group)).toEqual([...grouping.keys()]);
      const rows = await server.test.db.query<{ valid: boolean; difference: number; allowed: number; area: number }>(
        `select st_isvalid(ours) as valid, st_area(st_symdifference(ours, theirs)) as difference,
                st_perimeter(theirs) * 2e-7 as allowed, st_area(theirs::geography) / 1e6 as area
         from (select n, st_setsrid(st_geomfromgeojson(g), 4326) as ours from unnest($1::text[]) with ordinality as o (g, n)) o
         cross join lateral (
           select st_union(geom) as theirs from boundary_shape
           where boundary_id = any (string_to_array(($2::text[])[o.n], ' '))
         ) t order by n`,
        [
          features.map(({ geometry }) => JSON.stringify(geometry)),
          [...grouping.values()].map((list) => list.join(' ')),
        ],
      );
      rows.forEach(({ valid, difference, allowed, area }, g) => {
        const { properties } = defined(features[g]);
        if (!properties.exact) overlaid++;
        const about = `grouping ${i}, ${properties.group}: ${grouping.get(properties.group)}`;
        expect(valid, about).toBe(true);
        expect(difference, about).toBeLessThanOrEqual(properties.exact ? 0 : allowed);
        expect(Math.abs(properties.area_km2 / area - 1), about).toBeLessThan(1e-6);
      });
    }
    console.log(`dissolve ${country}: ${CASES} groupings, ${overlaid} groups overlaid`);
  });

  it.each([
    ['LU', 8, [16, 64, 256, 1024]],
    ['US', 6, [512, 2048, 8192, 16384]],
  ] as const)(
    '%s: neither gaps nor overlaps between groups at 4 tolerances',
    { timeout: 300_000 },
    async (country, level, tolerances) => {
      const overlapping = await overlaps(country, level);
      const ids = (await idsAt(country, level)).filter((id) => !overlapping.has(id));
      expect(overlapping.size).toBeLessThan(20);
      const random = generator(SEED);
      const grouping = new Map<string, string[]>();
      for (const id of ids) {
        const name = `group ${Math.floor(random() * 7)}`;
        grouping.set(name, [...(grouping.get(name) ?? []), id]);
      }
      for (const tolerance of drawn(tolerances)) {
        const parts = await dissolve(grouping, tolerance);
        const whole = await dissolve(new Map([['all', ids]]), tolerance);
        const exact = parts.features.filter(({ properties }) => properties.exact);
        expect(exact.length, `exact at ${tolerance}`).toBeGreaterThan(0);
        const row = only(
          await server.test.db.query<{ valid: boolean; overlap: number; gap: number }>(
            `with part as (select st_geomfromgeojson(g) as geom from unnest($1::text[]) as o (g)),
              merged as (select st_union(geom) as geom, sum(st_area(geom)) as area, bool_and(st_isvalid(geom)) as valid from part)
         select valid, abs(merged.area - st_area(merged.geom)) / merged.area as overlap,
                st_area(st_symdifference(merged.geom, st_geomfromgeojson($2::text))) as gap from merged`,
            [
              parts.features.map(({ geometry }) => JSON.stringify(geometry)),
              JSON.stringify(defined(whole.features[0]).geometry),
            ],
          ),
        );
        if (exact.length < parts.features.length || !defined(whole.features[0]).properties.exact) continue;
        expect(row.valid, `${tolerance}`).toBe(true);
        expect(row.overlap, `${tolerance}`).toBeLessThan(1e-12);
        expect(row.gap, `${tolerance}`).toBe(0);
      }
    },
  );
});
