#!/usr/bin/env node
import { Argument, Command, CommanderError } from 'commander';
import { addAdminCommands } from './cli/admin.ts';
import { withApp } from './cli/context.ts';
import { addImportCommands } from './cli/import.ts';
import { addKeyCommands } from './cli/keys.ts';
import { addMcpCommand } from './cli/mcp.ts';
import { addOpCommands } from './cli/operations.ts';
import { addSessionCommands } from './cli/session.ts';
import type { Workplace } from './cli/target.ts';
import { processTerminal } from './cli/terminal.ts';
import { addUpdateCommand } from './cli/update.ts';
import { addWorkCommands } from './cli/work.ts';
import type { Config } from './config.ts';
import { PROBLEMS } from './errors.ts';
import { oneOf, placeOptions, SHELLS } from './transports/options.ts';
import { reportOf } from './transports/report.ts';
import { readVersion } from './version.ts';

/**
 * The command line. Whatever only some commands need is imported by them, so that all others start fast; only the
 * command that `words` name has its flags, where it takes long to find out which they are. `all` gives them to each.
 */
async function program(config: Config, workplace: Workplace, words: readonly string[], all = false): Promise<Command> {
  const cli = new Command('boundary')
    .description('Administrative boundaries: search, reverse, children, exact unions and exports.')
    .version(readVersion())
    // What stands behind a command is the command's: `import --url` is the address of a source.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(--help lists what there is)');
  placeOptions(cli);
  cli.commandsGroup('This machine:');
  cli
    .command('serve')
    .description('run the server')
    .action(async () => (await import('./cli/serve.ts')).serve(config));
  cli
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withApp(config, async () => void process.stdout.write('The database is up to date.\n')));
  addImportCommands(cli, config);
  addUpdateCommand(cli, config);
  addKeyCommands(cli, config);
  addAdminCommands(cli, config);
  addMcpCommand(cli, config, workplace);
  addSessionCommands(cli, config, workplace);
  await addWorkCommands(cli, workplace, words, all);
  cli.commandsGroup('This machine:');
  cli
    .command('completion')
    .description('print a script that completes this command line: source <(boundary completion bash)')
    .addArgument(oneOf(new Argument('<shell>'), SHELLS))
    .action(async (shell: string) => {
      const { completionScript } = await import('./cli/completion.ts');
      process.stdout.write(completionScript(shell, await program(config, workplace, words, true)));
    });
  await addOpCommands(cli, workplace, words, all);
  return cli;
}

/** Of a command line that cannot be read: the same as for invalid_input. */
const EXIT_USAGE = PROBLEMS.invalid_input.exit;

/** A reader that has seen enough (head) closes the pipe: that is no failure of ours. A full disk is one. */
function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: standard output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => process.exit(1));
}

async function main(words: readonly string[]): Promise<void> {
  watchOutput();
  if (words.length === 1 && ['--version', '-V'].includes(words[0])) {
    process.stdout.write(`${readVersion()}\n`);
    return;
  }
  let workplace: Workplace | null = null;
  try {
    const { loadConfig } = await import('./config.ts');
    const config = loadConfig();
    const { createWorkplace } = await import('./cli/target.ts');
    workplace = createWorkplace(config);
    await (await program(config, workplace, words)).parseAsync(words as string[], { from: 'user' });
  } catch (error) {
    // The parser has said already what is wrong with the command line, or shown the help.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
      return;
    }
    const report = reportOf(error, { json: words.includes('--json'), colours: processTerminal.colours.err });
    process.stderr.write(report.text);
    process.exitCode = report.exit;
  } finally {
    await workplace?.close();
  }
}

await main(process.argv.slice(2));
