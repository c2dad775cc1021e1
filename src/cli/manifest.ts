import { z } from 'zod';
import { defined } from '../common/elements.ts';
import type { AnyOp } from '../core/op.ts';
import { fieldsOf } from '../transports/decode.ts';
import { groupsOf } from '../transports/docs/groups.ts';
import { commandLine, commandName } from '../transports/example.ts';
import type { Field } from '../transports/values.ts';

/**
 * What the command line needs to know about an operation, as data. The build writes the manifest of all operations, so
 * that a command that calls a server loads neither operations nor schemas.
 */
export interface OpManifest {
  /** Name of the operation. */
  readonly name: string;
  readonly command: string;
  /** Short name of the command. */
  readonly alias: string | null;
  readonly summary: string;
  /** Heading under which the help lists it. */
  readonly group: string;
  readonly fields: readonly Field[];
  /** The field that the body of a request may be: as an argument it is the name of a file. */
  readonly body: string | null;
  /** Media types of its answers; null: JSON, or that of a file that the answer links to. */
  readonly types: readonly string[] | null;
  /** Command lines that succeed; the documentation also shows failing calls. */
  readonly examples: readonly string[];
}

/** Short names of frequent commands. */
const ALIASES: Readonly<Record<string, string>> = {
  search_boundaries: 'search',
  get_boundary: 'get',
  reverse_boundaries: 'reverse',
  list_children: 'children',
  list_neighbors: 'neighbors',
  draw_map: 'map',
  cover_boundaries: 'cells',
  list_versions: 'versions',
  list_changes: 'changes',
};

/** The manifest entry of an operation. */
export function manifestOf(op: AnyOp): OpManifest {
  const { name, summary, examples } = op;
  return {
    name,
    command: commandName(op),
    alias: ALIASES[name] ?? null,
    summary,
    group: `${defined(groupsOf([op])[0]).title}:`,
    fields: fieldsOf(op),
    body: op.textBody?.field ?? null,
    types: typesOf(op),
    examples: examples
      .filter(({ problem }) => problem === undefined)
      .map(({ input, note }) => `${commandLine(op, input)}${note ? `   # ${note}` : ''}`),
  };
}

function typesOf({ success, output, cost }: AnyOp): readonly string[] | null {
  const linksFile = output instanceof z.ZodObject && 'url' in output.shape;
  return success?.documents ?? (linksFile || cost.units === 0 ? null : ['application/json']);
}
