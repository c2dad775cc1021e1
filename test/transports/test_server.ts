import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { z } from 'zod';
import type { Mailer } from '../../src/adapters/mail.ts';
import { admitBy } from '../../src/app/admission.ts';
import { defined } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { loadConfig } from '../../src/config.ts';
import { problem } from '../../src/core/errors.ts';
import { type AnyOp, bytes, created, defineOp } from '../../src/core/op.ts';
import { boundaryId, commaList, looseBoolean } from '../../src/core/schemas.ts';
import { createBilling } from '../../src/domain/billing/billing.ts';
import { createLimits } from '../../src/domain/billing/limits.ts';
import { createCompletenessReport } from '../../src/domain/boundaries/completeness.ts';
import { createFreshness } from '../../src/domain/boundaries/freshness.ts';
import type { NewKey } from '../../src/domain/people/keys.ts';
import { createSets } from '../../src/domain/sets/sets.ts';
import { ops as realOps } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp, type HttpOptions } from '../../src/transports/http_app.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { expectDeclared } from '../setup/declared.ts';
import { testPeople } from '../setup/people.ts';

const free = { units: 0, per: 'call' } as const;
const errors = ['invalid_input', 'rate_limited'] as const;

/** Resolvers by name; a test calls one to end a `wait` call. */
export const waitResolvers = new Map<string, () => void>();

/** How often `units` and `wait` ran, and how often their signal was aborted. */
export const seen = { ran: 0, aborted: 0 };

const echoFields = {
  q: z.string().min(1).max(200),
  limit: z.int().min(1).max(40).default(10),
  ratio: z.number().optional(),
  mine: looseBoolean.optional(),
  kinds: commaList(z.enum(['city', 'county']))
    .max(2)
    .optional(),
};

/**
 * Operations for tests only. Some replace an operation of the service on its path: the paths of boundaries can be
 * written in several ways, and these need no boundary to test them.
 */
