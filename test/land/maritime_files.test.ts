/** Lines of tiles that come from files say where they are at sea, as those of all boundaries do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { saidAt } from './lines_at.ts';

let server: LibraryTestServer;
let member: OrgMember;
const units = (points: readonly (readonly number[])[]) => Int32Array.from(points.flat(), (x) => Math.round(x * 1e7));
const store = (input: Omit<StoreInput, 'file' | 'source'>) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', bbox: [-180, -90, 180, 90], ...input },
  );

/** A border with vertices that do not lie on the lines between their neighbors, so that levels drop some. */
function rough([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): [number, number][] {
  return Array.from({ length: 60 }, (_, k): [number, number] => {
    const off = k === 0 ? 0 : 0.002 * Math.sin(97 * k * (1 + Math.abs(x + toX)));
    return [x + ((toX - x) * k) / 60 + off * Math.sign(toY - y), y + ((toY - y) * k) / 60 + off * Math.sign(toX - x)];
  });
}
function square(west: number, south: number): [number, number][] {
  const corners = rectangle(west, south, west + 1, south + 1);
  const forward = (a: [number, number], b: [number, number]): [number, number][] => {
    // Both neighbors have the same vertices along a side, whichever way they walk it.
    const isForward = a[0] < b[0] || a[1] < b[1];
    if (isForward) return rough(a, b);
    return [a, ...rough(b, a).slice(1).reverse()];
  };
  const ring = corners.slice(0, 4).flatMap((corner, i) => forward(corner, corners[i + 1] as [number, number]));
  return [...ring, ring[0] as [number, number]];
}

const IDS = ['r900', 'r901', 'r910', 'r911', 'r920'];
/** As the lines of tests/land/maritime.test.ts: land is north of the coast. */
const coast = [
  {
    id: 9,
    version: 1,
    coords: units([
      [-41, 0.25],
      [-39.1, 0.25],
      [-39.1, 0.1],
      [-38.9, 0.1],
      [-38.9, 0.25],
      [-37, 0.25],
    ]),
  },
];
const AT: readonly (readonly [lon: number, lat: number, said: boolean])[] = [
  [-39, 0.5, false],
  [-39, 0.15, false],
  [-39, 0.05, true],
  [-39.5, 0, true],
  [-39, -0.5, true],
  [-40, 0.2, true],
  [-40, 0.3, false],
  [-39.5, 1, false],
];

beforeAll(async () => {
  server = await openLibraryTestServer();
  const boundaries = IDS.slice(0, 4).map((id, k) =>
    fixtureBoundary(id, `Area ${k}`, ringsOf(square(-40 + (k % 2), k < 2 ? 0 : -1))),
  );
  boundaries.push(fixtureBoundary('r920', 'Inland', ringsOf(square(-40, 1))));
  await store({ boundaries });
  ({ member } = await server.staff());
}, 120_000);
afterAll(() => server?.close());

/** The borders are this rough. */
const NEAR = 0.003;
const get = (path: string) => server.ask('GET', path, { key: member.key });
async function expectSaid(file: string, zooms: readonly number[], known: boolean): Promise<void> {
  for (const z of zooms) {
    for (const [lon, lat, said] of AT) {
      const found = await saidAt({ get, path: `/tiles/files/${file}`, near: NEAR }, lon, lat, z);
      expect([file, z, lon, lat, found]).toEqual([file, z, lon, lat, [known ? said : undefined]]);
    }
  }
}
const save = async (format: string, more: object): Promise<string> =>
  (await server.ok('save_file', { collection: { ids: IDS, ...more }, format }, member)).id;

it('of files, and of archives made when the coast is known; before, and of other shapes, they say nothing', async () => {
  const files: string[] = [];
  for (const format of ['geojson', 'topojson', 'ndjson']) files.push(await save(format, { tolerance_m: 256 }));
  files.push(await save('geojson', { tolerance_m: 32 }));
  const early = await save('pmtiles', { tolerance_m: 32 });
  await expectSaid(files[0] as string, [8], false);
  await store({ boundaries: [], coast });
  for (const file of files) await expectSaid(file, [6, 8, 10], true);
  await expectSaid(early, [8], false);
  await expectSaid(await save('pmtiles', { tolerance_m: 16 }), [6, 8, 10], true);
  // A boundary whose shape is another by now: nothing says where its old border was at sea.
  const moved = square(-40, 0).map(([x, y]): [number, number] => [x + 0.00123, y - 0.00117]);
  await store({ boundaries: [fixtureBoundary('r900', 'Area 0', ringsOf(moved), { version: '2' })] });
  expect(await saidAt({ get, path: `/tiles/files/${files[0]}`, near: NEAR }, -40, 0.6, 8)).toEqual([undefined]);
  expect(await saidAt({ get, path: `/tiles/files/${files[0]}`, near: NEAR }, -38, 0.6, 8)).toEqual([false]);
}, 120_000);
