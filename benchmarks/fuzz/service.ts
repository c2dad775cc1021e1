import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { exampleBoundaries } from '../../test/docs/example_boundaries.ts';
import { startService } from '../http/server.ts';
import { query } from '../import/native.ts';
import { startPostgis } from '../postgis.ts';
import { openPool, type Server } from './call.ts';
import { TwoOrganizations } from './sides.ts';

/** A server with two organizations. */
export interface Service {
  readonly server: Server;
  readonly sides: TwoOrganizations;
  close(): Promise<void>;
}

/** Starts a database and a server that also validates its own responses; the server logs to a file. */
export async function openService(log: string): Promise<Service> {
  const database = await startPostgis();
  if (database === null) throw new Error('PostgreSQL with PostGIS is not installed');
  await query(database.url, 'create extension postgis');
  const folder = await mkdtemp(join(tmpdir(), 'boundary-fuzz-'));
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    BASE_URL: 'https://maps.example',
    WORKER_THREADS: '1',
    // Validates every response against its output schema.
    NODE_ENV: 'test',
  };
  // A second app on the same database, which resets accounts.
  const app = await openApp(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
  await storeBoundaries(app.services, exampleBoundaries());
  const sides = await TwoOrganizations.open(app);
  const running = await startService(folder, { ...settings, LOG_LEVEL: 'error' });
  // Kill the server when this process exits; the database ends too.
  const kill = () => void running.process.kill('SIGKILL');
  process.once('exit', kill);
  running.process.stderr?.pipe(createWriteStream(log, { flags: 'a' }));
  const address = `http://127.0.0.1:${running.port}`;
  const pool = openPool(address);
  return {
    server: { address, pool, host: 'maps.example', folder },
    sides,
    async close() {
      await pool.close();
      await running.stop();
      process.off('exit', kill);
      await app.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
