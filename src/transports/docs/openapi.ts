import { defined } from '../../common/elements.ts';
import { readVersion } from '../../common/version.ts';
import { RULES, type Rule, SCOPES } from '../../core/access.ts';
import { isJsonType, mediaTypesOf, problemSchema, statusesOf } from '../../core/declared.ts';
import { PROBLEMS, type ProblemCode } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import { rpcMethods } from '../rpc.ts';
import { selectTiles } from '../tiles/selections.ts';
import { Components, type Reference } from './components.ts';
import { groupsOf } from './groups.ts';
import { HEADERS, headers, ref } from './headers.ts';
import { OGC_TAG, ogcPaths } from './ogc_paths.ts';
import { otherPaths } from './other_paths.ts';
import { problemsOf, sampleProblem } from './problems.ts';
import { examplesOf, request } from './requests.ts';
import { TILES_TAG, tilePaths } from './tile_paths.ts';

export type OpenApi = Record<string, unknown> & { readonly paths: Record<string, Record<string, unknown>> };

/** The way of calling operations that a description covers. */
export type Route = 'http' | 'rpc';

/**
 * Builds an OpenAPI 3.1 description of the service: every operation by its own route (`http`, with the other paths
 * under /v1) or by its name (`rpc`), with all its responses and an example of each problem. It is generated from the
 * registry alone, so that it cannot contradict it.
 */
export function openApi(ops: readonly AnyOp[], baseUrl: string, route: Route = 'http'): OpenApi {
  const components = new Components();
  const responses: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const groups = groupsOf(ops);

  /** References the response with these codes. It is defined once, however many operations share it. */
  function problems(codes: readonly ProblemCode[]): Reference {
    const name = codes.join('.');
    if (responses[name]) return ref('responses', name);
    const { status } = PROBLEMS[defined(codes[0])];
    const schemas = codes.map((code) => components.named(`problem_${code}`, problemSchema(code), 'output'));
    const extra = [
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...([428, 429, 503].includes(status) ? ['Retry-After'] : []),
    ];
    responses[name] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].condition}`).join('\n\n'),
      headers: headers('Vary', ...extra),
      content: {
        'application/problem+json': {
          schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
          examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
        },
      },
    };
    return ref('responses', name);
  }

  function answers(op: AnyOp, own: boolean, method: string): Record<string, unknown> {
    const output = () => components.named(`${op.name}_output`, op.output, 'output');
    const file = own && op.success?.files !== undefined;
    const inBytes = file || op.success?.documents !== undefined;
    const content = Object.fromEntries(
      mediaTypesOf(op, own).map((type) => [
        type,
        {
          schema:
            file || !isJsonType(type) || op.intake?.includes(type)
              ? { type: 'string', ...((file || op.intake?.includes(type)) && { format: 'binary' }) }
              : output(),
        },
      ]),
    );
    const found: Record<string, unknown> = {};
    for (const status of statusesOf(op)) {
      const more = [
        ...(status === 201 ? ['Location'] : ['Vary', 'Content-Encoding']),
        ...(inBytes || method === 'GET' ? ['ETag'] : []),
        ...(inBytes ? ['Link'] : []),
        ...(file ? ['Content-Location', 'Content-Disposition'] : []),
        ...(file && method === 'POST' ? ['Boundary-Collection'] : []),
        ...('recorded_before' in op.input.shape ? ['Boundary-Data'] : []),
        ...(op.success?.headers ?? []),
      ];
      found[status] = { description: status === 201 ? 'Made.' : 'Done.', headers: headers(...more), content };
    }
    if (method === 'GET') {
      const more = [
        'ETag',
        'Vary',
        ...(inBytes ? ['Link'] : []),
        ...('recorded_before' in op.input.shape ? ['Boundary-Data'] : []),
      ];
      found[304] = { description: 'The client already has it; free.', headers: headers(...more) };
    }
    for (const [status, codes] of problemsOf(op)) found[status] = problems(codes);
    return found;
  }

  /** Describes a call by name: POST with the input as the body and, for read-only operations, GET with `?input=`. */
  function byName(op: AnyOp, about: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const input = components.named(`${op.name}_input`, op.input, 'input');
    const content = { 'application/json': { schema: input, examples: examplesOf(op, (given) => given) } };
    const methods: Record<string, unknown> = {
      post: {
        operationId: `rpc_${op.name}`,
        ...about,
        requestBody: { content },
        responses: answers(op, false, 'POST'),
      },
    };
    if (rpcMethods(op).includes('GET')) {
      methods.get = {
        operationId: `rpc_${op.name}_query`,
        ...about,
        parameters: [{ name: 'input', in: 'query', description: 'The input as JSON.', content }],
        responses: answers(op, false, 'GET'),
      };
    }
    return methods;
  }

  /** What is said of an operation whatever its route; `page` is that of the documentation. */
  const aboutOf = (op: AnyOp, tag: string, page: string): Readonly<Record<string, unknown>> => ({
    summary: op.summary,
    description: [op.description, `Costs ${priceOf(op)}.`].filter(Boolean).join('\n\n'),
    tags: [tag],
    security: securityOf(op),
    'x-operation': op.name,
    'x-cost': op.cost,
    externalDocs: { url: `${baseUrl}${page}` },
  });

  /** Describes an operation by its own route below `prefix`. */
  function byRoute(op: AnyOp, prefix: string, about: Readonly<Record<string, unknown>>): void {
    const path = `${prefix}${op.route.path.replace(/:(\w+)/g, '{$1}')}`;
    const method = op.route.method.toLowerCase();
    const described = {
      operationId: op.name,
      ...about,
      ...request(op, components),
      responses: answers(op, true, op.route.method),
    };
    paths[path] = { ...paths[path], [method]: described };
  }

  for (const { title, slug, ops: members } of groups) {
    for (const op of members) {
      const about = aboutOf(op, title, `/docs/${slug}#${op.name}`);
      if (route === 'rpc') paths[`/v1/ops/${op.name}`] = byName(op, about);
      else byRoute(op, '/v1', about);
    }
  }
  if (route === 'http') {
    const others = [otherPaths(baseUrl, components, problems, headers), tilePaths(problems, headers)];
    Object.assign(paths, ...others, ogcPaths(problems, headers));
    byRoute(selectTiles, '', aboutOf(selectTiles, TILES_TAG, '/docs/guide#maps'));
  }

  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Boundary Lookup',
      version: readVersion(),
      summary: 'Administrative boundaries: search, reverse, children, unions and exports.',
      description:
        (route === 'http'
          ? `Every operation, by its HTTP route. Calls by name (POST /v1/ops/{name}) are in ${baseUrl}/openapi-rpc.json. `
          : 'Every operation, called by its name with the input as one JSON object. Their own routes are in ' +
            `${baseUrl}/openapi.json. `) +
        'Failures are problem documents (RFC 9457): branch on `code`. The same operations are tools of the Model Context ' +
        `Protocol at ${baseUrl}/mcp (${baseUrl}/docs/guide#tools).`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...groups.map(({ title }) => title), ...(route === 'http' ? ['Service', TILES_TAG, OGC_TAG] : [])].map(
      (name) => ({ name }),
    ),
    externalDocs: { url: `${baseUrl}/docs` },
    paths,
    components: {
      schemas: components.schemas,
      responses,
      headers: HEADERS,
      examples: Object.fromEntries(
        codes.map((code) => [code, { summary: PROBLEMS[code].condition, value: sampleProblem(code, baseUrl) }]),
      ),
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `bnd_live_…`.' },
        oauth: {
          type: 'oauth2',
          description: 'An access token; clients register themselves and use PKCE.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/oauth/auth`,
              tokenUrl: `${baseUrl}/oauth/token`,
              refreshUrl: `${baseUrl}/oauth/token`,
              scopes: Object.fromEntries(
                SCOPES.map((scope) => [scope, `Operations that need ${scope}, as far as the role allows.`]),
              ),
            },
          },
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: baseUrl.startsWith('https:') ? '__Host-boundary_session' : 'boundary_session',
          description: 'A person who is signed in with a browser at this address.',
        },
      },
    },
  };
}

