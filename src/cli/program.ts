import { Argument, Command, CommanderError } from 'commander';
import { readVersion } from '../common/version.ts';
import { type Config, loadConfig } from '../config.ts';
import { PROBLEMS } from '../core/errors.ts';
import { addAdminCommands } from './commands/admin.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addBenchCommand } from './commands/bench.ts';
import { addHistoryCommand } from './commands/history.ts';
import { addImportCommands } from './commands/import.ts';
import { addJobCommands } from './commands/job.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addSourcesCommand } from './commands/sources.ts';
import { addSupportCommand } from './commands/support.ts';
import { addTilesCommand } from './commands/tiles.ts';
import { addUpdateCommand } from './commands/update.ts';
import { withApp } from './context.ts';
import { addOpCommands, firstOperand } from './operations.ts';
import { oneOf, placeOptions, SHELLS } from './options.ts';
import { reportOf } from './render/report.ts';
import { processTerminal } from './render/terminal.ts';
import { addWorkCommands } from './server/work.ts';
import { addSessionCommands } from './session.ts';
import { createWorkplace, type Workplace } from './target.ts';

/**
 * Builds the command line. Commands import their own dependencies, so that all others start fast. When finding a
 * command's flags takes long, only the command that `words` names gets them; with `all`, every command does.
 */
async function program(config: Config, workplace: Workplace, words: readonly string[], all = false): Promise<Command> {
  const cli = new Command('boundary')
    .description('Administrative boundaries: search, reverse, children, exact unions and exports.')
    .version(readVersion())
    // Options after a command belong to it: `import --url` is the URL of a source.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run boundary --help for the commands and options.');
  placeOptions(cli);
  cli.commandsGroup('This machine:');
  cli
    .command('serve')
    .description('run the server; a flag overrides its environment variable')
    .option('--port <number>', 'port to listen on (PORT, 8080)')
    .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
    .option('--processes <number>', 'processes on a native database (PROCESSES, as many as cores)')
    .option('--data-dir <folder>', 'folder of the database, exports and mail (DATA_DIR, .data)')
    .option('--seed <data>', 'data for an empty database: none, countries or all (SEED, all)')
    .action(async (flags: ServeFlags) => {
      const chosen = serveConfig(flags);
      await (await import('./server/serve.ts')).serve(chosen);
    });
  cli
    .command('work')
    .description('run jobs, beside the server or on another machine with the same DATABASE_URL')
    .action(async () => (await import('./server/take_jobs.ts')).takeJobs(config));
  cli
    .command('migrate')
    .description('apply database migrations')
    .action(() => withApp(config, async () => void process.stdout.write('The database is up to date.\n')));
  addBackupCommands(cli, config);
  addSupportCommand(cli, config);
  addImportCommands(cli, config);
  addSourcesCommand(cli, config);
  addHistoryCommand(cli, config);
  addUpdateCommand(cli, config);
  addTilesCommand(cli, config);
  addBenchCommand(cli, config);
  addKeyCommands(cli, config);
  addAdminCommands(cli, config);
  addMcpCommand(cli, config, workplace);
  addSessionCommands(cli, config, workplace);
  addJobCommands(cli, workplace);
  await addWorkCommands(cli, workplace, words, all);
  cli.commandsGroup('This machine:');
  cli
    .command('completion')
    .description('print a completion script: source <(boundary completion bash)')
    .addArgument(oneOf(new Argument('<shell>'), SHELLS))
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion.ts');
      process.stdout.write(completionScript(shell, await program(config, workplace, words, true)));
    });
  await addOpCommands(cli, workplace, words, all);
  return cli;
}

interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
  readonly processes?: string;
  readonly seed?: string;
}

/** Settings of a server: the environment, overridden by the flags. @throws ConfigError */
function serveConfig({ port, host, dataDir, processes, seed }: ServeFlags): Config {
  return loadConfig(undefined, { PORT: port, HOST: host, DATA_DIR: dataDir, PROCESSES: processes, SEED: seed });
}

/** Exit code for an invalid command line, as for invalid_input. */
const EXIT_USAGE = PROBLEMS.invalid_input.exit;

/** Runs a command line and sets the exit code. Failures are reported on standard error. */
export async function run(words: readonly string[]): Promise<void> {
  let workplace: Workplace | null = null;
  try {
    const config = loadConfig();
    workplace = createWorkplace(config);
    const cli = await program(config, workplace, words);
    const named = firstOperand(words);
    const isKnown = named === null || cli.commands.some((one) => one.name() === named || one.aliases().includes(named));
    // The parser would answer a request for help about an unknown command with the help of all commands.
    const given = isKnown || named === 'help' ? words : words.filter((word) => word !== '--help' && word !== '-h');
    await cli.parseAsync(given, { from: 'user' });
  } catch (error) {
    // The parser has already printed the error or the help.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
      return;
    }
    const report = reportOf(error, { json: words.includes('--json'), colors: processTerminal.colors.err });
    process.stderr.write(report.text);
    process.exitCode = report.exit;
  } finally {
    await workplace?.close();
  }
}
