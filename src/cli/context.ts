import type { App } from '../app/app.ts';
import type { Config } from '../config.ts';
import { visibleDeep } from '../transports/visible.ts';
import type { CommandName } from './operator/index.ts';
import { progressLine } from './render/terminal.ts';
import { controlSocket } from './target.ts';

/** Opens the application in this process, runs `work` and closes the application. */
export async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const [{ openApp }, { createLogger }] = await Promise.all([import('../app/app.ts'), import('../common/log.ts')]);
  const app = await openApp(config, createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/**
 * Runs a command in the process that has the database: the server that owns DATA_DIR, or this process if none does.
 * Strings in the result are made safe to print, because anyone may have written the names in imported files.
 */
export async function command(config: Config, name: CommandName, input: object): Promise<unknown> {
  const line = progressLine();
  try {
    const socket = await controlSocket(config);
    if (socket) {
      const { callControl } = await import('../transports/control.ts');
      return visibleDeep(await callControl(socket, name, input, line.show));
    }
    const { runCommand } = await import('./operator/index.ts');
    return visibleDeep(await withApp(config, (app) => runCommand(app, name, input, line.show)));
  } finally {
    line.end();
  }
}
