import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { command } from '../context.ts';
import { addBlobCommands } from './blobs.ts';
import { addCompletenessCommands } from './completeness.ts';
import { addStaleCommand } from './stale.ts';

/** Adds `boundary admin …`: commands for operators of the service. */
export function addAdminCommands(cli: Command, config: Config): void {
  const admin = cli.command('admin').description('commands for operators of the service');
  addCompletenessCommands(admin, config);
  addStaleCommand(admin, config);
  addBlobCommands(admin, config);
  admin
    .command('set-plan')
    .description('put an organization on a plan')
    .argument('<org>', 'its id or slug')
    .argument('<plan>')
    .option('--json', 'print the organization as JSON')
    .action(async (org: string, plan: string, flags: { json?: boolean }) => {
      const changed = (await command(config, 'admin_set_plan', { org, plan })) as { slug: string; plan: string };
      process.stdout.write(flags.json ? `${JSON.stringify(changed)}\n` : `${changed.slug} is on ${changed.plan}.\n`);
    });
  admin
    .command('set-price')
    .description('set the price of a plan at the payment provider; without a price the plan is not sold')
    .argument('<plan>')
    .argument('[price]', 'id of the price at the provider')
    .option('--json', 'print the plan as JSON')
    .action(async (plan: string, price: string | undefined, flags: { json?: boolean }) => {
      const changed = await command(config, 'admin_set_price', { plan, price: price ?? null });
      const text = price ? `${plan} is sold as ${price}.` : `${plan} is not sold.`;
      process.stdout.write(`${flags.json ? JSON.stringify(changed) : text}\n`);
    });
  admin
    .command('owner')
    .description('the account that the first key was made for')
    .command('set')
    .description('set the email address that its owner signs in with')
    .argument('<email>')
    .option('--account <email>', 'change the address of another account')
    .option('--json', 'print the account as JSON')
    .action(async (email: string, flags: { account?: string; json?: boolean }) => {
      const account = flags.account === undefined ? {} : { account: flags.account };
      const changed = (await command(config, 'admin_owner', { email, ...account })) as { email: string };
      const text = `The owner signs in as ${changed.email}.`;
      process.stdout.write(`${flags.json ? JSON.stringify(changed) : text}\n`);
    });
  const operator = admin.command('operator');
  operator.description('accounts that may run the service');
  for (const [name, is, outcome] of [
    ['add', true, 'is an operator'],
    ['remove', false, 'is no longer an operator'],
  ] as const) {
    operator
      .command(name)
      .description(`${name} an operator`)
      .argument('<email>')
      .option('--json', 'print the account as JSON')
      .action(async (email: string, flags: { json?: boolean }) => {
        const account = (await command(config, 'admin_operator', { email, operator: is })) as { email: string };
        process.stdout.write(flags.json ? `${JSON.stringify(account)}\n` : `${account.email} ${outcome}.\n`);
      });
  }
}
