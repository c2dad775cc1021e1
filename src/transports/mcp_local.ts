import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { asProblem, type ProblemError, toProblemDocument } from '../errors.ts';
import { type AnyOp, type Caller, ClientGone, invoke, startDeadline } from '../op.ts';
import type { Services } from '../services.ts';
import { problemResult, toolResult } from './mcp_answer.ts';
import { toolOf } from './mcp_tools.ts';

/** Who waits for a tool. */
export interface Waiting {
  /** Aborts when nobody does any more. */
  readonly signal: AbortSignal;
  /** Told how far the work is; absent when nobody asked. */
  readonly progress?: (message: string) => void;
}

/** Where tools are and run: this process, or a server that is asked. */
export interface ToolHost {
  tools(signal: AbortSignal): Promise<Tool[]>;
  /** Null when there is no such tool. Rejects only when nobody waits any more. */
  call(name: string, input: Readonly<Record<string, unknown>>, waiting: Waiting): Promise<CallToolResult | null>;
}

/** Who calls tools, and how it is told in logs and problems. */
export interface Calling {
  readonly caller: Caller;
  readonly address: string | null;
  requestId(): string;
  /** The calls are refused (rate_limited). */
  readonly refused?: ProblemError | null;
}

/** The operations as tools, run in this process as every other transport runs them. */
export function localHost(services: Services, ops: readonly AnyOp[], calling: Calling): ToolHost {
  const { config, log, metrics } = services;
  return {
    tools: async () => ops.map(toolOf),
    async call(name, input, { signal, progress }) {
      const op = ops.find((one) => one.name === name);
      if (!op) return null;
      const requestId = calling.requestId();
      if (calling.refused) {
        metrics.called(op.name, 'mcp', calling.refused.code, 0, 0);
        return problemResult(toProblemDocument(calling.refused, requestId, config.BASE_URL));
      }
      const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
      const gone = (): void => deadline.abort(new ClientGone());
      signal.addEventListener('abort', gone, { once: true });
      if (signal.aborted) gone();
      try {
        const answer = await invoke(op, input, {
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
        });
        return await toolResult(services, { op, input }, answer);
      } catch (error) {
        if (error instanceof ClientGone) throw error;
        if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
        return problemResult(toProblemDocument(error, requestId, config.BASE_URL));
      } finally {
        deadline.clear();
        signal.removeEventListener('abort', gone);
      }
    },
  };
}
