import type { RequestListener } from 'node:http';
import { maskSecrets } from '../../common/log.ts';
import { beginTrace } from '../../common/tracing.ts';
import type { Services } from '../../services.ts';

/** Path prefixes of routes that a middleware answers; all others are found by their patterns. */
const PREFIXES = ['/v1/ops/', '/tiles/', '/oauth/', '/.well-known/'];
/** Unknown paths logged per minute; the next logged line has the number of those that were not. */
const MOST_LOGGED = 60;
const MINUTE_MS = 60_000;
const PATH_CHARACTERS = 200;
const MOST_READ = 2_000;
/** A path segment of this length may be a secret: that of an authorization is the value of its cookie. */
const SECRET_CHARACTERS = 20;
/** nginx's status for a client that closed its connection before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts every request by path pattern and status. Logs requests for unknown paths, at most MOST_LOGGED a minute,
 * without query and secrets. `patternOf` returns the pattern of a path; null for an unknown one.
 */
export function countRequests(
  { metrics, log }: Pick<Services, 'metrics' | 'log'>,
  patternOf: (path: string) => string | null,
  listener: RequestListener,
): RequestListener {
  const notFound = logAtMost(log);
  return (request, response) => {
    const span = beginTrace(request.headers.traceparent, 'server');
    response.once('close', () => {
      const path = (request.url ?? '').replace(/\?[\s\S]*$/, '');
      const pattern = patternOf(path);
      const route = pattern ?? prefixOf(path);
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
      metrics.requested(route, status);
      if (pattern === null && status === 404) notFound(request.method ?? '', path);
      if (span) endSpan(span, request.method ?? '', route, status);
    });
    if (span) span.run(() => listener(request, response));
    else listener(request, response);
  };
}

/** Ends the span of a request. It is named by the route, because the path may contain a secret. */
function endSpan(
  span: NonNullable<ReturnType<typeof beginTrace>>,
  method: string,
  route: string,
  status: number,
): void {
  const known = METHODS.has(method) ? method : '_OTHER';
  const attributes = {
    'http.request.method': known,
    'http.route': route,
    'http.response.status_code': status,
  };
  span.end(`${known} ${route}`, attributes, status >= 500);
}

function prefixOf(path: string): string {
  const found = PREFIXES.find((prefix) => path.startsWith(prefix));
  return found === undefined ? 'none' : `${found}*`;
}

const withoutSecret = (part: string): string => (part.length < SECRET_CHARACTERS ? part : '[redacted]');

function logAtMost(log: Services['log']): (method: string, path: string) => void {
  let minute = 0;
  let logged = 0;
  let left = 0;
  return (method, path) => {
    const now = Math.floor(Date.now() / MINUTE_MS);
    if (now !== minute) [minute, logged] = [now, 0];
    if (logged++ >= MOST_LOGGED) {
      left++;
      return;
    }
    const more = left > 0 ? { not_logged: left } : {};
    left = 0;
    const shown = maskSecrets(path.slice(0, MOST_READ)).split('/').map(withoutSecret).join('/');
    log.info({ method, path: shown.slice(0, PATH_CHARACTERS), ...more }, 'not found');
  };
}
