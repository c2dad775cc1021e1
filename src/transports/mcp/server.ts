import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { readVersion, SERVICE } from '../../common/version.ts';
import { asProblem } from '../../core/errors.ts';
import { type CallOptions, type ToolHost, UnknownTool } from './local.ts';

/** Maximum interval between progress messages to a client that asked for progress. */
const PROGRESS_INTERVAL_MS = 5_000;
/** Cache lifetime of a tool list, which changes only with a release. */
const LIST_MS = 3_600_000;
/** Maximum number of streams on which clients wait for changes, which never come; each holds a connection. */
const SUBSCRIPTIONS = 64;

const INSTRUCTIONS = `Administrative boundaries and postcode areas: find them, merge them, get them as files.
Find ids first: search_boundaries by name, reverse_boundaries by coordinate, list_children for its subdivisions. Ids are \
r… and w…; iso:DE-BE and wikidata:Q64 work as well. Pass ids to other tools, not names.
Then union_boundaries merges and cuts, export_boundary makes a file. Do not copy coordinates into a conversation: pass on \
the url. Saved files are resources. A failure has a code, a detail and a remedy; issues lists every field to fix. Every other operation is a tool, too, and can be called without being listed: ?toolsets=all lists them, also those of account, orgs, jobs, feedback and reviews.`;

/** Member of a list's _meta that names the tools left out of the list. */
const UNLISTED = 'boundary-lookup/unlisted';
const HOW_TO_LIST =
  'These can be called as they are. /mcp?toolsets=all, or boundary mcp --toolsets all, lists them with their inputs.';

/**
 * Creates an MCP server over a host, for one exchange or connection, of the current revision (2026-07-28) or an earlier
 * one. Only the operation validates input, so errors are reported as in every other transport.
 */
export function serverOf(host: ToolHost): Server {
  const hint = { ttlMs: LIST_MS, cacheScope: 'public' } as const;
  // Never cached: access to files is checked every time.
  const never = { ttlMs: 0, cacheScope: 'private' } as const;
  const server = new Server(
    { name: SERVICE, title: 'Boundary Lookup', version: readVersion() },
    {
      capabilities: { tools: {}, ...(host.resources ? { resources: {} } : {}) },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': hint, 'server/discover': hint, 'resources/list': never, 'resources/read': never },
    },
  );
  server.setRequestHandler('tools/list', async (_request, { mcpReq }) => {
    const tools = await host.tools(mcpReq.signal);
    const { unlisted = [] } = host;
    return unlisted.length === 0
      ? { tools }
      : { tools, _meta: { [UNLISTED]: { tools: [...unlisted], how: HOW_TO_LIST } } };
  });
  if (host.resources && host.read) {
    const { resources, read } = host;
    server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
      asProtocolError('', resources(params?.cursor, mcpReq.signal)),
    );
    server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
      asProtocolError(params.uri, read(params.uri, mcpReq.signal)),
    );
  }
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const words = progressReporter(mcpReq);
    try {
      return await host.call(params.name, params.arguments ?? {}, { signal: mcpReq.signal, progress: words.say });
    } catch (error) {
      if (!(error instanceof UnknownTool)) throw error;
      const message = `Unknown tool: ${params.name.slice(0, 60)}`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, error.document);
    } finally {
      words.end();
    }
  });
  return server;
}

/** Awaits a request for resources. A problem becomes a protocol error with its code and detail. */
async function asProtocolError<T>(uri: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const known = asProblem(error);
    if (known === null) throw error;
    if (known.code === 'not_found') throw new ResourceNotFoundError(uri, known.message);
    const { code, status, message, extra } = known;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, status, detail: message, ...extra });
  }
}

/** Sends progress notifications if the request asks for them. Repeats the last message while there is no new one. */
function progressReporter({ _meta, notify }: ServerContext['mcpReq']): { say: CallOptions['progress']; end(): void } {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { say: undefined, end: () => {} };
  let count = 0;
  let word = 'working';
  const send = (message: string): void => {
    count++;
    const params = { progressToken, progress: count, message };
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const started = Date.now();
  const repeat = setInterval(
    () => send(`${word} (${Math.round((Date.now() - started) / 1000)} s)`),
    PROGRESS_INTERVAL_MS,
  );
  return {
    say(message) {
      word = message;
      send(message);
      repeat.refresh();
    },
    end: () => clearInterval(repeat),
  };
}

/** Creates the MCP server of an exchange. */
export type ServerFactory = (context: McpRequestContext) => ReturnType<Parameters<typeof createMcpHandler>[0]>;

/** Creates the Streamable HTTP endpoint for the current revision and, without sessions, for clients of 2025. */
export function httpHandler(factory: ServerFactory, onError: (error: Error) => void): McpHttpHandler {
  return createMcpHandler(factory, { onerror: onError, maxSubscriptions: SUBSCRIPTIONS });
}
