import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, openDashboard, type Visit, WEB } from './dashboard.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.skipIf(!hasChromium)('the dashboard', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(dashboard.base + path, { headers });

  test('browsers get it at /, others the page of links; nothing comes from elsewhere or inline', async () => {
    const page = await ask('/', { Accept: BROWSER });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*|blob:/);
    const text = await page.text();
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    const [, script] = /src="\.(\/assets\/first-[\w-]+\.js)"/.exec(text) ?? [];
    const file = await ask(script ?? '', { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    for (const path of ['/', '/docs', '/docs/boundaries', '/openapi.json', '/docs.js']) {
      const document = await ask(path, { Accept: BROWSER, 'Accept-Encoding': 'gzip, deflate, br, zstd' });
      // Beyond 512 KiB gzip compresses better (src/transports/http/representation.ts).
      const coding = (await document.text()).length > 512 * 1024 ? 'gzip' : 'br';
      expect([path, document.status, document.headers.get('content-encoding')]).toEqual([path, 200, coding]);
    }
    for (const accept of ['application/json', '*/*']) {
      expect(await (await ask('/', { Accept: accept })).text()).toContain('List of operations');
    }
    const tag = page.headers.get('etag') ?? '';
    expect((await ask('/', { Accept: BROWSER, 'If-None-Match': tag })).status).toBe(304);
    const session = await ask('/', { Accept: BROWSER, Cookie: 'boundary_session=x' });
    expect(session.headers.get('etag')).not.toBe(tag);
    for (const path of ['/assets/..%2findex.html', '/assets/.sources', '/assets/nothing.js', '/.sources']) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
  });

  test('an address without a page is one that says so, with a way on', async () => {
    const pages = ['/account', '/account/members', '/account/audit', '/feedback', '/sets/nosuch'];
    const missing = ['/account/nosuch', '/account/keys/1', '/feedback/99', '/feedback/abc', '/feedback/99999999999'];
    const status = async (path: string) => [path, (await ask(path, { Accept: BROWSER })).status];
    for (const path of pages) expect(await status(path)).toEqual([path, 200]);
    for (const path of [...missing, '/library/x', '/pricing/x', '/nosuch', '/docs/nosuch', '/ogc/nosuch']) {
      const answer = await ask(path, { Accept: BROWSER });
      expect([path, answer.status]).toEqual([path, 404]);
      const text = await answer.text();
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('the map</a>');
    }
    // A set is shown to its organization alone: the page asks for it, and says that there is none.
    const { page, violations } = await dashboard.visit('/sets/nosuch', { cookie: await dashboard.signIn() });
    await page.getByRole('alert').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Territories');
    expect(await page.locator('.panel').getByRole('link', { name: 'Territories' }).count()).toBe(1);
    expect(await violations()).toEqual([]);
    await page.context().close();
  });

  test('the first load of the map has at most 480 kB in brotli, and its program before the map 40 kB, in every language', async () => {
    const { page } = await dashboard.visit('/');
    await page.locator('canvas').waitFor();
    // The map is there before all that draws it.
    await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    const files = new Set([...loaded, ...page.workers().map((worker) => new URL(worker.url()).pathname)]);
    const sizes = [...files]
      .filter((path) => path.startsWith('/assets/'))
      .map((path) => [path, statSync(`${join(WEB, path)}.br`).size] as const);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, statSync(join(WEB, 'index.html.br')).size);
    // All that is loaded beside the map, its styles and its worker.
    const scripts = sizes.filter(([path]) => path.endsWith('.js') && !/\/(?:map|map_parts|maplibre)-/.test(path));
    const inEnglish = scripts.reduce((sum, [, bytes]) => sum + bytes, 0);
    // That of the language with the longest texts.
    const texts = readdirSync(join(WEB, 'assets'))
      .filter((name) => /^texts-\w\w-.*\.js\.br$/.test(name))
      .map((name) => [name.slice(6, 8), statSync(join(WEB, 'assets', name)).size] as const);
    expect(texts.map(([tag]) => tag).sort()).toEqual(['de', 'en', 'es', 'fr']);
    const sizeIn = Object.fromEntries(texts);
    const longest = Math.max(...Object.values(sizeIn)) - (sizeIn.en ?? 0);
    const before = inEnglish + longest;
    console.log(
      `first load ${Math.round((total + longest) / 1000)} kB, JavaScript before the map ${before} bytes, in English ${inEnglish}`,
    );
    expect(sizes.length).toBeGreaterThan(4);
    // Each is a round trip or waits for a connection: the program in two files, and the texts of one language.
    const text = await (await ask('/', { Accept: BROWSER })).text();
    const early = [...text.matchAll(/assets\/([\w-]+)-[\w-]{8}\.(js|css)"/g)].map(
      ([, name, kind]) => `${name}.${kind}`,
    );
    expect(early).toEqual(['common.js', 'first.js', 'first.css', 'texts-en.js']);
    expect(total + longest).toBeLessThan(480_000);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(40_000);
    expect(readdirSync(join(WEB, 'assets')).filter((name) => name.endsWith('.map'))).toEqual([]);
    await page.context().close();
  });

  test('texts are loaded in the one language that is shown, early where the browser asks for it', async () => {
    const textsOf = async (visit: Visit): Promise<string[]> => {
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
      const loaded = await visit.page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name.match(/texts-(..)-/)?.[1]).filter(Boolean)`,
      );
      return [...new Set(loaded)].sort();
    };
    for (const [accepted, tag] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de'],
      ['en;q=0.5,fr-CA', 'fr'],
      ['eo,es', 'es'],
      ['eo', 'en'],
    ] as const) {
      const text = await (await ask('/', { Accept: BROWSER, 'Accept-Language': accepted })).text();
      expect([...text.matchAll(/modulepreload[^>]*texts-(..)-/g)].map(([, named]) => named)).toEqual([tag]);
    }
    const german = await dashboard.visit('/pricing', { locale: 'de-AT' });
    expect(await textsOf(german)).toEqual(['de']);
    // One that was chosen before: the server does not know of it.
    await german.page.evaluate(`localStorage.setItem('boundary-language', 'fr')`);
    await german.page.reload();
    await expect.poll(() => german.page.evaluate('document.documentElement.lang')).toBe('fr');
    // Without its texts, English is shown.
    await german.page.route('**/texts-fr-*', (route) => route.abort());
    await german.page.reload();
    await expect.poll(() => german.page.evaluate('document.documentElement.lang')).toBe('en');
    // Without any, one sentence of the page itself.
    await german.page.route('**/texts-*', (route) => route.abort());
    await german.page.reload();
    await german.page.getByText('could not be loaded').waitFor();
    expect(german.faults).toEqual([]);
    await german.page.context().close();
  });

  test('what says that the map is loading goes with the first tile, and an error stays', async () => {
    const { page, faults } = await dashboard.visit('/pricing');
    const held: (() => void)[] = [];
    await page.route(/\/tiles\/boundaries\/\d+\/\d+\/\d+/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${dashboard.base}/?map=4/40/-4`);
    const loading = page.locator('.map .loading');
    await page.locator('canvas').waitFor();
    await expect.poll(() => held.length, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(await loading.textContent()).toBe('Loading the map…');
    held.shift()?.();
    await expect.poll(() => loading.count(), { timeout: 20_000 }).toBe(0);
    expect(held.length).toBeGreaterThan(1);
    for (const resolve of held) resolve();
    await page.route(/\/assets\/map-[^/]*\.js/, (route) => route.abort());
    await page.goto(`${dashboard.base}/?map=4/40/-4`);
    await page.getByRole('alert').filter({ hasText: 'The map cannot be shown' }).waitFor({ timeout: 20_000 });
    expect(await loading.count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['/', 360, 'light'],
    ['/?id=iso:ES-SE', 360, 'dark'],
    ['/?id=iso:ES', 1280, 'dark'],
    ['/?q=Sevilla', 1280, 'light'],
  ] as const)('%s, %i px, %s: nothing serious, nothing cut off', async (path, width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit(path, { viewport: { width, height: 800 }, colorScheme });
    await page.locator('canvas').waitFor();
    await page
      .locator(path.includes('q=') ? '[role=option]' : 'article h1')
      .first()
      .waitFor();
    await expect.poll(() => page.locator('.skeleton').count(), { timeout: 20_000 }).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('at 390 px a button opens the list of pages, whole; a choice or Escape closes it', async () => {
    const { page, faults, violations } = await dashboard.visit('/pricing', { viewport: { width: 390, height: 844 } });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const menu = page.getByRole('button', { name: 'Menu' });
    expect(await pages.isVisible()).toBe(false);
    await menu.click();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    for (const link of await pages.getByRole('link').all()) {
      const box = await link.boundingBox();
      expect([await link.textContent(), box && box.x >= 0 && box.x + box.width <= 390]).toEqual([
        await link.textContent(),
        true,
      ]);
    }
    expect(await pages.getByRole('link').last().textContent()).toBe('Docs');
    expect(await violations()).toEqual([]);
    await pages.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    expect(await pages.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
    await menu.click();
    await pages.getByRole('link', { name: 'Reviews' }).click();
    await expect.poll(() => page.title()).toContain('Reviews');
    expect(await pages.isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the header is one line: links where they fit in the language, else the button that opens them', async () => {
    const cookie = await dashboard.signIn();
    for (const locale of ['en', 'es', 'de', 'fr']) {
      const { page } = await dashboard.visit('/pricing', { locale, cookie, viewport: { width: 1920, height: 400 } });
      const header = page.locator('header.top');
      const docs = header.locator('nav a').last();
      await docs.waitFor();
      const menu = header.locator('.menu');
      for (const [width, isOpen] of [
        [1920, true],
        [768, false],
        [1280, null],
        [1920, true],
      ] as const) {
        await page.setViewportSize({ width, height: 400 });
        if (isOpen !== null) await expect.poll(() => docs.isVisible(), { message: `${locale} ${width}` }).toBe(isOpen);
        await expect.poll(async () => (await docs.isVisible()) !== (await menu.isVisible())).toBe(true);
        const [height = 0, over = 0] = await page.evaluate<number[]>(
          `[document.querySelector('header.top').offsetHeight, document.documentElement.scrollWidth - innerWidth]`,
        );
        expect([locale, width, height < 60, over]).toEqual([locale, width, true, 0]);
      }
      await page.context().close();
    }
  });

  test.each(['light', 'dark'] as const)(
    'every page at 360 px, %s: nothing serious, nothing cut off',
    async (colorScheme) => {
      const cookie = await dashboard.signIn();
      const viewport = { width: 360, height: 740 };
      const { page, faults, violations } = await dashboard.visit('/pricing', { cookie, colorScheme, viewport });
      const account = ['', '/members', '/teams', '/keys', '/apps', '/audit'].map((name) => `/account${name}`);
      const pages = ['/pricing', '/coverage', '/feedback', '/reviews', '/library', ...account];
      // Only the colors, which all pages share, are others in the dark.
      for (const path of colorScheme === 'light' ? pages : drawn(pages, 3)) {
        await page.goto(dashboard.base + path);
        await page.locator('main h1').waitFor();
        await expect.poll(() => page.locator('.skeleton').count(), { timeout: 20_000 }).toBe(0);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
        expect([path, await violations()]).toEqual([path, []]);
      }
      const stranger = await dashboard.visit('/account', { colorScheme, viewport });
      await stranger.page.getByText('This page belongs to an account').waitFor();
      expect(await stranger.violations()).toEqual([]);
      expect([...faults, ...stranger.faults]).toEqual([]);
      await page.context().close();
      await stranger.page.context().close();
    },
  );
});
