import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/** A whole number written in digits. */
function whole(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(minimum, message).max(maximum, message));
}

/** A size in plain bytes. */
function size(standard: number) {
  return whole(0, Number.MAX_SAFE_INTEGER).default(standard);
}

function url(...protocols: string[]) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL starting with ${protocols.join(' or ')}`,
    );
}

function list<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));
}

function isAddressRange(text: string): boolean {
  const [address, bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const http = url('http:', 'https:');
const postgres = url('postgres:', 'postgresql:');
const text = z.string();

/** Every environment variable the program reads. An empty value counts as unset. */
const environment = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: text.default('127.0.0.1'),
  /** The address clients use; without a slash at the end. From HOST and PORT when unset. */
  BASE_URL: http.transform((address) => address.replace(/\/+$/, '')).optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: postgres.optional(),
  DATABASE_REPLICA_URL: postgres.optional(),
  /** Migrations run over this connection, by the role that owns the tables; the one of DATABASE_URL may then use them, and not change the audit log. */
  MIGRATE_DATABASE_URL: postgres.optional(),
  WORKER_THREADS: whole(1, 1024).default(availableParallelism()),
  CACHE_BYTES: size(256 * MiB),
  ARC_CACHE_BYTES: size(512 * MiB),
  MAX_RESPONSE_BYTES: size(64 * MiB),
  /** Exports that no library entry names are a cache of this size. */
  EXPORT_BYTES: size(10 * GiB),
  /** Requests a minute for exports by content, which need no key, from one network. */
  EXPORT_REQUESTS_PER_MINUTE: whole(1, 1e9).default(3000),
  /** How long one call may compute. */
  REQUEST_DEADLINE_MS: whole(1, 3_600_000).default(30_000),
  /** How long running calls may finish after SIGTERM. */
  SHUTDOWN_MS: whole(0, 3_600_000).default(30_000),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
  /** Plan of an organisation made by sign-in or create_org. */
  DEFAULT_PLAN: text.optional(),
  UPSTREAM_URL: list(http).default([]),
  UPSTREAM_CONTACT: text.optional(),
  UPSTREAM_REQUESTS_PER_DAY: whole(0, 1e9).default(5000),
  UPSTREAM_BYTES_PER_DAY: size(GiB),
  UPSTREAM_WAIT_MS: whole(0, 600_000).default(2000),
  UPSTREAM_REFRESH_DAYS: whole(1, 3650).default(30),
  SEARCH_URL: http.optional(),
  STORAGE_URL: url('file:', 's3:').optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.optional(),
  AREA_PLANNER_URL: http.optional(),
  AREA_PLANNER_KEY: text.optional(),
  AREA_PLANNER_MODEL: text.optional(),
  /** Bearer token that /metrics asks of callers that are not on this machine. */
  METRICS_TOKEN: text.min(8, 'must have at least 8 characters').optional(),
  /** Addresses and ranges whose X-Forwarded-For counts. */
  TRUSTED_PROXIES: list(
    z.string().refine(isAddressRange, 'must be IP addresses or ranges such as 10.0.0.0/8, comma-separated'),
  ).default([]),
  /** Keys for cookies and signatures, newest first; made and kept in the database when unset. */
  SECRET_KEYS: list(z.string().min(16, 'must be keys of at least 16 characters, comma-separated')).default([]),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  BOUNDARY_API_KEY: text.optional(),
  BOUNDARY_BASE_URL: http.transform((address) => address.replace(/\/+$/, '')).optional(),
  /** Where programs keep what is a person's own (XDG Base Directory Specification); ~/.config when unset. */
  XDG_CONFIG_HOME: text.optional(),
  NODE_ENV: text.optional(),
});

/** The settings of this process. */
export type Config = Readonly<Omit<z.output<typeof environment>, 'BASE_URL' | 'NODE_ENV'>> & {
  readonly BASE_URL: string;
  /** Answers are checked against the schema their operation declares (in tests). */
  readonly CHECK_OUTPUT: boolean;
};

/** A variable has a value that cannot be used. The message is one line and names it, never its value. */
export class ConfigError extends Error {
  /** Exit code of a program that cannot start for it. */
  readonly exit = 2;

  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Reads the environment once, at the start. Throws ConfigError. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}`).join('; '),
    );
  }
  const { NODE_ENV, BASE_URL, ...rest } = parsed.data;
  if ((rest.STRIPE_SECRET_KEY === undefined) !== (rest.STRIPE_WEBHOOK_SECRET === undefined)) {
    throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed together');
  }
  return Object.freeze({
    ...rest,
    BASE_URL: BASE_URL ?? localAddress(rest.HOST, rest.PORT),
    CHECK_OUTPUT: NODE_ENV === 'test',
  });
}

/** The plan of an organisation that a person makes, or that pays no more: unlimited where the service is one's own. */
export function defaultPlan(
  config: Pick<Config, 'DEFAULT_PLAN' | 'STRIPE_SECRET_KEY'>,
  database: 'embedded' | 'native',
): string {
  const own = database === 'embedded' && !config.STRIPE_SECRET_KEY;
  return config.DEFAULT_PLAN ?? (own ? 'self_hosted' : 'free');
}

/** Where a browser on this machine finds a server bound to `host`. */
function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
