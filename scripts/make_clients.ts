/**
 * Writes the parts of the clients that follow from the registry of operations: clients/js/operations.js and client.d.ts,
 * and the methods in clients/python/boundary_lookup.py.
 *
 *   npx tsx scripts/make_clients.ts            # writes them
 *   npx tsx scripts/make_clients.ts --check    # exits with 1 when one of them is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { AnyOp } from '../src/core/op.ts';
import { ops } from '../src/ops/index.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The JSON schema of a type, with what it refers to in its place; what contains itself is anything there. */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const root = z.toJSONSchema(type, { io, unrepresentable: 'any', cycles: 'ref', reused: 'inline' }) as Schema;
  const inlined = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => inlined(one, within));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    if ($ref === undefined) {
      return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, inlined(one, within)]));
    }
    const name = $ref.replace('#/$defs/', '');
    const target = root.$defs?.[name];
    if (target === undefined || within.includes(name)) return {};
    return inlined({ ...target, ...rest }, [...within, name]);
  };
  return inlined({ ...root, $defs: undefined }, []) as Schema;
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(`_${name}`);
const comment = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** A JSON schema as a type of TypeScript. */
function typeOf(schema: Schema, indent: string): string {
  const union = (of: readonly Schema[]) => [...new Set(of.map((one) => typeOf(one, indent)))].join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices);
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one, indent)})`).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => ({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map((one) => typeOf(one, indent)).join(', ')}]`;
      return `(${typeOf(schema.items ?? {}, indent)})[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const doc = schema.description === undefined ? '' : `${inner}/** ${comment(schema.description)} */\n`;
    const key = isName(name) ? name : JSON.stringify(name);
    return `${doc}${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  if (lines.length === 0) {
    if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties, indent)}>`;
    return 'Record<string, unknown>';
  }
  return `{\n${lines.join('')}${indent}}`;
}

const isPaged = ({ input }: AnyOp): boolean => 'cursor' in input.shape;
/** Whether an answer may be the description of a file, with its url. */
function linksFile({ output }: AnyOp): boolean {
  const { properties = {}, anyOf = [] } = schemaOf(output, 'output');
  return [{ properties }, ...anyOf].some(({ properties = {} }) => 'url' in properties && 'sha256' in properties);
}
/** Whether an answer may be other than JSON when it is called by its name. */
const mayBeBytes = ({ success }: AnyOp): boolean => (success?.documents ?? []).some((type) => !/json/.test(type));

function javascript(): string {
  const entries = ops.map((op) => {
    const { name, effect } = op;
    return `  ${name}: ${JSON.stringify({ method: camel(name), effect, paged: isPaged(op), linksFile: linksFile(op) })},\n`;
  });
  return `// Made by scripts/make_clients.ts from the registry of operations.\nexport const OPERATIONS = {\n${entries.join('')}};\n`;
}

