import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a command to its end and returns its standard output. @throws with its standard error */
export async function run(command: string, args: readonly string[]): Promise<string> {
  return (await execute(command, args, { maxBuffer: 2 ** 26 })).stdout;
}

/** Name and version of a command, from either output; null when it is not installed. */
export async function versionOf(command: string): Promise<string | null> {
  const said = await execute(command, ['--version']).catch(() => null);
  if (said === null) return null;
  const line = `${said.stdout}\n${said.stderr}`.split('\n').find((text) => /\d+\.\d+/.test(text)) ?? '';
  return `${command} ${/\d+(\.\d+)+/.exec(line)?.[0] ?? ''}`;
}
