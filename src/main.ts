#!/usr/bin/env node
import { Command } from 'commander';
import { addAdminCommands } from './cli/admin.ts';
import { operationTarget, withApp } from './cli/context.ts';
import { addImportCommands } from './cli/import.ts';
import { addKeyCommands } from './cli/keys.ts';
import { serve } from './cli/serve.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { PROBLEMS, ProblemError } from './errors.ts';
import { ops } from './ops/index.ts';
import { opCommands } from './transports/cli.ts';
import { readVersion } from './version.ts';

function program(config: Config, exit: (code: number) => void): { cli: Command; close: () => Promise<void> } {
  const cli = new Command('boundary')
    .description('Administrative boundaries: search, reverse, children, exact unions and exports.')
    .version(readVersion())
    .showHelpAfterError();
  cli
    .command('serve')
    .description('run the server')
    .action(() => serve(config));
  cli
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withApp(config, async () => void process.stdout.write('The database is up to date.\n')));
  addImportCommands(cli, config);
  addKeyCommands(cli, config);
  addAdminCommands(cli, config);
  const { target, close } = operationTarget(config);
  for (const one of opCommands(ops, target, exit)) cli.addCommand(one);
  return { cli, close };
}

/** What went wrong, on standard error, and the exit code it means. */
function report(error: unknown): number {
  if (error instanceof ConfigError) {
    process.stderr.write(`error: ${error.message}\n`);
    return 2;
  }
  if (error instanceof ProblemError) {
    process.stderr.write(`error: ${error.code}: ${error.message}\n${PROBLEMS[error.code].remedy}\n`);
    return PROBLEMS[error.code].exit;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  return 1;
}

async function main(): Promise<void> {
  // A reader that has seen enough (head) closes the pipe: that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let close = async () => {};
  try {
    const built = program(loadConfig(), (code) => {
      process.exitCode = code;
    });
    close = built.close;
    await built.cli.parseAsync(negativeIds(process.argv));
  } catch (error) {
    process.exitCode = report(error);
  } finally {
    await close();
  }
}

/** `-62422` is a boundary id and not a flag: it is written so that the parser takes it as a value. */
function negativeIds(argv: readonly string[]): string[] {
  return argv.map((argument) => (/^-\d+$/.test(argument) ? `r${argument.slice(1)}` : argument));
}

await main();
