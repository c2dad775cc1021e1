import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toProblemDocument } from '../core/errors.ts';
import { contentOf, problemResult } from '../transports/mcp/answer.ts';
import type { ToolHost } from '../transports/mcp/local.ts';
import { titleOf } from '../transports/mcp/tools.ts';
import { newRequestId } from '../transports/request_id.ts';
import { type CommandName, commands } from './operator/index.ts';

/** Runs a command in the process that owns the database. */
export type RunCommand = (name: CommandName, input: object, progress: (message: string) => void) => Promise<unknown>;

/** A command that loads data, as a tool. */
interface DataTool {
  readonly name: string;
  readonly command: CommandName;
  readonly description: string;
  /** Whether it uses the network. */
  readonly usesNetwork?: boolean;
  /** Whether to run update_refetch afterwards, as `boundary update` does. */
  readonly refetches?: true;
}

/** Tools for agents of the database's owner. */
const DATA: readonly DataTool[] = [
  {
    name: 'import_file',
    command: 'import',
    description:
      'Imports boundaries from a file on this machine, named by its absolute path: .osm.pbf, .osm, Overpass JSON or XML; ' +
      'with coverage also areas in GeoJSON, a Shapefile, GeoPackage and others. Importing again changes nothing. The answer counts what was ' +
      'stored and lists what could not be assembled. Large files take minutes, with progress. For changes of existing data ' +
      'use apply_changes or follow_replication.',
  },
  {
    name: 'load_seed_data',
    command: 'seed',
    description: 'Loads the seed data: the countries of the world, and the regions of the United States and Spain.',
  },
  {
    name: 'apply_changes',
    command: 'update_file',
    refetches: true,
    description:
      'Applies map changes from one OsmChange file on this machine, named by its absolute path: .osc, .osc.gz, ' +
      '.osc.bz2. Applied completely or not at all; applying again changes nothing; a file older than the data is refused. accept ' +
      'lists boundaries (r…, w…) to publish although their area changed a lot. waiting lists boundaries that need objects ' +
      'missing from the data: use supply_objects.',
  },
  {
    name: 'follow_replication',
    command: 'update_replication',
    usesNetwork: true,
    refetches: true,
    description:
      'Applies, in order, all new changes of a replication folder (from: file: or http: URL of the folder with ' +
      'state.txt); an interrupted run continues where it stopped. The first time, sequence must be the change that the ' +
      'data already has; most limits how many are applied. Each can take a minute, with progress.',
  },
  {
    name: 'supply_objects',
    command: 'update_supply',
    refetches: true,
    description:
      'Supplies missing ways and nodes to waiting boundaries from an OpenStreetMap file on this machine, named by its ' +
      'absolute path. Newer stored objects stay. The answer lists the boundaries supplied and those still waiting.',
  },
];

/** Adds the data tools to a host. */
export function withData(host: ToolHost, baseUrl: string, run: RunCommand, structured: boolean): ToolHost {
  const tools = DATA.map(toolOf);
  return {
    ...host,
    tools: async (signal) => [...(await host.tools(signal)), ...tools],
    async call(name, input, waiting) {
      const found = DATA.find((one) => one.name === name);
      if (!found) return host.call(name, input, waiting);
      try {
        const progress = waiting.progress ?? (() => {});
        const result = await run(found.command, input, progress);
        return toolAnswer(
          found.refetches ? { result, ...((await run('update_refetch', {}, progress)) as object) } : { result },
          structured,
        );
      } catch (error) {
        return problemResult(toProblemDocument(error, newRequestId(), baseUrl), structured);
      }
    },
  };
}

/** Longer lists in a summary are cut to this many items, with a count. */
const SHOWN = 20;

function toolAnswer(answer: object, structured: boolean): CallToolResult {
  const shown = JSON.parse(JSON.stringify(answer), (_name, value: unknown) =>
    Array.isArray(value) && value.length > SHOWN ? { count: value.length, first: value.slice(0, SHOWN) } : value,
  );
  return contentOf(shown, structured);
}

function toolOf({ name, command, description, usesNetwork = false }: DataTool): Tool {
  const schema = z.toJSONSchema(commands[command].input, { io: 'input', unrepresentable: 'any' });
  return {
    name,
    title: titleOf(name),
    description: `${description}\nOnly for the owner of the database; free.`,
    inputSchema: schema as Tool['inputSchema'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: usesNetwork },
  };
}
