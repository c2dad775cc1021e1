/** Made coasts, whole and broken, by the real import and over HTTP: never a flooded country, never the whole for its land. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MadeMap, square } from './made_map.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const ROUNDS = 6;
const VERTICES = 48;
const WAYS = 6;
/** Borders and coast may be half a unit of the grid off where they cross, in degrees. */
const HALF_UNIT = 0.5e-7;

type Place = readonly [x: number, y: number];

let server: BoundaryTestServer;
let key: string;
let oracle: pg.Client;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
  oracle = new pg.Client({ connectionString: oracleUrl });
  if (oracleUrl) await oracle.connect();
}, 120_000);
afterAll(async () => {
  await server?.close();
  if (oracleUrl) await oracle?.end();
});

const round7 = (degrees: number) => Math.round(degrees * 1e7) / 1e7;

/** A closed star around a place, counterclockwise. */
function star(random: () => number, x: number, y: number, radius: number): Place[] {
  const ring = Array.from({ length: VERTICES }, (_, i): Place => {
    const angle = (2 * Math.PI * i) / VERTICES;
    const r = radius * (0.6 + 0.4 * random());
    return [round7(x + r * Math.cos(angle)), round7(y + r * Math.sin(angle))];
  });
  return [...ring, ring[0] as Place];
}

/** A ring as ways that follow each other. */
const cut = (ring: readonly Place[]): Place[][] =>
  Array.from({ length: WAYS }, (_, w) => ring.slice((w * VERTICES) / WAYS, ((w + 1) * VERTICES) / WAYS + 1));

interface World {
  readonly map: MadeMap;
  readonly outer: readonly Place[];
  readonly lake: readonly Place[];
  readonly inner: readonly Place[];
  /** By id, the ring of each boundary. */
  readonly rings: ReadonlyMap<string, readonly Place[]>;
}

/**
 * An island with a lake of the sea with an island, and boundaries: the country, halves whose border ends at vertices of
 * the coast and goes on at sea, a district from within a segment of the coast to another, and a harbor around a vertex.
 */
function worldOf(
  seed: number,
  x: number,
  coastOf: (ways: Place[][], which: 'outer' | 'lake' | 'inner') => Place[][],
): World {
  const random = seeded(900 + seed);
  const [outer, lake, inner] = [star(random, x, 0, 0.4), star(random, x, 0, 0.15), star(random, x, 0, 0.05)];
  const turned = [...lake].reverse();
  const middle = (i: number): Place => {
    const [a, b] = [outer[i] as Place, outer[i + 1] as Place];
    return [round7((a[0] + b[0]) / 2), round7((a[1] + b[1]) / 2)];
  };
  const [w, s, e, n] = [round7(x - 0.5), -0.5, round7(x + 0.5), 0.5];
  const [from, to] = [outer[2] as Place, outer[2 + VERTICES / 2] as Place];
  const center: Place = [x, 0];
  const [ox, oy] = outer[VERTICES / 4] as Place;
  const ids = 100_000 + 1_000 * seed;
  const given: (readonly [number, string, Place[]])[] = [
    [1, '2', square(w, s, e, n)],
    [2, '4', [from, [e, from[1]], [e, n], [w, n], [w, to[1]], to, center, from]],
    [3, '4', [from, center, to, [w, to[1]], [w, s], [e, s], [e, from[1]], from]],
    [4, '8', [center, middle(30), ...outer.slice(31, 40), middle(40), center]],
    [5, '8', square(round7(ox - 0.012), round7(oy - 0.01), round7(ox + 0.011), round7(oy + 0.013))],
  ];
  const map = new MadeMap('', 1_000 * ids);
  const coast = [...coastOf(cut(outer), 'outer'), ...coastOf(cut(turned), 'lake'), ...coastOf(cut(inner), 'inner')];
  for (const [k, way] of coast.entries()) map.way(ids + 100 + k, way, { natural: 'coastline' });
  for (const [k, level, ring] of given) {
    map.way(ids + k, ring);
    const tags = { type: 'boundary', boundary: 'administrative', admin_level: level, name: `Made ${seed} ${k}` };
    map.relation(ids + k, [[ids + k, 'outer']], tags);
  }
  return { map, outer, lake, inner, rings: new Map(given.map(([k, , ring]) => [`r${ids + k}`, ring])) };
}

const polygon = (...rings: (readonly Place[])[]) => JSON.stringify({ type: 'Polygon', coordinates: rings });

