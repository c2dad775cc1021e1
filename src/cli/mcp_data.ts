import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CommandName, commands } from '../commands/index.ts';
import { toProblemDocument } from '../errors.ts';
import { problemResult } from '../transports/mcp_answer.ts';
import type { ToolHost } from '../transports/mcp_local.ts';
import { newRequestId } from '../transports/request_id.ts';

/** Runs a command in the process that owns the database. */
export type RunCommand = (name: CommandName, input: object, progress: (message: string) => void) => Promise<unknown>;

/** Commands that load data, as tools: for agents of who owns the database. */
const DATA: readonly { readonly name: string; readonly command: CommandName; readonly description: string }[] = [
  {
    name: 'import_file',
    command: 'import',
    description:
      'Imports boundaries from a file on this machine, named by its absolute path: .osm.pbf, .osm, Overpass JSON or XML; ' +
      'with coverage also a GeoJSON or TopoJSON coverage. Importing again changes nothing. The answer counts what was ' +
      'stored and lists what could not be assembled. Large files take minutes; progress is told.',
  },
  {
    name: 'load_starter_set',
    command: 'starter',
    description: 'Loads the starter set: the countries of the world, and the regions of the United States and Spain.',
  },
];

/** A host with the tools for data added. */
export function withData(host: ToolHost, baseUrl: string, run: RunCommand): ToolHost {
  const tools = DATA.map(toolOf);
  return {
    tools: async (signal) => [...(await host.tools(signal)), ...tools],
    async call(name, input, waiting) {
      const found = DATA.find((one) => one.name === name);
      if (!found) return host.call(name, input, waiting);
      try {
        const result = await run(found.command, input, waiting.progress ?? (() => {}));
        return told(result);
      } catch (error) {
        return problemResult(toProblemDocument(error, newRequestId(), baseUrl));
      }
    },
  };
}

/** Of a long list in a summary so many are told, and how many there are. */
const SHOWN = 20;

function told(summary: unknown): CallToolResult {
  const result = JSON.parse(JSON.stringify(summary), (_name, value: unknown) =>
    Array.isArray(value) && value.length > SHOWN ? { count: value.length, first: value.slice(0, SHOWN) } : value,
  );
  return { content: [{ type: 'text', text: JSON.stringify({ result }) }], structuredContent: { result } };
}

function toolOf({ name, command, description }: (typeof DATA)[number]): Tool {
  const schema = z.toJSONSchema(commands[command].input, { io: 'input', unrepresentable: 'any' });
  const words = name.replaceAll('_', ' ');
  return {
    name,
    title: words[0].toUpperCase() + words.slice(1),
    description: `${description}\nFor whoever owns the database; free.`,
    inputSchema: schema as Tool['inputSchema'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  };
}
