import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import type { Rule } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import { groupsOf } from '../docs/groups.ts';

/** A JSON Schema, dialect 2020-12. */
type JsonSchema = { readonly [keyword: string]: unknown };

/** Groups of operations (docs/groups.ts) whose tools are listed by default. */
const DEFAULT_TOOLSETS: readonly string[] = ['boundaries', 'files'];

/** Rarely needed operations of the default toolsets, which are not listed. */
const UNLISTED: ReadonlySet<string> = new Set([
  'compare_file',
  'cover_boundaries',
  'crosswalk',
  'draw_map',
  'list_kinds',
  'list_versions',
  'get_data_status',
  'update_file',
  'share_file',
  'unshare_file',
]);

/** Operations without a tool: official boundaries are neither replaced nor removed from a conversation. */
const NO_TOOLS: ReadonlySet<string> = new Set(['import_file', 'remove_source']);

const toolsOf = new WeakMap<readonly AnyOp[], readonly AnyOp[]>();

/** The operations with a tool; the same list for the same operations. */
export function toolsAmong(ops: readonly AnyOp[]): readonly AnyOp[] {
  const known = toolsOf.get(ops) ?? ops.filter(({ name }) => !NO_TOOLS.has(name));
  toolsOf.set(ops, known);
  return known;
}

/** The tools of a connection. */
export interface Toolsets {
  readonly listed: readonly AnyOp[];
  /** All operations that are tools: one that is not listed can be called all the same. */
  readonly callable: readonly AnyOp[];
  /** Whether tools declare output schemas and return structured content. */
  readonly structured: boolean;
}

/**
 * Selects the operations that `?toolsets=` lists: `all`, or group slugs separated by commas; null or empty selects the default
 * toolsets, which agents need for boundaries and files.
 * @throws invalid_input for an unknown toolset
 */
export function selectToolsets(all: readonly AnyOp[], asked: string | null, structured = false): Toolsets {
  const ops = toolsAmong(all);
  const groups = groupsOf(ops);
  const names = (asked ?? '').split(',').map((name) => name.trim());
  if (names.includes('all')) return { listed: ops, callable: ops, structured };
  const wanted = names.filter((name) => name !== '');
  const slugs = groups.map(({ slug }) => slug);
  const unknown = wanted.filter((name) => !slugs.includes(name));
  if (unknown.length > 0) {
    const message = `there is no toolset ${defined(unknown[0]).slice(0, 60)}; the toolsets are all, ${slugs.join(', ')}`;
    throw invalidInput([{ path: 'toolsets', code: 'unknown_toolset', message }]);
  }
  const chosen = wanted.length > 0 ? wanted : DEFAULT_TOOLSETS;
  const own = groups.filter(({ slug }) => chosen.includes(slug)).flatMap((group) => group.ops);
  const listed = wanted.length > 0 ? own : own.filter(({ name }) => !UNLISTED.has(name));
  return { listed, callable: ops, structured };
}

const plainTools = new WeakMap<AnyOp, Tool>();
const structuredTools = new WeakMap<AnyOp, Tool>();

/** The tool of an operation, derived from its declaration; with an output schema if `structured`. */
export function toolOf(op: AnyOp, structured: boolean): Tool {
  const made = structured ? structuredTools : plainTools;
  let tool = made.get(op);
  if (!tool) {
    tool = {
      name: op.name,
      title: titleOf(op.name),
      description: describe(op),
      inputSchema: inputSchemaOf(op) as Tool['inputSchema'],
      ...(structured ? { outputSchema: outputSchemaOf(op) as Tool['outputSchema'] } : {}),
      annotations: annotationsOf(op),
    };
    made.set(op, tool);
  }
  return tool;
}

const PICTURE: JsonSchema = { type: 'boolean', default: false, description: 'Adds a picture of the area (PNG).' };

/**
 * Largest parameter schema in bytes that is listed. Of a larger one, only the type and the description are listed,
 * because every conversation reads the list.
 */
const LARGE = 1_500;

function inputSchemaOf(op: AnyOp): JsonSchema {
  const schema = withoutLargeSchemas(schemaOf(op.input, 'input'));
  if (!isDrawable(op)) return schema;
  return { ...schema, properties: { ...(schema.properties as object), picture: PICTURE } };
}

/** Shortens the schemas of large parameters to their types, which a union has not, and descriptions. Their values are validated all the same. */
function withoutLargeSchemas(schema: JsonSchema): JsonSchema {
  const all = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  const isLarge = (one: JsonSchema) => Buffer.byteLength(JSON.stringify(one)) > LARGE;
  if (!all.some(([, one]) => isLarge(one))) return schema;
  const words = (said: unknown) => [said, 'Its schema is in openapi.json.'].filter(Boolean).join(' ');
  const properties = Object.fromEntries(
    all.map(([name, one]) => [name, isLarge(one) ? { type: one.type, description: words(one.description) } : one]),
  );
  return { ...schema, properties };
}

/** Title of a tool: `list_api_keys` becomes "List API keys". */
export function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bapi\b/g, 'API')
    .replace(/\boauth\b/g, 'OAuth');
  return defined(words[0]).toUpperCase() + words.slice(1);
}

/** Problem codes that show that an operation depends on an external service. */
const EXTERNAL_CODES = /^(?:upstream_|areas_|geometry_pending)/;

/**
 * Annotations of a tool. Reads are idempotent, and so are PUT and DELETE (RFC 9110 section 9.2.2). PUT, PATCH and
 * DELETE are destructive, because they may overwrite or delete data; POST only adds.
 */
