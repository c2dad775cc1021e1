import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { builtMain } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';

/** The outcome of a command. */
export interface Outcome {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly bytes: Buffer;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** Resolves when standard error matches the pattern. */
  says(text: RegExp): Promise<RegExpExecArray>;
}

/** A simulated user machine: its own home, no settings, no database. */
export interface Machine {
  readonly folder: string;
  /** A path inside the folder. */
  path(...names: string[]): string;
  start(args: readonly string[], more?: More): Running;
  run(args: readonly string[], more?: More): Promise<Outcome>;
  remove(): void;
}

interface More {
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
  /** Input for the shell that runs it: `$BOUNDARY` is the program. */
  readonly shell?: boolean;
}

const MAIN = await builtMain();

/** Runs the real program in separate processes. */
export function openMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-cli-'));
  const settings = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    DATA_DIR: join(folder, 'data'),
  };
  const start: Machine['start'] = (args, { env = {}, input, shell } = {}) => {
    const program = [process.execPath, COMPILE_ONCE, MAIN];
    const [command, ...words] = shell ? ['bash', '-c', ...args] : [...program, ...args];
    const child = spawn(defined(command), words, {
      cwd: folder,
      env: { ...settings, ...(shell ? { BOUNDARY: program.join(' ') } : {}), ...env },
    });
    const out: Buffer[] = [];
    let err = '';
    const listeners = new Set<() => void>();
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.on('data', (part: Buffer) => {
      err += part;
      for (const listener of listeners) listener();
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = new Promise<Outcome>((done, failed) => {
      child.on('error', failed);
      child.on('close', (exit, signal) => {
        const bytes = Buffer.concat(out);
        done({ exit, signal, bytes, out: bytes.toString(), err });
      });
    });
    const says = (text: RegExp): Promise<RegExpExecArray> =>
      new Promise((done, failed) => {
        const look = (): void => {
          const found = text.exec(err);
          if (found) done(found);
        };
        listeners.add(look);
        look();
        ended.then(() => failed(new Error(`ended without saying ${text}: ${err}`)), failed);
      });
    return { child, ended, says };
  };
  return {
    folder,
    path: (...names) => join(folder, ...names),
    start,
    run: (args, more) => start(args, more).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
