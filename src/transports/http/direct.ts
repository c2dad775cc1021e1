import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { defined } from '../../common/elements.ts';
import { discardRest } from '../body.ts';
import { requestId } from '../request_id.ts';
import { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';

/** The target of a path, and the values of its parameters. */
export interface RouteMatch<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Maximum number of segments that are split; more than any route has. */
const MOST_PARTS = 20;

/**
 * Creates a route lookup for paths that are written exactly as their route (`/v1/boundaries/:id`); null for all others.
 * A route without parameters takes precedence, then the first that matches. The lookup throws URIError for a parameter
 * with malformed percent-encoding.
 */
export function routeFinder<T>(routes: Iterable<readonly [string, T]>): (path: string) => RouteMatch<T> | null {
  const exact = new Map<string, RouteMatch<T>>();
  const open = new Map<number, { readonly parts: readonly string[]; readonly target: T }[]>();
  for (const [path, target] of routes) {
    const parts = path.split('/');
    if (!path.includes(':')) exact.set(path, { target, params: {} });
    else open.set(parts.length, [...(open.get(parts.length) ?? []), { parts, target }]);
  }
  return (path) => {
    const found = exact.get(path);
    if (found !== undefined) return found;
    const given = path.split('/', MOST_PARTS);
    for (const { parts, target } of open.get(given.length) ?? []) {
      if (!parts.every((part, i) => (part[0] === ':' ? given[i] !== '' : part === given[i]))) continue;
      const params: Record<string, string> = {};
      parts.forEach((part, i) => {
        if (part[0] !== ':') return;
        const value = defined(given[i]);
        params[part.slice(1)] = value.includes('%') ? decodeURIComponent(value) : value;
      });
      return { target, params };
    }
    return null;
  };
}

/** Answers a request without Koa. If it throws, nothing was sent yet. */
export type DirectAnswer = (exchange: Exchange) => Promise<void>;

/** Answers a request to an operation by its own route. If it throws, nothing was sent yet. */
export type DirectRoute = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<void>;

/** A request that failed before Koa saw it: the error, and the exchange with the headers of the answer. */
export interface Failure {
  readonly error: unknown;
  readonly exchange: Exchange;
}

/** Headers of every answer of an operation, besides its request id. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Location, ' +
    'Content-Location, Content-Disposition, Boundary-Collection, Boundary-Match, Boundary-Loading, Boundary-Data, Link, ' +
    'WWW-Authenticate',
};

/**
 * Creates a listener that answers what `find` finds (operations by their own routes, and tiles) without Koa. Koa gets
 * everything else: other paths and methods, targets that are written differently, and failures, which are noted in
 * `failures` so that problem documents are made in one place.
 *
 * What this gains, as time of the main thread at 64 connections on a busy machine (medians of 15 pairs of rounds): a
 * reverse of new points takes 51 us and through Koa 59, a hot reverse 47 and 53, a hot get 52 and 60. Koa makes a context
 * of each request. Whether memory has the answer is known only once the caller is identified and the
 * input is read, so both are answered here by the function that Koa's handler calls.
 */
export function withDirectAnswers(
  app: Koa,
  find: (method: string, path: string) => DirectAnswer | null,
  { outgoing, failures }: { readonly outgoing: Outgoing; readonly failures: WeakMap<IncomingMessage, Failure> },
): RequestListener {
  const koa = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method = '' } = request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    // A target with a fragment is not what it looks like.
    const answer = url.includes('#') ? null : find(method, path);
    if (answer === null) return void koa(request, response);
    const querystring = mark < 0 ? '' : url.slice(mark + 1);
    const exchange = new Exchange(app, request, response, {
      requestId: requestId(request.headers['x-request-id']),
      querystring,
    });
    outgoing.track(response);
    exchange.set('X-Request-Id', exchange.requestId);
    answer(exchange).then(
      () => discardRest(request),
      (error) => {
        failures.set(request, { error, exchange });
        void koa(request, response);
      },
    );
  };
}

/** Calls `find`; null also for a malformed path, which Koa refuses. */
export function findOrNone<T>(find: (path: string) => T | null, path: string): T | null {
  try {
    return find(path);
  } catch {
    return null;
  }
}
