import pg from 'pg';
import { defined } from '../../src/common/elements.ts';
import { integerWkb } from '../../test/proof/oracle.ts';
import type { Polygons } from '../../workers/contract.ts';
import { polygonsFromWkb } from '../../workers/wkb.ts';

/** The URL of the PostGIS to compare with; undefined when none is configured. */
export const postgisUrl = (): string | undefined => process.env.TEST_DATABASE_URL;

/** Most bytes sent in one statement. */
const BATCH = 8e6;

/** A connection with shapes in a temporary table `shape (id, geom)`, in integers of 1e-7 degrees. */
export class PostgisShapes {
  readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** Null when no PostGIS is configured. */
  static async load(shapes: readonly Polygons[]): Promise<PostgisShapes | null> {
    const url = postgisUrl();
    if (!url) return null;
    const client = new pg.Client(url);
    await client.connect();
    await client.query('create extension if not exists postgis');
    await client.query('create temp table shape (id int primary key, geom geometry)');
    for (let from = 0; from < shapes.length; ) {
      const ids: number[] = [];
      const parts: Buffer[] = [];
      for (let bytes = 0; from < shapes.length && bytes < BATCH; from++) {
        ids.push(from);
        parts.push(integerWkb(defined(shapes[from])));
        bytes += defined(parts[parts.length - 1]).length;
      }
      await client.query(
        'insert into shape select id, st_geomfromwkb(bytes) from unnest($1::int[], $2::bytea[]) as t(id, bytes)',
        [ids, parts],
      );
    }
    await client.query('analyze shape');
    return new PostgisShapes(client);
  }

  /** The polygons of a geometry that a statement returns as `geom`. */
  async polygons(sql: string, values: readonly unknown[]): Promise<Polygons> {
    const { rows } = await this.client.query(`select st_asbinary(geom, 'NDR') as wkb from (${sql}) as t`, [...values]);
    return polygonsFromWkb(rows[0].wkb);
  }

  /** Computes the same geometry but returns only its number of points. */
  async points(sql: string, values: readonly unknown[]): Promise<number> {
    const { rows } = await this.client.query(`select st_npoints(geom) as points from (${sql}) as t`, [...values]);
    return rows[0].points;
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
