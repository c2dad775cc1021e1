/** compare_file against PostGIS, which overlays the same areas on the ellipsoid. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
let member: OrgMember;
let viewer: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  ({ member, viewer } = await server.staff());
});
afterAll(() => server?.close());

const compare = (input: Record<string, unknown>, by: OrgMember = member): Promise<Any> =>
  server.call('http', 'compare_file', input, by);
const oracle = process.env.ORACLE_DATABASE_URL;
const AREAS = { across: cell(0.4, 0.3, 1.7, 0.6), inside: cell(0.45, 0.4, 0.1, 0.1), nowhere: cell(40, 0) };

it('lists what each area of a file overlaps, the largest first', async () => {
  const { status, body } = await compare({ content: fileOf(AREAS) });
  expect([status, body.total], JSON.stringify(body)).toEqual([200, 3]);
  expect(body.items.map(({ id, name }: Any) => [id, name])).toEqual([
    ['across', 'Area across'],
    ['inside', 'Area inside'],
    ['nowhere', 'Area nowhere'],
  ]);
  const [across, inside, nowhere] = body.items;
  expect(nowhere.boundaries).toEqual([]);
  expect(across.boundaries.length).toBeGreaterThan(2);
  const sizes = across.boundaries.map(({ common_km2 }: Any) => common_km2);
  expect(sizes).toEqual(sizes.toSorted((p: number, q: number) => q - p));
  for (const one of inside.boundaries) if (one.admin_level <= 4) expect(one.share).toBeCloseTo(1, 6);
});

it.skipIf(!oracle)('finds the km2 that PostGIS finds', async () => {
  const { body } = await compare({ content: fileOf(AREAS) });
  const postgis = new pg.Client({ connectionString: oracle });
  await postgis.connect();
  try {
    for (const item of body.items) {
      const own = JSON.stringify({ type: 'Polygon', coordinates: [AREAS[item.id as keyof typeof AREAS]] });
      for (const { id, common_km2, share, share_of_boundary } of item.boundaries) {
        const { geometry } = (await server.call('http', 'get_boundary', { id, detail: 'full' }, member)).body as Any;
        const { rows } = await postgis.query(
          `with pair as (select st_setsrid(st_geomfromgeojson($1), 4326) as a, st_setsrid(st_geomfromgeojson($2), 4326) as b)
           select st_area(st_intersection(a, b)::geography) / 1e6 as common, st_area(a::geography) / 1e6 as whole,
                  st_area(b::geography) / 1e6 as other from pair`,
          [own, JSON.stringify(geometry)],
        );
        const { common, whole, other } = rows[0] as Record<string, number>;
        expect(Math.abs(common_km2 / Number(common) - 1), `${item.id} ${id}`).toBeLessThan(1e-6);
        expect(Math.abs(share - Number(common) / Number(whole))).toBeLessThan(1e-6);
        expect(Math.abs(share_of_boundary - Number(common) / Number(other))).toBeLessThan(1e-6);
      }
    }
  } finally {
    await postgis.end();
  }
});

it('measures the areas of a file that is near no boundary', async () => {
  const { status, body } = await compare({ content: fileOf({ nowhere: AREAS.nowhere }) });
  expect([status, body.pairs, body.items?.[0]?.boundaries], JSON.stringify(body)).toEqual([200, 0, []]);
  expect(body.items[0].area_km2).toBeGreaterThan(5_000);
});

it('compares with one level, takes a body, names what is left out, and stores nothing', async () => {
  const one = await compare({ content: fileOf(AREAS), admin_level: 2 });
  expect(new Set(one.body.items.flatMap(({ boundaries }: Any) => boundaries.map((b: Any) => b.admin_level)))).toEqual(
    new Set([2]),
  );
  const file = JSON.parse(fileOf(AREAS));
  file.features.push({ type: 'Feature', properties: { id: 'empty', name: 'Empty' }, geometry: null });
  const sent = await fetch(`${server.address}/v1/boundaries/compare?admin_level=2`, {
    ...{ method: 'POST', body: JSON.stringify(file) },
    headers: { 'Content-Type': 'application/geo+json', Authorization: `Bearer ${viewer.key}` },
  });
  const body = (await sent.json()) as Any;
  expect([sent.status, body.items]).toEqual([200, one.body.items]);
  expect(body.left_out).toMatchObject({ total: 1, items: [{ id: 'empty' }] });
  expect((await server.call('http', 'list_files', {}, member)).body.total).toBe(0);
});

it('refuses what is too much, no file, or not theirs', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`a${i}`, cell(0.001 * i, 0.4, 0.001, 0.1)]));
  const large = await compare({ content: fileOf(many) });
  expect([large.status, large.body.code]).toEqual([413, 'too_large']);
  expect((await compare({})).body.issues?.[0]?.path).toBe('content');
  expect((await compare({ content: 'no areas', format: 'geojson' })).status).toBe(400);
  expect((await server.call('http', 'compare_file', { content: fileOf(AREAS) })).status).toBe(401);
  expect((await compare({ file_id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB' })).status).toBe(404);
});
