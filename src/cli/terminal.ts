import { readFileSync } from 'node:fs';
import { WriteStream } from 'node:tty';
import { visible } from '../transports/visible.ts';
import { writeWhole } from './files.ts';
import type { Terminal } from './op_command.ts';

/** Whether colors are wanted there: a terminal that has them, and neither NO_COLOR nor TERM=dumb. */
function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream instanceof WriteStream && stream.hasColors();
}

/** The terminal that this process runs in. */
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
    return { out: hasColours(process.stdout), err: hasColours(process.stderr) };
  },
};

/** Lines of progress elsewhere than on a terminal come at least so many milliseconds apart. */
const LINES_APART_MS = 5_000;

/**
 * Writes one line over the last on a terminal; elsewhere nothing or, where `lines` are wanted, the message as a line of
 * its own, at most one in five seconds.
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
