import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import type { Base } from './base.ts';
import { builtScript } from './built.ts';
import { COMPILE_ONCE } from './compiled.ts';

/**
 * Runs a program of a test on a database, with these words; then, if it kills itself, the part of the statement after
 * which it does (kill_after.ts).
 * @throws unless it ends so: killed where `killAfter` is given, else without an error
 */
export async function runKilled(
  script: Parameters<typeof builtScript>[0],
  { dataDir, databaseUrl }: Base,
  words: readonly string[],
  killAfter?: string,
): Promise<void> {
  const args = [await builtScript(script), ...words, ...(killAfter ? [killAfter] : [])];
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BASE_URL: 'http://127.0.0.1:8080' };
  const child = spawn(process.execPath, [COMPILE_ONCE, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  expect([killAfter, code, signal]).toEqual([killAfter, ...(killAfter ? [null, 'SIGKILL'] : [0, null])]);
}
