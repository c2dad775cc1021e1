import { Command, CommanderError } from 'commander';
import { expect } from 'vitest';
import { manifestOf } from '../../src/cli/manifest.ts';
import { opCommand } from '../../src/cli/op_command.ts';
import { PROBLEMS, type ProblemCode } from '../../src/core/errors.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { serverTarget } from '../../src/transports/call.ts';
import { fieldsOf } from '../../src/transports/decode.ts';
import { commandName } from '../../src/transports/example.ts';
import { coerce, longFlag, positionalFields } from '../../src/transports/values.ts';

/** The ways to call an operation (docs/contract.md, Routes of an operation). */
export const ROUTES = ['http', 'rpc', 'mcp', 'cli'] as const;
export type Route = (typeof ROUTES)[number];

/** The outcome of a call. By MCP and CLI, success has no status of its own: it is 200. */
export interface CallResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
  readonly json: any;
}

/** A listening server. */
export interface ListeningServer {
  readonly ops: readonly AnyOp[];
  /** `http://host:port`, for the CLI. */
  readonly address: string;
  /** The host of its BASE_URL; MCP rejects any other. */
  readonly host: string;
  ask(
    method: string,
    path: string,
    asking?: { key?: string; json?: unknown; headers?: Record<string, string> },
  ): Promise<CallResult & { readonly text: string }>;
}

/** Calls an operation by one of the routes. */
export type Caller = (route: Route, op: string, input: Record<string, unknown>, key?: string) => Promise<CallResult>;

/** The status for a created object, by route. */
export const createdStatus = (route: Route): number => (route === 'http' || route === 'rpc' ? 201 : 200);

/**
 * Returns a function that calls a server's operations by any route, so that a test can check a rule on each of them.
 */
export function callerOf(served: ListeningServer): Caller {
  return (route, name, input, key) => {
    const op = served.ops.find((one) => one.name === name);
    if (!op) throw new Error(`there is no operation ${name}`);
    if (route === 'http') return byHttp(served, op, input, key);
    if (route === 'rpc') return served.ask('POST', `/v1/ops/${name}`, { key, json: input });
    return route === 'mcp' ? byMcp(served, name, input, key) : byCli(served, op, input, key);
  };
}

function byHttp(
  { ask }: ListeningServer,
  op: AnyOp,
  input: Record<string, unknown>,
  key?: string,
): Promise<CallResult> {
  const rest = { ...input };
  const path = op.route.path.replace(/:(\w+)/g, (_all, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  const { method } = op.route;
  if (method === 'DELETE') return ask(method, `/v1${path}`, { key });
  if (method !== 'GET') return ask(method, `/v1${path}`, { key, json: rest });
  const query = Object.entries(rest).map(([field, value]) => `${field}=${encodeURIComponent(String(value))}`);
  return ask(method, `/v1${path}?${query.join('&')}`, { key });
}

/** Sends one message, like a client of 2025-11-25. */
async function byMcp({ ask, host }: ListeningServer, name: string, input: object, key?: string): Promise<CallResult> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const headers = { Host: host, Accept: 'application/json, text/event-stream' };
  const reply = await ask('POST', '/mcp?toolsets=all', { json: message, key, headers });
  // A server at capacity refuses before it reads the request, whatever the protocol.
  if (reply.status === 429) return { status: 429, headers: reply.headers, json: JSON.parse(reply.text) };
  const rpcResponse = JSON.parse(/^data: (.*"jsonrpc".*)$/m.exec(reply.text)?.[1] ?? reply.text);
  // A missing or invalid credential is a protocol error that contains the problem.
  if (rpcResponse.error)
    return { status: rpcResponse.error.data.status, headers: reply.headers, json: rpcResponse.error.data };
  const { isError, structuredContent, content } = rpcResponse.result;
  expect(structuredContent).toBeUndefined();
  const json = JSON.parse(content[0].text);
  return { status: isError ? json.status : 200, headers: {}, json };
}

/** Runs a CLI command, as main.ts does, against the server. */
async function byCli({ address }: ListeningServer, op: AnyOp, input: Record<string, unknown>, key?: string) {
  let exit = 0;
  let out = '';
  let err = '';
  const { words, stdin } = commandArguments(op, input);
  const command = opCommand(manifestOf(op), {
    target: async () => serverTarget({ baseUrl: address, apiKey: key }),
    exit: (code) => {
      exit = code;
    },
    terminal: {
      stdout: (content) => {
        out += Buffer.from(content).toString();
      },
      stderr: (text) => {
        err += text;
      },
      stdin: () => Buffer.from(stdin),
      writeFile: () => expect.unreachable('nothing is to be written'),
      isTerminal: false,
      colors: { out: false, err: false },
    },
  });
  const program = new Command('boundary').addCommand(command.exitOverride()).exitOverride();
  try {
    await program.parseAsync([commandName(op), '--json', ...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new Error(`the command line was not read: ${words.join(' ')}`);
    throw error;
  }
  const json = exit === 0 ? printed(op, out) : JSON.parse(err);
  if (exit === 0) expect(err).toBe('');
  else expect([exit, out]).toEqual([PROBLEMS[json.code as ProblemCode].exit, '']);
  return { status: exit === 0 ? 200 : Number(json.status), headers: {}, json };
}

/** The output of a successful command: JSON, or the text of a file. */
export function printed(op: AnyOp, text: string): unknown {
  const types = [...(op.success?.documents ?? []), ...(op.success?.files ?? [])];
  const isFile = types.some((type) => !type.includes('json')) && !text.startsWith('{');
  return isFile ? text : JSON.parse(text);
}

/** Whether the text can be a process argument. */
const isWord = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);

/** The command-line arguments for an input; values that arguments cannot express go to standard input as JSON. */
export function commandArguments(op: AnyOp, input: Record<string, unknown>): { words: string[]; stdin: string } {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const positional = positionalFields(fieldsOf(op)).map(({ name }) => name);
  const flags: string[] = [];
  let sayable = true;
  for (const [name, value] of given) {
    const field = fieldsOf(op).find((one) => one.name === name);
    const text = typeof value === 'object' ? '' : String(value);
    // As an argument, that field is the name of a file.
    if (name === op.textBody?.field) sayable = false;
    if (!field || coerce(field, text) !== value || text === '-' || text === '' || !isWord(text)) sayable = false;
    else if (!positional.includes(name)) flags.push(`${longFlag(field)}=${text}`);
  }
  const values = positional.map((name) => input[name]);
  const count = values.filter((value) => value !== undefined).length;
  if (!sayable || values.slice(0, count).includes(undefined)) return { words: ['-'], stdin: JSON.stringify(input) };
  return { words: [...flags, '--', ...values.slice(0, count).map(String)], stdin: '' };
}
