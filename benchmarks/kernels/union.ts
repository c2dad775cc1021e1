import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { buildArrangement } from '../../workers/build.ts';
import { type ArcTable, FULL, type Polygons } from '../../workers/contract.ts';
import { mergeBoundaries } from '../../workers/kernels/classify.ts';
import { layOut } from '../../workers/kernels/layout.ts';
import { overlay } from '../../workers/kernels/overlay.ts';
import { polygonsToEwkb } from '../../workers/wkb.ts';
import { compared, type Options, type Result, time } from '../measure.ts';

const COMMUNES = 50;

/** Twice the planar area of polygons in square units, holes taken off: equal integers mean the same set here. */
function doubleArea({ coords, ringEnd }: Polygons): bigint {
  let sum = 0n;
  let from = 0;
  for (const end of ringEnd) {
    for (let v = from; v < end - 1; v++) {
      sum += BigInt(coords[2 * v]) * BigInt(coords[2 * v + 3]) - BigInt(coords[2 * v + 2]) * BigInt(coords[2 * v + 1]);
    }
    from = end;
  }
  return sum;
}

/** The union of 50 neighbouring communes of Luxembourg at full detail, until coordinates are laid out. */
export async function benchUnion(data: string, options: Options): Promise<Result[]> {
  const extract = await readOsmFile(join(data, 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf'));
  const chains: Int32Array[] = [];
  const chainOf = new Map<number, number>();
  const boundaries: { chains: Uint32Array; adminLevel: number }[] = [];
  for (const boundary of toSourceBoundaries(extract).boundaries) {
    if (boundary.adminLevel !== 8 || !('ways' in boundary.border)) continue;
    const used = boundary.border.ways.map((id) => {
      const coords = extract.ways.get(id)?.coords;
      if (!coords) return -1;
      if (!chainOf.has(id)) chainOf.set(id, chains.push(coords) - 1);
      return chainOf.get(id) as number;
    });
    if (!used.includes(-1)) boundaries.push({ chains: Uint32Array.from(used), adminLevel: 8 });
  }
  const built = buildArrangement({ flag: 0, chains, storedFrom: chains.length, boundaries, standing: [] });
  const table: ArcTable = built.arcs;
  const made = built.boundaries
    .flatMap((one) => ('rings' in one ? [one] : []))
    .sort((a, b) => a.centre[0] - b.centre[0])
    .slice(0, COMMUNES);
  const refs = made.map(({ rings }) => rings.refs);
  const include = refs.map((_, i) => i);
  const ours = (): Polygons => {
    const merged = mergeBoundaries(table, refs, include, []);
    if ('alarm' in merged) throw new Error(merged.alarm.reason);
    return layOut(table, merged.rings, FULL, 0);
  };
  const full = made.map(({ rings }) => layOut(table, rings, FULL, 0));
  const answer = doubleArea(ours());
  const name = `union of ${COMMUNES} communes of Luxembourg, full`;
  const timed = await time(ours, options);
  const results = [
    compared(
      name,
      timed,
      'geos-wasm UnaryUnionPrec',
      await time(() => overlay(full, []), options),
      doubleArea(await overlay(full, [])) === answer,
    ),
  ];
  const url = process.env.TEST_DATABASE_URL ?? process.env.ORACLE_DATABASE_URL;
  if (!url) return results;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('create extension if not exists postgis');
    await client.query('create temp table commune (geom geometry)');
    for (const polygons of full) {
      await client.query('insert into commune values (st_scale(st_setsrid($1::geometry, 0), 1e7, 1e7))', [
        Buffer.from(polygonsToEwkb(polygons)).toString('hex'),
      ]);
    }
    await client.query('update commune set geom = st_snaptogrid(geom, 1)');
    const { rows } = await client.query('select 2 * st_area(st_union(geom)) as area from commune');
    const same = Math.abs(Number(rows[0].area) / Number(answer) - 1) < 1e-12;
    const theirs = await time(() => client.query('select st_npoints(st_union(geom)) from commune'), options);
    results.push(compared(name, timed, 'PostGIS ST_Union', theirs, same));
  } finally {
    await client.end();
  }
  return results;
}

/** Whether the data that this benchmark reads is there. */
export function hasData(data: string): boolean {
  try {
    readFileSync(join(data, 'SOURCES.md'));
    return true;
  } catch {
    return false;
  }
}
