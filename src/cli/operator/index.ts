import type { z } from 'zod';
import type { App } from '../../app/app.ts';
import { problem } from '../../core/errors.ts';
import { inWords } from '../../core/input_wording.ts';
import { backupCommands } from './backup.ts';
import { blobCommands } from './blobs.ts';
import type { Command, Progress } from './command.ts';
import { completenessCommands } from './completeness.ts';
import { importCommands } from './import.ts';
import { keyCommands } from './keys.ts';
import { operateCommands } from './operate.ts';
import { supportCommands } from './support.ts';
import { tileCommands } from './tiles.ts';
import { updateCommands } from './update.ts';

/** Every command by its name on the control socket. */
export const commands = {
  ...backupCommands,
  ...blobCommands,
  ...completenessCommands,
  ...importCommands,
  ...keyCommands,
  ...operateCommands,
  ...supportCommands,
  ...tileCommands,
  ...updateCommands,
};

export type CommandName = keyof typeof commands;

/**
 * Validates the input and runs a command by name.
 * @throws unknown_op, invalid_input, and whatever the command throws
 */
export async function runCommand(app: App, name: string, input: unknown, progress: Progress): Promise<unknown> {
  if (!Object.hasOwn(commands, name)) throw problem('unknown_op', `There is no command ${name.slice(0, 60)}.`);
  const found = commands[name as CommandName] as unknown as Command<z.ZodType>;
  const parsed = found.input.safeParse(input, { reportInput: true, error: inWords });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, code, message }) => ({ path: path.join('.'), code, message }));
    throw problem('invalid_input', issues.map(({ path, message }) => `${path} ${message}`).join('; '), { issues });
  }
  return found.run(app, parsed.data, progress);
}
