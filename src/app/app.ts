import type { Logger } from 'pino';
import type { Mail } from '../adapters/mail.ts';
import { optionalPackage } from '../adapters/optional_package.ts';
import type { Payments } from '../adapters/payments.ts';
import { createLogger } from '../common/log.ts';
import { createMetrics } from '../common/metrics.ts';
import { privateFolder } from '../common/private_folder.ts';
import { readVersion } from '../common/version.ts';
import { type Config, defaultPlan } from '../config.ts';
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
import { createJobs } from '../domain/jobs/jobs.ts';
import { createDeviceCodes } from '../domain/people/device_codes.ts';
import { createOAuth } from '../domain/people/oauth.ts';
import { createPeople } from '../domain/people/people.ts';
import { createSessions } from '../domain/people/sessions.ts';
import { createSignIn } from '../domain/people/sign_in.ts';
import { createNameIndex } from '../domain/read_model/name_index.ts';
import { readSounds } from '../domain/search/sounds_like.ts';
import { createSets } from '../domain/sets/sets.ts';
import { createSubscriptions } from '../domain/subscriptions/subscriptions.ts';
import { Encodings } from '../geometry/encodings.ts';
import { ops } from '../ops/index.ts';
import type { Loading, Services } from '../services.ts';
import { overpassSink } from '../sources/upstream_answers.ts';
import { oauthResources } from '../transports/pages/oauth_resources.ts';
import { admitBy } from './admission.ts';
import { editionChanges } from './edition_changes.ts';
import { renewFollowed } from './followed_files.ts';
import { measureBoundaries, measureJobs, measureKinds, measureStale } from './gauges.ts';
import { createJobRunner, type JobRunner } from './job_runner.ts';
import { openDelivery } from './open_delivery.ts';
import { openGeometry } from './open_geometry.ts';
import { openMigrated } from './open_migrated.ts';
import { openStores } from './open_stores.ts';
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

/**
 * Share of CACHE_BYTES for boundary data other than the cached documents: at the default, each of two processes holds all
 * boundaries of the seed data.
 */
const BOUNDARIES_SHARE = 0.45;

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
  const { cache, engine } = openGeometry(config, {
    ...{ db, metrics, isTraced: traces !== null },
    cacheBytes: config.CACHE_BYTES * (1 - BOUNDARIES_SHARE),
  });
  const billing = createBilling(db);
  const limits = createLimits(db, { shared: db.kind === 'native' });
  const sessions = createSessions(db);
  const oauth = createOAuth(db, oauthResources(config.BASE_URL));
  const delivery = await openDelivery(config, { db, log, onMail });
  const { outbox, webhooks } = delivery;
  const plan = defaultPlan(config, db.kind);

  const completeness = createCompletenessReport(db);
  measureKinds(metrics, completeness);
  const freshness = createFreshness(db);
  measureStale(metrics, freshness);

  const { jobStorage, ...stores } = await openStores(config, { db, log, cache });

  const boundaries = createBoundaries(db, {
    bytes: config.CACHE_BYTES * BOUNDARIES_SHARE,
    packBoxes: (boxes) => engine.points.packBoxes(boxes),
  });
  const names = createNameIndex(db, config.SEARCH_BYTES);
  measureBoundaries(metrics, boundaries, names);
  const sink = overpassSink({ db, engine });
  const upstream = openUpstream(config, { db, boundaries, sink, log, metrics });
  const searchElsewhere = openSearchElsewhere(config, { db, sink, log, metrics });

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
    ...createPeople(db, { sessions, oauth, outbox }),
    ...stores,
    sessions,
    oauth,
    signIn: createSignIn(db, { sessions, outbox, plan }),
    deviceCodes: createDeviceCodes(db),
    secretKeys: delivery.secretKeys,
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
    tileSelections: createTileSelections(db),
    areaSets: createSets(db),
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
      ...stores,
      ...{ db, billing, outbox, oauth, limits, upstream, jobs, jobRunner, webhooks, subscriptions },
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
        .then((held) => readSounds().then(() => held))
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
