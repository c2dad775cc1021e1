import { type Argument, type Command, Option } from 'commander';

/** Adds `--url` and `--local`, for every command that calls a service. */
export function placeOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the server to use')
    .option('--local', 'use the database of this machine (or the server that owns it)');
}

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'];

/** Shows the choices of a flag or argument in its help and completion. Validation is left to the command. */
export function oneOf<T extends Argument | Option>(one: T, choices: readonly string[]): T {
  one.argChoices = [...choices];
  return one;
}

/** How a file of areas is read, for `boundary import` and `boundary convert`. */
export const LAYER = new Option('--layer <name>', 'the layer to read: a table, an object, a file of a zip');
export const GEOMETRY = new Option('--geometry <column>', 'the column of the geometry (csv, geoparquet)');
export const ENCODING = new Option(
  '--encoding <name>',
  'encoding of the text when it is not UTF-8 or not the stated one: windows-1252, shift_jis, koi8-r, big5 …',
);

/** Options of `boundary export`. */
export interface ExportFlags {
  readonly childrenOf?: string;
  readonly level?: string;
  readonly levels?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly toleranceM?: string;
  /** Folder for one file per boundary. */
  readonly out?: string;
  /** One file for all boundaries, its format, and the languages that have a column in it. */
  readonly output?: string;
  readonly as?: string;
  readonly names?: string;
  readonly safeCsv?: boolean;
  readonly parallel?: string;
  readonly json?: boolean;
  readonly country?: string;
  readonly kind?: string;
  readonly adminLevel?: string;
  readonly near?: string;
}
