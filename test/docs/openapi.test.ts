import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defined } from '../../src/common/elements.ts';
import { problemSchema } from '../../src/core/declared.ts';
import { PROBLEMS, type ProblemCode } from '../../src/core/errors.ts';
import { ops } from '../../src/ops/index.ts';
import { openApi } from '../../src/transports/docs/openapi.ts';
import { sampleProblem } from '../../src/transports/docs/problems.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

type Node = Record<string, unknown>;
const BASE = 'https://maps.example/base';
type Description = Node & {
  paths: Record<string, Record<string, Node>>;
  components: Record<string, Record<string, Node>>;
};
const document = JSON.parse(JSON.stringify(openApi(ops, BASE))) as Description;
const byNames = JSON.parse(JSON.stringify(openApi(ops, BASE, 'rpc'))) as Description;
const DOCUMENTS = [
  ['openapi.json', document],
  ['openapi-rpc.json', byNames],
] as const;

/** What a reference in the document leads to. */
function follow(node: Node, within: Description = document): Node {
  const { $ref } = node;
  if (typeof $ref !== 'string') return node;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Node)?.[name], within);
  expect(found, $ref).toBeDefined();
  return follow(found as Node, within);
}

/** Every reference in a value. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [String(member)] : references(member)));
}

const pathOf = (path: string): string => `/v1${path.replace(/:(\w+)/g, '{$1}')}`;

describe('the descriptions', () => {
  test.each(DOCUMENTS)('%s is OpenAPI 3.1 to an independent validator', async (_name, described) => {
    const { valid, errors } = await new Validator().validate(structuredClone(described));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const { info: _, ...broken } = structuredClone(described);
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test.each(DOCUMENTS)('%s: every reference leads somewhere, and every component is used', (_name, described) => {
    const used = new Set(references(described));
    for (const $ref of used) follow({ $ref }, described);
    for (const kind of ['schemas', 'responses']) {
      const idle = Object.keys(defined(described.components[kind])).filter(
        (name) => !used.has(`#/components/${kind}/${name}`),
      );
      expect(idle, kind).toEqual([]);
    }
  });

  test.each(ops.map((op) => [op.name, op] as const))('has %s with its routes, parameters and answers', (name, op) => {
    const own = defined(defined(document.paths[pathOf(op.route.path)])[op.route.method.toLowerCase()]);
    const byName = defined(byNames.paths[`/v1/ops/${name}`]);
    expect(document.paths[`/v1/ops/${name}`]).toBeUndefined();
    expect(own.operationId).toBe(name);
    expect(Object.keys(byName).sort()).toEqual(op.effect === 'read' ? ['get', 'post'] : ['post']);
    const fields = Object.keys(op.input.shape);
    const parameters = ((own.parameters ?? []) as Node[]).map((parameter) => String(parameter.name));
    const body = own.requestBody as { content: Record<string, { schema: { properties: Node } }> } | undefined;
    const members = Object.keys(body?.content['application/json']?.schema.properties ?? {});
    expect([...parameters, ...members].sort()).toEqual(fields.sort());
    expect(
      [...pathOf(op.route.path).matchAll(/\{(\w+)\}/g)]
        .map(([, one]) => one)
        .every((one) => parameters.includes(defined(one))),
    ).toBe(true);

    const described = [own, ...Object.values(byName)].map(
      (operation, i) => [operation, i === 0 ? document : byNames] as const,
    );
    for (const [operation, within] of described) {
      const responses = operation.responses as Record<string, Node>;
      const codes = Object.entries(responses).flatMap(([status, response]) => {
        if (Number(status) < 400) return [];
        const { content } = follow(response, within) as { content: Record<string, { examples: Record<string, Node> }> };
        const { examples } = defined(content['application/problem+json']);
        for (const [code, example] of Object.entries(examples)) {
          const { value } = follow(example, within) as { value: Node };
          expect([value.code, value.status]).toEqual([code, Number(status)]);
        }
        return Object.keys(examples);
      });
      expect(codes).toEqual(expect.arrayContaining([...op.errors, 'internal_error']));
      expect(Object.keys(responses).some((status) => Number(status) < 300)).toBe(true);
      for (const response of Object.values(responses))
        expect(follow(response, within).headers).toHaveProperty('X-Request-Id');
    }
  });

  test('openapi.json has every operation once; calls by name are apart, and each document names the other', () => {
    const idsOf = ({ paths }: Description) =>
      Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => String(one.operationId)));
    const own = idsOf(document).filter((id) => ops.some(({ name }) => name === id));
    expect(own.sort()).toEqual(ops.map(({ name }) => name).sort());
    const ids = [...idsOf(document), ...idsOf(byNames)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(byNames.paths).every((path) => path.startsWith('/v1/ops/'))).toBe(true);
    expect((document.info as Node).description).toContain(`${BASE}/openapi-rpc.json`);
    expect((byNames.info as Node).description).toContain(`${BASE}/openapi.json`);
  });

  test.each(Object.keys(PROBLEMS) as ProblemCode[])('the example of %s is a document of that code', (code) => {
    const sample = sampleProblem(code, BASE);
    expect(problemSchema(code).safeParse(sample)).toMatchObject({ success: true });
    expect(sample.type).toBe(`${BASE}/docs/errors#${code}`);
  });
});

/** Every schema in a value that has a pattern, with the names of the members that lead to it. */
function patterns(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): [string, string][] =>
    name === 'pattern' && typeof member === 'string' ? [[path, member]] : patterns(member, `${path}/${name}`),
  );
}

describe('patterns', () => {
  test('mean to a client what they mean here: none needs a flag, which JSON Schema has not', () => {
    const flagged: string[] = [];
    for (const op of ops) {
      z.toJSONSchema(op.input, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, path }) => {
          const { patterns: own } = (zodSchema as { _zod: { bag: { patterns?: Set<RegExp> } } })._zod.bag;
          for (const { flags } of own ?? []) if (/[^u]/.test(flags)) flagged.push(`${op.name} ${path.join('.')}`);
        },
      });
    }
    expect(flagged).toEqual([]);
  });

  test.each(['search_boundaries', 'list_kinds'])(
    'a country of %s in either case is one to a client as well',
    (name) => {
      const found = patterns(defined(byNames.components.schemas)[`${name}_input`]).filter(([path]) =>
        path.includes('country'),
      );
      expect(found).toHaveLength(1);
      const [, pattern] = defined(found[0]);
      for (const country of ['DE', 'de', 'De']) expect(country).toMatch(new RegExp(pattern, 'u'));
      expect('DEU').not.toMatch(new RegExp(pattern, 'u'));
    },
  );
});

describe('over HTTP', () => {
  let server: BoundaryTestServer;
  beforeAll(async () => {
    server = await openBoundaryTestServer();
  });
  afterAll(() => server?.close());

  test.each(DOCUMENTS)('%s is kept by its ETag, compressed and for any page', async (name, described) => {
    const path = `/${name}`;
    const plain = await server.get(path);
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding, Accept',
    });
    expect(Object.keys((plain.json as unknown as typeof document).paths)).toEqual(Object.keys(described.paths));
    const small = await server.ask('GET', path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    expect(gunzipSync(small.bytes).equals(plain.bytes)).toBe(true);
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 5);
    const again = await server.ask('GET', path, { headers: { 'If-None-Match': plain.headers.etag ?? '' } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await server.ask('HEAD', path);
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(plain.bytes.length),
      0,
    ]);
    expect((await server.ask('POST', path)).status).toBe(405);
  });
});