/** How much an answer differs from the land by the whole coast, in square degrees, and what is around that, in degrees. */
async function compared({ outer, lake, inner }: World, ring: readonly Place[], ours: unknown) {
  const { rows } = await oracle.query(
    `with land as (select st_union(st_geomfromgeojson($1), st_geomfromgeojson($2)) as geom),
          theirs as (select st_intersection(geom, st_geomfromgeojson($3)) as geom from land)
     select st_area(st_symdifference(geom, st_geomfromgeojson($4))) as off, st_perimeter(geom) as around from theirs`,
    [polygon(outer, lake), polygon(inner), polygon(ring), JSON.stringify(ours)],
  );
  return rows[0] as { off: number; around: number };
}

const landOf = async (id: string) => (await server.get(`/v1/boundaries/${id}?detail=full&area=land`, key)).json;

async function imported(world: World, name: string) {
  return importFile({ db: server.services.db, engine: server.engine }, world.map.write(server.dataDir, name), null);
}

describe.skipIf(!oracleUrl)('made coasts', () => {
  it('that are whole give the land that PostGIS intersects, of all boundaries', async () => {
    for (let seed = 0; seed < ROUNDS; seed++) {
      const world = worldOf(seed, -60 + 2 * seed, (ways) => ways);
      const { broken } = await imported(world, `whole${seed}.osm`);
      expect([seed, broken]).toEqual([seed, []]);
      for (const [id, ring] of world.rings) {
        const { geometry, code } = (await landOf(id)) as { geometry?: unknown; code?: string };
        expect([id, code]).toEqual([id, undefined]);
        const { off, around } = await compared(world, ring, geometry);
        expect([id, Math.max(HALF_UNIT, off / around)]).toEqual([id, HALF_UNIT]);
      }
    }
  }, 120_000);

  const BROKEN: Readonly<Record<string, Parameters<typeof worldOf>[2]>> = {
    'lack a way': (ways, which) => (which === 'outer' ? ways.filter((_, i) => i !== 1) : ways),
    'have a way that runs the wrong way': (ways, which) =>
      which === 'outer' ? ways.map((way, i) => (i === 4 ? [...way].reverse() : way)) : ways,
    'lack two ways': (ways, which) => (which === 'outer' ? ways.filter((_, i) => i !== 1 && i !== 4) : ways),
    'have a way twice': (ways, which) => (which === 'outer' ? [...ways, ways[2] as Place[]] : ways),
    'cross the far side': (ways, which) =>
      which === 'outer'
        ? ways.map((way, i) => way.map((place, k) => (k === 4 && i % 3 === 0 ? (ways[3 - i]?.[4] ?? place) : place)))
        : ways,
    'lack a way of the lake': (ways, which) => (which === 'lake' ? ways.filter((_, i) => i !== 2) : ways),
    'cross themselves': (ways, which) =>
      which === 'outer'
        ? ways.map(
            (way, i) => (i === 3 ? [way[0], way[5], way[2], way[3], way[4], way[1], ...way.slice(6)] : way) as Place[],
          )
        : ways,
  };
  it.each(Object.entries(BROKEN))(
    'that %s give the land of the whole coast, or none',
    async (name, coastOf) => {
      const at = 10 + Object.keys(BROKEN).indexOf(name);
      for (let round = 0; round < 2; round++) {
        const seed = 2 * at + round;
        const world = worldOf(seed, -60 + 2 * seed, coastOf);
        const { land } = await imported(world, `broken${seed}.osm`);
        let unknown = 0;
        for (const [id, ring] of world.rings) {
          const answer = (await landOf(id)) as { geometry?: unknown; code?: string; detail?: string };
          if (answer.code !== undefined) {
            expect([id, answer.code]).toEqual([id, 'no_geometry']);
            unknown++;
            continue;
          }
          // What is known of a broken coast is not less exact.
          const { off, around } = await compared(world, ring, answer.geometry);
          expect([name, id, Math.max(HALF_UNIT, off / around)]).toEqual([name, id, HALF_UNIT]);
        }
        // The country holds all of it. What is unknown is listed with the place.
        expect([name, unknown > 0]).toEqual([name, true]);
        expect((await landOf([...world.rings.keys()][0] as string)).code).toBe('no_geometry');
        expect(land.broken.length).toBe(unknown);
        if (name !== 'cross themselves') continue;
        for (const { lon, lat } of land.broken) {
          const far = Math.min(...world.outer.slice(24, 31).map(([x, y]) => Math.hypot(lon - x, lat - y)));
          expect([name, lon, lat, far < 0.1]).toEqual([name, lon, lat, true]);
        }
      }
    },
    120_000,
  );
});
