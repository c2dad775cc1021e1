import type { z } from 'zod';
import type { App } from '../../app/app.ts';
import { problem } from '../../core/errors.ts';
import { backupCommands } from './backup.ts';
import { blobCommands } from './blobs.ts';
import { type Command, type Progress, parseInput } from './command.ts';
import { completenessCommands } from './completeness.ts';
import { historyCommands } from './history.ts';
import { importCommands } from './import.ts';
import { keyCommands } from './keys.ts';
import { operateCommands } from './operate.ts';
import { sourceCommands } from './sources.ts';
import { supportCommands } from './support.ts';
import { tileCommands } from './tiles.ts';
import { updateCommands } from './update.ts';

/** Every command by its name on the control socket. */
export const commands = {
  ...backupCommands,
  ...blobCommands,
  ...completenessCommands,
  ...historyCommands,
  ...importCommands,
  ...keyCommands,
  ...operateCommands,
  ...sourceCommands,
  ...supportCommands,
  ...tileCommands,
  ...updateCommands,
};

export type CommandName = keyof typeof commands;

/** Runs a data command elsewhere than in this process (isolated.ts). */
export type RunIsolated = (name: string, input: unknown, progress: Progress) => Promise<unknown>;

/**
 * Validates the input and runs a command by name; a data command with `isolated` if that is given.
 * @throws unknown_op, invalid_input, and whatever the command throws
 */
export async function runCommand(
  app: App,
  name: string,
  input: unknown,
  progress: Progress,
  isolated?: RunIsolated,
): Promise<unknown> {
  if (!Object.hasOwn(commands, name)) throw problem('unknown_op', `There is no command ${name.slice(0, 60)}.`);
  const found = commands[name as CommandName] as unknown as Command<z.ZodType>;
  const data = parseInput(found.input, input);
  if (isolated && 'isIsolated' in found) return isolated(name, data, progress);
  return found.run(app, data, progress);
}
