import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { createExceptionWatch } from './embedded_exceptions.ts';
import { leaveOutLibraries, postgis } from './embedded_libraries.ts';
import { createBackend } from './embedded_protocol.ts';

/** What the thread is started with. */
export interface EmbeddedWorkerData {
  /** The data directory; the database is its folder `pg`. */
  readonly dataDir: string;
}

const exceptions = createExceptionWatch();

async function open(directory: string): Promise<PGlite> {
  const known = { postgis, pg_trgm, btree_gist, unaccent };
  const extensions = { exceptions: exceptions.extension, libraries: leaveOutLibraries, ...known };
  return PGlite.create({ dataDir: directory, extensions });
}

/**
 * Opens the database. A new one is created in another folder and renamed when complete, so that an interrupted start
 * leaves no partial database behind.
 */
async function openOrMake(dataDir: string): Promise<PGlite> {
  const directory = join(dataDir, 'pg');
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    const draft = join(dataDir, 'pg.new');
    rmSync(draft, { recursive: true, force: true });
    await (await open(draft)).close();
    renameSync(draft, directory);
  }
  return open(directory);
}

async function serve(port: MessagePort): Promise<void> {
  const { dataDir } = workerData as EmbeddedWorkerData;
  const database = await openOrMake(dataDir);
  let reported = 0;
  const backend = createBackend(database, exceptions, (bytes) => {
    if (exceptions.count > reported) {
      reported = exceptions.count;
      port.postMessage(reported);
    }
    port.postMessage(bytes, [bytes.buffer]);
  });
  port.on('message', (message: Uint8Array | 'close') => {
    if (message !== 'close') {
      backend.receive(message);
      return;
    }
    database.close().finally(() => port.close());
  });
  port.postMessage('ready');
}

if (parentPort) await serve(parentPort);
