import { type DestinationStream, type Logger, pino } from 'pino';

const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'set-cookie',
  'email',
  'key',
  'api_key',
  'secret',
  'token',
  'password',
  'body',
  'input',
];

/** Paths of members that are never logged, at the top level and up to two levels down. */
const REDACTED = SECRET_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/**
 * Masks keys, bearer tokens, email addresses, and users, passwords and queries of URLs in free text, such as a driver's
 * message. Each expression can match only where its text starts, so the time is linear in the length of the text.
 */
export function maskSecrets(text: string): string {
  const masked = text
    .replace(/bnd_\w+/g, 'bnd_[redacted]')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]');
  return masked
    .split(/([\s"'<>(),;]+)/)
    .map(maskUrl)
    .join('')
    .replace(/(?<![^\s@"'()<>=,;:])[^\s@"'()<>=,;:]+@[^\s@"'()<>=,;:]+\.[^\s@"'()<>=,;:]+/g, (found) =>
      found.startsWith('//[redacted]@') ? found : '[email]',
    );
}

/** Masks what comes before the host and after the path, if the word is a URL. */
function maskUrl(word: string): string {
  const at = word.indexOf('://');
  if (at < 0) return word;
  const question = word.indexOf('?', at);
  const address = question < 0 ? word : `${word.slice(0, question)}?[redacted]`;
  const slash = address.indexOf('/', at + 3);
  const host = address.lastIndexOf('@', slash < 0 ? address.length : slash);
  return host < at ? address : `${address.slice(0, at + 3)}[redacted]@${address.slice(host + 1)}`;
}

/** Only these members of an error are logged: drivers put rows, parameters and connection strings into others. */
function errorMembers(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskSecrets(String(error)) };
  const code = (error as Error & { code?: unknown }).code;
  return {
    type: error.name,
    message: maskSecrets(error.message),
    stack: error.stack && maskSecrets(error.stack),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: errorMembers(error.cause) }),
  };
}

/** Limit of the bytes of lines that wait to be written; beyond it lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Lines kept in memory for a support bundle, and the characters kept of each. */
const KEPT_LINES = 500;
const KEPT_CHARACTERS = 2000;

const kept = new WeakMap<Logger, readonly string[]>();

/** The last lines of a log, oldest first, as JSON and masked. */
export function recentLines(log: Logger): string[] {
  return [...(kept.get(log) ?? [])];
}

/**
 * Creates a log on standard error (or `destination`), so that standard output stays free for answers: JSON lines, or
 * readable lines on a terminal.
 */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  const lines: string[] = [];
  const keeping: DestinationStream = {
    write(line) {
      lines.push(line.slice(0, KEPT_CHARACTERS).trimEnd());
      if (lines.length > KEPT_LINES) lines.shift();
      destination.write(line);
    },
  };
  const log = pino(
    {
      level,
      base: null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: errorMembers, error: errorMembers },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    keeping,
  );
  kept.set(log, lines);
  return log;
}

function standardError(): DestinationStream {
  if (process.stderr.isTTY) return { write: (line) => void process.stderr.write(readableLine(line)) };
  // Asynchronous: a pipe that no one reads must not block requests. The rest is written when the process ends.
  return pino.destination({ fd: 2, sync: false, maxLength: MOST_WAITING });
}

/** One JSON line for a person: `12:03:05 WARN a job failed job=job_1 attempts=2`, with the stack of an error below. */
export function readableLine(line: string): string {
  const { level, time, msg, err, error, ...members } = JSON.parse(line) as Record<string, unknown>;
  const said = Object.entries(members).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const failure = (err ?? error) as { message?: unknown; stack?: unknown } | string | undefined;
  const trace = typeof failure === 'object' ? (failure.stack ?? failure.message) : failure;
  const name = pino.levels.labels[Number(level)]?.toUpperCase() ?? String(level);
  const head = `${String(time).slice(11, 19)} ${name} ${String(msg ?? '')}${said.join('')}`;
  return `${visible(head)}\n${trace === undefined ? '' : `${String(trace).split('\n').map(visible).join('\n')}\n`}`;
}

/** Escapes control characters: a line stays one line, and none of them reaches the terminal. */
function visible(text: string): string {
  return text.replace(/\p{C}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
