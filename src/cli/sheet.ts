import { defined } from '../elements.ts';
import type { AnyOp } from '../op.ts';
import { fieldsOf } from '../transports/decode.ts';
import { groupsOf } from '../transports/docs/groups.ts';
import { commandLine, commandName } from '../transports/example.ts';
import type { Field } from '../transports/values.ts';

/**
 * What the command line needs to know of an operation, as data: the build writes the sheets of all operations down, so
 * that a command which asks a server loads neither operations nor schemas.
 */
export interface OpSheet {
  /** By which it is called. */
  readonly name: string;
  readonly command: string;
  /** A short name of the command. */
  readonly alias: string | null;
  readonly summary: string;
  /** Where the help lists it. */
  readonly group: string;
  readonly fields: readonly Field[];
  /** Command lines that work; the documentation also shows calls that fail. */
  readonly examples: readonly string[];
}

/** Short names for what people type most. */
const ALIASES: Readonly<Record<string, string>> = {
  search_boundaries: 'search',
  get_boundary: 'get',
  reverse_boundaries: 'reverse',
  list_children: 'children',
  list_neighbors: 'neighbors',
};

/** The sheet of an operation. */
export function sheetOf(op: AnyOp): OpSheet {
  const { name, summary, examples } = op;
  return {
    name,
    command: commandName(op),
    alias: ALIASES[name] ?? null,
    summary,
    group: `${defined(groupsOf([op])[0]).title}:`,
    fields: fieldsOf(op),
    examples: examples
      .filter(({ problem }) => problem === undefined)
      .map(({ input, note }) => `${commandLine(op, input)}${note ? `   # ${note}` : ''}`),
  };
}
