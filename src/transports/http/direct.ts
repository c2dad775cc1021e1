import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { defined } from '../../elements.ts';
import { discardRest } from '../decode.ts';
import { requestId } from '../request_id.ts';
import { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';

/** What a path leads to, and what stands in the places of its parameters. */
export interface Found<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

/** More parts than any route has. */
const MOST_PARTS = 20;

/**
 * Finds what stands under a path that is written just as its route has it (`/v1/boundaries/:id`); null for all others.
 * Of two routes that fit, the first counts; one without parameters before all others. Throws URIError for a parameter
 * with malformed percent-encoding.
 */
export function routeFinder<T>(routes: Iterable<readonly [string, T]>): (path: string) => Found<T> | null {
  const exact = new Map<string, Found<T>>();
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

/** Answers a request without Koa. What it throws was not answered yet. */
export type DirectAnswer = (exchange: Exchange) => Promise<void>;

/** Answers a request to an operation by its own route. What it throws was not answered yet. */
export type DirectRoute = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<void>;

/** A request that failed before Koa saw it: what with, and the headers that its answer has. */
export interface Failure {
  readonly error: unknown;
  readonly exchange: Exchange;
}

/** Headers that every answer of an operation has, beside its request id. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Location, ' +
    'Content-Location, Content-Disposition, Boundary-Collection, Boundary-Loading, Link, WWW-Authenticate',
};

/**
 * A listener that answers without Koa, which adds two thirds to the time of an answer that is in memory, what `find`
 * finds by method and path: operations by their own routes, and tiles. Everything else is Koa's: other paths and methods,
 * targets that are written in another way, and every failure: it is noted in `failures` and Koa's to answer, so that
 * problem documents are made in one place.
 */
export function directly(
  app: Koa,
  find: (method: string, path: string) => DirectAnswer | null,
  { outgoing, failures }: { readonly outgoing: Outgoing; readonly failures: WeakMap<IncomingMessage, Failure> },
): RequestListener {
  const koa = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method = '' } = request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    // With a fragment it is not what it looks like.
    const answer = url.includes('#') ? null : find(method, path);
    if (answer === null) return void koa(request, response);
    const querystring = mark < 0 ? '' : url.slice(mark + 1);
    const exchange = new Exchange(app, request, response, {
      requestId: requestId(request.headers['x-request-id']),
      querystring,
    });
    outgoing.follow(response);
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

/** What `find` finds; null also for a path that is malformed, which is Koa's to refuse. */
export function findOrNone<T>(find: (path: string) => T | null, path: string): T | null {
  try {
    return find(path);
  } catch {
    return null;
  }
}
