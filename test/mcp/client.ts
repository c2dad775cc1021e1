import { Client, type RequestOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defined } from '../../src/common/elements.ts';

/** The supported protocol revisions: the current one, and the last with a handshake. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

/** A tool's answer as tests read it. */
export interface ToolResult {
  readonly isError: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly data?: string;
    readonly mimeType?: string;
  }[];
  /** Whether the response has structured content; otherwise it is text. */
  readonly structured: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
  readonly data: any;
  /** The total bytes of its texts. */
  readonly size: number;
}

/** A connected client of the official SDK. */
export interface Agent {
  readonly client: Client;
  call(name: string, input?: Record<string, unknown>, options?: RequestOptions): Promise<ToolResult>;
}

/** A client of one revision. It validates structured content against the listed output schema. */
export function newClient(era: Revision): Client {
  return new Client(
    { name: 'agent', version: '1.0.0' },
    era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } },
  );
}

/** Calls tools with a connected client. */
export function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, input = {}, options) {
      const result = await client.callTool({ name, arguments: input }, options);
      const content = result.content as ToolResult['content'];
      return {
        isError: result.isError === true,
        content,
        structured: result.structuredContent !== undefined,
        data: result.structuredContent ?? dataOf(defined(content[0]).text),
        size: Buffer.byteLength(content.map(({ text = '' }) => text).join('')),
      };
    },
  };
}

/** The JSON in a text; undefined if it is not JSON. */
function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Connects over Streamable HTTP; `address` is that of the server, `path` is appended to it. */
export async function connect(era: Revision, address: string, key?: string, path = '/mcp'): Promise<Agent> {
  const client = newClient(era);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  await client.connect(new StreamableHTTPClientTransport(new URL(address + path), { requestInit: { headers } }));
  return agentOf(client);
}
