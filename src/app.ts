import type { Logger } from 'pino';
import { boundedBlobs, permanentBlobs, rememberBlobs } from './adapters/blobs.ts';
import { createMailer, type Mail } from './adapters/mail.ts';
import { searchServer } from './adapters/nominatim.ts';
import { openStorage } from './adapters/open_storage.ts';
import { optionalPackage } from './adapters/optional_package.ts';
import { overpassServer } from './adapters/overpass.ts';
import type { Payments } from './adapters/payments.ts';
import { type Config, defaultPlan, mailFolder } from './config.ts';
import { type Database, openDatabase } from './db/connect.ts';
import { migrate, migrateAs } from './db/migrate.ts';
import { loadQuery } from './db/query.ts';
import { createBilling } from './domain/billing.ts';
import { type Boundaries, createBoundaries } from './domain/boundaries.ts';
import { type CoverageReport, createCoverageReport } from './domain/completeness.ts';
import { createDeviceCodes } from './domain/device_codes.ts';
import { createFeedback } from './domain/feedback.ts';
import { createFileBlobs } from './domain/file_blobs.ts';
import { createFiles } from './domain/files.ts';
import { createFreshness, type Freshness } from './domain/freshness.ts';
import { inviteMail } from './domain/invites.ts';
import { createLimits, type Limits } from './domain/limits.ts';
import { createOAuth } from './domain/oauth.ts';
import { createOutbox } from './domain/outbox.ts';
import { createPeople } from './domain/people.ts';
import { createNameIndex, type NameIndex } from './domain/read_model/names.ts';
import { createReviews } from './domain/reviews.ts';
import { foldRevision } from './domain/revision.ts';
import { createSearchElsewhere, type SearchElsewhere } from './domain/search_elsewhere.ts';
import { secretKeys } from './domain/secrets.ts';
import { createSessions } from './domain/sessions.ts';
import { createSignIn, signInMail, sweepSignIn } from './domain/sign_in.ts';
import { createUpstream, type Upstream } from './domain/upstream/ask.ts';
import { createServers } from './domain/upstream/servers.ts';
import { Engine } from './geometry/engine.ts';
import { createLogger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { ops } from './ops/index.ts';
import { privateFolder } from './private_folder.ts';
import { repeat } from './repeat.ts';
import type { Readiness, Services } from './services.ts';
import { overpassSink } from './sources/upstream_answers.ts';
import { THIS_MACHINE } from './transports/credentials.ts';
import { oauthResources } from './transports/pages/oauth_resources.ts';

/** Everything that runs in this process, wired together. */
export interface App {
  readonly services: Services;
  /** How many boundaries are stored, up to a thousand. */
  countBoundaries(): Promise<number>;
  /** Begins to read what every search and point needs, before the first call does; a failure is logged. */
  readAhead(): void;
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
/** Bytes go with the last file that names them; what is left to sweep ended with an organization, or in a crash. */
const SWEEP_BLOBS_MS = 3_600_000;
const READY_MS = 2_000;
/** Of CACHE_BYTES, what is kept of boundaries beside their documents. */
const BOUNDARIES_SHARE = 0.1875;

/**
 * Opens the database (embedded in DATA_DIR, or DATABASE_URL), brings it up to date and starts the geometry workers.
 * `onMail` is called with each mail that is written to a file because there is no mail server.
 * @throws DatabaseError data_dir_in_use when another process owns DATA_DIR, ConfigError when another user does
 */
export async function openApp(
  config: Config,
  log: Logger = createLogger(config.LOG_LEVEL),
  { onMail }: { readonly onMail?: (mail: Mail) => void } = {},
): Promise<App> {
  await privateFolder(config.DATA_DIR, 'DATA_DIR');
  const db = await openDatabase({
    databaseUrl: config.DATABASE_URL ?? null,
    dataDir: config.DATA_DIR,
    deadlineMs: config.REQUEST_DEADLINE_MS,
    log: (message, fields) => log.warn(fields ?? {}, message),
  });
  try {
    const { applied } = await bringUpToDate(config, db);
    if (applied.length > 0) log.info({ applied }, 'migrated');
  } catch (error) {
    await db.close();
    throw error;
  }
  const metrics = createMetrics();
  const atRung = metrics.durations('boundary_rung_seconds', 'Time of a merge at a rung of the ladder.', 'rung');
  const inPool = metrics.durations(
    'boundary_pool_seconds',
    'Geometry tasks: waiting, running, on the way back.',
    'phase',
  );
  const engine = new Engine(db, {
    threads: config.WORKER_THREADS,
    arcBytes: config.ARC_CACHE_BYTES,
    cacheBytes: config.CACHE_BYTES * (1 - BOUNDARIES_SHARE),
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    onRung: atRung,
    onTimes: (_name, times) => {
      for (const [phase, seconds] of Object.entries(times)) inPool(phase, seconds);
    },
  });
  const billing = createBilling(db);
  measureEngine(metrics, engine);
  const sweeps = [
    repeat(
      SWEEP_MS,
      () => billing.sweep(),
      (err) => log.warn({ err }, 'reservations were not swept'),
    ),
    repeat(
      SWEEP_MS,
      () =>
        Promise.all([
          sweepSignIn(db),
          outbox.sweep(),
          oauth.sweep(),
          limits.sweep(),
          upstream?.sweep(),
          foldRevision(db),
        ]),
      (err) => log.warn({ err }, 'what ended of sign-ins and mail was not swept'),
    ),
  ];

  const limits = createLimits(db, { shared: db.kind === 'native' });
  const sessions = createSessions(db);
  const oauth = createOAuth(db, oauthResources(config.BASE_URL));
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL ?? null,
    from: config.MAIL_FROM ?? `Boundary Lookup <noreply@${new URL(config.BASE_URL).hostname}>`,
    folder: mailFolder(config),
    onFile: (path, mail) => {
      log.info({ path }, 'mail was written to a file, because SMTP_URL is not set');
      onMail?.(mail);
    },
  });
  const outbox = createOutbox(db, mailer, (message, fields) => log.warn(fields, message), {
    sign_in: signInMail(db, config.BASE_URL),
    invite: inviteMail(db, config.BASE_URL),
  });
  outbox.start();
  const plan = defaultPlan(config, db.kind);

  const coverage = createCoverageReport(db);
  measureKinds(metrics, coverage);
  const freshness = createFreshness(db);
  measureStale(metrics, freshness);

  const [exportStorage, library] = await Promise.all([
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'exports'),
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'library'),
  ]);
  const fileBlobs = createFileBlobs(db, library, rememberBlobs(permanentBlobs(library), engine.cache, 'library'));
  const notRemoved = (err: unknown): void => log.warn({ err }, 'bytes that no file names were not removed');
  sweeps.push(repeat(SWEEP_BLOBS_MS, () => fileBlobs.sweep(), notRemoved));

  const boundaries = createBoundaries(db, {
    bytes: config.CACHE_BYTES * BOUNDARIES_SHARE,
    packBoxes: (boxes) => engine.packBoxes(boxes),
  });
  const names = createNameIndex(db);
  measureBoundaries(metrics, boundaries, names);
  const sink = overpassSink({ db, engine });
  const upstream = openUpstream(config, { db, boundaries, sink, log, metrics });
  const searchElsewhere = openSearchElsewhere(config, { db, sink, log, metrics });

  const countBoundaries = (signal?: AbortSignal) => countIn(db, signal);
  const services: Services = {
    config,
    log,
    metrics,
    db,
    ...createPeople(db, {
      sessions,
      oauth,
      outbox,
    }),
    sessions,
    oauth,
    signIn: createSignIn(db, { sessions, outbox, plan }),
    deviceCodes: createDeviceCodes(db),
    secretKeys: await secretKeys(db, config.SECRET_KEYS),
    outbox,
    billing,
    payments: await paymentsOf(config),
    feedback: createFeedback(db),
    reviews: createReviews(db),
    boundaries,
    names,
    upstream,
    searchElsewhere,
    coverage,
    freshness,
    engine,
    blobs: rememberBlobs(boundedBlobs(exportStorage, config.EXPORT_BYTES), engine.cache, 'exports'),
    files: createFiles(db, fileBlobs, notRemoved),
    fileBlobs,
    ops,
    admit: admitBy(limits, config.EXPORT_REQUESTS_PER_MINUTE, plan === 'self_hosted'),
    ready: () => readiness(countBoundaries, engine.pool),
  };
  return {
    services,
    countBoundaries,
    readAhead() {
      boundaries
        .warm()
        .then(() => names.warm())
        .catch((err: unknown) => log.warn({ err }, 'boxes and names of boundaries were not read ahead'));
    },
    async close() {
      await Promise.all(sweeps.map((one) => one.stop()));
      await billing.flush().catch((error: unknown) => log.warn({ err: error }, 'calls were not counted'));
      await Promise.all([upstream?.close(), searchElsewhere?.close()]);
      await outbox.close();
      await engine.close();
      await db.close();
    },
  };
}

