/**
 * Writes the generated parts of docs/: the table of settings and the table of benchmarks.
 *
 *   npx tsx scripts/make_docs.ts            # writes them
 *   npx tsx scripts/make_docs.ts --check    # exits with 1 when one of them is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { GROUP_TEXTS, GROUPS, type GroupName } from '../benchmarks/groups.ts';
import { loadConfig, type SettingName } from '../src/config.ts';

/**
 * How a setting appears in the docs: its meaning, and its default unless that is the plain value. Null leaves it out.
 */
type Row = null | { readonly standard?: string; readonly meaning: string };

const SETTINGS: Readonly<Record<SettingName, Row>> = {
  PORT: { meaning: 'port to listen on' },
  HOST: { meaning: 'address to listen on' },
  BASE_URL: { standard: 'from HOST and PORT', meaning: 'URL that clients use' },
  DATA_DIR: { meaning: 'embedded database, exported files, library, control socket' },
  DATABASE_URL: { meaning: 'PostgreSQL 15+ with PostGIS 3.3+, instead of the embedded database' },
  DATABASE_REPLICA_URL: { meaning: 'a streaming replica of DATABASE_URL, for reads of boundary data' },
  MIGRATE_DATABASE_URL: { meaning: 'connection of the role that owns the tables, for migrations' },
  PROCESSES: {
    standard: 'number of cores',
    meaning:
      'processes of a server on a native database, plus one for jobs; the settings below, up to SEARCH_BYTES, are divided among them',
  },
  WORKER_THREADS: { standard: 'number of cores', meaning: 'geometry worker threads' },
  CACHE_BYTES: { meaning: 'memory for cached answers; nearly half of it holds boundaries without their polygons' },
  ARC_CACHE_BYTES: {
    meaning:
      'shared memory for arcs; up to a quarter is filled after the start, so that first calls wait for no statement',
  },
  SEARCH_BYTES: { meaning: 'memory for names, some 100 bytes a name; if they do not fit, searches use the database' },
  MAX_RESPONSE_BYTES: { meaning: 'largest answer of an operation (the documentation is sent from one copy in memory)' },
  IMPORT_BYTES: {
    standard: 'three quarters of the memory of the machine or container',
    meaning:
      'memory of the process that reads the file of an import or update for a server, or of a conversion; beyond it, that process ends',
  },
  EXPORT_BYTES: { meaning: 'disk for exports outside the library; the least recently used are evicted first' },
  EXPORT_REQUESTS_PER_MINUTE: { meaning: 'requests for `/v1/exports` from one network' },
  REQUEST_DEADLINE_MS: { meaning: 'time limit of one call' },
  SHUTDOWN_MS: { meaning: 'time that running calls have to finish after SIGTERM' },
  LOG_LEVEL: { meaning: 'trace, debug, info, warn, error, fatal or silent; logs go to standard error' },
  SEED: {
    meaning:
      'data for an empty database: none, countries, or all (the world, the United States and Spain); an interrupted load continues at the next start',
  },
  DEFAULT_PLAN: {
    standard: 'self_hosted when embedded, else free',
    meaning: 'plan of new organizations, and of those that stopped paying',
  },
  UPSTREAM_URL: { standard: 'none', meaning: 'Overpass servers to fetch missing boundaries from, comma-separated' },
  UPSTREAM_CONTACT: { meaning: 'contact that is sent to the operators of those servers' },
  UPSTREAM_REQUESTS_PER_DAY: { meaning: 'budget for a UTC day, shared by all processes' },
  UPSTREAM_BYTES_PER_DAY: { meaning: 'budget for a UTC day, shared by all processes' },
  UPSTREAM_WAIT_MS: { meaning: 'how long a caller waits for a fetch' },
  UPSTREAM_REFRESH_DAYS: { meaning: 'age at which a fetched boundary is fetched again' },
  SEARCH_URL: { meaning: 'a Nominatim-compatible server for unknown names' },
  STORAGE_URL: { standard: 'DATA_DIR', meaning: 'where files are kept: `file:` or `s3://bucket/prefix`' },
  SMTP_URL: { meaning: 'mail server; without it, mail is written to `DATA_DIR/mail`' },
  MAIL_FROM: { standard: 'noreply@ the host of BASE_URL', meaning: 'sender of mail' },
  AREA_PLANNER_URL: {
    meaning: 'OpenAI-compatible chat endpoint that plans the areas that create_area does not understand itself',
  },
  AREA_PLANNER_KEY: { meaning: 'bearer token of that endpoint' },
  AREA_PLANNER_MODEL: { meaning: 'name of the model to use there' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'OpenTelemetry collector to send traces to, by OTLP over HTTP (`http://127.0.0.1:4318`)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { meaning: 'headers to send to it: `name=value`, comma-separated, percent-encoded' },
  OTEL_SERVICE_NAME: { meaning: 'name of the service in traces' },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'share of the traces started here that are recorded; the `traceparent` of a caller decides for its own',
  },
  METRICS_TOKEN: { meaning: 'bearer token required by `/metrics`' },
  TRUSTED_PROXIES: { standard: 'none', meaning: 'addresses and ranges whose X-Forwarded-For is trusted' },
  SECRET_KEYS: {
    standard: 'generated, stored in the database',
    meaning: 'keys for cookies and signatures, newest first',
  },
  JOBS_AT_ONCE: { meaning: 'jobs that `serve` or `work` runs at once; 0: none' },
  JOB_LEASE_MS: {
    meaning: 'lease of a job or a file that follows: time until another process can take over that of a dead one',
  },
  JOB_PART: { meaning: 'boundaries in one part of a job; the current part is repeated when its process dies' },
  WEBHOOK_ALLOW: {
    standard: 'none',
    meaning: 'private addresses and ranges that webhooks may call',
  },
  STRIPE_SECRET_KEY: { meaning: 'Stripe key to sell plans; needs the package stripe' },
  STRIPE_WEBHOOK_SECRET: { meaning: 'secret that verifies the events of Stripe' },
  BOUNDARY_API_KEY: { meaning: 'API key that the command line uses' },
  BOUNDARY_BASE_URL: { meaning: 'server that the command line uses' },
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

/** A value in the notation of the settings, for example 64MiB. */
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
        name: GroupName;
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
        GROUP_TEXTS[run.name],
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
  const head = '| part | date | calls or files | results | longest | findings |';
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
