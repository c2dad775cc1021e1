import { startDeadline } from '../deadline.ts';
import { asProblem, toProblemDocument } from '../errors.ts';
import { invoke } from '../invoke.ts';
import { type AnyOp, LOCAL_OPERATOR } from '../op.ts';
import type { Services } from '../services.ts';
import { type CallTarget, filePath, isExport } from './call.ts';
import { FILE_TYPES } from './file_types.ts';
import { newRequestId } from './request_id.ts';
import { findOp } from './rpc.ts';

/** This process itself, with operator rights. `signal` ends what runs; the call then rejects with its reason. */
export function localTarget(services: Services, ops: readonly AnyOp[], signal: AbortSignal): CallTarget {
  const byName = new Map(ops.map((op) => [op.name, op]));
  return {
    async download(url) {
      const [sha256, extension] = filePath(url).slice('/v1/exports/'.length).split('.');
      const body = isExport(url) ? await services.blobs.get(sha256, extension) : null;
      if (!body) throw new Error(`the export is not there: ${url}`);
      return { status: 200, contentType: FILE_TYPES.get(extension) ?? 'application/octet-stream', headers: {}, body };
    },
    async call(name, input) {
      const requestId = newRequestId();
      const { config, log } = services;
      const deadline = startDeadline(config.REQUEST_DEADLINE_MS);
      try {
        const answer = await invoke(findOp(byName, name), input, {
          caller: LOCAL_OPERATOR,
          requestId,
          address: null,
          signal: AbortSignal.any([signal, deadline.signal]),
          deadline: deadline.at,
          transport: 'cli',
          services,
          baseUrl: config.BASE_URL,
          headers: {},
        });
        const { status, headers, bytes: body } = answer;
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
    },
  };
}