interface UpstreamParts {
  readonly db: Database;
  readonly sink: ReturnType<typeof overpassSink>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The Overpass servers of UPSTREAM_URL; null without any. */
export function openUpstream(
  config: Config,
  { db, boundaries, sink, log, metrics }: UpstreamParts & { readonly boundaries: Boundaries },
  more: { readonly deadlineMs?: number; readonly refresh?: boolean } = {},
): Upstream | null {
  if (config.UPSTREAM_URL.length === 0) return null;
  const contact = config.UPSTREAM_CONTACT ?? null;
  if (!contact)
    log.warn({}, 'UPSTREAM_CONTACT is not set: operators of Overpass servers want to know whom to write to');
  const warn = (message: string, fields: object) => log.warn(fields, message);
  const servers = createServers(
    db,
    config.UPSTREAM_URL.map((address) => overpassServer(address, { contact, deadlineMs: more.deadlineMs })),
    { requestsPerDay: config.UPSTREAM_REQUESTS_PER_DAY, bytesPerDay: config.UPSTREAM_BYTES_PER_DAY, log: warn },
  );
  const options = { waitMs: config.UPSTREAM_WAIT_MS, refreshDays: config.UPSTREAM_REFRESH_DAYS, log: warn };
  const upstream = createUpstream(db, boundaries, { servers, sink }, options);
  const { counts } = upstream;
  metrics.counter('boundary_upstream_requests_total', 'Queries sent to Overpass servers.', () => counts.requests);
  metrics.counter('boundary_upstream_bytes_total', 'Bytes that Overpass servers sent.', () => counts.bytes);
  metrics.counter(
    'boundary_upstream_outcomes_total',
    'What came of queries.',
    () => ({ ...counts.outcomes }),
    'outcome',
  );
  const states = 'Breaker of each Overpass server: 0 closed, 1 half open, 2 open.';
  metrics.gauge('boundary_upstream_breaker', states, () => upstream.breakers(), 'server');
  metrics.gauge('boundary_upstream_pending', 'Boundaries being fetched or waiting for it.', () => upstream.pending());
  if (more.refresh !== false) upstream.start();
  return upstream;
}

/** The search server of SEARCH_URL; null without one. */
export function openSearchElsewhere(config: Config, { db, sink, log, metrics }: UpstreamParts): SearchElsewhere | null {
  if (!config.SEARCH_URL) return null;
  const server = searchServer(config.SEARCH_URL, { contact: config.UPSTREAM_CONTACT ?? null });
  const warn = (message: string, fields: object) => log.warn(fields, message);
  const search = createSearchElsewhere(db, { server, sink }, { refreshDays: config.UPSTREAM_REFRESH_DAYS, log: warn });
  metrics.counter(
    'boundary_search_elsewhere_total',
    'What came of searches elsewhere.',
    () => ({ ...search.outcomes }),
    'outcome',
  );
  return search;
}

/** Over a connection of their owner, when there is one: then this process cannot change what it may only add to. */
async function bringUpToDate(config: Config, db: Database): Promise<{ applied: string[] }> {
  if (!config.MIGRATE_DATABASE_URL || !config.DATABASE_URL) return migrate(db);
  const databaseUrl = config.MIGRATE_DATABASE_URL;
  const owner = await openDatabase({ databaseUrl, dataDir: config.DATA_DIR, poolSize: 1 });
  try {
    return await migrateAs(owner, db);
  } finally {
    await owner.close();
  }
}

/**
 * Who is counted together: an organization's people and keys, or a network without a credential. `own`: the service is
 * its callers' own, who have as much as those on this machine have anywhere.
 */
export function admitBy(
  limits: Limits,
  exportsAMinute: number | null = null,
  own = false,
): NonNullable<Services['admit']> {
  return (caller, network, what = 'call', requests = 1) => {
    if (what === 'export') return limits.count(`export:${network}`, exportsAMinute, requests);
    if (caller.org) return limits.admit(caller.org.id, caller.org.plan, requests);
    return limits.admit(network, own || network === THIS_MACHINE ? 'anonymous_own' : 'anonymous', requests);
  };
}

/** Stripe where it is configured; null without. Throws ConfigError when its package is not installed. */
async function paymentsOf(config: Config): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  if (!secretKey || !webhookSecret) return null;
  const load = () => import('./adapters/payments.ts');
  const { stripePayments } = await optionalPackage('STRIPE_SECRET_KEY', 'stripe', load);
  return stripePayments({ secretKey, webhookSecret });
}

