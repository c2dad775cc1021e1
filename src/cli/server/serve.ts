import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStorage } from '../../adapters/open_storage.ts';
import { type App, openApp } from '../../app/app.ts';
import { fillNewDatabase } from '../../backup/prepared.ts';
import { defined } from '../../common/elements.ts';
import { takeWarnings } from '../../common/held_warnings.ts';
import { createLogger } from '../../common/log.ts';
import { privateFolder } from '../../common/private_folder.ts';
import type { Repeated } from '../../common/repeat.ts';
import { readVersion } from '../../common/version.ts';
import type { Config } from '../../config.ts';
import { openDatabase } from '../../db/connect.ts';
import { preparedBackup } from '../../db/prepared.ts';
import { FIRST_OWNER } from '../../domain/people/accounts.ts';
import { ops } from '../../ops/index.ts';
import { controlListener } from '../../transports/control.ts';
import { type Listening, listen } from '../../transports/http/listen.ts';
import { CallQueue, withQueue } from '../../transports/http/shedding.ts';
import { startingListener } from '../../transports/http/starting.ts';
import { webFolder } from '../../transports/http/web.ts';
import { createHttpApp } from '../../transports/http_app.ts';
import { runCommand } from '../operator/index.ts';
import { runIsolated } from '../operator/isolated.ts';
import { showMail } from '../render/shown_mail.ts';
import { type JobProcess, jobProcess, lookForJobs } from './job_process.ts';
import { askOwner, OWNER_HINT } from './owner.ts';
import {
  aggregatedMetrics,
  detachFromSupervisor,
  isClusterWorker,
  isFirst,
  reportJobs,
  reportReady,
  serveMetrics,
  superviseProcesses,
} from './processes.ts';
import { missingSeed, type Seed } from './seed.ts';
import { stopOnSignals } from './stop.ts';

/**
 * Runs the server until a signal stops it. On a native database it runs PROCESSES processes that share the port
 * (processes.ts); an embedded database allows only one.
 */
export async function serve(config: Config): Promise<void> {
  try {
    await run(config);
  } catch (error) {
    detachFromSupervisor();
    throw error;
  }
}

async function run(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  if (!isClusterWorker() && config.DATABASE_URL && config.PROCESSES > 1) {
    return superviseProcesses(config, config.PROCESSES, log);
  }
  const say = (text: string) => void (isFirst() && process.stderr.write(`${text}\n`));
  // Listen first: a port conflict shows at once, and probes are answered while data is loaded. Additional processes
  // listen when they are ready, because the others answer meanwhile.
  const starting = startingListener(config.BASE_URL);
  const open: Listening[] = isFirst() ? [await listenOn(config, starting.listener)] : [];
  // Without the scheme: the address with it means that calls are answered.
  if (open[0] !== undefined) say(`Starting on ${new URL(open[0].address).host} …`);
  let app: App | null = null;
  let stopping: Shutdown | null = null;
  try {
    await fillNewFromBackup(config, say);
    app = await openApp(config, log, { onMail: showMail, contents: config.SEED });
    const seed = await missingSeed(app, starting, say);
    // An empty database has no answers, so the first set is loaded before serving; the rest is loaded while serving.
    if ((await app.countBoundaries()) === 0) await seed.loadNext();
    await openControl(app, open);
    const readAhead = app.readAhead();
    const { metrics } = app.services;
    let serves = false;
    metrics.gauge('boundary_processes', 'Processes that answer calls.', () => Number(serves));
    if (isClusterWorker()) {
      serveMetrics(metrics.registry);
      metrics.pageFrom(aggregatedMetrics);
    }
    // Created before the server reports ready, because a script may then read the key.
    const key = await firstKey(app);
    starting.ready(withCallQueue(app, createHttpApp(app.services, ops, { web: webFolder() }).callback()));
    if (!isFirst()) {
      // All connections of a dead process arrive at once; whatever is in memory by then need not be read under that
      // load.
      await Promise.race([readAhead, sleep(READ_AHEAD_MS, null, { ref: false })]);
      open.push(await listenOn(config, starting.listener));
    }
    serves = true;
    say(welcome(config, defined(open[0]).address, key));
    if (!config.DATABASE_URL) {
      say(`Embedded database in ${resolve(config.DATA_DIR)}: it survives a crash of the process, not power loss.`);
    }
    for (const warning of takeWarnings()) if (isFirst()) log.warn(warning);
    let jobs: JobProcess | null = null;
    let looking: Repeated | null = null;
    stopping = shutDownOnSignals(app, open, seed, async () => {
      await looking?.stop();
      await jobs?.stop();
    });
    await seed.loadRest();
    if (stopping.begun) return;
    // Jobs start only when all data is loaded, because their results are stored.
    if (app.services.db.kind === 'embedded') await app.jobRunner.start();
    else if (config.JOBS_AT_ONCE > 0) {
      const own = isClusterWorker() ? null : jobProcess(config, log);
      jobs = own;
      looking = lookForJobs(app.services, own === null ? reportJobs : own.wanted);
    }
    reportReady();
    if (key !== null && process.stdin.isTTY && process.stderr.isTTY) {
      const { accounts } = app.services;
      const set = async (email: string) => (await accounts.changeEmail(FIRST_OWNER, email)).email;
      askOwner({ input: process.stdin, say }, set).catch((err: unknown) => log.error({ err }, 'the owner was not set'));
    }
  } catch (error) {
    if (stopping?.begun) return;
    // Open listeners would keep the process alive.
    await Promise.all(open.map((one) => one.close(0)));
    await app?.close();
    throw error;
  }
}

