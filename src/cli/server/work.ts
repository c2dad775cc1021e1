import type { Command } from 'commander';
import type { LocateFlags } from '../commands/locate.ts';
import type { MatchFlags } from '../commands/match.ts';
import type { UnionFlags } from '../commands/union.ts';
import { firstOperand } from '../operations.ts';
import type { ExportFlags } from '../options.ts';
import { processTerminal } from '../render/terminal.ts';
import type { TargetFlags, Workplace } from '../target.ts';

/** A command for everyday work. */
interface WorkCommand {
  readonly description: string;
  /** Adds arguments, flags and the action; called when the command line names the command. */
  declare(command: Command, workplace: Workplace): Promise<Command>;
}

const WORK: Readonly<Record<string, WorkCommand>> = {
  union: {
    description: 'merge boundaries, by name or id, into one file',
    async declare(command, workplace) {
      const { declareUnion, runUnion } = await import('../commands/union.ts');
      return declareUnion(command).action(async (names: string[]) => {
        const flags = command.optsWithGlobals<TargetFlags & UnionFlags>();
        await runUnion(await workplace.open(flags), names, flags, processTerminal);
      });
    },
  },
  export: {
    description:
      'export boundaries, or the subdivisions of one, with matching borders: as one file, or one file per boundary',
    async declare(command, workplace) {
      const { declareExport, runExport } = await import('../commands/export.ts');
      return declareExport(command).action(async (names: string[]) => {
        const flags = command.optsWithGlobals<TargetFlags & ExportFlags>();
        const target = await workplace.open(flags);
        process.exitCode = await runExport(target, names, flags, processTerminal, workplace.signal);
      });
    },
  },
  locate: {
    description: 'add the boundaries that contain it to each row of a CSV file of points',
    async declare(command, workplace) {
      const { declareLocate, runLocate } = await import('../commands/locate.ts');
      return declareLocate(command).action(async (input: string) => {
        const flags = command.optsWithGlobals<TargetFlags & LocateFlags & { output: string }>();
        await runLocate(await workplace.open(flags), input, flags, processTerminal, workplace.signal);
      });
    },
  },
  match: {
    description: 'add the boundary that it means to each row of a CSV file of place names or codes',
    async declare(command, workplace) {
      const { declareMatch, runMatch } = await import('../commands/match.ts');
      return declareMatch(command).action(async (input: string) => {
        const flags = command.optsWithGlobals<TargetFlags & MatchFlags>();
        await runMatch(await workplace.open(flags), input, flags, processTerminal);
      });
    },
  },
  sets: {
    description: 'store a file of areas of your own, such as sales territories, as a set',
    async declare(command, workplace) {
      const { declareSets, runCreateSet } = await import('../commands/sets.ts');
      return declareSets(command, async (file, flags) => {
        const target = await workplace.open(flags as TargetFlags);
        const terminal = { ...processTerminal, progress: process.stderr.isTTY === true };
        await runCreateSet(target, file, flags, terminal, workplace.signal);
      });
    },
  },
  convert: {
    description: 'convert a file of areas to another format; no server needed',
    async declare(command, workplace) {
      const { convertIsolated, declareConvert } = await import('../commands/convert.ts');
      return declareConvert(command).action((input: string, output: string) =>
        convertIsolated(input, output, command.opts(), processTerminal, workplace.signal),
      );
    },
  },
};

/** Adds `boundary union`, `export`, `locate`, `match`, `sets` and `convert`. With `all`, each gets its arguments and flags. */
export async function addWorkCommands(
  cli: Command,
  workplace: Workplace,
  words: readonly string[],
  all = false,
): Promise<void> {
  cli.commandsGroup('Work:');
  const named = firstOperand(words);
  for (const [name, work] of Object.entries(WORK)) {
    const command = cli.command(name).description(work.description);
    if (all || named === name || named === 'help') await work.declare(command, workplace);
  }
}