function declarations(): string {
  const types: string[] = [];
  const methods: string[] = [];
  const names: string[] = [];
  for (const op of ops) {
    const input = schemaOf(op.input, 'input');
    const output = schemaOf(op.output, 'output');
    const type = pascal(op.name);
    types.push(
      `export type ${type}Input = ${typeOf(input, '')};\nexport type ${type}Output = ${typeOf(output, '')};\n`,
    );
    const optional = (input.required ?? []).length === 0 ? '?' : '';
    const answer = mayBeBytes(op) ? `${type}Output | Uint8Array` : `${type}Output`;
    names.push(`  ${op.name}: [${type}Input, ${answer}];\n`);
    methods.push(
      `  /** ${comment(op.summary)} */\n  ${camel(op.name)}(input${optional}: ${type}Input, options?: CallOptions): Promise<${answer}>;\n`,
    );
    if (!isPaged(op)) continue;
    methods.push(
      `  /** The items of all its pages. */\n  ${camel(op.name)}Pages(input${optional}: ${type}Input, options?: CallOptions): AsyncGenerator<${type}Output['items'][number], void, undefined>;\n`,
    );
  }
  return `// Made by scripts/make_clients.ts from the registry of operations.

export interface ClientOptions {
  /** Base URL of the service. Default: http://127.0.0.1:8080. */
  url?: string;
  /** API key. Without one, only public operations work. */
  key?: string;
  /** Tries after the first one. Default: 4. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** A problem document (RFC 9457) as an error. */
export class BoundaryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly { path: string; code: string; message: string }[];
  readonly requestId: string | null;
  readonly problem: Record<string, unknown>;
}

/** A stream that Node and newer browsers can also loop over; older ones have its getReader() only. */
export type Bytes = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;

/** The input and the answer of each operation. */
export interface Operations {
${names.join('')}}

export class BoundaryLookup {
  constructor(options?: ClientOptions);
  call<K extends keyof Operations>(name: K, input?: Operations[K][0], options?: CallOptions): Promise<Operations[K][1]>;
  /** The bytes of the file that an operation makes, as a stream. */
  stream<K extends keyof Operations>(name: K, input?: Operations[K][0], options?: CallOptions): Promise<Bytes>;
  /** The items of all pages. */
  pages(name: keyof Operations, input?: object, options?: CallOptions): AsyncGenerator<unknown, void, undefined>;
${methods.join('')}}

${types.join('\n')}`;
}

const MARK = '    # Below: made by scripts/make_clients.ts from the registry of operations.\n';
/** The words that Python keeps for itself. Fields with such a name get an underscore behind it. */
const PYTHON_WORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return self try while with yield'
  ).split(' '),
);
const pythonName = (name: string): string => (PYTHON_WORDS.has(name) ? `${name}_` : name);
/** A field as an argument of call(). */
const passedOn = (name: string): string =>
  PYTHON_WORDS.has(name) ? `**{"${name}": ${pythonName(name)}}` : `${name}=${name}`;

function python(file: string): string {
  const start = file.indexOf(MARK);
  if (start < 0) throw new Error('the Python client has no line below which methods are written');
  const methods = ops.map((op) => {
    const { properties = {}, required = [] } = schemaOf(op.input, 'input');
    const given = Object.keys(properties).filter(isName);
    const sorted = [
      ...given.filter((name) => required.includes(name)),
      ...given.filter((name) => !required.includes(name)),
    ];
    const parameters = sorted.map((name) => `${pythonName(name)}${required.includes(name) ? '' : '=None'}`);
    const list = ['self', ...parameters.slice(0, 1), ...(parameters.length > 1 ? ['*'] : []), ...parameters.slice(1)];
    const passed = sorted.map(passedOn).join(', ');
    const doc = comment(op.summary).replaceAll('\\', '\\\\').replaceAll('"', "'");
    const body = `        """${doc}"""\n        return self.call("${op.name}"${passed === '' ? '' : `, ${passed}`})\n`;
    const pages = isPaged(op)
      ? `\n    def ${op.name}_pages(${list.join(', ')}):\n        """The items of all its pages."""\n        return self.pages("${op.name}"${passed === '' ? '' : `, ${passed}`})\n`
      : '';
    return `\n    def ${op.name}(${list.join(', ')}):\n${body}${pages}`;
  });
  const reads = ops.filter(({ effect }) => effect === 'read').map(({ name }) => `        "${name}",\n`);
  const constant = `\n    _READS = frozenset((\n${reads.join('')}    ))\n`;
  return file.slice(0, start + MARK.length) + constant + methods.join('');
}

const PYTHON = 'clients/python/boundary_lookup.py';
const files: Readonly<Record<string, string>> = {
  'clients/js/operations.js': javascript(),
  'clients/js/client.d.ts': declarations(),
  [PYTHON]: python(readFileSync(PYTHON, 'utf8')),
};
const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};
const stale = Object.entries(files).filter(([path, text]) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is out of date: run npx tsx scripts/make_clients.ts`);
  if (stale.length > 0) process.exitCode = 1;
} else for (const [path, text] of stale) writeFileSync(path, text);
