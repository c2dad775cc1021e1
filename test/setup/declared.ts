import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { openApi, type Route } from '../../src/transports/docs/openapi.ts';

interface Media {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** A response of a test server. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received. */
  readonly text: string;
}

/** Headers that any response may have without a description: of the connection, the protocol, or for browsers. */
const ORDINARY =
  /^(?:date|connection|keep-alive|transfer-encoding|content-(?:type|length|security-policy)|x-content-type-options|access-control-.*|accept-ranges|content-range|cross-origin-(?:resource|opener)-policy|set-cookie|referrer-policy)$/;

const checkers = new WeakMap<readonly AnyOp[], (method: string, target: string, wire: Wire) => void>();

/**
 * Throws unless openapi.json or openapi-rpc.json describes a response to this path: its status, media type, headers,
 * the code of a problem, and a JSON body by its schema (validated by another library than the service's own). Ignores
 * paths that neither document has.
 */
export function expectDeclared(ops: readonly AnyOp[], method: string, target: string, wire: Wire): void {
  let check = checkers.get(ops);
  if (!check) {
    const [own, byName] = [checkerOf(ops, 'http'), checkerOf(ops, 'rpc')];
    check = (method, target, wire) => {
      own(method, target, wire);
      byName(method, target, wire);
    };
    checkers.set(ops, check);
  }
  check(method, target, wire);
}

function checkerOf(ops: readonly AnyOp[], route: Route): (method: string, target: string, wire: Wire) => void {
  const document = JSON.parse(JSON.stringify(openApi(ops, 'https://maps.example', route)));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi', ...document, $schema: undefined });
  // Static paths before those with parameters, like the router.
  const paths = Object.entries<Record<string, { responses: Record<string, object> }>>(document.paths)
    .sort(([a], [b]) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map(([path, methods]) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), methods, path }));

  const follow = (node: object): Described => {
    const { $ref } = node as { $ref?: string };
    if ($ref === undefined) return node as Described;
    const names = $ref.slice(2).split('/');
    return names.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, document) as never;
  };

  return (method, target, { status, headers, text }) => {
    const path = defined(target.split('?')[0]);
    const found = paths.find(({ pattern }) => pattern.test(path));
    const operation = found?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (!operation) return;
    const what = `${method} ${target} answered ${status} ${text.slice(0, 300)}`;
    const response = operation.responses[status];
    expect(response, `a status that ${found?.path} does not have: ${what}`).toBeDefined();
    const described = follow(defined(response));
    const unknown = Object.keys(headers).filter(
      (name) => !ORDINARY.test(name) && !Object.keys(described.headers ?? {}).some((one) => one.toLowerCase() === name),
    );
    expect(unknown, `headers that are not described: ${what}`).toEqual([]);
    expect(headers['x-request-id'], what).toBeDefined();
    if (status === 201) expect(headers.location, what).toMatch(/^https?:\/\//);
    if (status === 206) expect(headers['content-range'], what).toMatch(/^bytes \d+-\d+\/\d+$/);
    if (status === 401) expect(headers['www-authenticate'], what).toMatch(/^Bearer /);
    if (status === 429) expect(headers['retry-after'], what).toMatch(/^[1-9]\d*$/);
    if (text === '' || headers['content-encoding']) return;
    const type = String(headers['content-type']);
    const media = Object.entries(described.content ?? {}).find(([name]) => bare(name) === bare(type))?.[1];
    expect(media, `${type} is not described: ${what}`).toBeDefined();
    // The body of a 206 is a part, which need not be valid JSON.
    if (status === 206 || !/\bjson(?!-seq)\b/.test(type)) return;
    const body: unknown = JSON.parse(text);
    if (status >= 400) expect(Object.keys(media?.examples ?? {}), what).toContain((body as { code: string }).code);
    if (isFile(media)) return;
    const validate = ajv.compile(absolute(media?.schema ?? {}));
    expect(validate(body) ? null : validate.errors?.slice(0, 5), what).toBeNull();
  };
}

const compiled = new WeakMap<object, object>();

/**
 * The schema with absolute references, for the validator. Returns the same object each time, so that it compiles once.
 */
function absolute(schema: object): object {
  let found = compiled.get(schema);
  if (!found) {
    found = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    compiled.set(schema, found);
  }
  return found;
}

/** JSON is UTF-8 with or without a charset parameter (RFC 8259). */
const bare = (type: string): string =>
  type
    .replaceAll(' ', '')
    .toLowerCase()
    .replace(/(json);charset=utf-8$/, '$1');
const isFile = (media: Media | undefined): boolean => (media?.schema as { format?: string })?.format === 'binary';