/** Fills a new native database with the requested seed data, if a backup of it was prepared. */
async function fillNewFromBackup(config: Config, say: (text: string) => void): Promise<void> {
  const { DATABASE_URL, MIGRATE_DATABASE_URL, DATA_DIR, STORAGE_URL } = config;
  const file = preparedBackup(config.SEED);
  if (!DATABASE_URL || file === null) return;
  await privateFolder(DATA_DIR, 'DATA_DIR');
  const library = await openStorage(STORAGE_URL ?? null, DATA_DIR, 'library');
  const db = await openDatabase({ databaseUrl: MIGRATE_DATABASE_URL ?? DATABASE_URL, dataDir: DATA_DIR, poolSize: 2 });
  try {
    if (await fillNewDatabase(file, { db, library })) say('The new database was filled with prepared seed data.');
  } finally {
    await db.close();
  }
}

/** Whether shutdown has begun. */
interface Shutdown {
  readonly begun: boolean;
}

/** Maximum time that an additional process preloads data before it listens. */
const READ_AHEAD_MS = 10_000;

/**
 * Time that a shutdown waits for a running statement while data is loaded. What is not stored by then is loaded by the
 * next start.
 */
const LOADING_MS = 2_000;

/**
 * Shuts this process down on a signal: `open` listeners finish their requests and the job process stops; then the
 * application is closed.
 */
function shutDownOnSignals(
  app: App,
  open: readonly Listening[],
  seed: Pick<Seed, 'isLoading'>,
  stopJobs: () => Promise<void>,
): Shutdown {
  const { config, log } = app.services;
  let begun = false;
  // A terminal sends SIGINT to every process of the group; the supervisor alone handles it.
  if (isClusterWorker()) process.on('SIGINT', () => undefined);
  const stop = async (): Promise<void> => {
    begun = true;
    await Promise.all([stopJobs(), ...open.map((one) => one.close(config.SHUTDOWN_MS))]);
    await (seed.isLoading() ? Promise.race([app.close(), sleep(LOADING_MS)]) : app.close());
  };
  stopOnSignals(stop, log, isClusterWorker() ? ['SIGTERM'] : undefined);
  return {
    get begun() {
      return begun;
    },
  };
}

/** Wraps a listener with a queue that delays calls, and refuses them under overload. */
function withCallQueue({ services }: App, listener: RequestListener): RequestListener {
  const queue = new CallQueue();
  const { config, metrics } = services;
  metrics.gauge('boundary_calls_waiting', 'Calls waiting for the main thread.', () => queue.waiting);
  metrics.counter('boundary_shed_total', 'Calls refused because the process was overloaded.', () => queue.refused);
  return withQueue(queue, listener, config.BASE_URL);
}

/** Listens on the configured port. @throws Error with a readable message when the port is in use or needs privileges */
async function listenOn({ HOST: host, PORT: port, BASE_URL }: Config, listener: RequestListener): Promise<Listening> {
  try {
    return await listen(listener, { host, port }, BASE_URL);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(`Port ${port} on ${host} is in use. Choose another port with --port.`, { cause: error });
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} on ${host} needs more rights. Choose another port with --port.`, { cause: error });
    }
    throw error;
  }
}

/** Opens the control socket of an embedded database and adds it to `open`. */
async function openControl(app: App, open: Listening[]): Promise<void> {
  const { services } = app;
  if (services.db.kind !== 'embedded') return;
  const { config } = services;
  const trusted = createHttpApp(services, ops, { trusted: true }).callback();
  const run = (name: string, input: unknown, progress: (message: string) => void) =>
    runCommand(app, name, input, progress, (...work) => runIsolated(services, ...work));
  const path = join(config.DATA_DIR, 'control.sock');
  open.push(await listen(controlListener(services, run, trusted), { path }, config.BASE_URL));
}

/**
 * Creates the first key of a new database. On a terminal, returns the key itself; otherwise writes it to a file that
 * only its owner can read, and returns the path. Null if keys exist.
 */
async function firstKey(app: App): Promise<string | null> {
  const { keys, config } = app.services;
  if (await keys.exist()) return null;
  const { key } = await keys.create({ email: FIRST_OWNER, name: 'first key' });
  if (process.stderr.isTTY) return key;
  const path = join(config.DATA_DIR, 'first-key');
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return resolve(path);
}

function welcome(config: Config, address: string, key: string | null): string {
  const base = config.PORT === 0 ? address : config.BASE_URL;
  const shown = key?.startsWith('bnd_') ? key : key ? `$(cat ${key})` : '<your key>';
  const auth = `-H "Authorization: Bearer ${shown}"`;
  return [
    `Boundary Lookup ${readVersion()} at ${base}`,
    ...(key
      ? [`First key: ${key}`, OWNER_HINT, `or claim its account in a browser: ${base}/claim`]
      : ['More keys: boundary key create --email you@example.org']),
    'Try:',
    `  curl '${base}/v1/boundaries/search?q=Luxembourg&limit=1'`,
    `  curl ${auth} -H 'Content-Type: application/json' -d '{"include":["iso:LU","iso:BE"],"detail":"low"}' ${base}/v1/boundaries/union`,
    `  curl ${auth} -o luxembourg.kml '${base}/v1/boundaries/iso:LU/export?format=kml'`,
  ].join('\n');
}