export const testOps: readonly AnyOp[] = [
  defineOp({
    name: 'echo',
    summary: 'Gives its input back.',
    route: { method: 'GET', path: '/boundaries/search' },
    access: { who: 'public' },
    effect: 'read',
    cost: free,
    input: z.strictObject(echoFields),
    output: z.object({ echo: z.unknown() }),
    errors,
    examples: [{ input: { q: 'Ulm' } }],
    run: async (_ctx, input) => ({ echo: input }),
  }),
  defineOp({
    name: 'echo_body',
    summary: 'Gives its input back.',
    route: { method: 'POST', path: '/boundaries/union' },
    access: { who: 'public' },
    effect: 'read',
    cost: free,
    input: z.strictObject({ include: z.array(boundaryId).min(1).max(50), note: z.string().optional() }),
    output: z.object({ echo: z.unknown() }),
    errors,
    examples: [{ input: { include: ['r1'] } }],
    run: async (_ctx, input) => ({ echo: input }),
  }),
  defineOp({
    name: 'get_thing',
    summary: 'Gives its id back; public only at low.',
    route: { method: 'GET', path: '/boundaries/:id' },
    access: (input) => (input.detail === 'low' ? { who: 'public' } : { who: 'viewer' }),
    effect: 'read',
    cost: free,
    input: z.strictObject({ id: boundaryId, detail: z.enum(['low', 'full']).default('low') }),
    output: z.object({ id: z.string() }),
    errors: [...errors, 'unauthorized'],
    examples: [{ input: { id: 'r1' } }],
    run: async (_ctx, input) => ({ id: input.id }),
  }),
  defineOp({
    name: 'list_parts',
    summary: 'Gives its id back.',
    route: { method: 'GET', path: '/boundaries/:id/children' },
    access: { who: 'public' },
    effect: 'read',
    cost: free,
    input: z.strictObject({ id: boundaryId }),
    output: z.object({ parts_of: z.string() }),
    errors,
    examples: [{ input: { id: 'r1' } }],
    run: async (_ctx, input) => ({ parts_of: input.id }),
  }),
  defineOp({
    name: 'make_thing',
    summary: 'Answers 201.',
    route: { method: 'POST', path: '/things/:id' },
    access: { who: 'viewer' },
    effect: 'write',
    cost: free,
    input: z.strictObject({ id: z.int(), body: z.string().default('') }),
    output: z.object({ id: z.int(), body: z.string() }),
    success: { created: 'always' },
    errors: [...errors, 'unauthorized'],
    examples: [{ input: { id: 1 } }],
    run: async (_ctx, input) => created({ id: input.id, body: input.body }, `/v1/things/${input.id}`),
  }),
  defineOp({
    name: 'units',
    summary: 'Costs what it is asked to; fails when it is asked to.',
    route: { method: 'GET', path: '/units' },
    access: { who: 'viewer' },
    effect: 'read',
    cost: { units: 1, per: 'boundary' },
    input: z.strictObject({ n: z.int().min(0).default(1), outcome: z.enum(['ok', 'problem', 'crash']).default('ok') }),
    output: z.object({ n: z.int() }),
    errors: [...errors, 'unauthorized', 'quota_exceeded', 'not_found'],
    examples: [{ input: { n: 1 } }],
    prepare: async (_ctx, input) => ({ price: input.n }),
    price: (_ctx, _input, prepared) => prepared.price,
    async run(_ctx, input) {
      seen.ran++;
      if (input.outcome === 'problem') throw problem('not_found', 'nothing there');
      if (input.outcome === 'crash') throw new Error('secret: postgres://user:hunter2@db/x for eve@example.org');
      return { n: input.n };
    },
  }),
  defineOp({
    name: 'get_file_bytes',
    summary: 'Bytes with an entity tag; one unit.',
    route: { method: 'GET', path: '/bytes' },
    access: { who: 'viewer' },
    effect: 'read',
    cost: { units: 1, per: 'call' },
    input: z.strictObject({ size: z.int().min(0).default(5) }),
    output: z.string(),
    success: { documents: ['text/plain; charset=utf-8'] },
    errors: [...errors, 'unauthorized', 'quota_exceeded', 'too_large'],
    examples: [{ input: {} }],
    run: async (_ctx, input) =>
      bytes(Buffer.alloc(input.size, 'x'), 'text/plain; charset=utf-8', {
        headers: { ETag: '"five"', 'Cache-Control': 'private, max-age=60' },
      }),
  }),
  defineOp({
    name: 'wait',
    summary: 'Answers when its gate is opened.',
    route: { method: 'GET', path: '/wait' },
    access: { who: 'public' },
    effect: 'read',
    cost: { units: 0, per: 'call' },
    input: z.strictObject({ gate: z.string(), pay: z.int().default(0) }),
    output: z.object({ opened: z.string() }),
    errors: [...errors, 'too_large'],
    examples: [{ input: { gate: 'a' } }],
    price: (_ctx, input) => input.pay,
    async run(ctx, input) {
      ctx.signal.addEventListener('abort', () => seen.aborted++);
      await new Promise<void>((resolve) => waitResolvers.set(input.gate, resolve));
      return { opened: input.gate };
    },
  }),
  defineOp({
    name: 'write_slowly',
    summary: 'Changes something when its gate is opened.',
    route: { method: 'POST', path: '/wait' },
    access: { who: 'viewer' },
    effect: 'write',
    cost: { units: 1, per: 'call' },
    input: z.strictObject({ gate: z.string() }),
    output: z.object({ wrote: z.string() }),
    errors: [...errors, 'unauthorized', 'quota_exceeded'],
    examples: [{ input: { gate: 'a' } }],
    async run(ctx, input) {
      ctx.signal.addEventListener('abort', () => seen.aborted++);
      await new Promise<void>((resolve) => waitResolvers.set(input.gate, resolve));
      return { wrote: input.gate };
    },
  }),
  defineOp({
    name: 'misdeclared',
    summary: 'Answers what it does not declare.',
    route: { method: 'GET', path: '/misdeclared' },
    access: { who: 'public' },
    effect: 'read',
    cost: free,
    input: z.strictObject({}),
    output: z.object({ count: z.int() }),
    errors,
    examples: [{ input: {} }],
    run: async () => ({ count: 1.5 }),
  }),
  defineOp({
    name: 'operators_only',
    summary: 'For those who run the service.',
    route: { method: 'GET', path: '/operators-only' },
    access: { who: 'operator' },
    effect: 'read',
    cost: free,
    input: z.strictObject({}),
    output: z.object({ operator: z.boolean() }),
    errors: [...errors, 'unauthorized'],
    examples: [{ input: {} }],
    run: async (ctx) => ({ operator: ctx.caller.operator }),
  }),
] as const;

const routeOf = ({ route }: AnyOp): string => `${route.method} ${route.path}`;
const testRoutes = new Set(testOps.map(routeOf));

/** A response with its body as text. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body parsed; undefined when it is empty. */
  readonly json: Record<string, unknown>;
}

export interface TestServer {
  readonly services: Services;
  /** The operations of the program, some of them in other forms, and those for tests. */
  readonly ops: readonly AnyOp[];
  readonly database: TestDatabase;
  readonly listening: Listening;
  /** All log lines so far. */
  readonly logged: string[];
  /** Sends a request unchanged: paths are not normalized or encoded. */
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>;
  /** Sends raw bytes to the port and returns everything received. */
  raw(text: string | Buffer): Promise<string>;
  key(options?: Partial<Parameters<Services['keys']['create']>[0]>): Promise<NewKey>;
  close(): Promise<void>;
}

export interface AskOptions {
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sends the body as JSON. */
  json?: unknown;
  key?: string;
}

let people = 0;

/** Response members that are shown only once. */
const SECRET_MEMBERS = /"(?:api_key|access_token|refresh_token|device_code)":"([^"]+)"/g;

/** The whole audit log as text; '' when the test has closed or broken the database. */
async function auditLog({ db }: TestDatabase): Promise<string> {
  try {
    return JSON.stringify(await db.query('select * from audit_log'));
  } catch {
    return '';
  }
}

