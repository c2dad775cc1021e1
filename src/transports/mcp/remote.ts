import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallToolResult, ListResourcesResult, ReadResourceResult, Tool } from '@modelcontextprotocol/server';
import { readVersion, SERVICE } from '../../common/version.ts';
import { PROBLEMS, type ProblemCode, type ProblemDocument, problem } from '../../core/errors.ts';
import { open, type ServerAddress, serverLabel, Unreachable } from '../call.ts';
import { visible, visibleDeep } from '../visible.ts';
import { problemResult } from './answer.ts';
import { type CallOptions, type ToolHost, UnknownTool, unknownTool } from './local.ts';

const REVISION = '2026-07-28';
const INVALID_PARAMS = -32602;
const NO_RESOURCE = -32002;
/** Idle timeout in milliseconds. A working server reports progress more often when asked to. */
const PATIENCE_MS = 120_000;

/** Valid tool names; others could not be sent in a header. */
const NAME = /^[\w.-]{1,128}$/;

interface Reply {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly message?: unknown };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * The tools and resources of a running server. Each call is one request of the current protocol revision, which needs
 * no session. `toolsets` is the query parameter; null: the default ones.
 */
export function remoteHost(where: ServerAddress, toolsets: string | null, structured: boolean): ToolHost {
  const query = new URLSearchParams({
    ...(toolsets === null ? {} : { toolsets }),
    ...(structured ? { structured: '1' } : {}),
  });
  const path = query.size === 0 ? '/mcp' : `/mcp?${query}`;
  const ask = (method: string, params: Readonly<Record<string, unknown>>, waiting: CallOptions): Promise<Reply> => {
    const id = randomUUID();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: SERVICE, version: readVersion() },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(waiting.progress ? { progressToken: id } : {}),
    };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }));
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
      'Mcp-Method': method,
    };
    const named = params.name ?? params.uri;
    if (typeof named === 'string') headers['Mcp-Name'] = named;
    if ('baseUrl' in where && where.apiKey) headers.Authorization = `Bearer ${where.apiKey}`;
    return new Promise((resolve, reject) => {
      const { signal } = waiting;
      const failed = (error: unknown): void =>
        reject(signal.aborted ? signal.reason : new Unreachable(serverLabel(where), error));
      const request = open(where, { method: 'POST', headers, timeout: PATIENCE_MS, signal }, path, (response) => {
        readReply(response, id, waiting).then(resolve, failed);
      });
      request.on('error', failed);
      request.on('timeout', () => request.destroy(new Error(`nothing for ${PATIENCE_MS / 1000} s`)));
      request.end(body);
    });
  };

  return {
    async tools(signal) {
      const { result, error } = await ask('tools/list', {}, { signal });
      if (!result) throw new Error(error?.message ?? 'the server does not list its tools');
      if (!Array.isArray(result.tools)) throw new Error('the server does not list its tools');
      return visibleDeep(result.tools, false) as Tool[];
    },
    async resources(cursor, signal) {
      const reply = await ask('resources/list', cursor === undefined ? {} : { cursor }, { signal });
      return resultOf(reply) as unknown as ListResourcesResult;
    },
    async read(uri, signal) {
      return resultOf(await ask('resources/read', { uri }, { signal })) as unknown as ReadResourceResult;
    },
    async call(name, input, waiting) {
      if (!NAME.test(name)) throw unknownTool(name, randomUUID(), 'baseUrl' in where ? where.baseUrl : '');
      const { result, error } = await ask('tools/call', { name, arguments: input }, waiting);
      if (result) {
        const { content, structuredContent, isError } = visibleDeep(result, false) as CallToolResult;
        return { content, structuredContent, isError };
      }
      const data = visibleDeep(error?.data);
      if (isProblem(data) && data.code === 'unknown_op') throw new UnknownTool(data);
      if (isProblem(data)) return problemResult(data, structured);
      return {
        isError: true,
        content: [{ type: 'text', text: visible(error?.message ?? 'the server gave no answer', true) }],
      };
    },
  };
}

/** The result of a reply, made safe to print. @throws the problem or error that the server returned instead */
function resultOf({ result, error }: Reply): Readonly<Record<string, unknown>> {
  if (result) return visibleDeep(result, false) as Readonly<Record<string, unknown>>;
  const message = visible(error?.message ?? 'the server gave no answer', true);
  const data = error?.data as { code?: unknown } | undefined;
  if (typeof data?.code === 'string' && Object.hasOwn(PROBLEMS, data.code))
    throw problem(data.code as ProblemCode, message);
  if (error?.code === INVALID_PARAMS || error?.code === NO_RESOURCE) throw problem('not_found', message);
  throw new Error(message);
}

function isProblem(data: unknown): data is ProblemDocument {
  if (typeof data !== 'object' || data === null || !('code' in data)) return false;
  return typeof data.code === 'string' && Object.hasOwn(PROBLEMS, data.code as ProblemCode);
}

/** Reads the reply with this id, as JSON or from a stream of server-sent events (WHATWG HTML section 9.2). */
async function readReply(response: IncomingMessage, id: string, { progress }: CallOptions): Promise<Reply> {
  const streamed = String(response.headers['content-type']).startsWith('text/event-stream');
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response as AsyncIterable<string>) {
    text += part;
    if (!streamed) continue;
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() as string;
    for (const event of events) {
      const message = readEvent(event);
      if (message?.id === id) return message;
      if (message?.method === 'notifications/progress')
        progress?.(visible(String(message.params?.message ?? ''), true));
    }
  }
  try {
    const message = streamed ? null : (JSON.parse(text) as Reply);
    if (message?.result || message?.error) return message;
  } catch {
    // Reported below as an unexpected answer.
  }
  throw new Error(`it answered ${response.statusCode} ${response.headers['content-type']}`);
}

function readEvent(event: string): Reply | null {
  const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
  return data.length === 0 || data.join('') === '' ? null : (JSON.parse(data.join('\n')) as Reply);
}
