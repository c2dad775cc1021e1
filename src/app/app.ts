import type { Logger } from 'pino';
import { boundedBlobs, cacheBlobs, permanentBlobs } from '../adapters/blobs.ts';
import { createMailer, type Mail } from '../adapters/mail.ts';
import { openStorage } from '../adapters/open_storage.ts';
import { optionalPackage } from '../adapters/optional_package.ts';
import { outgoingCalls } from '../adapters/outgoing_call.ts';
import type { Payments } from '../adapters/payments.ts';
import { createLogger } from '../common/log.ts';
import { createMetrics } from '../common/metrics.ts';
import { privateFolder } from '../common/private_folder.ts';
import { tracedUntilNow } from '../common/tracing.ts';
import { readVersion } from '../common/version.ts';
import { type Config, defaultPlan, mailFolder } from '../config.ts';
import type { Contents } from '../db/prepared.ts';
import { tracedDatabase } from '../db/traced.ts';
import { createBilling } from '../domain/billing/billing.ts';
import { createLimits } from '../domain/billing/limits.ts';
import { createFeedback } from '../domain/boards/feedback.ts';
import { createReviews } from '../domain/boards/reviews.ts';
import { createBoundaries } from '../domain/boundaries/boundaries.ts';
import { createCompletenessReport } from '../domain/boundaries/completeness.ts';
import { createFreshness } from '../domain/boundaries/freshness.ts';
import { createTileSelections } from '../domain/boundaries/tile_selections.ts';
import { createOutbox } from '../domain/delivery/outbox.ts';
import { createWebhooks } from '../domain/delivery/webhooks.ts';
import { createJobs } from '../domain/jobs/jobs.ts';
import { createFileBlobs } from '../domain/library/blobs.ts';
import { createFiles } from '../domain/library/files.ts';
import { createDeviceCodes } from '../domain/people/device_codes.ts';
import { inviteMail } from '../domain/people/invites.ts';
import { createOAuth } from '../domain/people/oauth.ts';
import { createPeople } from '../domain/people/people.ts';
import { secretKeys } from '../domain/people/secrets.ts';
import { createSessions } from '../domain/people/sessions.ts';
import { createSignIn, signInMail } from '../domain/people/sign_in.ts';
import { createNameIndex } from '../domain/read_model/name_index.ts';
import { createSets } from '../domain/sets/sets.ts';
import { createSubscriptions } from '../domain/subscriptions/subscriptions.ts';
import { createCache } from '../geometry/cached.ts';
import { Encodings } from '../geometry/encodings.ts';
import { Engine } from '../geometry/engine.ts';
import type { TaskTimes } from '../geometry/pool.ts';
import { ops } from '../ops/index.ts';
import type { Loading, Services } from '../services.ts';
import { overpassSink } from '../sources/upstream_answers.ts';
import { oauthResources } from '../transports/pages/oauth_resources.ts';
import { admitBy } from './admission.ts';
import { editionChanges } from './edition_changes.ts';
import { renewFollowed } from './followed_files.ts';
import { measureBoundaries, measureEngine, measureJobs, measureKinds, measureStale } from './gauges.ts';
import { createJobRunner, type JobRunner } from './job_runner.ts';
import { openMigrated } from './open_migrated.ts';
import { readAhead } from './read_ahead.ts';
import { countIn, readiness } from './readiness.ts';
import { withReplica } from './replica.ts';
import { startSweeps } from './sweeps.ts';
import { openTraces } from './traces.ts';
import { openSearchElsewhere, openUpstream } from './upstream.ts';

/** Everything that runs in this process, wired together. */
export interface App {
  readonly services: Services;
  /** Number of stored boundaries, counted up to 1000. */
  countBoundaries(): Promise<number>;
  /** Preloads what every search and point lookup needs. A failure is logged; the promise never rejects. */
  readAhead(): Promise<void>;
  /** Sets what is still being loaded while calls are already answered; null when everything is loaded. */
  setLoading(step: Loading | null): void;
  /** Runs due jobs once it is started. */
  readonly jobRunner: JobRunner;
  close(): Promise<void>;
}

