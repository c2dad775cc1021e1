import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { WriteStream } from 'node:tty';
import { visible } from '../../transports/visible.ts';
import { writeWhole } from '../files.ts';

/** The terminal; replaced in tests. */
export interface Terminal {
  stdout(content: string | Uint8Array): void;
  stderr(text: string): void;
  /** Reads all of standard input. */
  stdin(): Uint8Array;
  /** Writes a file atomically. */
  writeFile(path: string, content: Uint8Array): void;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Width in columns, on a terminal. */
  readonly width?: number;
  readonly colors: { readonly out: boolean; readonly err: boolean };
}

/** Whether a stream is a terminal with colors, and neither NO_COLOR nor TERM=dumb is set. */
function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream instanceof WriteStream && stream.hasColors();
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  stdout: (content) => void process.stdout.write(content),
  stderr: (text) => void process.stderr.write(text),
  stdin: () => readFileSync(0),
  writeFile: (path, content) => writeWhole(path, content),
  get isTerminal() {
    return process.stdout.isTTY === true;
  },
  get width() {
    return process.stdout.columns;
  },
  get colors() {
    return { out: hasColors(process.stdout), err: hasColors(process.stderr) };
  },
};

/** Minimum interval in milliseconds between progress lines when standard error is not a terminal. */
const LINES_APART_MS = 5_000;

/**
 * Creates a progress line on standard error. On a terminal, each message overwrites the last. Elsewhere nothing is
 * printed or, with `lines`, a line at most every five seconds.
 */
export function progressLine({ lines = false } = {}): { show(message: string): void; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) {
    let shown = performance.now();
    const show = (message: string): void => {
      if (!lines || performance.now() - shown < LINES_APART_MS) return;
      shown = performance.now();
      stderr.write(`${visible(message, true)}\n`);
    };
    return { show, end: () => {} };
  }
  return {
    show: (message) => void stderr.write(`\r\x1b[K${visible(message, true).slice(0, (stderr.columns ?? 80) - 1)}`),
    end: () => void stderr.write('\r\x1b[K'),
  };
}

/** Whether a person can be asked: questions are on standard error, so that the output stays clean. */
export const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks a person, and returns the answer without blanks around it. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Whether a person answers a question with yes. */
export const saysYes = async (question: string): Promise<boolean> => /^y(es)?$/i.test(await ask(question));
