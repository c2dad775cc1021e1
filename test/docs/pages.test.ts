import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { PROBLEMS } from '../../src/core/errors.ts';
import { ops } from '../../src/ops/index.ts';
import { hasChromium, openTab, type Tab } from '../auth/chromium.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { shown } from './text.ts';

const base = new URL(BASE_URL).pathname;
let server: BoundaryTestServer;
/** Every page that can be reached from the first, by its path without the base. */
const pages = new Map<string, string>();

beforeAll(async () => {
  server = await openBoundaryTestServer();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const reply = await server.get(path);
    expect([path, reply.status]).toEqual([path, 200]);
    pages.set(path, reply.text);
    for (const link of linksIn(reply.text)) {
      const to = defined(link.split('#')[0]);
      if (to.startsWith(`${base}/docs`)) waiting.push(to.slice(base.length));
    }
  }
});
afterAll(() => server?.close());

/** The pages that are made of the texts of docs/. */
const IS_TEXT = /^\/docs\/(?:first|recipes|topics)\//;
const linksIn = (text: string): string[] =>
  [...text.matchAll(/ href="([^"]*)"/g)].map(([, href]) => shown(defined(href)));
const idsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => defined(id));

describe('the pages', () => {
  test('every operation and every code has its anchor', () => {
    expect(pages.size).toBeGreaterThan(6);
    const all = [...pages].filter(([path]) => !IS_TEXT.test(path)).flatMap(([, text]) => idsIn(text));
    for (const { name } of ops) expect(all.filter((id) => id === name)).toHaveLength(1);
    const errors = idsIn(pages.get('/docs/errors') ?? '');
    for (const code of Object.keys(PROBLEMS)) expect(errors).toContain(code);
  });

  test('every operation is shown in curl, JavaScript and Python, and with an answer where one is kept', () => {
    const text = [...pages.values()].join('');
    for (const { name } of ops) {
      const [, section = ''] = text.split(`<section aria-labelledby="${name}">`);
      const [own = ''] = section.split('</section>');
      const byCookie = own.includes('with the cookie of the person');
      for (const way of byCookie ? ['Command line', 'MCP'] : ['curl', 'JavaScript', 'Python', 'Command line', 'MCP'])
        expect(own, name).toContain(`<div data-way="${way}">`);
      // No plan is sold where the samples are recorded.
      expect(own.includes('<h4>Sample answer</h4>'), name).toBe(name !== 'change_plan');
      expect(own).not.toContain('maps.example/base/base');
    }
  });

  test('every link leads to a page and an anchor that are there, and only texts to other hosts', async () => {
    for (const [path, text] of pages) {
      expect(new Set(idsIn(text)).size, path).toBe(idsIn(text).length);
      for (const link of linksIn(text)) {
        if (link.startsWith('https://') && IS_TEXT.test(path)) continue;
        const [to = '', anchor] = link.split('#');
        const target = to === '' ? path : to.slice(base.length);
        expect(to === '' || to.startsWith(`${base}/`), `${path}: ${link}`).toBe(true);
        const page = pages.get(target);
        if (anchor) expect(idsIn(page ?? ''), `${path}: ${link}`).toContain(anchor);
        else if (!page) expect((await server.get(target)).status, link).toBeLessThan(400);
      }
    }
  });

  test('the search finds the sections with all words, whatever their case and accents, and escapes what it shows', async () => {
    const found = async (query: string): Promise<string[]> => {
      const { status, text, headers } = await server.get(`/docs/search?q=${encodeURIComponent(query)}`);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(text).not.toContain('<b>');
      const [, results = ''] = text.split('<ul class="found">');
      return [...results.matchAll(/<li><a href="([^"]*)">/g)].map(([, href]) =>
        shown(defined(href)).slice(base.length),
      );
    };
    expect((await found('names to ids')).slice(0, 2)).toContain('/docs/recipes/names-to-ids');
    expect(await found('union_boundaries')).toContainEqual(expect.stringMatching(/#union_boundaries$/));
    // Headings of a page of figures say "union" too.
    expect((await found('union'))[0]).toBe('/docs/boundaries#union_boundaries');
    expect(await found('MaPLibre TILES')).toContain('/docs/first/maplibre');
    expect(await found('Àreas of yÓur own')).toContainEqual(expect.stringMatching(/^\/docs\/topics\/sets/));
    expect(await found('rate_limited')).toContainEqual(expect.stringMatching(/^\/docs\/errors/));
    expect(await found('zorgly')).toEqual([]);
    expect(await found('"><b>x</b>')).toEqual([]);
    expect(await found('a')).toHaveLength(30);
    expect(await found('x'.repeat(5_000))).toEqual([]);
    expect(await found('')).toEqual([]);
    // Without a result, the page links the words that have some, and the map, as most such words name a place.
    const { text } = await server.get('/docs/search?q=zorgly+MAPLIBRE+%3Cb%3E');
    const advice = linksIn((text.split('</form>')[1] ?? '').split('<ul class="found">')[0] ?? '');
    expect(advice).toEqual([
      ...['/docs/search?q=maplibre', '/?q=zorgly+MAPLIBRE+%3Cb%3E', '/docs', '/docs/errors'].map((to) => base + to),
    ]);
    expect(await found('maplibre')).not.toEqual([]);
    expect((await server.get('/docs/search?q=maplibre')).text).not.toContain('Try another word');
    for (const link of await found('boundary import')) {
      const [path = '', anchor] = link.split('#');
      const page = pages.get(path) ?? '';
      expect(page, path).not.toBe('');
      if (anchor) expect(idsIn(page), link).toContain(anchor);
    }
  });

  test('texts name this service, and lead to the pages of other texts', () => {
    const first = pages.get('/docs/first/curl') ?? '';
    expect(first).toContain(`${BASE_URL}/v1/boundaries/search`);
    expect(first).not.toMatch(/127\.0\.0\.1:8080|localhost:8080|\.md"/);
    expect(first).toContain(`href="${base}/docs/recipes/sales-regions"`);
    // A recipe that is opened by itself says what its commands need.
    expect(pages.get('/docs/recipes/names-to-ids')).toContain(`boundary login ${BASE_URL}`);
    const listed = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    for (const folder of ['first/', 'recipes/']) {
      const own = listed.filter((name) => name.startsWith(folder)).map((name) => `/docs/${name.slice(0, -3)}`);
      expect([...pages.keys()].filter((path) => path.startsWith(`/docs/${folder}`)).sort()).toEqual(own.sort());
    }
  });

  test('each command names this service and the key as all others do, so that it runs as it is copied', () => {
    const commands = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)]
        .map(([, block = '']) =>
          block
            .replace(/<[^>]+>/g, '')
            .replaceAll('&#39;', "'")
            .replaceAll('&quot;', '"'),
        )
        .filter((block) => /^curl /m.test(block))
        .map((block) => `${path}: ${block}`),
    );
    expect(commands.length).toBeGreaterThan(100);
    const wrong = /Bearer KEY|\$(?:URL|SERVER|BOUNDARY_API_KEY)\b|(?<!\/\/)localhost:|maps\.example(?!\/base)/;
    expect(commands.filter((command) => wrong.test(command))).toEqual([]);
  });

  test('they run one script, of this service, and load nothing else', async () => {
    for (const [path, text] of pages) {
      const { headers } = await server.get(path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'self'; connect-src 'self'; base-uri 'none';/,
      );
      if (path !== '/docs/search') expect(headers.etag, path).toMatch(/^"[0-9a-f]{64}"$/);
      expect(text.match(/<script\b.*/g)).toEqual([`<script type="module" src="${base}/docs.js"></script>`]);
      expect(text).not.toMatch(/<(?:img|link|iframe|object)\b|@import|url\(/i);
    }
  });
});

describe.skipIf(!hasChromium)('in a browser', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(() => tab?.close());

  test.each([390, 1280])('they fit into %d pixels', async (width) => {
    await tab.resize(width, 844);
    for (const path of pages.keys()) {
      await tab.open(server.address + path);
      const [wide, inner, style] = await tab.read<[number, number, string]>(
        '[document.documentElement.scrollWidth, innerWidth, getComputedStyle(document.querySelector("nav > ul")).listStyleType]',
      );
      expect([path, inner, style]).toEqual([path, width, 'none']);
      expect(wide, path).toBeLessThanOrEqual(width);
    }
    expect(tab.violations).toEqual([]);
  });
});
