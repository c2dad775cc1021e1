import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { problem } from '../core/errors.ts';
import { type StreamTarget, serverTarget, withoutKey } from '../transports/call.ts';
import { credentialsPath, readLogins, serverName } from './credentials.ts';
import { interruption } from './interrupt.ts';

/** Flags that choose where commands run. */
export interface TargetFlags {
  /** This machine: the server that owns DATA_DIR, or the database itself. */
  readonly local?: boolean;
  readonly url?: string;
}

/** Where a command runs, and why there. */
export type Target =
  | {
      readonly kind: 'server';
      readonly url: string;
      readonly because: '--url' | 'BOUNDARY_BASE_URL' | 'login';
      readonly key: { readonly secret: string; readonly because: 'BOUNDARY_API_KEY' | 'login' } | null;
    }
  | { readonly kind: 'socket'; readonly path: string; readonly because: '--local' | 'control.sock' }
  | { readonly kind: 'database'; readonly name: string; readonly because: '--local' | 'DATA_DIR' | 'DATABASE_URL' };

/**
 * Chooses where a command runs. The order is: --local, --url, BOUNDARY_BASE_URL, the current sign-in, the control
 * socket of the server that owns DATA_DIR, the database (DATABASE_URL, or the embedded one in DATA_DIR). A key from a
 * sign-in is sent only to the server that issued it. BOUNDARY_API_KEY takes precedence, and is sent only to
 * BOUNDARY_BASE_URL if that is set.
 * @throws invalid_input for --local together with --url
 */
export async function chooseTarget(config: Config, flags: TargetFlags): Promise<Target> {
  if (flags.local && flags.url !== undefined) throw problem('invalid_input', 'Give --local or --url, not both.');
  if (!flags.local) {
    const logins = readLogins(credentialsPath(config));
    const server = (url: string, because: '--url' | 'BOUNDARY_BASE_URL' | 'login'): Target => {
      const name = serverName(url);
      const { BOUNDARY_API_KEY: given, BOUNDARY_BASE_URL: base } = config;
      const saved = logins.servers[name]?.api_key;
      const meant = given !== undefined && (base === undefined || serverName(base) === name);
      if (meant) return { kind: 'server', url: name, because, key: { secret: given, because: 'BOUNDARY_API_KEY' } };
      return { kind: 'server', url: name, because, key: saved ? { secret: saved, because: 'login' } : null };
    };
    if (flags.url !== undefined) return server(flags.url, '--url');
    if (config.BOUNDARY_BASE_URL) return server(config.BOUNDARY_BASE_URL, 'BOUNDARY_BASE_URL');
    if (logins.current !== null) return server(logins.current, 'login');
  }
  const socket = await controlSocket(config);
  if (socket) return { kind: 'socket', path: socket, because: flags.local ? '--local' : 'control.sock' };
  if (config.DATABASE_URL) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    return { kind: 'database', name: `${host}${pathname}`, because: flags.local ? '--local' : 'DATABASE_URL' };
  }
  return { kind: 'database', name: resolve(config.DATA_DIR), because: flags.local ? '--local' : 'DATA_DIR' };
}

/** The control socket of the server that owns DATA_DIR, or null if none is running. */
export async function controlSocket(config: Config): Promise<string | null> {
  if (config.DATABASE_URL) return null;
  const path = join(config.DATA_DIR, 'control.sock');
  if (!existsSync(path)) return null;
  const { ownerOf } = await import('../db/lock.ts');
  return (await ownerOf(config.DATA_DIR)) ? path : null;
}

/** An open place. */
export interface OpenTarget {
  readonly target: StreamTarget;
  close(): Promise<void>;
}

const nothing = async (): Promise<void> => {};

/**
 * Opens a place. `signal` cancels what runs there. Only a database place loads the application.
 * @throws not_found when there is no database yet: a query does not create one
 */
async function openTarget(config: Config, place: Target, signal: AbortSignal): Promise<OpenTarget> {
  if (place.kind === 'server') {
    const target = serverTarget({ baseUrl: place.url, apiKey: place.key?.secret }, signal);
    return { target: place.key ? target : withoutKey(target, place.url), close: nothing };
  }
  const overSocket = (socketPath: string): OpenTarget => {
    return { target: withoutKey(serverTarget({ socketPath }, signal), null), close: nothing };
  };
  if (place.kind === 'socket') return overSocket(place.path);
  if (!config.DATABASE_URL && !existsSync(config.DATA_DIR)) {
    throw problem(
      'not_found',
      `There is no database in ${place.name}, and no server is configured. Run boundary serve, boundary login ADDRESS or boundary import FILE.`,
    );
  }
  const [{ openApp }, { createLogger }, { ops }, { localTarget }] = await Promise.all([
    import('../app/app.ts'),
    import('../common/log.ts'),
    import('../ops/index.ts'),
    import('../transports/local.ts'),
  ]);
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    try {
      const app = await openApp(config, createLogger('warn'));
      return { target: withoutKey(localTarget(app.services, ops, signal), null), close: () => app.close() };
    } catch (error) {
      // Another command has the database for a moment, or a server is starting, which is then used instead.
      const isTaken = (error as { code?: unknown }).code === 'data_dir_in_use';
      if (!isTaken || Date.now() > until) throw error;
      const socket = await controlSocket(config);
      if (socket) return overSocket(socket);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Maximum wait for a database that another command has, and the delay between attempts. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

/** The place at which the commands of one command line run; opened on first use. */
export interface Workplace {
  open(flags: TargetFlags): Promise<StreamTarget>;
  /** Aborts when the program is asked to exit. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** Creates the workplace. Once `signal` or `open` was used, Ctrl-C aborts running work; before, it ends the program. */
export function createWorkplace(config: Config): Workplace {
  let opened: OpenTarget | null = null;
  let signal: AbortSignal | null = null;
  return {
    get signal() {
      signal ??= interruption();
      return signal;
    },
    async open(flags) {
      opened ??= await openTarget(config, await chooseTarget(config, flags), this.signal);
      return opened.target;
    },
    async close() {
      await opened?.close();
    },
  };
}
