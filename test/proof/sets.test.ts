import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { generator } from './made.ts';
import { rounds } from './rounds.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;
const oracleUrl = process.env.ORACLE_DATABASE_URL;
const CASES = rounds(200);
const SEED = Number(process.env.SEED ?? 20_261_126);
const OFFICIAL = ['r101', 'r102', 'r111', 'r112', 'r121', 'r122', 'r123'];
const SIDE = 5;

/** What PostGIS makes of the same areas on the same integers, against ours. */
const COMPARE = `
with ours as (select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($3), 0), 1e7, 1e7), 1) as geom),
included as (select st_union(geom) as geom from own_shape where id = any ($1::text[])),
excluded as (select st_union(geom) as geom from own_shape where id = any ($2::text[])),
theirs as (select case when e.geom is null then i.geom else st_difference(i.geom, e.geom) end as geom,
                  st_perimeter(i.geom) + coalesce(st_perimeter(e.geom), 0) as perimeter
           from included i, excluded e)
select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference, perimeter
from ours, theirs`;

/** A partition of a square by rough lines: no vertex of it is one of an official border. */
function partition(random: () => number): string {
  const at = (x: number, y: number) => [
    Math.round((WEST + 0.3 + 0.4 * x + 0.2 * random()) * 1e7) / 1e7,
    Math.round((SOUTH + 0.3 + 0.4 * y + 0.2 * random()) * 1e7) / 1e7,
  ];
  const corners = Array.from({ length: SIDE + 1 }, (_, x) =>
    Array.from({ length: SIDE + 1 }, (_unused, y) => at(x, y)),
  );
  const features = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const ring = [corners[x]?.[y], corners[x + 1]?.[y], corners[x + 1]?.[y + 1], corners[x]?.[y + 1], corners[x]?.[y]];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    return { type: 'Feature', properties: { id: `a${i}`, name: `Area ${i}` }, geometry };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}

describe.skipIf(!oracleUrl)(`${CASES} unions of own and official areas, seed ${SEED}`, () => {
  let server: LibraryTestServer;
  let by: OrgMember;
  let oracle: pg.Client;
  const random = generator(SEED);
  const own = Array.from({ length: SIDE * SIDE }, (_, i) => `set:parts/a${i}`);

  beforeAll(async () => {
    server = await openLibraryTestServer();
    by = (await server.staff()).member;
    oracle = new pg.Client(oracleUrl);
    await oracle.connect();
    await oracle.query('create temp table own_shape (id text primary key, geom geometry)');
    const made = (await server.call('http', 'create_area_set', { name: 'parts', content: partition(random) }, by)).body;
    expect((made as Any).report).toMatchObject({
      left_out: { total: 0 },
      broken: { total: 0 },
      overlaps: { total: 0 },
    });
    for (const id of [...own, ...OFFICIAL]) {
      const { body } = await server.call('http', 'get_boundary', { id, detail: 'full' }, by);
      await oracle.query(
        `insert into own_shape select $1, st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($2), 0), 1e7, 1e7), 1)`,
        [id, JSON.stringify((body as Any).geometry)],
      );
    }
  });
  afterAll(async () => {
    await oracle?.end();
    await server?.close();
  });

  it('are what PostGIS makes of them: exact within a set, on the grid beside official ones', async () => {
    const pick = (all: readonly string[], most: number) =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () => all[Math.floor(random() * all.length)] as string);
    let [exact, mixed] = [0, 0];
    for (let n = 0; n < CASES; n++) {
      const isMixed = n % 3 > 0;
      const include = [...pick(own, 9), ...(isMixed ? pick(OFFICIAL, 3) : [])];
      const exclude = n % 2 ? pick(isMixed ? [...own, ...OFFICIAL] : own, 3) : [];
      const { status, body } = await server.call('http', 'union_boundaries', { include, exclude, detail: 'full' }, by);
      const text = `${n}: ${include} - ${exclude}: ${JSON.stringify(body).slice(0, 300)}`;
      // Nothing may be left.
      if (status === 404 || status === 422) continue;
      expect(status, text).toBe(200);
      const { geometry, properties } = body as Any;
      const { rows } = await oracle.query(COMPARE, [include, exclude, JSON.stringify(geometry)]);
      const [{ valid, difference, perimeter }] = rows as [Any];
      expect(valid, text).toBe(true);
      if (properties.exact) {
        exact++;
        expect(Number(difference), text).toBe(0);
      } else {
        mixed++;
        // Crossings are rounded to the grid of a centimeter.
        expect(Number(difference), text).toBeLessThanOrEqual(2 * Number(perimeter));
      }
      if (!isMixed) expect(properties.exact, text).toBe(true);
    }
    console.info(`${exact} exact, ${mixed} overlaid`);
    expect(exact).toBeGreaterThan(0);
    expect(mixed).toBeGreaterThan(0);
  }, 600_000);
});