/** How many boundaries are stored, up to a thousand. */
export async function countIn(db: Database, signal?: AbortSignal): Promise<number> {
  const options = { timeoutMs: READY_MS, signal };
  const [row] = await db.query<{ count: number }>(loadQuery('boundary_count'), [], options);
  return row.count;
}

/**
 * Whether the process can serve, within two seconds: a database that is being waited for does not answer, whatever
 * holds it up.
 */
export async function readiness(
  countBoundaries: (signal: AbortSignal) => Promise<number>,
  pool: Pick<Engine['pool'], 'isFull'>,
): Promise<Readiness> {
  const checks: Record<string, string> = { database: 'ok', pool: 'ok', data: 'ok' };
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      giveUp.abort(new Error('the database does not answer'));
      reject(giveUp.signal.reason);
    }, READY_MS);
  });
  try {
    if ((await Promise.race([countBoundaries(giveUp.signal), late])) === 0)
      checks.data = 'No boundary is stored: run boundary seed or boundary import.';
  } catch {
    checks.database = 'The database does not answer.';
    checks.data = 'unknown';
  } finally {
    clearTimeout(timer);
  }
  if (pool.isFull) checks.pool = 'The queue of the geometry workers is full.';
  return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
}

/** `boundary_stale`: how many boundaries keep an older shape, by class of reason. */
export function measureStale(metrics: Metrics, freshness: Freshness): void {
  const help = 'Boundaries that keep an older shape, by class of reason.';
  metrics.gauge('boundary_stale', help, () => freshness.staleByReason(), 'reason');
}