/** Deadline of a webhook delivery, in milliseconds. */
const WEBHOOK_MS = 10_000;
/**
 * Share of CACHE_BYTES for boundary data other than the cached documents: at the default, each of two processes holds all
 * boundaries of the seed data.
 */
const BOUNDARIES_SHARE = 0.45;

/** Disk quota of tiles, as a share of EXPORT_BYTES and in addition to it. */
const TILES_SHARE = 0.1;

/**
 * Opens the database (embedded in DATA_DIR, or DATABASE_URL), migrates it and starts the geometry workers. A new
 * embedded database is unpacked from a prepared one with the seed data that `contents` names, if one was built.
 * `onMail` is called with each mail that is written to a file because no mail server is configured.
 * @throws DatabaseError data_dir_in_use when another process owns DATA_DIR, ConfigError when another user does
 */
export async function openApp(
  config: Config,
  log: Logger = createLogger(config.LOG_LEVEL),
  { onMail, contents = 'none' }: { readonly onMail?: (mail: Mail) => void; readonly contents?: Contents } = {},
): Promise<App> {
  await privateFolder(config.DATA_DIR, 'DATA_DIR');
  const opened = await openMigrated(config, log, contents);
  const metrics = createMetrics();
  const traces = openTraces(config, { metrics, log });
  const replicated = withReplica(opened, config, { log, metrics });
  const db = traces ? tracedDatabase(replicated) : replicated;
  metrics.info('boundary_build_info', 'Build information: release, Node version and kind of database.', {
    version: readVersion(),
    node: process.versions.node,
    database: db.kind,
  });
  const observeMerge = metrics.durations('boundary_merge_seconds', 'Duration of merges, by strategy.', 'strategy');
  const observeTask = metrics.durations(
    'boundary_pool_seconds',
    'Duration of geometry tasks, by phase: waiting, running, returning.',
    'phase',
  );
  const cache = createCache(config.CACHE_BYTES * (1 - BOUNDARIES_SHARE));
  const engine = new Engine(db, {
    threads: config.WORKER_THREADS,
    arcBytes: config.ARC_CACHE_BYTES,
    cache,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    onStrategy: observeMerge,
    onTimes: (name, times) => {
      for (const [phase, seconds] of Object.entries(times)) observeTask(phase, seconds);
      if (traces) traceTask(name, times);
    },
  });
  const billing = createBilling(db);
  measureEngine(metrics, engine, cache);
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

  const completeness = createCompletenessReport(db);
  measureKinds(metrics, completeness);
  const freshness = createFreshness(db);
  measureStale(metrics, freshness);

  const [exportStorage, library, tileStorage, jobStorage] = await Promise.all([
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'exports'),
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'library'),
    // Tiles stay on the local disk: fetching one from a bucket takes longer than drawing it again.
    openStorage(null, config.DATA_DIR, 'tiles'),
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'jobs'),
  ]);
  const fileBlobs = createFileBlobs(db, library, cacheBlobs(permanentBlobs(library), cache, 'library'));
  const notRemoved = (err: unknown): void => log.warn({ err }, 'unreferenced content was not removed');
  const files = createFiles(db, fileBlobs, notRemoved);

  const boundaries = createBoundaries(db, {
    bytes: config.CACHE_BYTES * BOUNDARIES_SHARE,
    packBoxes: (boxes) => engine.points.packBoxes(boxes),
  });
  const names = createNameIndex(db, config.SEARCH_BYTES);
  measureBoundaries(metrics, boundaries, names);
  const sink = overpassSink({ db, engine });
  const upstream = openUpstream(config, { db, boundaries, sink, log, metrics });
  const searchElsewhere = openSearchElsewhere(config, { db, sink, log, metrics });

  const signingKeys = await secretKeys(db, config.SECRET_KEYS);
  const calls = outgoingCalls({
    allowed: config.WEBHOOK_ALLOW,
    userAgent: `boundary-lookup/${readVersion()}`,
    deadlineMs: WEBHOOK_MS,
  });
  const webhooks = createWebhooks(db, calls, signingKeys, (message, fields) => log.warn(fields, message));
  webhooks.start();
  const jobs = createJobs(db, { billing, outbox, webhooks, baseUrl: config.BASE_URL });
  measureJobs(metrics, jobs);
  const subscriptions = createSubscriptions(db, {
    ...{ outbox, webhooks, baseUrl: config.BASE_URL },
    editionChanges: (source, date, signal) => editionChanges(services, source, date, signal),
  });

  let loading: Loading | null = null;
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
    secretKeys: signingKeys,
    outbox,
    billing,
    payments: await paymentsOf(config),
    feedback: createFeedback(db),
    reviews: createReviews(db),
    boundaries,
    names,
    upstream,
    searchElsewhere,
    completeness,
    freshness,
    engine,
    cache,
    encodings: new Encodings(cache),
    blobs: cacheBlobs(boundedBlobs(exportStorage, config.EXPORT_BYTES), cache, 'exports'),
    tileSelections: createTileSelections(db),
    tileBlobs: boundedBlobs(tileStorage, config.EXPORT_BYTES * TILES_SHARE),
    files,
    areaSets: createSets(db),
    fileBlobs,
    jobs,
    subscriptions,
    ops,
    admit: admitBy(limits, config.EXPORT_REQUESTS_PER_MINUTE, plan === 'self_hosted'),
    ready: () => readiness(countBoundaries, engine.pool),
    loading: () => loading,
  };
  const { JOBS_AT_ONCE: atOnce, JOB_LEASE_MS: leaseMs } = config;
  const jobRunner = createJobRunner({ services, storage: jobStorage, atOnce, leaseMs });
  const stopping = new AbortController();
  const sweeps = startSweeps(
    {
      ...{ db, billing, outbox, oauth, limits, files, fileBlobs, upstream, jobs, jobRunner, webhooks, subscriptions },
      renewFollowed: (signal) => renewFollowed(services, signal),
    },
    log,
    stopping.signal,
  );
  let closing = false;
  return {
    services,
    jobRunner,
    countBoundaries,
    setLoading(step) {
      loading = step;
    },
    readAhead() {
      return boundaries
        .warm()
        .then(() => names.warm())
        .then((held) => readAhead({ boundaries, engine }, held?.ids() ?? [], () => closing))
        .catch((err: unknown) => {
          if (!closing) log.warn({ err }, 'caches were not warmed');
        });
    },
    async close() {
      closing = true;
      stopping.abort(new Error('the server stops'));
      await jobRunner.stop();
      await Promise.all(sweeps.map((one) => one.stop()));
      await billing.flush().catch((error: unknown) => log.warn({ err: error }, 'calls were not counted'));
      await Promise.all([upstream?.close(), searchElsewhere?.close()]);
      await Promise.all([outbox.close(), webhooks.close()]);
      await engine.close();
      await db.close();
      await traces?.close();
    },
  };
}

/** Records a geometry task as a span of the running trace, with the time it waited for a thread. */
function traceTask(name: string, { wait, run, back }: Parameters<TaskTimes>[1]): void {
  const attributes = { 'boundary.wait_ms': wait * 1000, 'boundary.run_ms': run * 1000 };
  tracedUntilNow(`task ${name}`, (wait + run + back) * 1000, attributes);
}

/**
 * The Stripe adapter if Stripe is configured, else null.
 * @throws ConfigError when the `stripe` package is not installed
 */
async function paymentsOf(config: Config): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  if (!secretKey || !webhookSecret) return null;
  const load = () => import('../adapters/payments.ts');
  const { stripePayments } = await optionalPackage('STRIPE_SECRET_KEY', 'stripe', load);
  return stripePayments({ secretKey, webhookSecret });
}
