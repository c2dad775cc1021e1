import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { loadConfig } from '../../src/config.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { countriesAndSpain } from '../setup/countries.ts';

/** The build folder of the dashboard; reuses the output of `npm run build`. */
export const WEB = resolve('dist/web');

/** A text that would run a script if it were ever parsed as markup. */
export const HOSTILE = `<img src=x onerror="window.hit=1"><script>window.hit=2</script>'"&lt;b&gt;`;

/**
 * Flags under which Chromium draws WebGL without a graphics card, and nothing else by it: all that moves on a page would
 * be drawn at ten times the cost of the renderer's own means.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader-webgl',
  '--enable-unsafe-swiftshader',
];

const AXE = readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8');

/** A browser page, with its errors. */
export interface Visit {
  readonly page: Page;
  /** Content-Security-Policy violations and script errors. */
  readonly faults: string[];
  /** Serious and critical findings of axe. */
  violations(): Promise<string[]>;
}

/** The dashboard on a test server with the countries and Spain, and a browser. */
export interface Dashboard {
  readonly testServer: BoundaryTestServer;
  readonly base: string;
  /** Opens an address in a context of its own, where nothing moves (each frame of a map takes a processor 30 ms). */
  visit(path: string, options?: Parameters<Browser['newContext']>[0] & { readonly cookie?: string }): Promise<Visit>;
  /** Creates an account, of an operator if asked, and returns its session cookie. */
  signIn(operator?: boolean): Promise<string>;
  /** A call of a session, from outside the page: a POST if it has a body. Returns what is in the answer. @throws Error for a failure */
  // biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
  call(cookie: string, path: string, body?: object): Promise<any>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Stores the boundary of a source `hostile`: a rectangle from 40° W to `east`, with a hostile name if no other is given. */
export async function storeHostile(testServer: BoundaryTestServer, name = HOSTILE, east = -38): Promise<void> {
  const deps = { db: testServer.services.db, engine: testServer.engine };
  const degrees = [-40, 20, east, 20, east, 22, -40, 22, -40, 20];
  const hostile: SourceBoundary = {
    id: null,
    sourceId: 'hostile',
    version: '1',
    type: 'administrative',
    name,
    names: { de: HOSTILE, fr: `${HOSTILE} fr` },
    otherNames: [],
    codes: ['HOSTILE1'],
    adminLevel: 4,
    kind: 'region',
    countryCode: null,
    country: null,
    iso: null,
    wikidata: null,
    population: 7,
    tags: {},
    place: null,
    subareas: [],
    border: { rings: [Int32Array.from(degrees, (degree) => degree * 1e7)] },
  };
  const source = {
    id: 'hostile',
    name: HOSTILE,
    url: null,
    license: 'CC0-1.0',
    attribution: HOSTILE,
    resolution: null,
    seed: false,
  };
  await storeBoundaries(deps, { source, file: 'hostile', boundaries: [hostile] });
}

/** The build of the dashboard by this process, which runs file after file. */
let built: Promise<unknown> | null = null;
/** The Chromium of this process, with which it ends. */
let chrome: Promise<Browser> | null = null;

async function sharedChromium(): Promise<Browser> {
  const opened = await chrome?.catch(() => null);
  if (opened?.isConnected()) return opened;
  chrome = chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
  return chrome;
}

/** Builds the dashboard if needed, and starts the server; the Chromium is that of all files that the process runs. */
export async function openDashboard(): Promise<Dashboard> {
  built ??= promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/make_web.ts', WEB]);
  await built;
  const testServer = await openBoundaryTestServer({}, {}, undefined, countriesAndSpain);
  const closing: (() => Promise<unknown>)[] = [() => testServer.close()];
  const close = async (): Promise<void> => {
    for (const end of closing) await end();
  };
  try {
    await storeHostile(testServer);
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const services = { ...testServer.services, config: loadConfig({ NODE_ENV: 'test', BASE_URL: base }) };
    const app = createHttpApp(services, ops, { web: WEB });
    const listening = await listen(app.callback(), { host: '127.0.0.1', port }, base);
    closing.unshift(() => listening.close());
    const browser = await sharedChromium();
    // Those of tests that failed are open.
    const contexts: BrowserContext[] = [];
    closing.unshift(() => Promise.all(contexts.map((context) => context.close())));
    return {
      testServer,
      base,
      async visit(path, { cookie, ...options } = {}) {
        const context = await browser.newContext({
          viewport: { width: 1280, height: 800 },
          // A quarter of the pixels: here the processor draws each of them.
          deviceScaleFactor: 0.5,
          reducedMotion: 'reduce',
          ...options,
        });
        contexts.push(context);
        if (cookie) await context.addCookies([{ name: 'boundary_session', value: cookie, url: base }]);
        const visit = await watch(context);
        await visit.page.goto(base + path);
        return visit;
      },
      async signIn(operator = false) {
        const { services } = testServer;
        const { account, org } = await services.keys.create({
          ...{ email: `reader${++readers}@dashboard.example`, operator },
        });
        return (await services.sessions.start(services.db, account.id, org.id)).cookie;
      },
      async call(cookie, path, body) {
        const headers = {
          Cookie: `boundary_session=${cookie}`,
          Origin: base,
          ...(body && { 'Content-Type': 'application/json' }),
        };
        const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
        const answer = await fetch(`${base}/v1${path}`, { headers, ...sent });
        const found: unknown = await answer.json();
        if (!answer.ok) throw new Error(JSON.stringify(found));
        return found;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

let readers = 0;

async function watch(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  return {
    page,
    faults,
    async violations() {
      if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
      // Of a page of the documentation, all that is right is listed in megabytes.
      const reported = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
      const violations = (await page.evaluate(reported)) as AxeResults['violations'];
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .map(({ html }) => html)
              .join(' ')
              .slice(0, 400)}`,
        );
    },
  };
}
