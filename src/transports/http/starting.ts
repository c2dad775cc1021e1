import type { RequestListener, ServerResponse } from 'node:http';
import { problem, toProblemDocument } from '../../errors.ts';
import type { Loading } from '../../services.ts';
import { html, page, pageHeaders } from '../pages/page.ts';
import { requestId } from '../request_id.ts';

/** Seconds after which a client asks again while the server starts. */
const RETRY_S = 5;

const STARTING = page(
  'Starting',
  html`<p>The server is loading its data. The first time this takes a minute or two.</p>
<p class="hint">This page opens the map as soon as it is there.</p>`,
);

/** A listener for a server whose database is not open yet, and the function that puts the application in its place. */
export interface Starting {
  readonly listener: RequestListener;
  /** Says what is being loaded; null: all is there. */
  loads(step: Loading | null): void;
  /** Puts the application in the place of the answers that nothing is there yet. */
  ready(app: RequestListener): void;
}

/**
 * Until the application is ready: `/healthz` answers 200, `/readyz` 503 with `{"status": "loading"}` and the step where
 * data is loaded (`step`, `done`, `total`), and everything else 429 rate_limited with Retry-After, so that clients come
 * back by themselves. A browser that opens `/` gets a page that loads itself again. What the application answers while
 * data is loaded has the header Boundary-Loading: `Spain; done=2; total=3`.
 */
export function startingListener(baseUrl: string): Starting {
  let app: RequestListener | null = null;
  let loading: Loading | null = null;
  return {
    listener(request, response) {
      if (app) {
        if (loading) response.setHeader('Boundary-Loading', loadingHeader(loading));
        app(request, response);
        return;
      }
      const [path] = (request.url ?? '').split('?');
      // A body is dropped with its connection.
      if (request.headers['content-length'] || request.headers['transfer-encoding'])
        response.setHeader('Connection', 'close');
      const id = requestId(request.headers['x-request-id']);
      response.setHeader('X-Request-Id', id);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Cache-Control', 'no-store');
      if (path === '/healthz') send(response, 200, 'application/json', { status: 'ok' });
      else if (path === '/readyz') send(response, 503, 'application/json', { status: 'loading', ...loading });
      else if (path === '/' && request.method === 'GET' && request.headers.accept?.includes('text/html')) {
        const { html: text, policy } = STARTING;
        const headers = { ...pageHeaders(policy), 'Retry-After': String(RETRY_S), Refresh: String(RETRY_S) };
        response.writeHead(503, headers).end(text);
      } else {
        const starting = problem('rate_limited', 'The server is starting.', { retry_after: RETRY_S });
        response.setHeader('Retry-After', String(RETRY_S));
        response.setHeader('Access-Control-Allow-Origin', '*');
        send(response, starting.status, 'application/problem+json', toProblemDocument(starting, id, baseUrl));
      }
    },
    loads(step) {
      loading = step;
    },
    ready(application) {
      app = application;
    },
  };
}

function loadingHeader({ step, done, total }: Loading): string {
  return `${step}; done=${done}; total=${total}`;
}

function send(response: ServerResponse, status: number, type: string, content: object): void {
  response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(content));
}
