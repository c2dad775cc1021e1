import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { privateFolder } from '../common/private_folder.ts';
import { Semaphore } from '../common/semaphore.ts';
import { type AnnouncementListener, LISTEN } from './channels.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Backend } from './database.ts';
import { DatabaseError, toDatabaseError } from './database_error.ts';
import { WorkerStream } from './embedded_stream.ts';
import type { EmbeddedWorkerData } from './embedded_worker.ts';
import { acquireDataDir } from './lock.ts';
import { unpackDatabase } from './prepared.ts';
import { columnTypes } from './values.ts';

/** Where the embedded database is. */
export interface EmbeddedOptions {
  readonly dataDir: string;
  /** A file to unpack where there is no database yet (prepared.ts); null or absent: a new database is created. */
  readonly prepared?: string | null;
  readonly deadlineMs: number;
  readonly log: (message: string, fields?: object) => void;
}

const QUEUE_LIMIT = 10_000;

/** Exceptions after which an instance is replaced: what GEOS held when it threw is never freed. */
const EXCEPTION_LIMIT = 500;

/** One PGlite in a thread of its own, with its only session. */
interface Instance {
  readonly connection: Connection;
  /** Number of C++ exceptions that it has thrown so far. */
  readonly exceptions: number;
  /** Terminates the thread at once. */
  kill(): Promise<void>;
  /** Closes the database cleanly, then ends the thread. */
  close(): Promise<void>;
}

/**
 * Opens the database in `dataDir`/pg, which this process owns until it is closed. It has one session, so callers take
 * turns. An instance that overruns a deadline, breaks or has lost too many statements is replaced by a new one on the
 * same files.
 * @throws DatabaseError `data_dir_in_use`; ConfigError when the folder belongs to another user; or the reason why the
 * files cannot be opened
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Backend> {
  const { dataDir, log } = options;
  await privateFolder(dataDir, 'DATA_DIR');
  const lock = await acquireDataDir(dataDir);
  const gate = new Semaphore(1, QUEUE_LIMIT);
  let instance: Instance | null = null;
  let announced: AnnouncementListener = () => undefined;

  async function present(): Promise<Instance> {
    if (instance?.connection.reusable) return instance;
    if (instance) {
      const broken = instance;
      instance = null;
      log('The embedded database is being restarted.');
      await broken.kill();
    }
    instance = await startInstance(options, (channel) => announced(channel));
    announced(null);
    return instance;
  }

  try {
    await unpackPrepared(options);
    await present();
    await privateFolder(join(dataDir, 'pg'), 'the database folder');
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    kind: 'embedded',
    deadlineMs: options.deadlineMs,
    onAnnounced: (listener) => {
      announced = listener;
    },
    withConnection: (work, patience) =>
      gate.run(async () => {
        const current = await present();
        try {
          return await work(current.connection);
        } finally {
          if (current.exceptions >= EXCEPTION_LIMIT && current.connection.reusable) {
            log('The embedded database has lost too many statements and is being restarted.');
            instance = null;
            await current.close();
          }
        }
      }, patience),
    // Only this process uses the database, so the gate of withLock() suffices.
    lock: async () => ({ lost: new AbortController().signal, release: async () => undefined }),
    close: () =>
      gate.run(async () => {
        try {
          await instance?.close();
        } finally {
          await lock.release();
        }
      }),
  };
}

/** Unpacks the prepared database where there is none. If that fails, a new database is created later. */
async function unpackPrepared({ dataDir, prepared, log }: EmbeddedOptions): Promise<void> {
  const directory = join(dataDir, 'pg');
  if (!prepared || existsSync(directory)) return;
  const draft = join(dataDir, 'pg.new');
  await rm(draft, { recursive: true, force: true });
  try {
    await unpackDatabase(prepared, draft);
    await rename(draft, directory);
  } catch (error) {
    log('The prepared database could not be unpacked.', { error: (error as Error).message });
  }
}

async function startInstance(
  { dataDir, deadlineMs, log }: EmbeddedOptions,
  announced: AnnouncementListener,
): Promise<Instance> {
  const worker = startWorker({ dataDir });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  await started(worker);

  const stream = new WorkerStream(worker);
  let exceptions = 0;
  worker.on('message', (message: unknown) => {
    if (typeof message === 'number') exceptions = message;
  });
  worker.on('error', (error) => log('The embedded database broke.', { error: error.message }));
  worker.once('exit', () => stream.destroy());
  const client = new pg.Client({
    user: 'postgres',
    database: 'postgres',
    host: 'embedded',
    ssl: false,
    stream: () => stream,
    types: columnTypes,
  });
  client.on('notification', ({ channel }) => announced(channel));
  const kill = async (): Promise<void> => {
    stream.destroy();
    await worker.terminate();
  };
  const connection = createConnection(client, {
    ms: deadlineMs,
    graceMs: 0,
    setTimeLimit: null,
    cancel: null,
    force: kill,
  });
  try {
    await client.connect();
    for (const statement of LISTEN) await connection.command(statement);
  } catch (error) {
    await kill();
    throw toDatabaseError(error);
  }
  return {
    connection,
    get exceptions() {
      return exceptions;
    },
    kill,
    async close() {
      worker.postMessage('close');
      await exited;
    },
  };
}

/**
 * Starts the worker, which is a file beside this one when compiled. From source it needs tsx: `--import tsx` has no
 * effect on the entry of a worker in Node 20, so a line of JavaScript registers tsx and then loads the file. Paths are
 * resolved from this file, not from the working directory.
 */
function startWorker(workerData: EmbeddedWorkerData): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./embedded_worker.js', import.meta.url), { workerData, execArgv: [] });
  }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = JSON.stringify(new URL('./dist/esm/api/index.mjs', tsx));
  const file = JSON.stringify(new URL('./embedded_worker.ts', import.meta.url));
  const script = `import(${api}).then((tsx) => { tsx.register(); return import(${file}); })`;
  return new Worker(script, { eval: true, workerData, execArgv: [] });
}

async function started(worker: Worker): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => reject(toDatabaseError(error));
    const leave = (): void => reject(new DatabaseError('connection_lost', 'The embedded database did not start.'));
    worker.once('error', fail);
    worker.once('exit', leave);
    worker.once('message', () => {
      worker.off('error', fail);
      worker.off('exit', leave);
      resolve();
    });
  });
}
