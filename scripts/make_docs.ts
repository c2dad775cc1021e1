/**
 * Writes the generated parts of docs/: the table of settings and the table of benchmarks.
 *
 *   npx tsx scripts/make_docs.ts            # writes them
 *   npx tsx scripts/make_docs.ts --check    # exits with 1 when one of them is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { GROUPS } from '../benchmarks/groups.ts';
import { loadConfig, type SettingName } from '../src/config.ts';

/** A setting that the docs leave out, or what its row says: the default where it is not the plain value, and the meaning. */
type Row = null | { readonly standard?: string; readonly meaning: string };

const SETTINGS: Readonly<Record<SettingName, Row>> = {
  PORT: { meaning: 'port to listen on' },
  HOST: { meaning: 'address to listen on' },
  BASE_URL: { standard: 'from HOST and PORT', meaning: 'the address that clients use' },
  DATA_DIR: { meaning: 'embedded database, exported files, library, control socket' },
  DATABASE_URL: { meaning: 'PostgreSQL 15+ with PostGIS 3.3+, in place of the embedded database' },
  DATABASE_REPLICA_URL: { meaning: 'a streaming replica of DATABASE_URL, for reads of boundary data' },
  MIGRATE_DATABASE_URL: { meaning: 'connection of the role that owns the tables, for migrations' },
  PROCESSES: {
    standard: 'number of cores',
    meaning:
      'processes of a server on a native database, beside one for jobs; the next settings, up to SEARCH_BYTES, are divided among them',
  },
  WORKER_THREADS: { standard: 'number of cores', meaning: 'geometry worker threads' },
  CACHE_BYTES: { meaning: 'memory for finished documents; an eighth of it holds boundaries without their polygons' },
  ARC_CACHE_BYTES: { meaning: 'shared memory for arcs' },
  SEARCH_BYTES: { meaning: 'memory for names, some 100 bytes a name; where they take more, searches ask the database' },
  MAX_RESPONSE_BYTES: { meaning: 'largest answer of an operation (the documentation is sent from one copy in memory)' },
  EXPORT_BYTES: { meaning: 'disk for exports that no library entry names; least recently used out first' },
  EXPORT_REQUESTS_PER_MINUTE: { meaning: 'requests for `/v1/exports` from one network' },
  REQUEST_DEADLINE_MS: { meaning: 'how long one call may compute' },
  SHUTDOWN_MS: { meaning: 'how long running calls may finish after SIGTERM' },
  LOG_LEVEL: { meaning: 'trace, debug, info, warn, error, fatal or silent; logs go to standard error' },
  SEED: {
    meaning:
      'data for an empty database: none, countries, or all (the world, the United States and Spain); what an interrupted start left out is loaded at the next one',
  },
  DEFAULT_PLAN: {
    standard: 'self_hosted when embedded, else free',
    meaning: 'plan of new organizations, and of those that stopped paying',
  },
  UPSTREAM_URL: { standard: 'none', meaning: 'Overpass servers to fetch missing boundaries from, comma-separated' },
  UPSTREAM_CONTACT: { meaning: 'who is asking, for the operators of those servers' },
  UPSTREAM_REQUESTS_PER_DAY: { meaning: 'budget for a UTC day, over all processes' },
  UPSTREAM_BYTES_PER_DAY: { meaning: 'budget for a UTC day, over all processes' },
  UPSTREAM_WAIT_MS: { meaning: 'how long a caller waits for a fetch' },
  UPSTREAM_REFRESH_DAYS: { meaning: 'age at which a fetched boundary is fetched again' },
  SEARCH_URL: { meaning: 'a Nominatim-compatible server for unknown names' },
  STORAGE_URL: { standard: 'DATA_DIR', meaning: 'where files are kept: `file:` or `s3://bucket/prefix`' },
  SMTP_URL: { meaning: 'mail server; without it, mail is written to `DATA_DIR/mail`' },
  MAIL_FROM: { standard: 'noreply@ the host of BASE_URL', meaning: 'sender of mail' },
  AREA_PLANNER_URL: {
    meaning: 'OpenAI-compatible chat endpoint that plans areas which create_area does not understand by itself',
  },
  AREA_PLANNER_KEY: { meaning: 'bearer token of that endpoint' },
  AREA_PLANNER_MODEL: { meaning: 'model that is asked for there' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'OpenTelemetry collector that traces are sent to, by OTLP over HTTP (`http://127.0.0.1:4318`)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { meaning: 'headers for it: `name=value`, comma-separated, percent-encoded' },
  OTEL_SERVICE_NAME: { meaning: 'name of the service in traces' },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'share of the traces that begin here which are recorded; a `traceparent` decides for its own',
  },
  METRICS_TOKEN: { meaning: 'bearer token that `/metrics` asks for' },
  TRUSTED_PROXIES: { standard: 'none', meaning: 'addresses and ranges whose X-Forwarded-For counts' },
  SECRET_KEYS: { standard: 'made, kept in the database', meaning: 'keys for cookies and signatures, newest first' },
  JOBS_AT_ONCE: { meaning: 'jobs that `serve` or `work` does at once; 0: none' },
  JOB_LEASE_MS: { meaning: 'how long a process that died keeps others from its job' },
  JOB_PART: { meaning: 'boundaries that a job makes at a time, and makes again when its process dies' },
  WEBHOOK_ALLOW: {
    standard: 'none',
    meaning: 'addresses and ranges that webhooks may go to though they are not public',
  },
  STRIPE_SECRET_KEY: { meaning: 'payment for plans; needs the package stripe' },
  STRIPE_WEBHOOK_SECRET: { meaning: 'signs the events that Stripe sends' },
  BOUNDARY_API_KEY: { meaning: 'key of the command line' },
  BOUNDARY_BASE_URL: { meaning: 'server of the command line' },
  XDG_CONFIG_HOME: null,
  NODE_ENV: null,
};

