import type { RequestListener, ServerResponse } from 'node:http';
import { wordingIn } from '../../common/languages.ts';
import { problem, toProblemDocument } from '../../core/errors.ts';
import { acceptedLanguages } from '../../domain/names/languages.ts';
import type { Loading } from '../../services.ts';
import { html, type Page, page, pageHeaders } from '../pages/page.ts';
import { wordsIn } from '../pages/words.ts';
import { requestId } from '../request_id.ts';

/** Retry-After in seconds while the server starts. */
const RETRY_S = 5;

/** The page of a server that starts, in the first of the reader's languages that pages have. */
function startingPage(accepted: string | undefined): Page {
  const words = wordsIn(wordingIn(acceptedLanguages(accepted)));
  const body = html`<p>${words('starting.loading')}</p>
<p class="hint">${words('starting.soon')}</p>`;
  return page(words('starting.title'), body, { words });
}

/** The listener of a server whose database is not open yet, and the function that installs the application. */
export interface Starting {
  readonly listener: RequestListener;
  /** Sets what is being loaded; null when everything is loaded. */
  setLoading(step: Loading | null): void;
  /** Installs the application in place of the startup responses. */
  ready(app: RequestListener): void;
}

/**
 * Creates the listener for the time until the application is ready: `/healthz` answers 200; `/readyz` answers 503 with
 * `{"status": "loading"}` and the loading step (`step`, `done`, `total`); everything else answers 429 rate_limited with
 * Retry-After, so that clients retry. A browser that opens `/` gets a page that reloads itself. While data is loaded,
 * answers of the application have the header `Boundary-Loading: Spain; done=2; total=3`.
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
      // The body is not read: the connection is closed instead.
      if (request.headers['content-length'] || request.headers['transfer-encoding'])
        response.setHeader('Connection', 'close');
      const id = requestId(request.headers['x-request-id']);
      response.setHeader('X-Request-Id', id);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Cache-Control', 'no-store');
      if (path === '/healthz') send(response, 200, 'application/json', { status: 'ok' });
      else if (path === '/readyz') send(response, 503, 'application/json', { status: 'loading', ...loading });
      else if (path === '/' && request.method === 'GET' && request.headers.accept?.includes('text/html')) {
        const { html: text, policy } = startingPage(request.headers['accept-language']);
        const headers = { ...pageHeaders(policy), 'Retry-After': String(RETRY_S), Refresh: String(RETRY_S) };
        response.writeHead(503, headers).end(text);
      } else {
        const starting = problem('rate_limited', 'The server is starting.', { retry_after: RETRY_S });
        response.setHeader('Retry-After', String(RETRY_S));
        response.setHeader('Access-Control-Allow-Origin', '*');
        send(response, starting.status, 'application/problem+json', toProblemDocument(starting, id, baseUrl));
      }
    },
    setLoading(step) {
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
