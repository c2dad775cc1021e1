import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { NewKey } from '../../domain/people/keys.ts';
import { command } from '../context.ts';

interface KeyFlags {
  email: string;
  org?: string;
  plan?: string;
  name?: string;
  operator?: boolean;
  json?: boolean;
}

/** Adds `boundary key create`. */
export function addKeyCommands(cli: Command, config: Config): void {
  const key = cli.command('key').description('API keys of this machine');
  key
    .command('create')
    .description('create a key, with its account and organization if needed, and print it')
    .requiredOption('--email <email>', 'email address of the person the key belongs to')
    .option('--org <slug>', 'organization to make or use; default: the personal one')
    .option('--plan <plan>', 'plan of a new organization; default: self_hosted')
    .option('--name <name>', 'what the key is for')
    .option('--operator', 'make the person an operator; the key may run the service')
    .option('--json', 'print everything as JSON')
    .action(async (flags: KeyFlags) => {
      const { org, json, ...rest } = flags;
      const made = (await command(config, 'key_create', { ...rest, orgSlug: org })) as NewKey;
      // Printed as `api_key`, the name that the secret has in every interface.
      const { key: api_key, ...about } = made;
      process.stdout.write(json ? `${JSON.stringify({ ...about, api_key })}\n` : `${api_key}\n`);
    });
}
