import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoundaryRef } from '../../src/geometry/engine_model.ts';
import { storeApart } from '../../src/sources/store/apart.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { TOPOLOGY_LOCK } from '../../src/sources/store/topology.ts';
import { FULL } from '../../workers/contract.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld, rectangle, SOUTH, WEST } from '../ops/fixture_world.ts';

const OTHER = 7;
const CELLS = ['r111', 'r112', 'r121', 'r122'];

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
});
afterAll(() => server?.close());

/** The western part of cell (x, y) of the grid, up to a meridian, as closed rings. */
function westOf(x: number, y: number, share: number): Int32Array[] {
  const corners = rectangle(WEST + x, SOUTH + y, WEST + x + share, SOUTH + y + 1);
  return [Int32Array.from(corners.flat(), (degrees) => Math.round(degrees * 1e7))];
}

const shapes = (share: number) =>
  CELLS.map((id) => ({
    id,
    type: 'administrative' as const,
    adminLevel: 8,
    rings: westOf(Number(id[2]) - 1, Number(id[3]) - 1, share),
  }));

const run = () => ({
  engine: server.engine,
  progress: () => {},
  summary: { arcs: 0, retiered: 0, loaded: 0, conflicts: 0 } as never,
});

const put = (share: number, removed: readonly string[] = []) =>
  server.services.db.withLock(TOPOLOGY_LOCK, () =>
    server.services.db.transaction((tx) =>
      storeApart(
        run(),
        tx,
        OTHER,
        shapes(share).filter(({ id }) => !removed.includes(id)),
        removed,
      ),
    ),
  );

async function refs(arrangement: number, ids: readonly string[]): Promise<BoundaryRef[]> {
  const rows = await server.services.db.query<{ id: string; hash: string }>(
    arrangement === 0
      ? `select id, encode(ring_hash, 'hex') as hash from boundary where id = any ($1::text[])`
      : `select boundary_id as id, encode(ring_hash, 'hex') as hash from shape_apart
         where boundary_id = any ($1::text[]) and arrangement = ${arrangement}`,
    [ids],
  );
  const hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
  return ids.map((id) => ({ id, arrangement, ringHash: hashes.get(id) as string, adminLevel: 8 }));
}

const DOCUMENT = { id: null, name: 'made', properties: {}, bbox: null, attribution: '', digits: 7 };

async function merged(include: readonly BoundaryRef[], exclude: readonly BoundaryRef[] = []) {
  const wanted = { detail: null, level: FULL, format: 'geojson' as const, document: DOCUMENT };
  const { areaKm2, exact, bytes } = await server.engine.documents.merge(include, exclude, wanted);
  return { areaKm2, exact, geometry: JSON.parse(Buffer.from(bytes).toString()).geometry };
}

/** All that is stored of an arrangement, in an order of its own. */
async function stored(arrangement: number) {
  return server.services.db.query(
    `select encode(hash, 'hex') as hash, encode(weights, 'hex') as weights, encode(ends, 'hex') as ends, exact, class, main
     from arc where arrangement = $1 order by hash`,
    [arrangement],
  );
}

describe('an arrangement apart from the present one', () => {
  it('has shapes of its own, exact on arcs, that leave the present ones as they are', async () => {
    const before = await stored(0);
    const present = await merged(await refs(0, CELLS));
    const { areas, broken } = await put(0.5);
    expect([areas.size, broken]).toEqual([4, []]);
    const half = await merged(await refs(OTHER, CELLS));
    expect(half.exact).toBe(true);
    expect(half.areaKm2).toBeCloseTo(
      [...areas.values()].reduce((sum, one) => sum + one, 0),
      6,
    );
    expect(half.areaKm2 / present.areaKm2).toBeCloseTo(0.5, 2);
    // Two strips of two cells each: the border between the cells of a strip is gone.
    expect(half.geometry.coordinates.map((polygon: unknown[][]) => polygon.map((ring) => ring.length))).toEqual([
      [7],
      [7],
    ]);
    expect(await merged(await refs(0, CELLS))).toEqual(present);
    expect(await stored(0)).toEqual(before);
  });

  it('is overlaid, not merged on arcs, with shapes of another arrangement', async () => {
    const [inside] = await refs(OTHER, ['r111']);
    const [whole] = await refs(0, ['r111']);
    const rest = await merged([whole as BoundaryRef], [inside as BoundaryRef]);
    expect(rest.exact).toBe(false);
    const [half, all] = await Promise.all([merged([inside as BoundaryRef]), merged([whole as BoundaryRef])]);
    expect(half.exact && all.exact).toBe(true);
    // The western side of the cell is rough and that of its half is straight.
    expect(rest.areaKm2 / (all.areaKm2 - half.areaKm2)).toBeCloseTo(1, 2);
    const groups = [{ name: 'both', members: [0, 1] }];
    const wanted = { detail: null, level: FULL, members: { made: true } };
    const both = await server.engine.documents.dissolve([inside as BoundaryRef, whole as BoundaryRef], groups, wanted);
    expect(JSON.parse(Buffer.from(both.bytes).toString()).features[0].properties).toMatchObject({ exact: false });
    const pairs = await server.engine.relations.crosswalk([inside as BoundaryRef, whole as BoundaryRef], {
      a: [0],
      b: [1],
      maxPairs: 9,
    });
    expect(pairs.exact[0]).toBe(0);
    expect((pairs.areaKm2[0] as number) / half.areaKm2).toBeCloseTo(1, 2);
  });

  it('is renewed as if it had never been otherwise, and is gone with its last shape', async () => {
    const before = await stored(0);
    await put(0.25);
    const [quarter] = await Promise.all([merged(await refs(OTHER, CELLS)), stored(OTHER)]);
    await put(0.5, ['r121', 'r122']);
    expect(await stored(OTHER)).not.toEqual([]);
    await put(0.25);
    expect(await merged(await refs(OTHER, CELLS))).toEqual(quarter);
    await put(0.25, CELLS);
    expect(await stored(OTHER)).toEqual([]);
    expect(await stored(0)).toEqual(before);
  });

  it('says which rings do not assemble', async () => {
    const open = [Int32Array.of(0, 0, 1_000, 0, 1_000, 1_000)];
    const result = await server.services.db.transaction((tx) =>
      storeApart(run(), tx, OTHER, [{ id: 'r111', type: 'administrative', adminLevel: 8, rings: open }]),
    );
    expect([result.areas.size, result.broken.map(({ id }) => id)]).toEqual([0, ['r111']]);
    expect(await stored(OTHER)).toEqual([]);
  });
});