/** What the kinds table lacks, by country and admin_level, whenever the page of metrics is asked for. */
export function measureKinds(metrics: Metrics, coverage: CoverageReport): void {
  const read = async () =>
    (await coverage.unknownKinds()).map((one) => [`${one.country ?? '-'} ${one.admin_level ?? '-'}`, one.boundaries]);
  metrics.gauge(
    'boundary_kinds_unknown',
    'Boundaries whose country and admin_level the kinds table lacks.',
    async () => Object.fromEntries(await read()),
    'country_level',
  );
}

/** What memory holds of the boundaries. */
function measureBoundaries(metrics: Metrics, boundaries: Boundaries, names: NameIndex): void {
  const held = 'Bytes held of boundaries of the present revision, by sort.';
  const bytes = () => ({ ...boundaries.held().bytes, search: names.held().bytes });
  metrics.gauge('boundary_read_model_bytes', held, bytes, 'sort');
  metrics.gauge('boundary_read_model_names', 'Names in memory, for search.', () => names.held().names);
  const boxes = 'Boundaries whose boxes are in memory.';
  metrics.gauge('boundary_read_model_boxes', boxes, () => boundaries.held().boxes);
  const counts = 'Boundaries asked for, found in memory or not.';
  metrics.counter('boundary_read_model_total', counts, () => ({ ...boundaries.held().counts }), 'found');
}

function measureEngine(metrics: Metrics, engine: Engine): void {
  const { cache, arcs, pool, rungs } = engine;
  const tiers = (of: 'hits' | 'misses' | 'evictions' | 'bytes') => () =>
    Object.fromEntries(Object.entries(cache.tiers).map(([tier, counts]) => [tier, counts[of]]));
  metrics.counter('boundary_cache_hits_total', 'Answers found in memory.', tiers('hits'), 'tier');
  metrics.counter('boundary_cache_misses_total', 'Answers that had to be made.', tiers('misses'), 'tier');
  metrics.counter('boundary_cache_evictions_total', 'Answers dropped for room.', tiers('evictions'), 'tier');
  metrics.gauge('boundary_cache_bytes', 'Bytes held in memory.', tiers('bytes'), 'tier');
  metrics.counter('boundary_shapes_total', 'Shapes asked of shared memory.', () => ({ ...arcs.counts }), 'found');
  metrics.gauge('boundary_arcs_held', 'Arcs in shared memory.', () => arcs.heap.size);
  metrics.gauge('boundary_arcs_bytes', 'Bytes of arcs in shared memory.', () => arcs.heap.bytes);
  metrics.gauge('boundary_arcs_apart_bytes', 'Bytes of arcs that single requests hold.', () => arcs.apartBytes);
  metrics.counter('boundary_arcs_evicted_total', 'Arcs dropped for room.', () => arcs.heap.evictions);
  metrics.gauge('boundary_pool_queue', 'Geometry tasks that wait for a worker.', () => pool.queued);
  metrics.gauge('boundary_pool_active', 'Geometry tasks that a worker runs.', () => pool.active);
  metrics.counter('boundary_pool_tasks_total', 'What became of tasks.', () => ({ ...pool.counts }), 'outcome');
  metrics.counter('boundary_rung_total', 'Merges answered, by rung of the ladder.', () => ({ ...rungs }), 'rung');
}
