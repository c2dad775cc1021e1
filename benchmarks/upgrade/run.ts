/**
 * `tsx benchmarks/upgrade/run.ts COMMIT`: upgrades a service of two servers from the release at COMMIT to the
 * checked-out one while clients call it through a proxy, as docs/operations.md describes: migrate, then replace one
 * server after another. An old server is started once more on the new schema. Prints what the clients saw, and exits
 * with 1 if a call was refused, cut or failed, or if anything was lost. Needs an installed PostgreSQL, and git for the
 * old release.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRoundRobin } from '../../test/setup/round_robin.ts';
import { charged, fixedAnswers, inconsistencies } from '../faults/check.ts';
import { LoadClients, summarize } from '../faults/crowd.ts';
import { query } from '../import/native.ts';
import { startPostgis } from '../postgis.ts';

/** Calls per second. */
const RATE = 15;
/** Milliseconds between two steps. */
const STEP_MS = 4000;
/** Milliseconds from removing a server from the proxy to its SIGTERM, like `preStop` in deploy/kubernetes. */
const DRAIN_MS = 2000;
/**
 * Milliseconds that a start may take; the first server loads the seed data of Spain, the United States and the world.
 */
const STARTS_MS = 400_000;

interface Server {
  readonly child: ChildProcess;
  readonly address: string;
  readonly said: () => string;
}

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('which commit is the old release?');
const folder = await mkdtemp(join(tmpdir(), 'boundary-upgrade-'));
const old = join(folder, 'old');
const git = (...words: string[]) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
const database = await startPostgis();
if (database === null) throw new Error('PostgreSQL is not installed');
const proxy = await startRoundRobin();
const running = new Set<ChildProcess>();

/** Builds a release into its own dist. */
function build(root: string): void {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}

/** Settings of a process; `name` is its data directory. */
const environment = (name: string) => ({
  PATH: process.env.PATH,
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, name),
  STORAGE_URL: `file:${join(folder, 'storage')}`,
  BASE_URL: proxy.address,
  TRUSTED_PROXIES: '127.0.0.1',
  DEFAULT_PLAN: 'business',
  PORT: '0',
  PROCESSES: '1',
  LOG_LEVEL: 'warn',
  JOB_PART: '4',
});

async function serve(root: string, name: string): Promise<Server> {
  const child = spawn(process.execPath, ['dist/src/main.js', 'serve'], {
    cwd: root,
    env: environment(name),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  child.stderr?.on('data', (part: Buffer) => {
    said += part;
  });
  for (const end = Date.now() + STARTS_MS; Date.now() < end; await sleep(100)) {
    const [, address] = /Boundary Lookup \S+ at (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
    if (address !== undefined && (await fetch(`${address}/readyz`)).ok) return { child, address, said: () => said };
    if (child.exitCode !== null) break;
  }
  throw new Error(`${name} did not start: ${said}`);
}

async function end({ child }: Server): Promise<void> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await gone;
}

const migrations = async () =>
  Number((await query<{ n: number }>(database.url, 'select count(*)::integer as n from schema_migration'))[0].n);

try {
  git('worktree', 'add', '--detach', '--force', old, commit);
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(old) === lock('.')) symlinkSync(resolve('node_modules'), join(old, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: old, stdio: ['ignore', 2, 2] });
  for (const root of [old, '.']) build(root);
  await query(database.url, 'create extension if not exists postgis');
  say(`old release ${git('log', '-1', '--format=%h %cs %s', commit).trim()}`);
  const first = await serve(old, 'a');
  const second = await serve(old, 'b');
  proxy.targets = [first.address, second.address];
  const key = readFileSync(join(folder, 'a', 'first-key'), 'utf8').trim();
  const deployment = { address: proxy.address, key };
  const answers = await fixedAnswers(deployment);
  const crowd = await LoadClients.of(deployment);
  const before = { answers, charged: await charged(deployment) };
  crowd.start(RATE);
  await sleep(STEP_MS);

  const had = await migrations();
  execFileSync(process.execPath, ['dist/src/main.js', 'migrate'], { env: environment('m'), stdio: ['ignore', 2, 2] });
  say(`migrated from ${had} to ${await migrations()} migrations, with two old servers serving`);
  await sleep(STEP_MS);

  // An old process that restarts during the upgrade finds the new schema.
  const again = await serve(old, 'c');
  say(
    `an old server started on the new schema: ${again.said().includes('newer release') ? 'it warned' : 'NO WARNING'}`,
  );
  proxy.targets = [first.address, second.address, again.address];
  await sleep(STEP_MS);

  const replaced: Server[] = [];
  for (const [i, one] of [first, second, again].entries()) {
    replaced.push(await serve('.', `new${i}`));
    proxy.targets = [...replaced, ...[first, second, again].slice(i + 1)].map(({ address }) => address);
    // Like a load balancer: earlier requests have arrived before the server stops accepting.
    await sleep(DRAIN_MS);
    await end(one);
    say(`${i + 1} of 3 replaced`);
    await sleep(STEP_MS);
  }
  await crowd.stop();
  const wrong = await inconsistencies(deployment, crowd, before, { metered: true });
  const failed = crowd.seen.filter(({ code }) => code !== null).length;
  process.stdout.write(`${summarize(crowd.seen)}\n${crowd.saved.length} files saved, ${crowd.jobs.length} jobs\n`);
  process.stdout.write(`${wrong.length === 0 ? 'nothing lost' : wrong.slice(0, 8).join('\n')}\n`);
  if (wrong.length > 0 || failed > 0) process.exitCode = 1;
  for (const one of replaced) await end(one);
} finally {
  for (const child of running) child.kill('SIGKILL');
  await proxy.close();
  await database.stop();
  git('worktree', 'remove', '--force', old);
  await rm(folder, { recursive: true, force: true });
}
