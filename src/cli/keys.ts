import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { NewKey } from '../domain/keys.ts';
import { command } from './context.ts';

interface KeyFlags {
  email: string;
  org?: string;
  plan?: string;
  name?: string;
  operator?: boolean;
  json?: boolean;
}

/** `boundary key create`. */
export function addKeyCommands(cli: Command, config: Config): void {
  const key = cli.command('key').description('API keys');
  key
    .command('create')
    .description('make an account, its organization and a key; prints the key')
    .requiredOption('--email <email>')
    .option('--org <slug>')
    .option('--plan <plan>')
    .option('--name <name>')
    .option('--operator', 'a key that may run the service; makes the person an operator')
    .option('--json', 'print everything as JSON')
    .action(async (flags: KeyFlags) => {
      const { org, json, ...rest } = flags;
      const made = (await command(config, 'key_create', { ...rest, orgSlug: org })) as NewKey;
      process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.key}\n`);
    });
}