/** Describes the cost of a call in words. */
export function priceOf({ cost }: Pick<AnyOp, 'cost'>): string {
  const note = cost.note ? ` (${cost.note})` : '';
  if (cost.units === 0) return `nothing${note}`;
  return `${cost.units} ${cost.units === 1 ? 'unit' : 'units'} a ${cost.per}${note}`;
}

/** The access rules of an operation: one, or all variants if the rule depends on the input. */
export function rulesOf(op: AnyOp): readonly Rule[] {
  if (typeof op.access !== 'function') return [op.access];
  const { access } = op;
  const variants = Object.entries<Rule>(RULES).flatMap(([name, rule]) =>
    name.startsWith(`${op.name}_`) ? [rule] : [],
  );
  return [...new Set([...op.examples.map(({ input }) => access(op.input.parse(input))), ...variants])];
}

function securityOf(op: AnyOp): Record<string, readonly string[]>[] {
  const rules = rulesOf(op);
  const strict = rules.find(({ who }) => who !== 'public') ?? defined(rules[0]);
  const ways: Record<string, readonly string[]>[] = [{ session: [] }];
  if (!strict.session) {
    if (strict.client !== false) ways.unshift({ oauth: [strict.scope ?? op.effect] });
    ways.unshift({ api_key: [] });
  }
  return rules.some(({ who }) => who === 'public') ? [{}, ...ways] : ways;
}
