import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { isAddressRange } from './common/address_ranges.ts';
import { ConfigError } from './common/config_error.ts';
import {
  checked,
  isHeaders,
  list,
  oneOf,
  optional,
  type Read,
  readSize,
  type Setting,
  share,
  Unusable,
  url,
  whole,
  withDefault,
} from './common/setting_values.ts';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

const text: Read<string> = (value) => value;
const http = url('http:', 'https:');
const postgres = url('postgres:', 'postgresql:');
/** A server's URL, without a trailing slash. */
const server: Read<string> = (value) => http(value).replace(/(?<!\/)\/+$/, '');

/** The memory that this machine, or the container around this process, has. */
function memoryBytes(): number {
  // 0 or an enormous number where no container limits it.
  return Math.min(totalmem(), process.constrainedMemory() || totalmem());
}

/** Every environment variable the program reads. An empty value counts as unset. */
const environment = {
  PORT: withDefault(whole(0, 65_535), 8080),
  HOST: withDefault(text, '127.0.0.1'),
  /** The URL clients use, without a trailing slash. From HOST and PORT when unset. */
  BASE_URL: optional(server),
  DATA_DIR: withDefault(text, '.data'),
  DATABASE_URL: optional(postgres),
  /** A streaming replica of DATABASE_URL, for reads of boundary data. */
  DATABASE_REPLICA_URL: optional(postgres),
  /**
   * Connection for migrations, as the role that owns the tables. The role of DATABASE_URL can then use the tables, but
   * not change the audit log.
   */
  MIGRATE_DATABASE_URL: optional(postgres),
  /** Processes of a server on a native database. The next four settings are totals, divided among them. */
  PROCESSES: withDefault(whole(1, 256), availableParallelism()),
  WORKER_THREADS: withDefault(whole(1, 1024), availableParallelism()),
  CACHE_BYTES: withDefault(readSize, 256 * MiB),
  ARC_CACHE_BYTES: withDefault(readSize, 512 * MiB),
  /** Limit of the name index in memory, some 100 bytes a name. If the names need more, searches query the database. */
  SEARCH_BYTES: withDefault(readSize, 256 * MiB),
  MAX_RESPONSE_BYTES: withDefault(readSize, 64 * MiB),
  /** Memory of the process that runs an import for a server; beyond it, that process ends. */
  IMPORT_BYTES: withDefault(readSize, Math.floor(0.75 * memoryBytes())),
  /** Limit of the cache of exports that no library entry uses. */
  EXPORT_BYTES: withDefault(readSize, 10 * GiB),
  /** Requests a minute from one network for exports by content, which need no key. */
  EXPORT_REQUESTS_PER_MINUTE: withDefault(whole(1, 1e9), 3000),
  /** Time one call may take. */
  REQUEST_DEADLINE_MS: withDefault(whole(1, 3_600_000), 30_000),
  /** Time that running calls have to finish after SIGTERM. */
  SHUTDOWN_MS: withDefault(whole(0, 3_600_000), 30_000),
  LOG_LEVEL: withDefault(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
  /** Seed data for an empty database: none, the world's countries, or those and the United States and Spain. */
  SEED: withDefault(oneOf('none', 'countries', 'all'), 'all'),
  /** Plan of new organizations, and of those that stopped paying; see defaultPlan(). */
  DEFAULT_PLAN: optional(text),
  UPSTREAM_URL: withDefault(list(http), []),
  UPSTREAM_CONTACT: optional(text),
  UPSTREAM_REQUESTS_PER_DAY: withDefault(whole(0, 1e9), 5000),
  UPSTREAM_BYTES_PER_DAY: withDefault(readSize, GiB),
  UPSTREAM_WAIT_MS: withDefault(whole(0, 600_000), 2000),
  UPSTREAM_REFRESH_DAYS: withDefault(whole(1, 3650), 30),
  SEARCH_URL: optional(http),
  STORAGE_URL: optional(url('file:', 's3:')),
  SMTP_URL: optional(url('smtp:', 'smtps:')),
  MAIL_FROM: optional(text),
  /** Endpoint of the OpenAI chat protocol, asked for plans of areas that the grammar cannot parse. */
  AREA_PLANNER_URL: optional(http),
  AREA_PLANNER_KEY: optional(text),
  AREA_PLANNER_MODEL: optional(text),
  /** An OpenTelemetry collector that accepts OTLP over HTTP; without it there are no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(server),
  /** Headers sent to the collector with every request. */
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    checked(isHeaders, 'must be headers such as name=value, comma-separated, percent-encoded'),
  ),
  OTEL_SERVICE_NAME: withDefault(text, 'boundary-lookup'),
  /** Share of the traces started here that are recorded, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: withDefault(share, 1),
  /** Bearer token that /metrics requires from callers on other machines. */
  METRICS_TOKEN: optional(checked(({ length }) => length >= 8, 'must have at least 8 characters')),
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: withDefault(
    list(checked(isAddressRange, 'must be IP addresses or ranges such as 10.0.0.0/8, comma-separated')),
    [],
  ),
  /** Keys for cookies and signatures, newest first; generated and stored in the database when unset. */
  SECRET_KEYS: withDefault(
    list(checked(({ length }) => length >= 16, 'must be keys of at least 16 characters, comma-separated')),
    [],
  ),
  /** Jobs that a server, or one `boundary work`, runs at once; 0 runs none. */
  JOBS_AT_ONCE: withDefault(whole(0, 64), 1),
  /** Lease of a job or a file that follows: how long a process holds it without a heartbeat. */
  JOB_LEASE_MS: withDefault(whole(1000, 3_600_000), 30_000),
  /** Boundaries in one part of a collection job: the most that is made again after its process dies. */
  JOB_PART: withDefault(whole(1, 10_000), 500),
  /** Addresses and ranges that webhooks may call even though they are not public. */
  WEBHOOK_ALLOW: withDefault(
    list(checked(isAddressRange, 'must be IP addresses or ranges such as 10.0.0.0/8, comma-separated')),
    [],
  ),
  STRIPE_SECRET_KEY: optional(text),
  STRIPE_WEBHOOK_SECRET: optional(text),
  BOUNDARY_API_KEY: optional(text),
  BOUNDARY_BASE_URL: optional(server),
  /** Folder for per-user settings of programs (XDG Base Directory Specification); ~/.config when unset. */
  XDG_CONFIG_HOME: optional(text),
  NODE_ENV: optional(text),
};

