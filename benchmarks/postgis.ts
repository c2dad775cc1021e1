import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INSTALLED = '/usr/lib/postgresql';

/** A PostgreSQL server started by the benchmark. */
export interface PrivatePostgis {
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** Stops the server and cancels running statements; `immediate` stops it as a crash would. */
  shutdown(mode: 'fast' | 'immediate'): void;
  /** Starts it again after `shutdown`, on the same port. */
  start(): void;
  /** Creates and starts a streaming replica (pg_basebackup); `stop` stops it too. */
  replica(): Promise<PrivateReplica>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** A streaming replica of such a server. */
export interface PrivateReplica {
  readonly url: string;
  readonly port: number;
  /** Stops it as a crash would. */
  kill(): void;
  /** Starts it again after `kill`, on the same port. */
  start(): void;
}

export interface PostgisOptions {
  /** Overrides of server settings, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Mounts a separate disk at the folder for its files, and returns a function that unmounts it. */
  readonly mount?: (folder: string) => () => void;
}

/** The folder of the newest PostgreSQL server installed (Debian's layout), or null. */
function newestServer(): string | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED).filter((one) => existsSync(join(INSTALLED, one, 'bin/initdb')));
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(INSTALLED, newest, 'bin');
}

/**
 * Starts a private PostgreSQL with PostGIS on a free loopback port, in a temporary folder; null if no server is
 * installed. It stops with `stop`, and when this process exits, also by Ctrl-C or SIGTERM.
 */
export async function startPostgis(options: PostgisOptions = {}): Promise<PrivatePostgis | null> {
  const bin = newestServer();
  if (bin === null) return null;
  const root = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), 'boundary-bench-pg-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root: run the cluster as postgres then.
  const run = (name: string, args: readonly string[]) => {
    const [program, ...before] = root ? ['runuser', '-u', 'postgres', '--', join(bin, name)] : [join(bin, name)];
    execFileSync(program, [...before, ...args], { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const unmount = options.mount?.(folder);
  let pid: number | null = null;
  let replicaPid: number | null = null;
  const end = () => {
    for (const one of [pid, replicaPid]) if (one !== null) signal(one, 'SIGQUIT');
    [pid, replicaPid] = [null, null];
    unmount?.();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  const onSignal = (name: NodeJS.Signals) => process.exit(name === 'SIGINT' ? 130 : 143);
  process.once('exit', end);
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  if (root) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
    chownSync(folder, id('-u'), id('-g'));
  }
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync']);
  const own = { fsync: 'off', shared_buffers: '256MB', ...options.settings };
  const settings = Object.entries(own).map(([name, value]) => `-c ${name}=${value}`);
  const startIn = (files: string, at: number): number => {
    const where = `-p ${at} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
    run('pg_ctl', ['-D', files, '-w', '-l', `${files}.log`, '-o', [where, ...settings].join(' '), 'start']);
    return Number(readFileSync(join(files, 'postmaster.pid'), 'utf8').split('\n')[0]);
  };
  const start = () => {
    pid = startIn(data, port);
  };
  const replica = async (): Promise<PrivateReplica> => {
    const files = join(folder, 'replica');
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    run('pg_basebackup', ['-D', files, ...from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    const at = await freePort();
    const begin = () => {
      replicaPid = startIn(files, at);
    };
    begin();
    return {
      url: `postgres://postgres@127.0.0.1:${at}/postgres`,
      port: at,
      start: begin,
      kill() {
        replicaPid = null;
        run('pg_ctl', ['-D', files, '-w', '-m', 'immediate', 'stop']);
      },
    };
  };
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    start,
    replica,
    shutdown(mode) {
      pid = null;
      run('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop']);
    },
    async stop() {
      if (replicaPid !== null) signal(replicaPid, 'SIGQUIT');
      replicaPid = null;
      if (pid !== null) signal(pid, 'SIGINT');
      for (let i = 0; i < 100 && existsSync(join(data, 'postmaster.pid')); i++) await sleep(50);
      end();
      process.off('exit', end);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** Sends a signal to a process, if it still exists. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
