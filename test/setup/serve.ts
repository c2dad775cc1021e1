import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtMain } from './built.ts';
import type { TestDatabase } from './database.ts';

/** A `boundary serve` in its own process. */
export interface Running {
  readonly process: ChildProcess;
  readonly address: string;
}

/** Starts `boundary serve` on the native database of a test, in its own process and with its own data directory. */
export async function serve(
  database: TestDatabase,
  name: string,
  settings: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [await builtMain(), 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.databaseUrl as string,
      DATA_DIR: join(database.dataDir, name),
      PORT: '0',
      LOG_LEVEL: 'warn',
      PROCESSES: '1',
      JOBS_AT_ONCE: '0',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
      const [, found] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
      if (found && !found.endsWith(':0')) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended (${code}): ${said}`)));
  });
  await ready(address);
  return { process: child, address };
}

const READY_MS = 60_000;
const POLL_MS = 50;

/** Waits until a listening server has opened its database; before that it refuses calls. */
async function ready(address: string): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { status } = (await (await fetch(`${address}/readyz`)).json()) as { status?: string };
    if (status !== 'loading') return;
  }
  throw new Error(`${address} was not ready within ${READY_MS} ms`);
}

/** Sends a signal, and waits until the process has ended. */
export async function stop({ process: child }: Running, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
