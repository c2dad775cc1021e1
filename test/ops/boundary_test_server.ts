import { request } from 'node:http';
import { boundedBlobs, cacheBlobs, permanentBlobs } from '../../src/adapters/blobs.ts';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { outgoingCalls } from '../../src/adapters/outgoing_call.ts';
import { editionChanges } from '../../src/app/edition_changes.ts';
import { createJobRunner, type JobRunner } from '../../src/app/job_runner.ts';
import { openSearchElsewhere, openUpstream } from '../../src/app/upstream.ts';
import { createLogger } from '../../src/common/log.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { loadConfig } from '../../src/config.ts';
import { createBilling } from '../../src/domain/billing/billing.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import type { Boundary } from '../../src/domain/boundaries/boundary.ts';
import { createCompletenessReport } from '../../src/domain/boundaries/completeness.ts';
import { createFreshness } from '../../src/domain/boundaries/freshness.ts';
import { createTileSelections } from '../../src/domain/boundaries/tile_selections.ts';
import { createWebhooks, type Webhooks } from '../../src/domain/delivery/webhooks.ts';
import { createJobs } from '../../src/domain/jobs/jobs.ts';
import { createFileBlobs } from '../../src/domain/library/blobs.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { createSets } from '../../src/domain/sets/sets.ts';
import { createSubscriptions } from '../../src/domain/subscriptions/subscriptions.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Encodings } from '../../src/geometry/encodings.ts';
import { Engine } from '../../src/geometry/engine.ts';
import type { EngineOptions } from '../../src/geometry/engine_model.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { overpassSink } from '../../src/sources/upstream_answers.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { type Fixture, testDatabase } from '../setup/database.ts';
import { expectDeclared } from '../setup/declared.ts';
import { testPeople } from '../setup/people.ts';

export const BASE_URL = 'https://maps.example/base';

/** The members of responses that tests read. */
export interface Body {
  readonly items: readonly (Boundary & { readonly id: string })[];
  readonly coverage: { readonly postal_code: string };
  readonly completeness: { readonly postal_code: string };
  readonly code: string;
  readonly detail: string;
  readonly used: number;
  readonly limit: number | null;
  readonly issues: readonly { readonly path: string }[];
  readonly by_op: readonly { readonly op: string; readonly calls: number; readonly units: number }[];
  readonly id: string;
  readonly type: string;
  readonly bbox: readonly number[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly content_type: string;
}

/** A response as received. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed body of any JSON type; tests know which members it has. */
  readonly json: Body;
}

