import { contentType, extension, FORMATS } from '../../../workers/formats/registry.ts';
import type { AnyOp } from '../../core/op.ts';
import { quote } from '../example.ts';

/** An HTTP request. */
export interface ExampleRequest {
  readonly method: string;
  /** From /v1 on, with the query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** The request that sends an input to the operation's own route. */
export function requestOf(op: AnyOp, input: Readonly<Record<string, unknown>>): ExampleRequest {
  const rest = new Map(Object.entries(input));
  const path = op.route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value)).replaceAll('%3A', ':');
  });
  const { method } = op.route;
  if (method !== 'GET') return { method, path: `/v1${path}`, body: rest.size > 0 ? Object.fromEntries(rest) : null };
  // String() joins an array with commas, which is how a query writes one.
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`);
  return { method, path: `/v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, body: null };
}

/** Longest line in characters that is not wrapped. */
const LINE = 100;

/** The request as a curl command; the key is in $KEY. */
export function curlLine(op: AnyOp, input: Readonly<Record<string, unknown>>, baseUrl: string, key: boolean): string {
  const { method, path, body } = requestOf(op, input);
  const parts: string[] = [];
  if (method !== (body ? 'POST' : 'GET')) parts.push(`-X ${method}`);
  if (key) parts.push('-H "Authorization: Bearer $KEY"');
  if (body) parts.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  const file = fileOf(op, input);
  if (file) parts.push(`-o ${file}`);
  parts.push(quote(baseUrl + path));
  const line = `curl ${parts.join(' ')}`;
  return line.length <= LINE ? line : `curl ${parts.join(' \\\n  ')}`;
}

/** Name of the file that an example saves its answer to; null if the answer is JSON. */
export function fileOf(op: AnyOp, input: Readonly<Record<string, unknown>>): string | null {
  if (!op.success?.files) return null;
  const format = op.input.safeParse(input).data?.format;
  const known = FORMATS.find((one) => one === format);
  return known && op.success.files.includes(contentType(known)) ? `boundary.${extension(known)}` : 'answer';
}

/** The call as an MCP tools/call message's params. */
export function toolCall(op: AnyOp, input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name: op.name, arguments: input });
}
