import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { servicesAsOf } from '../../src/core/dated.ts';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { dataDir } from './environment.ts';

const oracle = process.env.ORACLE_DATABASE_URL;

/** Whether there are both the files of the editions and an oracle. */
export const hasEditions = Boolean(dataDir && oracle);

/** A municipality of a date. */
export interface Municipality {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly area_km2: number;
}

/** The municipalities of Switzerland of some years, in a server and, read by GDAL, in tables of PostGIS. */
export interface SwissEditions {
  readonly server: BoundaryTestServer;
  readonly key: string;
  readonly postgis: pg.Client;
  /** The table of a year, with the columns id, name and geom. */
  table(year: string): string;
  /** The municipalities of a date, by the code of their source. */
  membersOf(date: string): Promise<Map<string, Municipality>>;
  close(): Promise<void>;
}

/** Stores editions, each as that of the first day of its year. */
export async function openSwissEditions(years: readonly string[]): Promise<SwissEditions> {
  if (!dataDir || !oracle) throw new Error('REAL_DATA_DIR and ORACLE_DATABASE_URL are needed');
  const fileOf = (year: string) => join(dataDir as string, `editions/switzerland/${year}/municipalities.shp`);
  const table = (year: string) => `w_time_editions_${process.pid}_${year}`;
  const server = await openBoundaryTestServer({}, { REQUEST_DEADLINE_MS: '300000' }, 30_000);
  const { key } = await server.key();
  const postgis = new pg.Client({ connectionString: oracle });
  await postgis.connect();
  for (const year of years) {
    const options = ['-f', 'PostgreSQL', gdalAddress(oracle), fileOf(year), '-nln', table(year)];
    options.push('-nlt', 'MULTIPOLYGON', '-t_srs', 'EPSG:4326', '-lco', 'GEOMETRY_NAME=geom');
    execFileSync('ogr2ogr', options);
    // GDAL's ids are columns of the file; its own column of row numbers is ogc_fid.
    await postgis.query(`create index on ${table(year)} using gist (geom)`);
  }
  for (const year of years) {
    const about = { source: 'bfs', license: 'open', attribution: 'BFS', country: 'CH', adminLevel: 8 };
    // The file of 2026 has no names.
    const coverage = { ...about, map: { id: 'id', name: year === '2026' ? 'id' : 'name' } };
    await importFile(server.services, fileOf(year), coverage, { validFrom: `${year}-01-01` });
  }
  return {
    ...{ server, key, postgis, table },
    async membersOf(date) {
      const rows = await (await servicesAsOf(server.services, date)).db.query<Municipality>(
        "select id, name, split_part(source_id, '/', 2) as code, area_km2 from boundary where source = 'bfs'",
      );
      return new Map(rows.map((one) => [one.code, one]));
    },
    async close() {
      for (const year of years) await postgis.query(`drop table if exists ${table(year)}`);
      await postgis.end();
      await server.close();
    },
  };
}

/** The oracle's database as GDAL takes it. */
function gdalAddress(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const parts = { host: hostname, port: port || '5432', user: username, password, dbname: pathname.slice(1) };
  return `PG:${Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`;
}
