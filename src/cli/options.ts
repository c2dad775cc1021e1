import type { Argument, Command, Option } from 'commander';

/** `--url` and `--local`, for every command that asks a service. */
export function placeOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the server to use')
    .option('--local', 'use the database of this machine (or the server that owns it)');
}

/** The shells that complete the command line. */
export const SHELLS = ['bash', 'zsh', 'fish'];

/** Shows what a flag or an argument may be, in its help and when it is completed; what is wrong is refused later. */
export function oneOf<T extends Argument | Option>(one: T, choices: readonly string[]): T {
  one.argChoices = [...choices];
  return one;
}

/** What the command line of `boundary export` says. */
export interface ExportFlags {
  readonly childrenOf?: string;
  readonly level?: string;
  readonly levels?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly toleranceM?: string;
  /** A folder for a file each. */
  readonly out?: string;
  /** One file for all, its format, and the languages that have a column in it. */
  readonly output?: string;
  readonly as?: string;
  readonly names?: string;
  readonly parallel?: string;
  readonly json?: boolean;
  readonly country?: string;
  readonly kind?: string;
  readonly adminLevel?: string;
  readonly near?: string;
}
