import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { removeSource } from '../../src/sources/stored.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

const dataDir = process.env.REAL_DATA_DIR;

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(() => server?.close());

type Point = readonly [lon: number, lat: number];

const box = (west: number, south: number, east: number, north: number): Point[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** A boundary of a made map: its relation, whose border is the way of the same id plus 1,000. */
interface Area {
  readonly id: number;
  readonly level: number;
  readonly ring: readonly Point[];
}

/**
 * Writes an OSM XML file: boundaries, coastlines by the id of their way, land on the left; perhaps what it covers, the
 * time of its data, a boundary whose border is cut off, and the version of its ways.
 */
function fileOf(
  areas: readonly Area[],
  coast: Readonly<Record<number, readonly Point[]>>,
  { bounds, at, cut, version = 1 }: { bounds?: readonly number[]; at?: string; cut?: number; version?: number } = {},
): string {
  const nodes = new Map<string, number>();
  const node = ([lon, lat]: Point) => {
    const key = `lat="${lat}" lon="${lon}"`;
    if (!nodes.has(key)) nodes.set(key, 1 + Math.round((lon + 180) * 1e4) * 1e7 + Math.round((lat + 90) * 1e4));
    return nodes.get(key);
  };
  const way = (id: number, points: readonly Point[], tags: string) =>
    `<way id="${id}" version="${version}">${points.map((point) => `<nd ref="${node(point)}"/>`).join('')}${tags}</way>`;
  const ways = [
    ...areas.flatMap(({ id, ring }) => (id === cut ? [] : [way(1000 + id, ring, '')])),
    ...Object.entries(coast).map(([id, points]) => way(Number(id), points, '<tag k="natural" v="coastline"/>')),
  ];
  const tag = (k: string, v: string | number) => `<tag k="${k}" v="${v}"/>`;
  const relations = areas.map(({ id, level }) => {
    const tags = tag('type', 'boundary') + tag('boundary', 'administrative') + tag('admin_level', level);
    const member = `<member type="way" ref="${1000 + id}" role="outer"/>`;
    return `<relation id="${id}" version="1">${member}${tags}${tag('name', `Area ${id}`)}</relation>`;
  });
  const [west, south, east, north] = bounds ?? [];
  const covers = bounds ? `<bounds minlat="${south}" minlon="${west}" maxlat="${north}" maxlon="${east}"/>` : '';
  const meta = at === undefined ? '' : `<meta osm_base="${at}"/>`;
  const all = [...nodes].map(([place, id]) => `<node id="${id}" version="1" ${place}/>`);
  const path = join(server.dataDir, 'made.osm');
  writeFileSync(path, `<osm version="0.6">${meta}${covers}${[...all, ...ways, ...relations].join('')}</osm>`);
  return path;
}

const deps = () => ({ db: server.services.db, engine: server.engine });
const load = async (path: string) => (await importFile(deps(), path, null)).land;

async function shareOf(id: number): Promise<number | null> {
  const [row] = await server.services.db.query<{ share: number | null }>(
    'select l.land_km2 / b.area_km2 as share from boundary b join boundary_land l on l.boundary_id = b.id where b.id = $1',
    [`r${id}`],
  );
  return row?.share ?? null;
}

const stored = async () =>
  (await server.services.db.query<{ id: number }>('select id from coast_line order by id')).map(({ id }) => Number(id));

const WEST: Area = { id: 1, level: 2, ring: box(0, 0, 4, 4) };
const EAST: Area = { id: 2, level: 2, ring: box(4.5, 0, 8, 4) };
const PART: Area = { id: 3, level: 4, ring: box(2, 2, 4, 4) };
const [first, second, far] = [box(1, 1, 2, 2), box(2.5, 2.5, 3.5, 3.5), box(5, 1, 6, 2)];

describe('a coastline that a newer file lacks', () => {
  beforeEach(async () => {
    await removeSource(deps(), 'osm').catch(() => {});
  });

  it('goes when its island was drawn again elsewhere, as another way', async () => {
    await load(fileOf([WEST], { 11: first, 12: second }));
    expect(await shareOf(1)).toBeCloseTo(2 / 16, 3);
    const land = await load(fileOf([WEST], { 11: first, 13: box(2.5, 0.5, 3, 1) }));
    expect(land).toMatchObject({ removed: 1 });
    expect(land.kept).toBeUndefined();
    expect(await stored()).toEqual([11, 13]);
    expect(await shareOf(1)).toBeCloseTo(1.25 / 16, 3);
  });

  it('goes with its island; one of a country that the file does not have stays', async () => {
    await load(fileOf([WEST, EAST], { 11: first, 12: second, 21: far }));
    expect(await load(fileOf([WEST], { 11: first }))).toMatchObject({ removed: 1 });
    expect(await stored()).toEqual([11, 21]);
    expect([await shareOf(1), await shareOf(2)]).toEqual([expect.closeTo(1 / 16, 3), expect.closeTo(1 / 14, 3)]);
  });

  it('stays where the extract lacks a smaller boundary around it, and is listed', async () => {
    await load(fileOf([WEST, PART], { 11: first, 12: second }));
    const { removed, kept } = await load(fileOf([WEST], { 11: first }, { bounds: [0, 0, 4, 4] }));
    expect([removed, kept?.map(({ way, reason }) => [way, reason])]).toEqual([
      undefined,
      [[12, 'the file does not have all of r3 around it']],
    ]);
    expect(await shareOf(1)).toBeCloseTo(2 / 16, 3);
  });

  it('stays outside of the extent that the file states', async () => {
    await load(fileOf([WEST], { 11: first, 12: second }));
    const { removed, kept } = await load(fileOf([WEST], { 11: first }, { bounds: [0, 0, 2.2, 4] }));
    expect([removed, kept?.map(({ way }) => way)]).toEqual([undefined, [12]]);
    expect(await load(fileOf([WEST], { 11: first }, { bounds: [0, 0, 4, 4] }))).toMatchObject({ removed: 1 });
    expect(await stored()).toEqual([11]);
  });

  it('stays when a file that states no extent has little of the coast of its country', async () => {
    await load(fileOf([WEST], { 11: first, 12: second }));
    const { removed, kept } = await load(fileOf([WEST], { 14: box(0.2, 0.2, 0.4, 0.4) }));
    expect([removed, kept?.map(({ way }) => way)]).toEqual([undefined, [11, 12]]);
    expect(await stored()).toEqual([11, 12, 14]);
  });

  it('stays when the file has coast beside the boundary, in its box alone', async () => {
    const corner: Area = {
      ...WEST,
      ring: [
        [0, 0],
        [4, 0],
        [4, 1],
        [1, 1],
        [1, 4],
        [0, 4],
        [0, 0],
      ],
    };
    await load(fileOf([corner], { 11: box(0.2, 2, 0.6, 3) }));
    const { removed, kept } = await load(fileOf([corner], { 22: box(2, 2, 3.8, 3.8) }));
    expect([removed, kept?.map(({ way }) => way)]).toEqual([undefined, [11]]);
    expect(await stored()).toEqual([11, 22]);
  });

  it('stays when a file states the extent of what it was filtered from', async () => {
    await load(fileOf([WEST, EAST], { 11: first, 12: second, 21: far }));
    const { removed, kept } = await load(
      fileOf([WEST, EAST], { 14: box(0.2, 0.2, 0.6, 0.6) }, { bounds: [0, 0, 8, 4] }),
    );
    expect([removed, kept?.map(({ way }) => way).sort()]).toEqual([undefined, [11, 12, 21]]);
    expect(await stored()).toEqual([11, 12, 14, 21]);
  });

  it('stays when an older file has its way before that was split', async () => {
    const [a, b, c, d] = first as [Point, Point, Point, Point];
    await load(fileOf([WEST], { 11: [a, b, c], 12: [c, d, a] }, { at: '2024-05-02T00:00:00Z', version: 2 }));
    await load(fileOf([WEST], { 11: first }, { at: '2024-05-01T00:00:00Z' }));
    expect(await stored()).toEqual([11, 12]);
    expect(await shareOf(1)).toBeCloseTo(1 / 16, 3);
    await load(fileOf([WEST], { 11: first }, { at: '2024-05-03T00:00:00Z', version: 3 }));
    expect(await stored()).toEqual([11]);
    expect(await shareOf(1)).toBeCloseTo(1 / 16, 3);
  });

  it('stays when the file is older than the one that has it', async () => {
    await load(fileOf([WEST], { 11: first, 12: second }, { at: '2024-05-02T00:00:00Z' }));
    const { removed, kept } = await load(fileOf([WEST], { 11: first }, { at: '2024-05-01T00:00:00Z' }));
    expect([removed, kept?.map(({ way }) => way)]).toEqual([undefined, [12]]);
    expect(await load(fileOf([WEST], { 11: first }, { at: '2024-05-03T00:00:00Z' }))).toMatchObject({ removed: 1 });
  });

  it('stays when the file has the border of its boundary only in part', async () => {
    await load(fileOf([WEST], { 11: first, 12: second }));
    expect((await load(fileOf([WEST], { 11: first }, { cut: 1 }))).removed).toBeUndefined();
    expect(await stored()).toEqual([11, 12]);
  });

  it.skipIf(!dataDir)(
    'stays for an extract of a part of Malta, and nothing changes when all of it is imported again',
    async () => {
      const whole = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
      await load(whole);
      const land = () =>
        server.services.db.query<{ id: string; km2: number }>(
          'select boundary_id as id, land_km2 as km2 from boundary_land order by 1',
        );
      const before = await land();
      expect(before.length).toBeGreaterThan(60);
      for (const strategy of ['complete_ways', 'smart', 'simple']) {
        const part = join(server.dataDir, `${strategy}.osm.pbf`);
        const how = ['-s', strategy, '--set-bounds', '--overwrite', '-o', part];
        execFileSync('osmium', ['extract', '-b', '14.15,35.99,14.36,36.1', ...how, whole], { stdio: 'ignore' });
        const { removed } = await load(part);
        expect([strategy, removed, await land()]).toEqual([strategy, undefined, before]);
      }
      expect((await load(whole)).removed).toBeUndefined();
      expect(await land()).toEqual(before);
    },
    300_000,
  );
});
