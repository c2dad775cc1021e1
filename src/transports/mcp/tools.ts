import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Rule } from '../../access.ts';
import { defined } from '../../elements.ts';
import { invalidInput } from '../../errors.ts';
import type { AnyOp } from '../../op.ts';
import { groupsOf } from '../docs/groups.ts';

/** A JSON Schema, dialect 2020-12. */
type JsonSchema = { readonly [keyword: string]: unknown };

/** The groups of operations (docs/groups.ts) whose tools are listed unless others are asked for. */
const USUAL: readonly string[] = ['boundaries', 'files'];

/** Operations of the usual toolsets that few conversations need: they are not listed, and answer when called by name. */
const QUIET: ReadonlySet<string> = new Set([
  'list_kinds',
  'get_data_status',
  'update_file',
  'share_file',
  'unshare_file',
]);

/** What a client has of the operations. */
export interface Toolsets {
  readonly listed: readonly AnyOp[];
  readonly callable: readonly AnyOp[];
  /** Tools declare what they answer, and answer with structured content. */
  readonly structured: boolean;
}

/**
 * The operations of the toolsets that `?toolsets=` names: `all`, or slugs of groups with commas between them; null or
 * empty: those that agents need for boundaries and files. Throws invalid_input for a toolset that is not there.
 */
export function selectToolsets(ops: readonly AnyOp[], asked: string | null, structured = false): Toolsets {
  const groups = groupsOf(ops);
  const names = (asked ?? '').split(',').map((name) => name.trim());
  if (names.includes('all')) return { listed: ops, callable: ops, structured };
  const wanted = names.filter((name) => name !== '');
  const slugs = groups.map(({ slug }) => slug);
  const unknown = wanted.filter((name) => !slugs.includes(name));
  if (unknown.length > 0) {
    const message = `there is no toolset ${defined(unknown[0]).slice(0, 60)}; there are all, ${slugs.join(', ')}`;
    throw invalidInput([{ path: 'toolsets', code: 'unknown_toolset', message }]);
  }
  const chosen = wanted.length > 0 ? wanted : USUAL;
  const callable = groups.filter(({ slug }) => chosen.includes(slug)).flatMap((group) => group.ops);
  const listed = wanted.length > 0 ? callable : callable.filter(({ name }) => !QUIET.has(name));
  return { listed, callable, structured };
}

/** The slug of the toolset that an operation is in. */
export const toolsetOf = (op: AnyOp): string => defined(groupsOf([op])[0]).slug;

const plainTools = new WeakMap<AnyOp, Tool>();
const structuredTools = new WeakMap<AnyOp, Tool>();

/** The tool of an operation, with its output schema when `structured`: everything follows from the declaration. */
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

/** A parameter whose schema takes more bytes is an object in the list, which every conversation reads. */
const LARGE = 3_000;

function inputSchemaOf(op: AnyOp): JsonSchema {
  const schema = brief(schemaOf(op.input, 'input'));
  if (!isDrawable(op)) return schema;
  return { ...schema, properties: { ...(schema.properties as object), picture: PICTURE } };
}

/** A schema in which large parameters are told by their description; what they have to be is checked all the same. */
function brief(schema: JsonSchema): JsonSchema {
  const all = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  const isLarge = (one: JsonSchema) => Buffer.byteLength(JSON.stringify(one)) > LARGE;
  if (!all.some(([, one]) => isLarge(one))) return schema;
  const words = (said: unknown) => [said, 'Its schema is in openapi.json.'].filter(Boolean).join(' ');
  const properties = Object.fromEntries(
    all.map(([name, one]) => [name, isLarge(one) ? { type: 'object', description: words(one.description) } : one]),
  );
  return { ...schema, properties };
}

/** `list_api_keys`: "List API keys". */
export function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bapi\b/g, 'API')
    .replace(/\boauth\b/g, 'OAuth');
  return defined(words[0]).toUpperCase() + words.slice(1);
}

/** Failures that say an operation asks others than the database. */
const OUTSIDE = /^(?:upstream_|areas_|geometry_pending)/;

/**
 * What only reads may be called again; so may what puts or deletes by its name (RFC 9110 section 9.2.2). Whatever
 * replaces, changes or deletes may destroy what was there; what is posted adds to it.
 */
function annotationsOf({ effect, route, errors }: AnyOp): Tool['annotations'] {
  const reads = effect === 'read';
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && route.method !== 'POST',
    idempotentHint: reads || route.method === 'PUT' || route.method === 'DELETE',
    openWorldHint: errors.some((code) => OUTSIDE.test(code)),
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
  if (rule.who === 'operator') return 'Only for those who run the service.';
  const scope = rule.client === false ? 'not by OAuth' : `OAuth scope ${rule.scope ?? effect}`;
  const role = rule.who === 'account' || rule.who === 'viewer' ? '' : ` of the role ${rule.who} in its organization`;
  return `Needs an API key${role} (${scope}).`;
}

/** Whether an answer may come with a picture: an argument of the tool, which the operation does not know. */
const isDrawable = (op: AnyOp): boolean => isFeature(op) && !('picture' in op.input.shape);

/** The input of an operation, and whether a tool is to add a picture. A picture that is not true or false stays in. */
export function splitPicture(op: AnyOp, given: unknown): { input: unknown; picture: boolean } {
  if (!isDrawable(op) || typeof given !== 'object' || given === null) return { input: given, picture: false };
  const { picture, ...input } = given as Record<string, unknown>;
  return typeof picture === 'boolean' ? { input, picture } : { input: given, picture: false };
}

/** Whether an operation may answer with a polygon. */
function isFeature({ output }: AnyOp): boolean {
  return branchesOf(schemaOf(output, 'output')).some(({ properties }) => 'geometry' in ((properties ?? {}) as object));
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [schema];
}

/**
 * The JSON Schema of a type as a reader of tools needs it, all in one piece: without the dialect, bounds of safe
 * integers, patterns that a format tells already, and patterns of Unicode properties, which not every reader knows.
 * Answers are open to further members.
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
          // What is an object is a member of that name, in properties.
          if (name === '$schema' || name === 'comma' || name === 'id') return typeof member === 'object';
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
    bytes: { type: 'integer', description: 'Of the whole answer.' },
    url: { type: 'string', description: 'The whole answer; content_type says what it is.' },
    content_type: { type: 'string' },
    total: { type: 'integer', description: 'Items in the whole answer.' },
    how: { type: 'string' },
  },
  required: ['bytes', 'how'],
};

/**
 * What an answer may look like: the output of the operation, or what mcp_answer.ts makes of one that is too long (a
 * Feature without its polygon, a list whose items hold only the most telling members). Open to further members, and
 * an object at its root, as clients of 2025-11-25 want it.
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