export interface RequestOptions {
  readonly key?: string;
  readonly json?: unknown;
  /** A body that is not JSON; its type is in `headers`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A test server with the real operations on an empty database. */
export interface BoundaryTestServer {
  readonly services: Services;
  readonly engine: Engine;
  /** Runs jobs only on request; none run in the background. */
  readonly jobRunner: JobRunner;
  readonly webhooks: Webhooks;
  /** `http://host:port`. */
  readonly address: string;
  /** The folder with exports and the library. */
  readonly dataDir: string;
  /** Null when the database is embedded. */
  readonly databaseUrl: string | null;
  /** Sends a path unchanged, without normalizing or encoding it. */
  ask(method: string, path: string, asking?: RequestOptions): Promise<Reply>;
  get(path: string, key?: string): Promise<Reply>;
  rpc(op: string, input: object, key?: string): Promise<Reply>;
  /** Creates an organization and a key. */
  key(plan?: string): Promise<{ key: string; org: string }>;
  /** The units used by the organization of a key, from get_usage. */
  used(key: string): Promise<number>;
  /** Uses up this month's units except `left`. */
  spend(org: string, left: number): Promise<void>;
  /** The same service with another MAX_RESPONSE_BYTES; closed together with this server. */
  withLimit(maxResponseBytes: number): Promise<Pick<BoundaryTestServer, 'ask'>>;
  close(): Promise<void>;
}

let mappers = 0;

/**
 * Starts the server. `more`: engine options that differ from the defaults; `settings`: environment variables;
 * `upstreamMs`: timeout of an upstream in milliseconds; `embedded`: an embedded database whatever the suite runs on.
 */
export async function openBoundaryTestServer(
  { cacheBytes = 16e6, ...more }: Partial<Omit<EngineOptions, 'cache'>> & { readonly cacheBytes?: number } = {},
  settings: Record<string, string> = {},
  upstreamMs = 30_000,
  world?: Fixture,
  embedded = false,
): Promise<BoundaryTestServer> {
  const test = await testDatabase({ world, embedded });
  const closing: (() => Promise<void>)[] = [() => test.close()];
  const engineWith = (maxResponseBytes: number) => {
    const cache = createCache(cacheBytes);
    const engine = new Engine(test.db, { threads: 2, arcBytes: 32e6, maxResponseBytes, cache, ...more });
    closing.unshift(() => engine.close());
    return { engine, cache, encodings: new Encodings(cache) };
  };
  const { engine, cache, encodings } = engineWith(64e6);
  const config = loadConfig({ NODE_ENV: 'test', BASE_URL, ...settings });
  const storageUrl = config.STORAGE_URL ?? null;
  const library = await openStorage(storageUrl, test.dataDir, 'library');
  const fileBlobs = createFileBlobs(test.db, library, cacheBlobs(permanentBlobs(library), cache, 'library'));
  const log = createLogger('silent');
  const metrics = createMetrics();
  const boundaries = createBoundaries(test.db, { packBoxes: (boxes) => engine.points.packBoxes(boxes) });
  const parts = { db: test.db, sink: overpassSink({ db: test.db, engine }), log, metrics };
  const upstream = openUpstream(config, { ...parts, boundaries }, { deadlineMs: upstreamMs, refresh: false });
  const searchElsewhere = openSearchElsewhere(config, parts);
  closing.unshift(async () => {
    await Promise.all([upstream?.close(), searchElsewhere?.close()]);
  });
  const people = testPeople(test.db);
  const billing = createBilling(test.db);
  const calls = outgoingCalls({ allowed: config.WEBHOOK_ALLOW, userAgent: 'test', deadlineMs: 5_000 });
  const webhooks = createWebhooks(test.db, calls, people.secretKeys, () => undefined);
  const services: Services = {
    config,
    log,
    metrics,
    db: test.db,
    ...people,
    billing,
    payments: null,
    boundaries,
    upstream,
    searchElsewhere,
    completeness: createCompletenessReport(test.db),
    freshness: createFreshness(test.db),
    engine,
    cache,
    encodings,
    blobs: cacheBlobs(boundedBlobs(await openStorage(storageUrl, test.dataDir, 'exports'), 1e9), cache, 'exports'),
    areaSets: createSets(test.db),
    tileSelections: createTileSelections(test.db),
    tileBlobs: boundedBlobs(await openStorage(null, test.dataDir, 'tiles'), 1e8),
    files: createFiles(test.db, fileBlobs, (error) => Promise.reject(error)),
    fileBlobs,
    jobs: createJobs(test.db, { billing, outbox: people.outbox, webhooks, baseUrl: BASE_URL }),
    subscriptions: createSubscriptions(test.db, {
      ...{ outbox: people.outbox, webhooks, baseUrl: BASE_URL },
      editionChanges: (source, date, signal) => editionChanges(services, source, date, signal),
    }),
    ops,
    admit: null,
    loading: () => null,
    ready: async () => ({ ready: true, checks: {} }),
  };
  const storage = await openStorage(storageUrl, test.dataDir, 'jobs');
  const { JOB_LEASE_MS: leaseMs } = config;
  const jobRunner = createJobRunner({ services, storage, atOnce: 1, leaseMs });
  closing.unshift(() => jobRunner.stop());
  const serve = async (served: Services): Promise<Listening> => {
    const listening = await listen(createHttpApp(served, ops).callback(), { host: '127.0.0.1', port: 0 }, BASE_URL);
    closing.unshift(() => listening.close());
    return listening;
  };
  const listening = await serve(services);
  const ask = asker(listening);
  return {
    services,
    engine,
    jobRunner,
    webhooks,
    address: listening.address,
    dataDir: test.dataDir,
    databaseUrl: test.databaseUrl,
    ask,
    get: (path, key) => ask('GET', path, { key }),
    rpc: (op, input, key) => ask('POST', `/v1/ops/${op}`, { json: input, key }),
    async key(plan) {
      const made = await services.keys.create({ email: `mapper${++mappers}@example.org`, plan });
      return { key: made.key, org: made.org.id };
    },
    async used(key) {
      return (await ask('GET', '/v1/usage', { key })).json.used;
    },
    async spend(org, left) {
      const usage = await services.billing.usage(org);
      if (!usage || usage.limit === null) throw new Error('the plan of this organization has no limit');
      const units = usage.limit - usage.used - left;
      const held = await services.billing.reserve({ org, op: 'test', units, deadline: Date.now() + 60_000 });
      await services.billing.settle(held);
    },
    async withLimit(maxResponseBytes) {
      const config = loadConfig({ NODE_ENV: 'test', BASE_URL, MAX_RESPONSE_BYTES: String(maxResponseBytes) });
      return { ask: asker(await serve({ ...services, config, ...engineWith(maxResponseBytes) })) };
    },
    async close() {
      for (const end of closing) await end();
    },
  };
}

function asker({ address }: Listening): BoundaryTestServer['ask'] {
  const { hostname: host, port } = new URL(address);
  return (method, path, { key, json, text, headers = {} } = {}) => {
    const body = json === undefined ? text : JSON.stringify(json);
    const all: Record<string, string> = {
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request({ host, port, method, path, headers: all, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString();
          const isJson = /json/.test(String(response.headers['content-type'])) && text !== '';
          const given = response.headers as Record<string, string | undefined>;
          const status = response.statusCode ?? 0;
          try {
            expectDeclared(ops, method, path, { status, headers: given, text });
          } catch (error) {
            return reject(error);
          }
          resolve({
            status,
            headers: given,
            bytes,
            text,
            // Lazy: a partial or compressed document is not valid JSON.
            get json() {
              return isJson ? JSON.parse(text) : undefined;
            },
          });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
