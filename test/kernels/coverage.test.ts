import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import { type CutChains, cutChains } from '../../workers/arcs/cut.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import type { ArcTable, Coords } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';
import { polygonsOf, random, ringsOf, tableOf, wkt } from './topology.ts';

const DATA = process.env.REAL_DATA_DIR;
const ORACLE = process.env.ORACLE_DATABASE_URL;

describe.skipIf(!DATA)('the 35,357 communes of France', () => {
  let cut: CutChains;
  let table: ArcTable;
  let boundaries: Int32Array[];
  let chains: Coords[];
  let owner: number[];

  beforeAll(() => {
    const file = join(DATA!, 'coverage', 'fr-communes.geojson.gz');
    const { features } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as FeatureCollection;
    chains = [];
    owner = [];
    (features as Feature<Polygon | MultiPolygon>[]).forEach(({ geometry }, i) => {
      const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
      for (const ring of rings) {
        chains.push(
          Int32Array.from(ring.flatMap(([x, y]) => [Math.round(defined(x) * 1e7), Math.round(defined(y) * 1e7)])),
        );
        owner.push(i);
      }
    });
    cut = cutChains(chains);
    table = tableOf(cut.arcs);
    const walked: number[][] = features.map(() => []);
    cut.refs.forEach((refs, c) => {
      for (const ref of refs) defined(walked[defined(owner[c])]).push(ref < 0 ? ~ref : ref);
    });
    boundaries = walked.map((arcs) => ringsOf(assembleRings(table, Int32Array.from(arcs))).refs);
  });

  it('cut into arcs that are shared, walk every ring, and do not conflict', () => {
    expect(cut.arcs.length).toBeGreaterThan(100_000);
    expect(findConflicts(table)).toEqual([]);
    const uses = new Uint8Array(cut.arcs.length);
    for (const refs of cut.refs)
      for (const ref of refs) uses[ref < 0 ? ~ref : ref] = defined(uses[ref < 0 ? ~ref : ref]) + 1;
    expect(uses.every((count) => count === 1 || count === 2)).toBe(true);
    for (let c = 0; c < chains.length; c += 7) {
      const vertices = defined(cut.refs[c]).reduce(
        (sum, ref) => sum + defined(cut.arcs[ref < 0 ? ~ref : ref]).length / 2 - 1,
        1,
      );
      expect(vertices).toBe(defined(chains[c]).length / 2);
    }
  });

  it('unite to a country in one go', () => {
    const all = boundaries.map((_, b) => b);
    const { polygonEnd, ringEnd } = ringsOf(mergeBoundaries(table, boundaries, all, []));
    expect(polygonEnd.length).toBeGreaterThan(100);
    expect(polygonEnd.length).toBeLessThan(ringEnd.length + 1);
  });

  describe.skipIf(!ORACLE)('against PostGIS', () => {
    let client: pg.Client;
    beforeAll(async () => {
      client = new pg.Client({ connectionString: ORACLE });
      await client.connect();
    });
    afterAll(() => client.end());

    it('give the same unions and differences, nested ones too', async () => {
      const next = random(5);
      // The west and the south of the first arc.
      const place = (b: number): [number, number] => {
        const [ref] = leading(defined(boundaries[b]), 1);
        return leading(table.box.subarray(4 * Math.max(ref, ~ref)), 2);
      };
      const order = boundaries.map((_, b) => b).sort((a, b) => place(a)[0] - place(b)[0]);
      for (let k = 0; k < 60; k++) {
        // Neighbors: a stretch of longitude, sorted by latitude.
        const from = Math.floor(next() * (order.length - 3000));
        const strip = order.slice(from, from + 1500).sort((a, b) => place(a)[1] - place(b)[1]);
        const at = Math.floor(next() * (strip.length - 60));
        const near = strip.slice(at, at + 50).map((b) => defined(boundaries[b]));
        // And a district of half of them, so that sets are nested.
        const half = near.map((_, b) => b).filter(() => next() < 0.5);
        near.push(ringsOf(mergeBoundaries(table, near, half, [])).refs);
        const include = near.map((_, b) => b).filter(() => next() < 0.7);
        const exclude = near.map((_, b) => b).filter((b) => next() < 0.15 && b < 50);
        const ours = polygonsOf(table, ringsOf(mergeBoundaries(table, near, include, exclude)));
        const single = (b: number) =>
          wkt(polygonsOf(table, ringsOf(mergeBoundaries(table, [defined(near[b])], [0], []))));
        const { rows } = await client.query(
          `with ours as (select ST_GeomFromText($1) as g),
                kept as (select coalesce(ST_Union(ST_GeomFromText(t)), 'POLYGON EMPTY'::geometry) as g from unnest($2::text[]) t),
                gone as (select coalesce(ST_Union(ST_GeomFromText(t)), 'POLYGON EMPTY'::geometry) as g from unnest($3::text[]) t),
                theirs as (select ST_Difference(kept.g, gone.g) as g from kept, gone)
           select ST_IsValid(ours.g) as valid, ST_Area(ST_SymDifference(ours.g, theirs.g)) as off,
                  ST_NRings(ours.g) - ST_NRings(theirs.g) as rings,
                  ST_NumGeometries(ours.g) - ST_NumGeometries(ST_Multi(theirs.g)) as parts
           from ours, theirs`,
          [wkt(ours), include.map(single), exclude.map(single)],
        );
        expect({ k, ...rows[0] }).toEqual({ k, valid: true, off: 0, rings: 0, parts: 0 });
      }
    });
  });
});
