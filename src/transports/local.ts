import { startDeadline } from '../core/deadline.ts';
import { asProblem, toProblemDocument } from '../core/errors.ts';
import { invoke } from '../core/invoke.ts';
import { type AnyOp, type BodyStream, LOCAL_OPERATOR } from '../core/op.ts';
import type { Services } from '../services.ts';
import { type CallAnswer, filePath, isExport, type StreamTarget } from './call.ts';
import { fieldsOf, readQuery, routeInput } from './decode.ts';
import { FILE_TYPES } from './file_types.ts';
import { newRequestId } from './request_id.ts';
import { findOp } from './rpc.ts';

/**
 * Runs operations in this process, with operator rights. `signal` cancels running calls, which reject with its reason.
 */
export function localTarget(services: Services, ops: readonly AnyOp[], signal: AbortSignal): StreamTarget {
  const byName = new Map(ops.map((op) => [op.name, op]));
  async function answerOf(name: string, given: unknown, intake?: BodyStream): Promise<CallAnswer> {
    const requestId = newRequestId();
    const { config, log } = services;
    const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
    try {
      const answer = await invoke(findOp(byName, name), given, {
        caller: LOCAL_OPERATOR,
        requestId,
        address: null,
        signal: AbortSignal.any([signal, deadline.signal]),
        deadline: deadline.at,
        transport: 'cli',
        services,
        baseUrl: config.BASE_URL,
        headers: {},
        intake,
      });
      const { status, headers, bytes, stream } = answer;
      const parts: Uint8Array[] = [];
      if (stream) for await (const part of stream) parts.push(part);
      const body = stream ? Buffer.concat(parts) : bytes;
      return { status, contentType: headers['Content-Type'] ?? '', headers, body };
    } catch (error) {
      if (signal.aborted && asProblem(error) === null) throw signal.reason;
      const document = toProblemDocument(error, requestId, config.BASE_URL);
      if (asProblem(error) === null) log.error({ err: error, request_id: requestId }, 'internal error');
      return {
        status: document.status,
        contentType: 'application/problem+json',
        headers: {},
        body: Buffer.from(JSON.stringify(document)),
      };
    } finally {
      deadline.clear();
    }
  }
  return {
    async download(url) {
      const [sha256 = '', extension = ''] = filePath(url).slice('/v1/exports/'.length).split('.');
      const body = isExport(url) ? await services.blobs.get(sha256, extension) : null;
      if (!body) throw new Error(`the export is not there: ${url}`);
      return { status: 200, contentType: FILE_TYPES.get(extension) ?? 'application/octet-stream', headers: {}, body };
    },
    call: (name, input) => answerOf(name, input),
    stream(name, _route, query, { contentType, body }) {
      const op = findOp(byName, name);
      const given = () => routeInput(fieldsOf(op), {}, readQuery(query.toString()), null, false);
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield body;
      }
      return answerOf(name, given, { contentType, chunks: chunks() });
    },
  };
}
