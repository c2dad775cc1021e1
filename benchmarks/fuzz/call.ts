/** One call of an operation by each route, and what its answer must be. */
import { spawn } from 'node:child_process';
import { Pool } from 'undici';
import { ANY_CALL, problemSchema } from '../../src/core/declared.ts';
import { PROBLEMS, type ProblemCode } from '../../src/core/errors.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import { commandName } from '../../src/transports/example.ts';
import { expectDeclared } from '../../test/setup/declared.ts';
import type { Input } from '../../test/setup/inputs.ts';
import { type CallResult, callerOf, commandArguments, printed } from '../../test/setup/routes.ts';
import type { Actor, TwoOrganizations } from './sides.ts';

/** The ways to call operations: three of a server, a CLI in this process, and a program started per call. */
export const CALL_ROUTES = ['http', 'rpc', 'mcp', 'cli', 'starts'] as const;
export type CallRoute = (typeof CALL_ROUTES)[number];

/** Most milliseconds of a call. */
const TIMEOUT_MS = 30_000;

/** The server under test. */
export interface Server {
  readonly address: string;
  readonly pool: Pool;
  /** The host in its BASE_URL. */
  readonly host: string;
  /** A folder for started programs. */
  readonly folder: string;
}

/** How a call ended; `wrong`: what must not be so. */
interface Called {
  readonly status: number | string;
  readonly wrong: readonly string[];
  readonly answer: string;
}

/** Sends a call by a route, and checks the answer. */
export async function call(
  server: Server,
  sides: TwoOrganizations,
  route: CallRoute,
  actor: Actor,
  op: AnyOp,
  input: Input,
): Promise<Called> {
  let raw = '';
  const headers: Record<string, string> = {
    ...(actor.key === '' ? {} : { Authorization: `Bearer ${actor.key}` }),
    ...(actor.cookie === ''
      ? {}
      : { Cookie: `__Host-boundary_session=${actor.cookie}`, Origin: `https://${server.host}` }),
  };
  const ask: Parameters<typeof callerOf>[0]['ask'] = async (method, path, asking = {}) => {
    const body = asking.json === undefined ? null : JSON.stringify(asking.json);
    const reply = await server.pool.request({
      method: method as 'GET',
      path,
      headers: { ...headers, ...asking.headers, ...(body === null ? {} : { 'Content-Type': 'application/json' }) },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    const text = bytes.toString();
    raw += `${JSON.stringify(reply.headers)}\n${text}`;
    const status = reply.statusCode;
    expectDeclared(ops, method, path, { status, headers: reply.headers, text });
    const isJson = /json/.test(String(reply.headers['content-type'])) && text !== '';
    return { status, headers: reply.headers, text, json: isJson && status !== 206 ? JSON.parse(text) : undefined };
  };
  const asked = JSON.stringify(input);
  try {
    let answered: CallResult;
    if (route === 'http') {
      const { method, path, body } = requestOf(op, input);
      answered = await ask(method, path, { json: body ?? undefined });
    } else if (route === 'starts') {
      const started = await start(server, actor, op, input);
      answered = started;
      raw = started.raw;
    } else {
      const served = { ops, address: server.address, host: server.host, ask };
      answered = await callerOf(served)(route, op.name, input, actor.key === '' ? undefined : actor.key);
      if (route === 'cli') raw = JSON.stringify(answered.json);
    }
    const { status, json } = answered;
    const wrong: string[] = [];
    if (status >= 500) wrong.push(`status ${status}`);
    else if (status >= 400) wrong.push(...undeclared(op, json));
    wrong.push(...(await sides.checkResponse(actor, op.name, asked, raw, json)));
    return { status, wrong, answer: raw };
  } catch (error) {
    return { status: 'failed', wrong: [String(error).slice(0, 1000)], answer: raw };
  }
}

/** Cache of problem schemas by code. */
const documents = new Map<string, ReturnType<typeof problemSchema>>();

/** The ways in which a problem response differs from its declaration. */
function undeclared(op: AnyOp, json: unknown): string[] {
  const { code } = (json ?? {}) as { code?: string };
  const declared: readonly string[] = [...op.errors, ...ANY_CALL];
  if (code === undefined || !declared.includes(code)) return [`the problem ${code} is not declared`];
  const schema = documents.get(code) ?? problemSchema(code as ProblemCode);
  documents.set(code, schema);
  const checked = schema.safeParse(json);
  return checked.success ? [] : [`a document of ${code} that is not one: ${checked.error.message}`];
}

/** Starts the program for one call. */
async function start(
  { address, folder }: Server,
  { key }: Actor,
  op: AnyOp,
  input: Input,
): Promise<CallResult & { raw: string }> {
  const { words, stdin } = commandArguments(op, input);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    DATA_DIR: `${folder}/nothing`,
    BOUNDARY_BASE_URL: address,
    ...(key === '' ? {} : { BOUNDARY_API_KEY: key }),
  };
  const child = spawn(process.execPath, ['dist/src/main.js', commandName(op), '--json', ...words], { env });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  let [out, err] = ['', ''];
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    err += part;
  });
  // The program ended before it read all input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const exit = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(timer);
  const raw = out + err;
  // biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the checks say.
  const json = (exit === 0 ? printed(op, out) : JSON.parse(err)) as any;
  const expected = exit === 0 ? ['', 0] : ['', PROBLEMS[json.code as ProblemCode].exit];
  const printedAndExit = [exit === 0 ? err : out, exit];
  if (String(printedAndExit) !== String(expected)) throw new Error(`exit ${exit}, stdout ${out}, stderr ${err}`);
  return { status: exit === 0 ? 200 : Number(json.status), headers: {}, json, raw };
}

/** A pool of connections to a server. */
export const openPool = (address: string): Pool => new Pool(address, { connections: 8, pipelining: 1 });
