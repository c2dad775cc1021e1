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

/** Members that never reach a log, at the top and up to two levels down. */
const REDACTED = SECRET_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/**
 * Takes keys, bearer tokens, email addresses and passwords in URLs out of free text, such as a driver's message. Each
 * expression starts where its text can start and nowhere in the middle of it: the time is linear in the text.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/bnd_\w+/g, 'bnd_[redacted]')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]')
    .replace(/(:\/\/[^\s:/@]*):[^\s/@]+@/g, '$1:[redacted]@')
    .replace(/(?<![^\s@"'()<>=,;:])[^\s@"'()<>=,;:]+@[^\s@"'()<>=,;:]+\.[^\s@"'()<>=,;:]+/g, '[email]');
}

/** Only these members of an error: a driver puts rows, parameters and connection strings into others. */
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

/** Bytes of lines that wait for their reader; beyond them lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** JSON lines on standard error (or `destination`), so that standard output stays free for answers. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: errorMembers, error: errorMembers },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    // Never waited for: a pipe that no one reads holds up no request. What is left is written when the process ends.
    destination ?? pino.destination({ fd: 2, sync: false, maxLength: MOST_WAITING }),
  );
}
