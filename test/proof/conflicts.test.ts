import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { pairs } from '../setup/elements.ts';
import { expectSoundArrangement } from './arrangement.ts';
import { dataDir, mergeFull, openLuxembourg, type ProofEnvironment, storedShapes } from './environment.ts';
import { madeBoundary, rectangle, storeMade } from './made.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const LUXEMBOURG = 'r2171347';

/** Valid, and within what snapping of every new vertex to the grid may move: perimeter x 2 grid units. */
const COMPARE = `
with ours as (
  select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($3), 0), 1e7, 1e7), 1) as geom
), included as (
  select st_union(geom) as geom from shape where id = any ($1::text[])
), excluded as (
  select st_union(geom) as geom from shape where id = any ($2::text[])
), theirs as (
  select case when e.geom is null then i.geom else st_difference(i.geom, e.geom) end as geom from included i, excluded e
)
select st_isvalid(ours.geom) as valid, st_area(ours.geom) as area,
       st_area(st_symdifference(ours.geom, theirs.geom)) as difference, 2 * st_perimeter(theirs.geom) as allowed
from ours, theirs`;

describe.skipIf(!dataDir)('boundaries whose borders really cross', () => {
  let server: ProofEnvironment;
  let ids: Map<string, string>;

  beforeAll(async () => {
    server = await openLuxembourg();
    // The first lies across the country's south, the second across its eastern border and the first, the third at sea.
    await storeMade(server, [madeBoundary('across', [rectangle(59_000_013, 494_000_007, 63_000_029, 496_500_011)])]);
    const second = [
      madeBoundary('askew', [
        [
          [62_000_003, 493_000_001],
          [66_000_017, 496_000_023],
          [63_500_001, 498_700_009],
        ],
      ]),
      madeBoundary('apart', [rectangle(-100_000_000, 490_000_000, -99_000_000, 491_000_000)]),
    ];
    ({ ids } = await storeMade(server, second));
  });

  afterAll(async () => {
    await server?.close();
  });

  const id = (name: string) => ids.get(name) as string;

  it('are recorded as conflicts, every pair and no other', async () => {
    const { conflicts } = await expectSoundArrangement(server);
    expect(conflicts).toBeGreaterThan(10);
    const { crossings } = only(
      await server.test.db.query<{ crossings: number }>(
        `select count(*)::integer as crossings
       from boundary_shape across, boundary_shape askew, arc_conflict c
       where across.boundary_id = $1 and askew.boundary_id = $2 and c.kind = 'cross'
         and (c.a = any (across.arc_ids) and c.b = any (askew.arc_ids)
           or c.b = any (across.arc_ids) and c.a = any (askew.arc_ids))`,
        [id('across'), id('askew')],
      ),
    );
    expect(crossings).toBeGreaterThan(0);
  });

  it('leave the arcs to those who do not name both', async () => {
    const before = { ...server.engine.strategies };
    await mergeFull(server, [LUXEMBOURG], ['r407489']);
    await mergeFull(server, [LUXEMBOURG, id('apart')]);
    await mergeFull(server, [id('across')]);
    expect(server.engine.strategies).toEqual({ arcs: before.arcs + 3, overlay: before.overlay });
  });

  it('leave nothing of a boundary that is cut away as well, however the others cross it', async () => {
    const before = server.engine.strategies.overlay;
    for (const also of [[id('askew')], [LUXEMBOURG, id('askew')]]) {
      const nothing = await mergeFull(server, [id('across')], [...also, id('across')]);
      expect(nothing).toEqual({ geometry: { type: 'MultiPolygon', coordinates: [] }, areaKm2: 0 });
    }
    expect(server.engine.strategies.overlay).toBe(before + 2);
  });

  it('are cut exactly where the corners of the result are whole numbers', async () => {
    // Two rectangles: all corners are on the grid, so the overlay has nothing to snap.
    const { ids: made } = await storeMade(server, [
      madeBoundary('low', [rectangle(-50_000_000, 10_000_000, -49_000_000, 11_000_000)]),
      madeBoundary('high', [rectangle(-49_500_000, 10_500_000, -48_500_000, 11_500_000)]),
    ]);
    const [low, high] = [made.get('low') as string, made.get('high') as string];
    const before = server.engine.strategies.overlay;
    expect(planar((await mergeFull(server, [low, high])).geometry)).toBe(1_750_000_000_000);
    expect(planar((await mergeFull(server, [low], [high])).geometry)).toBe(750_000_000_000);
    expect(planar((await mergeFull(server, [high], [low])).geometry)).toBe(750_000_000_000);
    expect(planar((await mergeFull(server, [low, high], [high, low])).geometry)).toBe(0);
    expect(server.engine.strategies.overlay).toBe(before + 4);
  });

  it.skipIf(!oracleUrl)('are merged as PostGIS merges them, by the second strategy', async () => {
    const oracle = new pg.Client(oracleUrl);
    await oracle.connect();
    try {
      await oracle.query('create temp table shape (id text primary key, geom geometry)');
      for (const [boundary, wkb] of await storedShapes(server)) {
        await oracle.query(
          `insert into shape values ($1, st_snaptogrid(st_scale(st_setsrid($2::geometry, 0), 1e7, 1e7), 1))`,
          [boundary, wkb],
        );
      }
      const parts = await server.test.db.query<{ id: string }>(
        `select id from boundary where has_geometry and admin_level = 8 and source <> 'made'`,
      );
      const communes = parts.map((part) => part.id);
      const cases: [include: string[], exclude: string[]][] = [
        [[LUXEMBOURG, id('across')], []],
        [[LUXEMBOURG], [id('across')]],
        [[id('across')], [LUXEMBOURG]],
        [[id('across'), id('askew')], []],
        [
          [LUXEMBOURG, id('apart')],
          [id('across'), id('askew')],
        ],
        [communes, [id('across')]],
        [[...communes, id('askew')], []],
        [[id('across'), id('askew')], communes],
      ];
      const before = server.engine.strategies.overlay;
      for (const [include, exclude] of cases) {
        const { geometry } = await mergeFull(server, include, exclude);
        const { rows } = await oracle.query(COMPARE, [include, exclude, JSON.stringify(geometry)]);
        const about = `${include.length} minus ${exclude.join()}`;
        expect(rows[0].valid, about).toBe(true);
        expect(rows[0].area, about).toBeGreaterThan(0);
        expect(rows[0].difference, about).toBeLessThanOrEqual(rows[0].allowed);
      }
      expect(server.engine.strategies.overlay).toBe(before + cases.length);
    } finally {
      await oracle.end();
    }
  });
});

/** The area in square grid units by the shoelace formula: exact below 2^53. */
function planar({ type, coordinates }: { type: string; coordinates: unknown }): number {
  const rings = (type === 'Polygon' ? coordinates : (coordinates as unknown[]).flat()) as [number, number][][];
  let doubled = 0;
  for (const ring of rings) {
    const grid = ring.map(([x, y]): [number, number] => [Math.round(x * 1e7), Math.round(y * 1e7)]);
    const [left, low] = defined(grid[0]);
    for (const [[ax, ay], [bx, by]] of pairs(grid)) doubled += (ax - left) * (by - low) - (bx - left) * (ay - low);
  }
  return doubled / 2;
}
