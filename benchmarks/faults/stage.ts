import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openApp } from '../../src/app/app.ts';
import type { Deployment } from '../../src/bench/deployment.ts';
import { loadConfig } from '../../src/config.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BenchServer, startService } from '../http/server.ts';
import { charged, fixedAnswers, inconsistencies } from './check.ts';
import { LoadClients, summarize } from './crowd.ts';

/** Calls per second. */
const RATE = 30;
/** Milliseconds of load before the fault. */
const CALM_MS = 2000;
/** Milliseconds of load after the fault. */
const AFTER_MS = 4000;
/** A server that takes longer than this to answer after a fault counts as not recovered, in milliseconds. */
const RECOVERS_MS = 60_000;

/** The outcome of a fault. */
export interface Outcome {
  readonly clients: string;
  /** Time from the end of the fault to the first success. */
  readonly recovered: string;
  /** Inconsistencies afterwards. */
  readonly wrong: readonly string[];
  readonly note?: string;
}

/** A filled database and a data directory, used by one server after another. */
export interface FaultEnvironment {
  readonly folder: string;
  /** Settings for its servers. */
  readonly env: Readonly<Record<string, string>>;
  readonly key: string;
  readonly metered: boolean;
}

/**
 * Stores Spain's communities and provinces, and returns a key. An empty `databaseUrl` means the embedded database of
 * the folder.
 */
export async function fill(databaseUrl: string, folder: string): Promise<string> {
  const app = await openApp(loadConfig({ DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  try {
    const { source, boundaries } = await seedSpain();
    const chosen = boundaries.filter(({ adminLevel }) => adminLevel !== 8);
    await storeBoundaries(app.services, { source: { ...source, seed: true }, file: source.id, boundaries: chosen });
    // A limited plan, so that each call reserves and settles its units.
    const { key } = await app.services.keys.create({ email: 'faults@example.org', plan: 'business' });
    return key;
  } finally {
    await app.close();
  }
}

/** Creates a data directory for a database. */
export async function createFaultEnvironment(key: string, databaseUrl: string): Promise<FaultEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-fault-'));
  return { key, folder, env: { DATABASE_URL: databaseUrl, DATA_DIR: folder }, metered: true };
}

export const closeStage = ({ folder }: FaultEnvironment): Promise<void> => rm(folder, { recursive: true, force: true });

/** Starts a server of a stage; its log goes to `server.log` in the folder `logs`. */
export async function serve(
  { folder, env }: FaultEnvironment,
  settings: Readonly<Record<string, string>> = {},
  node: readonly string[] = [],
): Promise<BenchServer> {
  const limits = { REQUEST_DEADLINE_MS: '10000', SHUTDOWN_MS: '5000', JOB_LEASE_MS: '3000', JOB_PART: '4' };
  const server = await startService(folder, { ...limits, ...env, ...settings }, node);
  const log = createWriteStream(process.env.FAULTS_LOG ?? '/dev/null', { flags: 'a' });
  server.process.stderr?.pipe(log);
  return server;
}

export const deploymentOf = ({ port }: BenchServer, { key }: FaultEnvironment): Deployment => ({
  address: `http://127.0.0.1:${port}`,
  key,
});

/**
 * Sends calls to a server, injects a fault with `harm`, waits until the server answers again, and checks its data.
 * `harm` resolves when the fault is over. `look` returns the server to use afterwards, if it is another one.
 */
export async function injectFault(
  stage: FaultEnvironment,
  server: BenchServer,
  harm: (crowd: LoadClients) => Promise<unknown>,
  look: () => Deployment = () => deploymentOf(server, stage),
): Promise<Outcome> {
  const deployment = deploymentOf(server, stage);
  const before = { answers: await fixedAnswers(deployment), charged: await charged(deployment) };
  const crowd = await LoadClients.of(deployment);
  const drawn = await charged(deployment);
  crowd.start(RATE);
  await sleep(CALM_MS);
  await harm(crowd);
  const over = performance.now();
  const recovered = await recoveryTime(look(), over);
  await sleep(AFTER_MS);
  await crowd.stop();
  const wrong =
    recovered === null
      ? [`no success within ${RECOVERS_MS / 1000} s`]
      : await inconsistencies(look(), crowd, { ...before, charged: drawn }, stage);
  return {
    clients: summarize(crowd.seen),
    recovered: recovered === null ? 'never' : `${(recovered / 1000).toFixed(1)} s`,
    wrong,
  };
}

/** Milliseconds from `since` until the server is ready again; null if it takes too long. */
async function recoveryTime({ address }: Deployment, since: number): Promise<number | null> {
  while (performance.now() - since < RECOVERS_MS) {
    const answer = await request(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return performance.now() - since;
    await sleep(100);
  }
  return null;
}
