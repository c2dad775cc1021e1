import type { CallToolResult, ListResourcesResult, ReadResourceResult, Tool } from '@modelcontextprotocol/server';
import type { Accepted } from '../../core/accept.ts';
import { ClientDisconnected, startDeadline } from '../../core/deadline.ts';
import { asProblem, type ProblemDocument, type ProblemError, problem, toProblemDocument } from '../../core/errors.ts';
import { invoke } from '../../core/invoke.ts';
import type { AnyOp, Caller, Context } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { problemResult, toolResult } from './answer.ts';
import { listResources, readResource } from './resources.ts';
import { splitPicture, type Toolsets, toolOf } from './tools.ts';

/** The client that waits for a tool. */
export interface CallOptions {
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
  /** Receives progress messages; absent when the client did not ask for them. */
  readonly progress?: (message: string) => void;
}

/** There is no such tool; `document` is the problem unknown_op. */
export class UnknownTool extends Error {
  readonly document: ProblemDocument;

  constructor(document: ProblemDocument) {
    super(document.detail);
    this.document = document;
  }
}

/** UnknownTool for a name. */
export function unknownTool(name: string, requestId: string, baseUrl: string): UnknownTool {
  const error = problem('unknown_op', `There is no tool named "${name.slice(0, 60)}". GET /v1 lists the operations.`);
  return new UnknownTool(toProblemDocument(error, requestId, baseUrl));
}

/** Lists and runs tools, in this process or on a server. */
export interface ToolHost {
  tools(signal: AbortSignal): Promise<Tool[]>;
  /** Names of tools that can be called and are not listed; absent when unknown. */
  readonly unlisted?: readonly string[];
  /** Rejects with UnknownTool, or when the client no longer waits; any other failure is a result. */
  call(name: string, input: Readonly<Record<string, unknown>>, waiting: CallOptions): Promise<CallToolResult>;
  /** The files that the caller can see, as resources; absent without support for resources. */
  resources?(cursor: string | undefined, signal: AbortSignal): Promise<ListResourcesResult>;
  /** The content of a resource. Rejects with a ProblemError. */
  read?(uri: string, signal: AbortSignal): Promise<ReadResourceResult>;
}

/** The input of a call that was decoded before the protocol handler. */
export interface ToolInput {
  readonly op: AnyOp;
  /** The input as received. */
  readonly raw: unknown;
  /** Whether a picture is wanted as well. */
  readonly picture: boolean;
  /** Returns the decoded input for `invoke`; throws what was wrong with it. */
  given(): Accepted;
}

/** The caller of tools, and how calls appear in logs and problems. */
export interface CallerContext {
  readonly caller: Caller;
  readonly address: string | null;
  requestId(): string;
  /** Set when calls are refused (rate_limited). */
  readonly refused?: ProblemError | null;
  /** The input of the only call, which replaces the one that the protocol handler passes on. */
  readonly accepted?: ToolInput;
  readonly weigh?: Context['countRequests'];
}

/** Runs the operations as tools in this process, as every other transport runs them. */
export function localHost(
  services: Services,
  { listed, callable, structured }: Toolsets,
  calling: CallerContext,
): ToolHost {
  const { config, log, metrics } = services;
  const failed = (error: unknown, requestId: string): CallToolResult =>
    problemResult(toProblemDocument(error, requestId, config.BASE_URL), structured);
  return {
    tools: async () => listed.map((op) => toolOf(op, structured)),
    unlisted: callable.filter((op) => !listed.includes(op)).map(({ name }) => name),
    resources: (cursor) => listResources(services, calling.caller, cursor),
    read: (uri) => readResource(services, calling.caller, uri),
    async call(name, given, { signal, progress }) {
      const requestId = calling.requestId();
      const op = callable.find((one) => one.name === name);
      if (!op) throw unknownTool(name, requestId, config.BASE_URL);
      if (calling.refused) {
        metrics.called(op.name, 'mcp', calling.refused.code, 0, 0);
        return failed(calling.refused, requestId);
      }
      const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
      const abort = (): void => deadline.abort(new ClientDisconnected());
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      const read = calling.accepted?.op === op ? calling.accepted : null;
      const asked = read ? { input: read.raw, picture: read.picture } : splitPicture(op, given);
      try {
        const answer = await invoke(op, read ? read.given : asked.input, {
          caller: calling.caller,
          requestId,
          address: calling.address,
          signal: deadline.signal,
          deadline: deadline.at,
          transport: 'mcp',
          services,
          baseUrl: config.BASE_URL,
          headers: {},
          progress,
          countRequests: calling.weigh,
        });
        return await toolResult(services, { op, structured, ...asked }, answer);
      } catch (error) {
        if (error instanceof ClientDisconnected) throw error;
        if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
        return failed(error, requestId);
      } finally {
        deadline.clear();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
