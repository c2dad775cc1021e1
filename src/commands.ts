import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { systemActor } from './access.ts';
import type { App } from './app.ts';
import { problem } from './errors.ts';
import { importFile, importStarter } from './sources/import.ts';

type Progress = (message: string) => void;

interface Command<I extends z.ZodType> {
  readonly input: I;
  run(app: App, input: z.output<I>, progress: Progress): Promise<unknown>;
}

const command = <I extends z.ZodType>(one: Command<I>) => one;

const coverage = z.strictObject({
  source: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be a short name in lower case'),
  name: z.string().max(200).optional(),
  url: z.url().optional(),
  licence: z.string().min(1).max(200),
  attribution: z.string().min(1).max(500),
  map: z.record(z.string(), z.string()).optional(),
  adminLevel: z.int().min(1).max(12).optional(),
  country: z.string().length(2).optional(),
  type: z.enum(['administrative', 'postal_code']).optional(),
  object: z.string().optional(),
});

/**
 * What the person who runs the service does to it: work that is no operation of the service. Each runs in the process
 * that owns the database, be it this one or a server reached through its control socket.
 */
export const commands = {
  import: command({
    input: z.strictObject({
      file: z.string().refine(isAbsolute, 'must be an absolute path'),
      coverage: coverage.nullable().default(null),
    }),
    run: ({ services }, { file, coverage: options }, progress) =>
      importFile(services, file, options, progress).catch((error: unknown) => {
        throw unreadable(error);
      }),
  }),
  starter: command({
    input: z.strictObject({}),
    run: ({ services }, _input, progress) => importStarter(services, progress),
  }),
  key_create: command({
    input: z.strictObject({
      email: z.string(),
      orgSlug: z.string().optional(),
      plan: z.string().optional(),
      operator: z.boolean().optional(),
      name: z.string().optional(),
    }),
    run: ({ services }, input) => services.keys.create(input),
  }),
  admin_set_plan: command({
    input: z.strictObject({ org: z.string(), plan: z.string() }),
    run: async ({ services }, { org, plan }) => {
      const changed = await services.billing.setPlan(org, plan, systemActor('operator'));
      services.orgs.forget();
      return changed;
    },
  }),
  admin_set_price: command({
    input: z.strictObject({ plan: z.string(), price: z.string().min(1).max(200).nullable() }),
    run: async ({ services }, { plan, price }) => {
      await services.billing.setPrice(plan, price);
      return { plan, price };
    },
  }),
  admin_operator: command({
    input: z.strictObject({ email: z.string(), operator: z.boolean() }),
    run: ({ services }, { email, operator }) => services.accounts.setOperator(email, operator),
  }),
};

export type CommandName = keyof typeof commands;

/** Runs a command on input that was not checked yet. Throws unknown_op, invalid_input and what the command throws. */
export async function runCommand(app: App, name: string, input: unknown, progress: Progress): Promise<unknown> {
  if (!Object.hasOwn(commands, name)) throw problem('unknown_op', `There is no command ${name.slice(0, 60)}.`);
  const found = commands[name as CommandName] as unknown as Command<z.ZodType>;
  const parsed = found.input.safeParse(input);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, code, message }) => ({ path: path.join('.'), code, message }));
    throw problem('invalid_input', issues.map(({ path, message }) => `${path} ${message}`).join('; '), { issues });
  }
  return found.run(app, parsed.data, progress);
}

/** A file that cannot be read is the caller's to mend; faults of ours stay what they are. */
function unreadable(error: unknown): unknown {
  const own = error instanceof Error && (error.constructor === Error || 'syscall' in error);
  if (!own) return error;
  return problem('invalid_input', (error as Error).message, {
    issues: [{ path: 'file', code: 'unreadable', message: (error as Error).message }],
  });
}
