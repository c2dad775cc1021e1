#!/usr/bin/env node
import { restrictUmask } from './common/umask.ts';
import { readVersion } from './common/version.ts';

/** A reader that has seen enough (head) closes the pipe, which is not a failure. A full disk is one. */
function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: standard output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => process.exit(1));
}

restrictUmask();
const words = process.argv.slice(2);
watchOutput();
if (words.length === 1 && words.some((word) => word === '--version' || word === '-V'))
  process.stdout.write(`${readVersion()}\n`);
else await (await import('./cli/program.ts')).run(words);
