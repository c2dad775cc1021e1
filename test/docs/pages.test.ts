import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
      const [to] = link.split('#');
      if (to.startsWith(`${base}/docs`)) waiting.push(to.slice(base.length));
    }
  }
});
afterAll(() => server?.close());

const linksIn = (text: string): string[] => [...text.matchAll(/ href="([^"]*)"/g)].map(([, href]) => shown(href));
const idsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

describe('the pages', () => {
  test('every operation and every code has its anchor', () => {
    expect(pages.size).toBeGreaterThan(6);
    const all = [...pages.values()].flatMap(idsIn);
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

  test('every link leads to a page and an anchor that are there, and to no other host', async () => {
    for (const [path, text] of pages) {
      expect(new Set(idsIn(text)).size, path).toBe(idsIn(text).length);
      for (const link of linksIn(text)) {
        const [to, anchor] = link.split('#');
        const target = to === '' ? path : to.slice(base.length);
        expect(to === '' || to.startsWith(`${base}/`), `${path}: ${link}`).toBe(true);
        const page = pages.get(target);
        if (anchor) expect(idsIn(page ?? ''), `${path}: ${link}`).toContain(anchor);
        else if (!page) expect((await server.get(target)).status, link).toBeLessThan(400);
      }
    }
  });

  test('they run one script, of this service, and load nothing else', async () => {
    for (const [path, text] of pages) {
      const { headers } = await server.get(path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'self'; connect-src 'self'; base-uri 'none';/,
      );
      expect(headers.etag, path).toMatch(/^"[0-9a-f]{64}"$/);
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