/**
 * Starts a server with the test operations and the real operations that have paths of their own, on an empty database
 * or on the given one, which it leaves open.
 */
export async function openTestServer(
  environment: Record<string, string> = {},
  options: HttpOptions & {
    socketPath?: (dataDir: string) => string;
    admit?: Services['admit'];
    payments?: Services['payments'];
    /** Whether rate limits apply as in the service. */
    limits?: boolean;
    database?: TestDatabase;
    mailer?: Mailer;
    port?: number;
  } = {},
): Promise<TestServer> {
  const database = options.database ?? (await testDatabase());
  const logged: string[] = [];
  const secrets = new Set<string>();
  const sink = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line));
      done();
    },
  });
  const ops = [...realOps.filter((op) => !testRoutes.has(routeOf(op))), ...testOps];
  // Nothing is in memory. This is asked without waiting for an answer.
  const inMemory = () => null;
  const unused = new Proxy(
    {},
    {
      get: (_target, name) =>
        name === 'inMemory' ? inMemory : () => Promise.reject(new Error(`${String(name)} is not here`)),
    },
  );
  const config = loadConfig({ NODE_ENV: 'test', BASE_URL: 'https://maps.example/base/', ...environment });
  const services: Services = {
    config,
    log: createLogger('info', sink),
    metrics: createMetrics(),
    db: database.db,
    ...testPeople(database.db, { baseUrl: config.BASE_URL, mailer: options.mailer }),
    billing: createBilling(database.db),
    payments: options.payments ?? null,
    boundaries: unused as Services['boundaries'],
    upstream: null,
    searchElsewhere: null,
    completeness: createCompletenessReport(database.db),
    freshness: createFreshness(database.db),
    engine: unused as Services['engine'],
    cache: unused as Services['cache'],
    encodings: unused as Services['encodings'],
    blobs: unused as Services['blobs'],
    areaSets: createSets(database.db),
    tileSelections: unused as Services['tileSelections'],
    tileBlobs: unused as Services['tileBlobs'],
    files: unused as Services['files'],
    fileBlobs: unused as Services['fileBlobs'],
    jobs: unused as Services['jobs'],
    subscriptions: unused as Services['subscriptions'],
    ops,
    admit: options.admit ?? (options.limits ? admitBy(createLimits(database.db, { shared: false })) : null),
    loading: () => null,
    ready: async () => ({ ready: true, checks: { database: 'ok' } }),
  };
  const app = createHttpApp(services, ops, options);
  const address = options.socketPath
    ? { path: options.socketPath(database.dataDir) }
    : { host: '127.0.0.1', port: options.port ?? 0 };
  const listening = await listen(app.callback(), address, services.config.BASE_URL);
  const bound = listening.server.address();
  const where: { host: string; port: number } | { socketPath: string } =
    typeof bound === 'object' && bound !== null
      ? { host: '127.0.0.1', port: bound.port }
      : { socketPath: listening.address.slice('unix:'.length) };

  return {
    services,
    ops,
    database,
    listening,
    logged,
    ask(method, path, { headers = {}, body, json, key } = {}) {
      const content = json === undefined ? body : JSON.stringify(json);
      const all: Record<string, string> = {
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(content === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }),
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...headers,
      };
      return new Promise((resolve, reject) => {
        const sent = request({ ...where, method, path, headers: all, agent: false }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            for (const [, secret] of text.matchAll(SECRET_MEMBERS)) secrets.add(defined(secret));
            for (const cookie of response.headers['set-cookie'] ?? []) {
              const [, secret] = /^[^=]*boundary_[^=]*=([\w-]{20,})/.exec(cookie) ?? [];
              if (secret) secrets.add(secret);
            }
            const isJson = /json/.test(String(response.headers['content-type'])) && text !== '';
            const status = response.statusCode ?? 0;
            try {
              expectDeclared(ops, method, path, { status, headers: response.headers, text });
            } catch (error) {
              return reject(error);
            }
            resolve({ status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined });
          });
        });
        sent.on('error', reject);
        sent.end(content);
      });
    },
    raw(text) {
      return new Promise((resolve, reject) => {
        const socket = 'socketPath' in where ? connect(where.socketPath) : connect(where.port, where.host);
        let received = '';
        socket.on('data', (part) => {
          received += part.toString('latin1');
        });
        socket.on('close', () => resolve(received));
        socket.on('error', reject);
        socket.write(text);
      });
    },
    async key(more = {}) {
      const made = await services.keys.create({ email: `person${++people}@example.org`, ...more });
      secrets.add(made.key);
      return made;
    },
    async close() {
      for (const open of waitResolvers.values()) open();
      await listening.close();
      const reported = logged.join('') + (await services.metrics.registry.metrics()) + (await auditLog(database));
      // In every test: no secret that the server issued may appear in its logs, metrics or audit log.
      const leaked = [...secrets].filter((secret) => reported.includes(secret));
      if (leaked.length > 0) throw new Error(`in logs, metrics or the audit log: ${leaked.join(', ')}`);
      if (!options.database) await database.close();
    },
  };
}