/** The name of a setting. */
export type SettingName = keyof typeof environment;

type Environment = { [Name in keyof typeof environment]: ReturnType<(typeof environment)[Name]> };

/** The settings of this process. */
export type Config = Readonly<Omit<Environment, 'BASE_URL' | 'NODE_ENV'>> & {
  readonly BASE_URL: string;
  /** Whether answers are checked against the schema their operation declares (in tests). */
  readonly CHECK_OUTPUT: boolean;
};

/**
 * How a support bundle shows a setting: its value; its URL without user, password and query; or only whether it is set,
 * for secrets and personal data.
 */
const SHOWN: Readonly<Record<keyof Omit<Environment, 'NODE_ENV'>, 'value' | 'address' | 'set'>> = {
  PORT: 'value',
  HOST: 'value',
  BASE_URL: 'address',
  DATA_DIR: 'value',
  DATABASE_URL: 'address',
  DATABASE_REPLICA_URL: 'address',
  MIGRATE_DATABASE_URL: 'address',
  PROCESSES: 'value',
  WORKER_THREADS: 'value',
  CACHE_BYTES: 'value',
  ARC_CACHE_BYTES: 'value',
  SEARCH_BYTES: 'value',
  MAX_RESPONSE_BYTES: 'value',
  IMPORT_BYTES: 'value',
  EXPORT_BYTES: 'value',
  EXPORT_REQUESTS_PER_MINUTE: 'value',
  REQUEST_DEADLINE_MS: 'value',
  SHUTDOWN_MS: 'value',
  LOG_LEVEL: 'value',
  SEED: 'value',
  DEFAULT_PLAN: 'value',
  UPSTREAM_URL: 'address',
  UPSTREAM_CONTACT: 'set',
  UPSTREAM_REQUESTS_PER_DAY: 'value',
  UPSTREAM_BYTES_PER_DAY: 'value',
  UPSTREAM_WAIT_MS: 'value',
  UPSTREAM_REFRESH_DAYS: 'value',
  SEARCH_URL: 'address',
  STORAGE_URL: 'address',
  SMTP_URL: 'address',
  MAIL_FROM: 'set',
  AREA_PLANNER_URL: 'address',
  AREA_PLANNER_KEY: 'set',
  AREA_PLANNER_MODEL: 'value',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'address',
  OTEL_EXPORTER_OTLP_HEADERS: 'set',
  OTEL_SERVICE_NAME: 'value',
  OTEL_TRACES_SAMPLER_ARG: 'value',
  METRICS_TOKEN: 'set',
  TRUSTED_PROXIES: 'value',
  SECRET_KEYS: 'set',
  JOBS_AT_ONCE: 'value',
  JOB_LEASE_MS: 'value',
  JOB_PART: 'value',
  WEBHOOK_ALLOW: 'value',
  STRIPE_SECRET_KEY: 'set',
  STRIPE_WEBHOOK_SECRET: 'set',
  BOUNDARY_API_KEY: 'set',
  BOUNDARY_BASE_URL: 'address',
  XDG_CONFIG_HOME: 'set',
};

