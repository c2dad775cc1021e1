import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import {
  canonicalRings,
  dataDir,
  mergeFull,
  openLuxembourg,
  type ProofEnvironment,
  storedShapes,
} from './environment.ts';
import { generator, madeGrid, storeMade } from './made.ts';
import { rounds } from './rounds.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const CASES = Number(process.env.CASES ?? rounds(75));
const SEED = Number(process.env.SEED ?? 20261121);

interface Known {
  id: string;
  lat: number;
  lon: number;
}

/** 1 to 50 ids, most of them near each other, on two sides; now and then one on both. */
function randomSets(random: () => number, all: readonly Known[]): { include: string[]; exclude: string[] } {
  const pick = <T>(list: readonly T[]) => defined(list[Math.floor(random() * list.length)]);
  const size = Math.ceil(50 ** random());
  const center = pick(all);
  const distance = ({ lat, lon }: Known) => Math.hypot(lat - center.lat, lon - center.lon);
  const near = random() < 0.7 ? [...all].sort((a, b) => distance(a) - distance(b)).slice(0, 2 * size) : all;
  const ids = Array.from({ length: size }, () => pick(near).id);
  const cut = random() < 0.4 ? size : Math.max(1, Math.ceil(random() * size));
  const exclude = ids.slice(cut);
  if (random() < 0.1) exclude.push(defined(ids[0]));
  return { include: ids.slice(0, cut), exclude: exclude.slice(0, 50 - cut) };
}

/** What PostGIS makes of the same sets on the same integers, against ours. */
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
select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference,
       st_nrings(ours.geom) as our_rings, coalesce(st_nrings(st_collectionextract(theirs.geom, 3)), 0) as their_rings,
       case when st_isempty(ours.geom) then 0 else st_numgeometries(ours.geom) end as our_parts,
       case when st_isempty(theirs.geom) then 0
            else st_numgeometries(st_collectionextract(theirs.geom, 3)) end as their_parts
from ours, theirs`;

describe.skipIf(!dataDir || !oracleUrl)(`${CASES} random unions and differences, seed ${SEED}`, () => {
  let server: ProofEnvironment;
  let oracle: pg.Client;
  const made = madeGrid(SEED, 8, 200_000_000, 100_000_000);
  let ids: Map<string, string>;

  beforeAll(async () => {
    server = await openLuxembourg('osm/liechtenstein-2024.boundaries.osm.pbf', 'osm/malta-2018.boundaries.osm.pbf');
    const { summary, ids: stored } = await storeMade(server, made);
    ids = stored;
    expect(summary).toMatchObject({ broken: [], conflicts: 0, added: summary.read });
    oracle = new pg.Client(oracleUrl);
    await oracle.connect();
    await oracle.query('create temp table shape (id text primary key, geom geometry)');
    for (const [id, wkb] of await storedShapes(server)) {
      await oracle.query(
        `insert into shape values ($1, st_snaptogrid(st_scale(st_setsrid($2::geometry, 0), 1e7, 1e7), 1))`,
        [id, wkb],
      );
    }
  });

  afterAll(async () => {
    await oracle?.end();
    await server?.close();
  });

  it('begin from made boundaries that are stored ring by ring as they were made', async () => {
    for (const { sourceId, border } of made) {
      const rings = 'rings' in border ? border.rings : [];
      const coordinates = rings.map((ring) =>
        Array.from({ length: ring.length / 2 }, (_, i) => [defined(ring[2 * i]) / 1e7, defined(ring[2 * i + 1]) / 1e7]),
      );
      const { geometry } = await mergeFull(server, [ids.get(sourceId) as string]);
      expect(canonicalRings(geometry), sourceId).toEqual(canonicalRings({ type: 'Polygon', coordinates }));
    }
  });

  it('are what PostGIS makes of the same integers', { timeout: 30 * 60_000 }, async () => {
    const random = generator(SEED);
    const all = await server.test.db.query<Known>('select id, lat, lon from boundary where has_geometry order by id');
    for (let i = 0; i < CASES; i++) {
      const { include, exclude } = randomSets(random, all);
      const { geometry } = await mergeFull(server, include, exclude);
      const { rows } = await oracle.query(COMPARE, [include, exclude, JSON.stringify(geometry)]);
      const about = `case ${i}: ${include.join()} minus ${exclude.join()}`;
      expect({ ...rows[0], about }).toEqual({
        about,
        valid: true,
        difference: 0,
        our_rings: rows[0].their_rings,
        their_rings: rows[0].their_rings,
        our_parts: rows[0].their_parts,
        their_parts: rows[0].their_parts,
      });
    }
    expect(server.engine.strategies.overlay).toBe(0);
  });
});
