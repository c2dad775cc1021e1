import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { addBlobCommands } from './blobs.ts';
import { command } from './context.ts';
import { addCoverageCommands } from './coverage.ts';
import { addStaleCommand } from './stale.ts';

/** `boundary admin …`: for those who run the service. */
export function addAdminCommands(cli: Command, config: Config): void {
  const admin = cli.command('admin').description('for those who run the service');
  addCoverageCommands(admin, config);
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
    .description('say what a plan is called by the payment provider; without a price it is not sold')
    .argument('<plan>')
    .argument('[price]', "the provider's id of the price")
    .option('--json', 'print the plan as JSON')
    .action(async (plan: string, price: string | undefined, flags: { json?: boolean }) => {
      const changed = await command(config, 'admin_set_price', { plan, price: price ?? null });
      const text = price ? `${plan} is sold as ${price}.` : `${plan} is not sold.`;
      process.stdout.write(`${flags.json ? JSON.stringify(changed) : text}\n`);
    });
  const operator = admin.command('operator');
  operator.description('the accounts that may run the service, signed in or with a key made with --operator');
  for (const [name, is, outcome] of [
    ['add', true, 'is an operator'],
    ['remove', false, 'is an operator no more'],
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
