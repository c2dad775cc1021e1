import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type App, openApp } from '../app.ts';
import { type CommandName, runCommand } from '../commands/index.ts';
import type { Config } from '../config.ts';
import { ownerOf } from '../db/lock.ts';
import { createLogger } from '../log.ts';
import { ops } from '../ops/index.ts';
import { localTarget, serverTarget } from '../transports/call.ts';
import type { CallTarget } from '../transports/cli.ts';
import { callControl } from '../transports/control.ts';

/** Writes one line over the last on a terminal, nothing elsewhere. */
export function progressLine(): { show(message: string): void; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { show: () => {}, end: () => {} };
  return {
    show: (message) => void stderr.write(`\r\x1b[K${message.slice(0, (stderr.columns ?? 80) - 1)}`),
    end: () => void stderr.write('\r\x1b[K'),
  };
}

/** Work of this process alone: opens the application, runs `work`, closes it again. */
export async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(config, createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The control socket of the server that owns DATA_DIR, or null when none runs. */
async function controlSocket(config: Config): Promise<string | null> {
  if (config.DATABASE_URL) return null;
  const path = join(config.DATA_DIR, 'control.sock');
  return existsSync(path) && (await ownerOf(config.DATA_DIR)) ? path : null;
}

/** Runs a command where the database is: in the server that owns DATA_DIR, or here when none does. */
export async function command(config: Config, name: CommandName, input: object): Promise<unknown> {
  const line = progressLine();
  try {
    const socket = await controlSocket(config);
    if (socket) return await callControl(socket, name, input, line.show);
    return await withApp(config, (app) => runCommand(app, name, input, line.show));
  } finally {
    line.end();
  }
}

/** Where the commands of operations go: a server by URL, the server that owns DATA_DIR, or this process. */
export function operationTarget(config: Config): { target: () => Promise<CallTarget>; close: () => Promise<void> } {
  let app: App | null = null;
  return {
    async target() {
      if (config.BOUNDARY_BASE_URL) {
        return serverTarget({ baseUrl: config.BOUNDARY_BASE_URL, apiKey: config.BOUNDARY_API_KEY });
      }
      const socket = await controlSocket(config);
      if (socket) return serverTarget({ socketPath: socket });
      app = await openApp(config, createLogger('warn'));
      const { services } = app;
      const local = localTarget(services, ops, new AbortController().signal);
      return {
        call: local.call,
        async download(url) {
          const [, sha256, extension] = /\/v1\/exports\/([0-9a-f]{64})\.(\w+)$/.exec(url) ?? [];
          const body = sha256 ? await services.blobs.get(sha256, extension) : null;
          if (!body) throw new Error(`the export is not there: ${url}`);
          return { status: 200, contentType: extension, headers: {}, body };
        },
      };
    },
    close: async () => app?.close(),
  };
}
