import type { Logger } from 'pino';
import { searchServer } from '../adapters/nominatim.ts';
import { overpassServer } from '../adapters/overpass.ts';
import type { Metrics } from '../common/metrics.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import type { Boundaries } from '../domain/boundaries/reads.ts';
import { createRemoteSearch, type RemoteSearch } from '../domain/search/elsewhere.ts';
import { createUpstream } from '../domain/upstream/ask.ts';
import { createServers } from '../domain/upstream/servers.ts';
import type { Upstream } from '../domain/upstream/upstream.ts';
import type { overpassSink } from '../sources/upstream_answers.ts';

interface UpstreamParts {
  readonly db: Database;
  readonly sink: ReturnType<typeof overpassSink>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The client of the Overpass servers of UPSTREAM_URL; null if none is set. */
export function openUpstream(
  config: Config,
  { db, boundaries, sink, log, metrics }: UpstreamParts & { readonly boundaries: Boundaries },
  more: { readonly deadlineMs?: number; readonly refresh?: boolean } = {},
): Upstream | null {
  if (config.UPSTREAM_URL.length === 0) return null;
  const contact = config.UPSTREAM_CONTACT ?? null;
  if (!contact) log.warn({}, 'UPSTREAM_CONTACT is not set: operators of Overpass servers require a contact');
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
  metrics.counter('boundary_upstream_outcomes_total', 'Queries by outcome.', () => ({ ...counts.outcomes }), 'outcome');
  const states = 'Breaker of each Overpass server: 0 closed, 1 half open, 2 open.';
  metrics.gauge('boundary_upstream_breaker', states, () => upstream.breakers(), { label: 'server', common: true });
  metrics.gauge('boundary_upstream_pending', 'Boundaries being fetched or waiting to be fetched.', () =>
    upstream.pending(),
  );
  if (more.refresh !== false) upstream.start();
  return upstream;
}

/** The client of the search server of SEARCH_URL; null if none is set. */
export function openSearchElsewhere(config: Config, { db, sink, log, metrics }: UpstreamParts): RemoteSearch | null {
  if (!config.SEARCH_URL) return null;
  const server = searchServer(config.SEARCH_URL, { contact: config.UPSTREAM_CONTACT ?? null });
  const warn = (message: string, fields: object) => log.warn(fields, message);
  const search = createRemoteSearch(db, { server, sink }, { refreshDays: config.UPSTREAM_REFRESH_DAYS, log: warn });
  metrics.counter(
    'boundary_search_elsewhere_total',
    'Upstream searches by outcome.',
    () => ({ ...search.outcomes }),
    'outcome',
  );
  return search;
}
