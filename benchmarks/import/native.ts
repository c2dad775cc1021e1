import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type App, openApp } from '../../src/app/app.ts';
import { only } from '../../src/common/elements.ts';
import { loadConfig } from '../../src/config.ts';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import type { ImportSummary } from '../../src/sources/import_summary.ts';

/** The PostGIS for imports; its user may create databases. Undefined when none is configured. */
export const server = (): string | undefined => process.env.TEST_DATABASE_URL ?? process.env.ORACLE_DATABASE_URL;

/** A database for one side of a comparison; `empty` recreates it and `drop` deletes it. */
export class BenchDatabase {
  readonly url: string;
  readonly name: string;
  private readonly home: string;

  constructor(home: string, side: string) {
    this.home = home;
    this.name = `boundary_bench_${side}_${process.pid}`;
    const url = new URL(home);
    url.pathname = `/${this.name}`;
    this.url = url.href;
  }

  async empty(): Promise<void> {
    await this.drop();
    await query(this.home, `create database ${this.name}`);
    await query(this.url, 'create extension postgis');
  }

  async drop(): Promise<void> {
    await query(this.home, `drop database if exists ${this.name} with (force)`);
  }
}

/** The rows of one statement over its own connection. */
export async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The number of polygons in a table of a database, and the sum of their areas in square degrees. */
export async function polygonsIn(url: string, table = 'boundary_shape'): Promise<{ count: number; area: number }> {
  const row = only(
    await query<{ count: number; area: number }>(
      url,
      `select count(*)::int as count, sum(st_area(geom)) as area from ${table}`,
    ),
  );
  return row;
}

/** Our complete import of one file into a database; opening, migrating and starting are not timed. */
export class OurImport {
  summary: ImportSummary | null = null;
  private readonly database: BenchDatabase;
  private readonly path: string;
  private readonly coverage: CoverageOptions | null;
  private app: App | null = null;
  private folder: string | null = null;

  constructor(database: BenchDatabase, path: string, coverage: CoverageOptions | null) {
    this.database = database;
    this.path = path;
    this.coverage = coverage;
  }

  async prepare(): Promise<void> {
    await this.close();
    await this.database.empty();
    this.folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
    const env = { DATA_DIR: this.folder, DATABASE_URL: this.database.url, LOG_LEVEL: 'silent' };
    this.app = await openApp(loadConfig(env));
    const { pool } = this.app.services.engine;
    const nothing = { heap: null, boundaries: [], x: 0, y: 0 };
    await Promise.all([pool.run('locateIn', nothing), pool.run('locateIn', nothing)]);
  }

  async work(): Promise<void> {
    if (!this.app) throw new Error('prepare comes first');
    this.summary = await importFile(this.app.services, this.path, this.coverage);
  }

  /** Closes the app; the database keeps the imported data. */
  async close(): Promise<void> {
    await this.app?.close();
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
    this.app = null;
    this.folder = null;
  }
}
