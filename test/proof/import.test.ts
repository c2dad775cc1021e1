import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { expectSoundArrangement } from './arrangement.ts';
import { canonicalRings, dataDir, openEnvironment, type ProofEnvironment, storedShapes } from './environment.ts';

const osmium = spawnSync('osmium', ['--version']).status === 0;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

/** Relations that assemble, counted with osmium-tool (2026-11). */
const FILES: [file: string, assembled: number][] = [
  ['osm/luxembourg-2018-boundaries.boundaries.osm.pbf', 201],
  ['osm/liechtenstein-2024.boundaries.osm.pbf', 14],
  ['osm/malta-2018.boundaries.osm.pbf', 72],
  ['osm/nominatim-apidb-2021.boundaries.osm.pbf', 15],
  ['osm/anhui-cn-2017.boundaries.osm.pbf', 65],
];

/** The areas that osmium makes of the relations of a file, by boundary id. */
function osmiumAreas(path: string): Map<string, { type: string; coordinates: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), 'osmium-'));
  try {
    const out = join(folder, 'areas.geojsonseq');
    execFileSync('osmium', ['export', '-f', 'geojsonseq', '-u', 'type_id', '-O', '-o', out, path], { stdio: 'ignore' });
    const areas = new Map<string, { type: string; coordinates: unknown }>();
    for (const line of readFileSync(out, 'utf8').split('\n')) {
      const text = line.replace('\u001e', '');
      if (!text) continue;
      const { id, geometry } = JSON.parse(text) as { id: string; geometry: { type: string; coordinates: unknown } };
      const area = Number(id.slice(1));
      if (id.startsWith('a') && area % 2 === 1) areas.set(`r${(area - 1) / 2}`, geometry);
    }
    return areas;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!dataDir).each(FILES)('an import of %s', (file, assembled) => {
  let server: ProofEnvironment;

  beforeAll(async () => {
    server = await openEnvironment(file);
  });

  afterAll(async () => {
    await server?.close();
  });

  it('gives a polygon to the relations that assemble, and a reason to the others', async () => {
    const summary = defined(server.summaries[0]);
    const { count } = only(
      await server.test.db.query<{ count: number }>(
        `select count(*)::integer as count from boundary where has_geometry and id like 'r%'`,
      ),
    );
    expect(count).toBe(assembled);
    expect(summary.added).toBe(summary.read);
    const relations = defined(server.summaries[0]).broken.filter(({ id }) => id.startsWith('r'));
    expect(relations.every(({ reason }) => reason.length > 0)).toBe(true);
    const { broken } = only(
      await server.test.db.query<{ broken: number }>(
        `select count(*)::integer as broken from boundary where not has_geometry and broken is not null`,
      ),
    );
    expect(broken).toBe(summary.broken.length);
  });

  it.skipIf(!osmium)('makes the same rings as osmium', async () => {
    const areas = osmiumAreas(join(dataDir as string, file));
    const rows = await server.test.db.query<{ id: string; json: string }>(
      `select boundary_id as id, st_asgeojson(geom, 7) as json from boundary_shape where boundary_id like 'r%'`,
    );
    for (const { id, json } of rows) {
      const area = areas.get(id);
      expect(area, id).toBeDefined();
      if (!area) continue;
      // Rings that touch may be joined otherwise: then the same segments in other rings. Compare those.
      const ours = canonicalRings(JSON.parse(json));
      const theirs = canonicalRings(area);
      if (ours.join('|') !== theirs.join('|')) expect(segmentsOf(JSON.parse(json)), id).toEqual(segmentsOf(area));
    }
    expect(rows.length).toBe(assembled);
  });

  it.skipIf(!oracleUrl)('stores what native PostGIS finds valid, with the area it finds', async () => {
    const client = new pg.Client(oracleUrl);
    await client.connect();
    try {
      const areas = new Map(
        (
          await server.test.db.query<{ id: string; area_km2: number }>(
            'select id, area_km2 from boundary where has_geometry',
          )
        ).map(({ id, area_km2 }) => [id, area_km2]),
      );
      for (const [id, wkb] of await storedShapes(server)) {
        const { rows } = await client.query(
          'select st_isvalid($1::geometry) as valid, st_area($1::geometry::geography) / 1e6 as area',
          [wkb],
        );
        expect(rows[0].valid, id).toBe(true);
        expect(Math.abs((areas.get(id) as number) / rows[0].area - 1), id).toBeLessThan(1e-6);
      }
    } finally {
      await client.end();
    }
  });

  it('keeps arcs that meet at ends alone, and geometries that are those arcs', async () => {
    const { arcs, conflicts } = await expectSoundArrangement(server);
    expect(arcs).toBeGreaterThan(0);
    expect(conflicts).toBe(defined(server.summaries[0]).conflicts);
  });

  it('takes a closed way for a boundary only when it is of no boundary relation and has a name', async () => {
    const wrong = await server.test.db.query(
      `select b.id, b.name from boundary b
       where b.id like 'w%'
         and (b.name = '' or exists (
           select 1 from osm_relation r, unnest(r.member_refs, string_to_array(r.member_types, null)) as m (ref, type)
           where m.type = 'w' and m.ref = substr(b.id, 2)::bigint))`,
    );
    expect(wrong).toEqual([]);
  });

  it('changes nothing when it is imported again', async () => {
    const state = () =>
      server.test.db.query(`select id, version, encode(ring_hash, 'hex') as ring_hash from boundary order by id`);
    const before = await state();
    const again = await importFile({ db: server.test.db, engine: server.engine }, join(dataDir as string, file), null);
    expect(again).toMatchObject({ added: 0, replaced: 0, reassembled: 0, unchanged: again.read });
    expect(await state()).toEqual(before);
  });
});

/** The segments of all rings, direction left out, in order. */
function segmentsOf(geometry: { type: string; coordinates: unknown }): string[] {
  const rings = (geometry.type === 'Polygon' ? geometry.coordinates : (geometry.coordinates as unknown[]).flat()) as [
    number,
    number,
  ][][];
  const key = ([x, y]: [number, number]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`;
  return rings
    .flatMap((ring) => ring.slice(1).map((point, i) => [key(defined(ring[i])), key(point)].sort().join(' - ')))
    .sort();
}