interface Measured {
  readonly case: string;
  readonly ours_ms: number;
  readonly rival: string;
  readonly rival_ms: number | null;
  readonly ratio: number | null;
  readonly spread: number;
  readonly note?: string;
}

/** A size as the settings take it: 64MiB. */
function plain(value: unknown, name: string): string {
  if (value === undefined) return 'none';
  if (typeof value !== 'number' || !name.includes('BYTES')) return String(value);
  const units = ['', 'KiB', 'MiB', 'GiB'];
  let [size, unit] = [value, 0];
  for (; unit < 3 && size % 1024 === 0 && size > 0; unit++) size /= 1024;
  return `${size}${units[unit]}`;
}

function settings(): string {
  const config = loadConfig({}) as unknown as Readonly<Record<string, unknown>>;
  const rows = Object.entries(SETTINGS).flatMap(([name, row]) =>
    row === null ? [] : [`| ${name} | ${row.standard ?? plain(config[name], name)} | ${row.meaning} |`],
  );
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const digits = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

function benchmarks(): string {
  const files = GROUPS.map((name) => `benchmarks/results/groups/${name}.json`).filter((file) => existsSync(file));
  return files
    .map((file) => {
      const run = JSON.parse(readFileSync(file, 'utf8')) as {
        name: string;
        commit: string;
        node: string;
        cpu: string;
        results: readonly Measured[];
      };
      const rows = run.results.map((one) => {
        const [rival, ratio] = [one.rival_ms, one.ratio].map((value) => (value === null ? '' : digits(value)));
        return `| ${one.case} | ${digits(one.ours_ms)} | ${one.rival} | ${rival} | ${ratio} | ${Math.round(one.spread * 100)} % | ${one.note ?? ''} |`;
      });
      return [
        `### ${run.name}`,
        '',
        `Commit ${run.commit}, Node ${run.node}, ${run.cpu}.`,
        '',
        '| case | ours, ms | rival | rival, ms | rival / ours | spread | note |',
        '| --- | --- | --- | --- | --- | --- | --- |',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
}

interface Fault {
  readonly date: string;
  readonly clients: string;
  readonly recovered: string;
  readonly wrong: readonly string[];
  readonly note?: string;
}

function faults(): string {
  const all = JSON.parse(readFileSync('benchmarks/results/faults.json', 'utf8')) as Readonly<Record<string, Fault>>;
  const rows = Object.entries(all).map(([fault, { date, clients, recovered, wrong, note }]) => {
    const held = wrong.length === 0 ? 'nothing lost' : wrong.join('; ');
    return `| ${date} | ${fault}${note ? ` (${note})` : ''} | ${clients} | ${recovered} | ${held} |`;
  });
  return ['| date | fault | what clients saw | ready after | check |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

interface Fuzzed {
  readonly date: string;
  readonly tried: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly findings: number;
}

function fuzz(): string {
  const all = JSON.parse(readFileSync('benchmarks/results/fuzz.json', 'utf8')) as Readonly<Record<string, Fuzzed>>;
  const count = (number: number): string => number.toLocaleString('en-US');
  const rows = Object.entries(all).map(([part, { date, tried, counts, longestMs, findings }]) => {
    const came = Object.entries(counts).map(([what, times]) => `${count(times)} × ${what}`);
    return `| ${part} | ${date} | ${count(tried)} | ${came.join(', ')} | ${count(longestMs)} ms | ${findings} |`;
  });
  const head = '| part | date | calls or files | what came of them | longest | findings |';
  return [head, '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

const PARTS: readonly { readonly file: string; readonly name: string; readonly make: () => string }[] = [
  { file: 'docs/operations.md', name: 'settings', make: settings },
  { file: 'docs/benchmarks.md', name: 'results', make: benchmarks },
  { file: 'docs/faults.md', name: 'faults', make: faults },
  { file: 'docs/fuzz.md', name: 'fuzz', make: fuzz },
];

const check = process.argv.includes('--check');
for (const { file, name, make } of PARTS) {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(new RegExp(`(?<=<!-- ${name}: [^\n]*-->\n)`));
  const after = rest?.slice(rest.indexOf(`<!-- /${name} -->`));
  if (before === undefined || after === undefined) throw new Error(`${file} has no part ${name}`);
  const made = `${before}\n${make()}\n\n${after}`;
  if (made === text) continue;
  if (check) {
    process.stderr.write(`${file} is out of date. Run: npx tsx scripts/make_docs.ts\n`);
    process.exitCode = 1;
  } else writeFileSync(file, made);
}
