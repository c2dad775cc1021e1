import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { defined } from '../common/elements.ts';
import type { OpManifest } from './manifest.ts';
import { processTerminal } from './render/terminal.ts';
import type { Workplace } from './target.ts';

/**
 * Adds a command for each operation, unless `words` names another command: loading them takes time. Only the named
 * command gets its arguments and flags, or every command with `all`.
 */
export async function addOpCommands(
  cli: Command,
  workplace: Workplace,
  words: readonly string[],
  all = false,
): Promise<void> {
  const named = firstOperand(words);
  if (!all && named !== null && named !== 'help' && cli.commands.some((command) => command.name() === named)) return;
  const [sheets, { opCommand, opStub }] = await Promise.all([readManifest(), import('./op_command.ts')]);
  const surroundings = {
    target: (flags: { local?: boolean; url?: string }) => workplace.open(flags),
    exit: (code: number) => {
      process.exitCode = code;
    },
    terminal: processTerminal,
  };
  const wanted = named === 'help' ? firstOperand(words.slice(words.indexOf('help') + 1)) : named;
  for (const sheet of sheets) {
    const command =
      all || sheet.command === wanted || sheet.alias === wanted ? opCommand(sheet, surroundings) : opStub(sheet);
    cli.addCommand(command.copyInheritedSettings(cli));
  }
}

/** The manifest of operations that the build writes (scripts/make_manifest.ts). */
const MANIFEST = fileURLToPath(new URL('./operations.json', import.meta.url));

/** Reads the manifest, or generates it from the operations if the program was not built. */
async function readManifest(): Promise<readonly OpManifest[]> {
  if (existsSync(MANIFEST)) return JSON.parse(readFileSync(MANIFEST, 'utf8')) as OpManifest[];
  const [{ ops }, { manifestOf }] = await Promise.all([import('../ops/index.ts'), import('./manifest.ts')]);
  return ops.map(manifestOf);
}

/** The first word of a command line that is neither an option of the program nor an option's value. */
export function firstOperand(words: readonly string[]): string | null {
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '--url') i++;
    else if (!defined(words[i]).startsWith('-')) return defined(words[i]);
  }
  return null;
}
