import { z } from 'zod';
import { COLLECTION_FORMATS, contentType, FORMATS } from '../../../workers/formats/registry.ts';
import { problemSchema } from '../../core/declared.ts';
import type { ProblemCode } from '../../core/errors.ts';
import type { Components, Reference } from './components.ts';
import { sampleProblem } from './problems.ts';

/** Media types of exports of single boundaries and of collections. */
const TYPES = [...new Set([...FORMATS, ...COLLECTION_FORMATS].map(contentType))];

const TAGS = ['Service'];
const anyone = [{}];

/** OpenAPI paths under /v1 that are not operations: the listing, exported files, and sign-in from the command line. */
export function otherPaths(
  baseUrl: string,
  components: Components,
  problems: (codes: readonly ProblemCode[]) => Reference,
  headers: (...names: readonly string[]) => Record<string, Reference>,
): Record<string, Record<string, unknown>> {
  const json = (schema: z.ZodType) => ({
    'application/json': { schema: components.inline(schema, 'output') },
  });
  const file = Object.fromEntries(TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  const bad = {
    400: problems(['invalid_input', 'invalid_json']),
    413: problems(['too_large']),
    429: problems(['rate_limited']),
    500: problems(['internal_error']),
    503: problems(['upstream_unavailable']),
  };
  return {
    '/v1': {
      get: {
        operationId: 'list_operations',
        summary: 'Every operation with its route, access, cost and JSON schemas.',
        tags: TAGS,
        security: anyone,
        responses: {
          200: {
            description: 'Done.',
            headers: headers('ETag', 'Vary', 'Content-Encoding'),
            content: json(
              z.object({
                service: z.string(),
                version: z.string(),
                items: z.array(z.looseObject({ name: z.string() })),
              }),
            ),
          },
          304: { description: 'The client already has it.', headers: headers('ETag', 'Vary', 'Content-Encoding') },
          500: bad[500],
          503: bad[503],
        },
      },
    },
    '/v1/exports/{name}': {
      get: {
        operationId: 'get_export',
        summary: 'An exported file, named by the SHA-256 of its bytes: it never changes.',
        description: 'Free, without a key. HEAD, If-None-Match and one byte range are supported.',
        tags: TAGS,
        security: anyone,
        parameters: [
          {
            name: 'name',
            in: 'path',
            required: true,
            description: 'sha256 in hexadecimal, a dot, and the extension of the format.',
            schema: { type: 'string', pattern: '^[0-9a-f]{64}\\.[a-z]{3,8}$' },
          },
        ],
        responses: {
          200: { description: 'The file.', headers: headers('ETag', 'Vary', 'Content-Encoding'), content: file },
          206: { description: 'The requested range.', headers: headers('ETag', 'Vary'), content: file },
          304: { description: 'The client already has it.', headers: headers('ETag', 'Vary', 'Content-Encoding') },
          400: problems(['invalid_input']),
          404: problems(['not_found']),
          416: {
            description: 'No byte of the range exists.',
            headers: headers('ETag', 'Vary'),
            content: {
              'application/problem+json': {
                schema: components.inline(problemSchema('invalid_input').extend({ status: z.literal(416) }), 'output'),
                examples: { invalid_input: { value: { ...sampleProblem('invalid_input', baseUrl), status: 416 } } },
              },
            },
          },
          429: bad[429],
          500: bad[500],
          503: bad[503],
        },
      },
    },
    '/v1/auth/device/code': {
      post: {
        operationId: 'device_code',
        summary: 'Begins a sign-in from the command line: a code for the program, and one for the person.',
        tags: TAGS,
        security: anyone,
        requestBody: {
          content: {
            'application/json': {
              schema: components.inline(z.strictObject({ client_name: z.string().max(200).optional() }), 'input'),
            },
          },
        },
        responses: {
          200: {
            description: 'The person opens verification_uri; the program polls.',
            headers: headers(),
            content: json(
              z.object({
                device_code: z.string(),
                user_code: z.string(),
                verification_uri: z.url(),
                verification_uri_complete: z.url(),
                expires_in: z.int(),
                interval: z.int(),
              }),
            ),
          },
          ...bad,
        },
      },
    },
    '/v1/auth/device/token': {
      post: {
        operationId: 'device_token',
        summary: 'Asks whether the person has approved; the key comes once.',
        tags: TAGS,
        security: anyone,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: components.inline(z.strictObject({ device_code: z.string() }), 'input') },
          },
        },
        responses: {
          200: {
            description: 'Approved.',
            headers: headers(),
            content: json(
              z.object({
                api_key: z.string(),
                key_id: z.string(),
                org: z.object({ id: z.string(), slug: z.string() }),
              }),
            ),
          },
          ...bad,
          400: problems(['invalid_input', 'invalid_json', 'access_denied', 'expired_token', 'invalid_grant']),
          409: problems(['too_many_keys']),
          428: problems(['authorization_pending']),
        },
      },
    },
  };
}
