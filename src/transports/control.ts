import { request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { createInterface } from 'node:readline';
import { ClientDisconnected } from '../core/deadline.ts';
import { asProblem, PROBLEMS, type ProblemCode, problem, toProblemDocument } from '../core/errors.ts';
import type { Services } from '../services.ts';
import { readObject } from './body.ts';
import { newRequestId } from './request_id.ts';

type Run = (name: string, input: unknown, progress: (message: string) => void) => Promise<unknown>;

/** One line of a command's response: progress messages, then the outcome. */
type Line = { progress: string } | { result: unknown } | { problem: Record<string, unknown> };

const PREFIX = '/control/';
/** Maximum size of a command's input, which holds file paths and lists of ids. */
const INPUT_BYTES = 1024 * 1024;

/**
 * Creates the listener of the control socket. `POST /control/<command>` streams NDJSON while the command runs; all
 * other requests go to the API with operator rights. Access is limited by the permissions of the socket file.
 */
export function controlListener(services: Services, run: Run, app: RequestListener): RequestListener {
  return (request, response) => {
    if (!request.url?.startsWith(PREFIX)) {
      app(request, response);
      return;
    }
    const name = request.url.slice(PREFIX.length);
    const requestId = newRequestId();
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'X-Request-Id': requestId });
    const send = (line: Line) => void response.write(`${JSON.stringify(line)}\n`);
    const answer = async (): Promise<void> => {
      const input = (await readObject(request, INPUT_BYTES))?.object ?? null;
      const result = await run(name, input ?? {}, (progress) => send({ progress }));
      send({ result: result ?? null });
    };
    answer()
      .catch((error: unknown) => {
        if (error instanceof ClientDisconnected) return;
        if (asProblem(error) === null) services.log.error({ err: error, request_id: requestId }, 'command failed');
        send({ problem: { ...toProblemDocument(error, requestId, services.config.BASE_URL) } });
      })
      .finally(() => response.end());
  };
}

/** Runs a command in the server that owns the data directory. Rejects with the problem that the server reports. */
export function callControl(
  socketPath: string,
  name: string,
  input: object,
  progress: (message: string) => void,
): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(input));
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    const request = httpRequest({ socketPath, path: PREFIX + name, method: 'POST', headers }, (response) => {
      readAnswer(response, progress).then(resolve, reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage, progress: (message: string) => void): Promise<unknown> {
  for await (const text of createInterface({ input: response })) {
    const line = JSON.parse(text) as Line;
    if ('progress' in line) progress(String(line.progress));
    else if ('result' in line) return line.result;
    else {
      const { code, detail, type: _type, title: _title, status: _status, request_id: _id, ...extra } = line.problem;
      const known =
        typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'internal_error';
      throw problem(known, String(detail), extra);
    }
  }
  throw new Error('the server stopped before the command ended');
}
