import pg from 'pg';
import { defined } from '../../src/common/elements.ts';
import { geometryHash } from '../../workers/build.ts';
import type { Polygons } from '../../workers/contract.ts';
import { polygonsFromWkb } from '../../workers/wkb.ts';

export const oracleUrl = process.env.ORACLE_DATABASE_URL;

/** A MultiPolygon as WKB whose doubles are the integer coordinates in 1e-7 degrees. */
export function integerWkb({ coords, ringEnd, polygonEnd }: Polygons): Buffer {
  const bytes = Buffer.alloc(9 + 9 * polygonEnd.length + 4 * ringEnd.length + 8 * coords.length);
  let at = 0;
  const head = (type: number, count: number) => {
    at = bytes.writeUInt8(1, at);
    at = bytes.writeUInt32LE(type, at);
    at = bytes.writeUInt32LE(count, at);
  };
  head(6, polygonEnd.length);
  let ring = 0;
  let vertex = 0;
  for (const end of polygonEnd) {
    head(3, end - ring);
    for (; ring < end; ring++) {
      at = bytes.writeUInt32LE(defined(ringEnd[ring]) - vertex, at);
      for (; vertex < defined(ringEnd[ring]); vertex++) {
        at = bytes.writeDoubleLE(defined(coords[2 * vertex]), at);
        at = bytes.writeDoubleLE(defined(coords[2 * vertex + 1]), at);
      }
    }
  }
  return bytes;
}

/** A merge of stored shapes (by number), with our result. */
export interface MergeCase {
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly ours: Polygons;
}

/** PostGIS's verdict on a merge. */
export interface Verdict {
  readonly valid: boolean;
  /** Area of the symmetric difference, in square grid units. */
  readonly difference: number;
  /**
   * Twice the perimeter of the merged and of the cut shapes, unsnapped: the area that snapping to the grid may move.
   */
  readonly allowed: number;
  /** Whether both have the same rings as closed vertex sequences, and as many polygons. */
  readonly sameRings: boolean;
}

const COMPARE = `
with named as (select * from unnest($1::int[], $2::int[], $3::bool[]) as t(c, shape, cut)),
merged as materialized (
  select c, coalesce(st_union(geom) filter (where not cut), 'polygon empty') as kept,
         st_union(geom) filter (where cut) as gone
  from named join proof_shape on id = shape group by c
), theirs as materialized (
  select c, st_collectionextract(case when gone is null then kept else st_difference(kept, gone) end, 3) as geom,
         2 * (st_perimeter(kept) + coalesce(st_perimeter(gone), 0)) as allowed
  from merged
)
select c, st_isvalid(ours) as valid, st_area(st_symdifference(ours, theirs.geom)) as difference,
       allowed, st_asbinary(theirs.geom, 'NDR') as wkb
from unnest($4::int[], $5::bytea[]) as o(i, bytes), st_geomfromwkb(bytes) as ours, theirs where c = i`;

/** Native PostGIS on shapes with integer coordinates, the oracle for our kernels. One connection. */
export class Oracle {
  readonly client = new pg.Client(oracleUrl);

  async open(): Promise<void> {
    await this.client.connect();
    await this.client.query('create temp table proof_shape (id integer primary key, geom geometry)');
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /**
   * Replaces all shapes by these, numbered from 0. The parts of a shape are merged: they may be its faces.
   * @returns the numbers of invalid shapes
   */
  async load(shapes: readonly (readonly Polygons[])[]): Promise<number[]> {
    const { client } = this;
    await client.query('truncate proof_shape');
    for (let from = 0; from < shapes.length; ) {
      const ids: number[] = [];
      const parts: Buffer[] = [];
      for (let bytes = 0; from < shapes.length && bytes < 8e6; from++) {
        for (const part of defined(shapes[from])) {
          ids.push(from);
          parts.push(integerWkb(part));
          bytes += defined(parts[parts.length - 1]).length;
        }
      }
      await client.query(
        `insert into proof_shape
         select id, case when count(*) = 1 then (array_agg(geom))[1] else st_union(geom) end
         from unnest($1::int[], $2::bytea[]) as t(id, bytes), st_geomfromwkb(bytes) as geom group by id`,
        [ids, parts],
      );
    }
    await client.query('analyze proof_shape');
    const { rows } = await client.query<{ id: number }>('select id from proof_shape where not st_isvalid(geom)');
    return rows.map(({ id }) => id);
  }

  /** Computes every merge in PostGIS, and compares. */
  async compare(cases: readonly MergeCase[]): Promise<Verdict[]> {
    const number: number[] = [];
    const shape: number[] = [];
    const cut: boolean[] = [];
    cases.forEach(({ include, exclude }, c) => {
      for (const [side, list] of [include, exclude].entries()) {
        for (const id of new Set(list)) {
          number.push(c);
          shape.push(id);
          cut.push(side === 1);
        }
      }
    });
    const { rows } = await this.client.query(COMPARE, [
      number,
      shape,
      cut,
      cases.map((_, c) => c),
      cases.map(({ ours }) => integerWkb(ours)),
    ]);
    const verdicts: Verdict[] = new Array(cases.length);
    for (const { c, valid, difference, allowed, wkb } of rows) {
      const { ours } = defined(cases[c]);
      verdicts[c] = { valid, difference, allowed, sameRings: sameRings(ours, wkb) };
    }
    return verdicts;
  }
}

function sameRings(ours: Polygons, wkb: Uint8Array): boolean {
  let theirs: Polygons;
  try {
    theirs = polygonsFromWkb(wkb);
  } catch {
    // A vertex off the grid cannot be ours.
    return false;
  }
  const hash = (polygons: Polygons) => Buffer.from(geometryHash(polygons)).toString('hex');
  return theirs.polygonEnd.length === ours.polygonEnd.length && hash(theirs) === hash(ours);
}