function annotationsOf({ effect, route, errors }: AnyOp): Tool['annotations'] {
  const reads = effect === 'read';
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && route.method !== 'POST',
    idempotentHint: reads || route.method === 'PUT' || route.method === 'DELETE',
    openWorldHint: errors.some((code) => EXTERNAL_CODES.test(code)),
  };
}

function describe(op: AnyOp): string {
  const lines = [[op.summary, op.description].filter(Boolean).join(' '), `${costOf(op)} ${accessOf(op)}`];
  if (isFeature(op)) {
    lines.push('A large polygon becomes a URL; see shortened.');
  }
  const [example] = op.examples.filter(({ problem }) => problem === undefined);
  if (example) lines.push(`Example: ${JSON.stringify(example.input)}`);
  return lines.join('\n');
}

function costOf({ cost }: AnyOp): string {
  if (cost.units === 0 && !cost.note) return 'Free.';
  const units = cost.units === 1 ? '1 unit' : `${cost.units} units`;
  const price = cost.units === 0 ? 'Free' : `Costs ${units} ${cost.per === 'call' ? 'a call' : 'a boundary'}`;
  return `${price}${cost.note ? ` (${cost.note})` : ''}.`;
}

function accessOf({ access, effect }: AnyOp): string {
  if (typeof access === 'function') return 'Works without a key for some inputs; others need an API key or sign-in.';
  return ruleText(access, effect);
}

function ruleText(rule: Rule, effect: AnyOp['effect']): string {
  if (rule.who === 'public') return 'No key is needed.';
  if (rule.session) return 'Only a person who is signed in with a browser may do this.';
  if (rule.who === 'operator') return 'Only for operators of the service.';
  const scope = rule.client === false ? 'not by OAuth' : `OAuth scope ${rule.scope ?? effect}`;
  const role = rule.who === 'account' || rule.who === 'viewer' ? '' : ` of the role ${rule.who} in its organization`;
  return `Needs an API key${role} (${scope}).`;
}

/** Whether a tool has the `picture` argument, which the operation itself does not have. */
const isDrawable = (op: AnyOp): boolean => isFeature(op) && !('picture' in op.input.shape);

/**
 * Separates the tool's `picture` argument from the operation's input. A value that is not a boolean stays in the input,
 * where validation rejects it.
 */
export function splitPicture(op: AnyOp, given: unknown): { input: unknown; picture: boolean } {
  if (!isDrawable(op) || typeof given !== 'object' || given === null) return { input: given, picture: false };
  const { picture, ...input } = given as Record<string, unknown>;
  return typeof picture === 'boolean' ? { input, picture } : { input: given, picture: false };
}

/** Whether an operation may return a polygon. */
function isFeature({ output }: AnyOp): boolean {
  return branchesOf(schemaOf(output, 'output')).some(({ properties }) => 'geometry' in ((properties ?? {}) as object));
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [schema];
}

/** Members that our schemas have for our own use, or that say nothing to readers of tools. */
const OWN_NAMES = new Set(['$schema', 'comma', 'operand', 'id']);

/**
 * The JSON Schema of a type for readers of tools, with references inlined. It omits the dialect, bounds of safe
 * integers, patterns that the format implies, and patterns with Unicode properties, which not every reader supports.
 * Output schemas allow additional members.
 */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const root: JsonSchema = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  const shared = (root.$defs ?? {}) as Readonly<Record<string, unknown>>;
  const slim = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(slim);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...schema } = value as Record<string, unknown>;
    if (typeof $ref === 'string') {
      return { ...(slim(shared[$ref.slice('#/$defs/'.length)]) as object), ...(slim(schema) as object) };
    }
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([name, member]) => {
          if (name === '$defs') return false;
          // An object under one of these names is a property of that name, not the keyword.
          if (OWN_NAMES.has(name)) return typeof member === 'object';
          if (name === 'pattern' && typeof member === 'string')
            return schema.format === undefined && !/\\[pP]\{/.test(member);
          if (name === 'additionalProperties' && io === 'output') return member !== false;
          return !(name === 'minimum' || name === 'maximum') || Math.abs(Number(member)) < Number.MAX_SAFE_INTEGER;
        })
        .map(([name, member]) => [name, slim(member)]),
    );
  };
  return slim(root) as JsonSchema;
}

const SHORTENED: JsonSchema = {
  type: 'object',
  description: 'The answer was too long for a conversation: what is missing, and how to get it.',
  properties: {
    bytes: { type: 'integer', description: 'Bytes of the full answer.' },
    url: { type: 'string', description: 'URL of the full answer, of the type content_type.' },
    content_type: { type: 'string' },
    total: { type: 'integer', description: 'Items in the full answer.' },
    left_out: {
      type: 'array',
      items: { type: 'string' },
      description: 'Members that are left out: of the answer, or of each of its items.',
    },
    how: { type: 'string' },
  },
  required: ['bytes', 'left_out', 'how'],
};

/**
 * Output schema of a tool: the output of the operation, or the shortened form that answer.ts makes of a long one (a
 * Feature without its polygon, a list whose items have only their most telling members). It allows additional members,
 * and its root is an object, which clients of 2025-11-25 require.
 */
function outputSchemaOf({ output }: AnyOp): JsonSchema {
  const branches = branchesOf(schemaOf(output, 'output')).map(withShortened);
  return branches.length === 1 ? defined(branches[0]) : { type: 'object', anyOf: branches };
}

function withShortened(schema: JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...(schema.properties as Record<string, JsonSchema> | undefined) };
  const { geometry, items } = properties;
  if (geometry) properties.geometry = { anyOf: [geometry, { type: 'null' }] };
  if (items) {
    const { required: _all, ...item } = items.items as JsonSchema;
    properties.items = { ...items, items: item };
  }
  if (geometry || items) properties.shortened = SHORTENED;
  return { ...schema, type: 'object', properties };
}
