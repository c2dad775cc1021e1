import type { AnyOp } from '../op.ts';
import { fieldsOf } from './decode.ts';
import { groupsOf } from './docs/groups.ts';
import { commandLine, commandName } from './example.ts';
import type { Field } from './values.ts';

/**
 * What the command line needs to know of an operation, as data: the build writes the sheets of all operations down, so
 * that a command which asks a server loads neither operations nor schemas.
 */
export interface OpSheet {
  /** By which it is called. */
  readonly name: string;
  readonly command: string;
  readonly summary: string;
  /** Where the help lists it. */
  readonly group: string;
  readonly fields: readonly Field[];
  /** Command lines. */
  readonly examples: readonly string[];
}

/** The sheet of an operation. */
export function sheetOf(op: AnyOp): OpSheet {
  const { name, summary, examples } = op;
  return {
    name,
    command: commandName(op),
    summary,
    group: `${groupsOf([op])[0].title}:`,
    fields: fieldsOf(op),
    examples: examples.map(({ input, note }) => `${commandLine(op, input)}${note ? `   # ${note}` : ''}`),
  };
}