/** The settings in a form that can be shared: no secrets, no users or passwords of URLs, no personal data. */
export function shownSettings(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(SHOWN).map(([name, how]) => {
      const value = config[name as keyof Config] as unknown;
      if (value === undefined) return [name, null];
      if (how === 'value') return [name, value];
      if (how === 'address') return [name, Array.isArray(value) ? value.map(addressOnly) : addressOnly(String(value))];
      return [name, Array.isArray(value) && value.length === 0 ? 'not set' : 'set'];
    }),
  );
}

/** Scheme, host, port and the first segment of the path. The rest is left out, because a path may contain a token. */
function addressOnly(text: string): string {
  if (!URL.canParse(text)) return 'set';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname.split('/').slice(0, 2).join('/')}`;
}

/** Reads the environment once, at the start; `given` (flags of a command) overrides it. @throws ConfigError */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  given: Readonly<Partial<Record<SettingName, string>>> = {},
): Config {
  const wrong: string[] = [];
  const read = Object.entries<Setting<unknown>>(environment).map(([name, setting]) => {
    try {
      return [name, setting((given as typeof env)[name] || env[name] || undefined)];
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      wrong.push(`${name} ${error.message}`);
      return [name, undefined];
    }
  });
  if (wrong.length > 0) throw new ConfigError(wrong.join('; '));
  const { NODE_ENV, BASE_URL, ...rest } = Object.fromEntries(read) as Environment;
  if ((rest.STRIPE_SECRET_KEY === undefined) !== (rest.STRIPE_WEBHOOK_SECRET === undefined)) {
    throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed together');
  }
  if (rest.DATABASE_REPLICA_URL !== undefined && rest.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, which it is a replica of');
  }
  return Object.freeze({
    ...rest,
    BASE_URL: BASE_URL ?? localAddress(rest.HOST, rest.PORT),
    CHECK_OUTPUT: NODE_ENV === 'test',
  });
}

/** The environment of this process with some settings replaced, for a child process. */
export function environmentWith(given: Readonly<Partial<Record<SettingName, string>>>): NodeJS.ProcessEnv {
  return { ...process.env, ...given };
}

/** Folder for outgoing mail, one `ID.eml` file each, when there is no mail server. */
export function mailFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return resolve(DATA_DIR, 'mail');
}

/** The plan of new organizations, and of those that stopped paying; unlimited on a self-hosted instance. */
export function defaultPlan(
  config: Pick<Config, 'DEFAULT_PLAN' | 'STRIPE_SECRET_KEY'>,
  database: 'embedded' | 'native',
): string {
  const own = database === 'embedded' && !config.STRIPE_SECRET_KEY;
  return config.DEFAULT_PLAN ?? (own ? 'self_hosted' : 'free');
}

/** The URL at which a browser on this machine reaches a server bound to `host`. */
function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
