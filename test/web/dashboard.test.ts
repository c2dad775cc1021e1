import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atCapacity, problem, toProblemDocument } from '../../src/core/errors.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { hasChromium } from '../auth/chromium.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, HOSTILE, openDashboard, type Visit, WEB } from './dashboard.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

// .ci/run installs Chromium: there nothing is skipped.
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

  test('the first load of the map has at most 480 kB in brotli, and its program before the map 40 kB', async () => {
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
    const scripts = sizes.filter(([path]) => path.endsWith('.js') && !/\/(?:map|maplibre)-/.test(path));
    const before = scripts.reduce((sum, [, bytes]) => sum + bytes, 0);
    console.log(`first load ${Math.round(total / 1000)} kB, JavaScript before the map ${Math.round(before / 1000)} kB`);
    expect(sizes.length).toBeGreaterThan(4);
    // Each is a round trip or waits for a connection: the program in two files, and the texts of one language.
    const text = await (await ask('/', { Accept: BROWSER })).text();
    const early = [...text.matchAll(/assets\/([\w-]+)-[\w-]{8}\.(js|css)"/g)].map(
      ([, name, kind]) => `${name}.${kind}`,
    );
    expect(early).toEqual(['common.js', 'first.js', 'first.css', 'texts-en.js']);
    expect(total).toBeLessThan(480_000);
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

  test('by keyboard: search, take a result, go to a subdivision and back', async () => {
    // Here the map moves to what is chosen.
    const { page, faults, violations } = await dashboard.visit('/', { reducedMotion: 'no-preference' });
    const box = page.getByRole('combobox');
    await box.focus();
    await page.keyboard.type('Sevila');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('listbox').textContent()).toContain('Sevilla');
    expect(await page.getByRole('listbox').textContent()).toContain('similar name');
    await box.fill('');
    await page.keyboard.type('provincia de Sevilla');
    await page.locator('.understood').waitFor();
    expect(await page.locator('.understood').textContent()).toContain('province');
    await page.keyboard.press('ArrowDown');
    expect(await box.getAttribute('aria-activedescendant')).toBe(
      await page.locator('[role=option][aria-selected=true]').getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1 });
    await expect.poll(() => heading.textContent(), { timeout: 20_000 }).toBe('Sevilla');
    const address = page.url();
    expect(address).toMatch(/\?id=r\d+$/);
    const panel = page.locator('.panel');
    await expect.poll(() => panel.textContent(), { timeout: 20_000 }).toContain('Subdivisions 105');
    for (const fact of [
      'Province, admin level 6',
      'km²',
      'ES-SE',
      'Spain',
      'Andalusia',
      'Sign in to see what it borders on',
    ]) {
      expect(await panel.textContent()).toContain(fact);
    }
    expect(await page.title()).toBe('Sevilla · Boundary Lookup');
    expect(await violations()).toEqual([]);
    const child = page.getByRole('link', { name: 'Alanís' });
    await child.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.textContent(), { timeout: 20_000 }).toBe('Alanís');
    await page.goBack();
    await expect.poll(() => heading.textContent(), { timeout: 20_000 }).toBe('Sevilla');
    expect(page.url().split('&')[0]).toBe(address);
    await page.reload();
    await expect.poll(() => heading.textContent(), { timeout: 20_000 }).toBe('Sevilla');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('Ctrl+K finds a place, a place opened before, and a page, over any page', async () => {
    const { page, faults, violations } = await dashboard.visit('/pricing');
    await page.locator('main h1').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Find a place or a page' });
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').waitFor();
    expect(await dialog.getByText('Recent places').count()).toBe(0);
    await page.keyboard.type('Zaragoza');
    await dialog.getByRole('option').first().waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]id=/);
    await page.getByRole('heading', { level: 1, name: 'Zaragoza' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').waitFor();
    await page.keyboard.type('pric');
    await dialog.getByRole('button', { name: 'Pricing' }).click();
    await page.waitForURL(/\/pricing/);
    await page.keyboard.press('Control+k');
    await dialog.getByRole('link', { name: 'Zaragoza' }).click();
    await page.waitForURL(/[?&]id=/);
    await page.getByRole('heading', { level: 1, name: 'Zaragoza' }).waitFor();
    await page.setViewportSize({ width: 390, height: 700 });
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').waitFor();
    const box = await dialog.boundingBox();
    expect([box && box.x >= 0 && box.x + box.width <= 390, await violations()]).toEqual([true, []]);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a click on the map tells what is drawn there, and a session lists all that contains the point', async () => {
    const { page, faults } = await dashboard.visit('/?map=5/37.4/-6');
    await page.locator('canvas').waitFor();
    await expect
      .poll(
        async () => {
          await page.locator('canvas').click();
          return page.locator('article').textContent();
        },
        { timeout: 30_000 },
      )
      .toContain('Contained in');
    expect(page.url()).toMatch(/[?&]at=37(\.\d+)?,-[56](\.\d+)?/);
    await expect.poll(() => page.locator('article').textContent(), { timeout: 20_000 }).toContain('Spain');
    expect(await page.locator('.needs').textContent()).toContain('Sign in');
    expect(faults).toEqual([]);
    const cookie = await dashboard.signIn();
    const signed = await dashboard.visit('/?at=37.4,-6', { cookie });
    const list = signed.page.locator('.places');
    await expect.poll(() => list.textContent(), { timeout: 20_000 }).toMatch(/Spain.*Andalusia.*Sevilla/);
    await signed.page.goto(`${dashboard.base}/?id=iso:ES-SE`);
    await expect
      .poll(() => signed.page.locator('.panel').textContent(), { timeout: 20_000 })
      .toMatch(/Neighbors.*Córdoba.*km/);
    await signed.page.locator('summary', { hasText: 'Download' }).click();
    await signed.page.getByLabel('Format').selectOption('kml');
    await signed.page.getByRole('button', { name: 'Download', exact: true }).focus();
    const [file] = await Promise.all([signed.page.waitForEvent('download'), signed.page.keyboard.press('Enter')]);
    expect(await signed.page.evaluate('document.activeElement.textContent')).toMatch(/^(Download|Working…)$/);
    expect(file.suggestedFilename()).toBe('Sevilla (medium).kml');
    expect(signed.faults).toEqual([]);
    await page.context().close();
    await signed.page.context().close();
  });

  test('shows names as text, whatever is in them', async () => {
    const { page, faults } = await dashboard.visit('/?q=HOSTILE1');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().textContent()).toContain(HOSTILE);
    await page.getByRole('option').first().click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent(), { timeout: 20_000 }).toBe(HOSTILE);
    await page.getByText('2 names').click();
    expect(await page.title()).toContain(HOSTILE);
    // Attributions are HTML in a TileJSON: theirs, too, is shown as the text that it stands for.
    await expect.poll(() => page.locator('.attribution').textContent(), { timeout: 20_000 }).toContain(HOSTILE);
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('names that people choose are text on every page', async () => {
    const cookie = await dashboard.signIn();
    const call = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${dashboard.base}/v1${path}`, {
        method,
        headers: { Cookie: `boundary_session=${cookie}`, Origin: dashboard.base, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([path, answer.status < 300 ? '' : await answer.clone().text()]).toEqual([path, '']);
      return (await answer.json()) as Record<string, unknown>;
    };
    await call('POST', '/orgs', { name: HOSTILE });
    await call('POST', '/orgs/teams', { name: HOSTILE });
    await call('PUT', '/reviews/me', { rating: 1, title: HOSTILE, body: HOSTILE });
    await call('POST', '/files', { boundary_id: 'iso:LI', name: HOSTILE });
    const found = await fetch(`${dashboard.base}/v1/boundaries/search?q=HOSTILE1`);
    const { items } = (await found.json()) as { items: { id: string }[] };
    const { page, faults } = await dashboard.visit('/account', { cookie });
    for (const [path, there] of [
      ['/account', HOSTILE],
      ['/account/teams', HOSTILE],
      ['/account/audit', HOSTILE],
      ['/library', HOSTILE],
      ['/reviews', 'Reviews'],
      [`/union?include=${items[0].id}`, HOSTILE],
      [`/union?include=${encodeURIComponent(HOSTILE)}`, 'Merge boundaries'],
      [`/?id=${encodeURIComponent(HOSTILE)}`, ''],
      [`/?q=${encodeURIComponent(HOSTILE)}`, ''],
      [`/?at=${encodeURIComponent(HOSTILE)}`, 'Administrative boundaries'],
      [`/feedback/${encodeURIComponent(HOSTILE)}`, ''],
      [`/account/${encodeURIComponent(HOSTILE)}`, ''],
    ]) {
      await page.goto(dashboard.base + path);
      await expect.poll(() => page.locator('main').textContent(), { timeout: 20_000, message: path }).toContain(there);
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 20_000, message: path }).toBe(0);
      expect([path, await page.locator('main img, main script').count()]).toEqual([path, 0]);
      expect([path, await page.evaluate('window.hit')]).toEqual([path, undefined]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('says what is wrong, with the code and the request, and that the network is away', async () => {
    const { page, faults } = await dashboard.visit('/?id=r1');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/does not exist.*not_found [\w-]{8,}/);
    // What will not be there the next time either is not tried again, but searched for.
    expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.goto(`${dashboard.base}/?id=Toledo`);
    await page.getByRole('link', { name: 'Search for “Toledo”' }).click();
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('Toledo');
    expect(page.url()).toMatch(/\?q=Toledo$/);
    await page.goto(`${dashboard.base}/?q=zzzzqqqq`);
    await expect.poll(() => page.locator('.results').textContent(), { timeout: 20_000 }).toContain('No results for');
    await page.context().setOffline(true);
    await page.getByRole('combobox').fill('Toledo');
    await expect.poll(() => page.locator('.results').textContent(), { timeout: 20_000 }).toContain('offline');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('option').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
    // In another language, the sentence is that of the page, and what the service says of it stands below, in English.
    const visit = await dashboard.visit('/?id=r1', { locale: 'de' });
    const alertIn = visit.page.getByRole('alert');
    for (const [id, sentence] of [
      ['r1', 'Das gibt es nicht'],
      ['Vaduz', 'nicht als Kennung einer Grenze lesen'],
    ] as const) {
      await visit.page.goto(`${dashboard.base}/?id=${id}`);
      await alertIn.waitFor();
      expect(await alertIn.locator('p').first().textContent()).toContain(sentence);
      expect(await alertIn.locator('p[lang=en]').textContent()).toContain(id);
    }
    // A server with too much work does not say that its reader asked too often; a proxy without a server says nothing.
    const busy = JSON.stringify(toProblemDocument(atCapacity(), 'req_busy', dashboard.base));
    const limited = JSON.stringify(
      toProblemDocument(problem('rate_limited', 'Too many.'), 'req_limit', dashboard.base),
    );
    for (const [status, body, sentence] of [
      [429, limited, 'zu viele Anfragen'],
      [429, busy, 'mehr Arbeit, als er annehmen kann'],
      [503, '<h1>no server</h1>', 'nicht erreichbar (503)'],
    ] as const) {
      await visit.page.route(/v1\/boundaries\/r2/, (route) => route.fulfill({ status, body }));
      await visit.page.goto(`${dashboard.base}/?id=r2`);
      await alertIn.waitFor();
      expect(await alertIn.locator('p').first().textContent()).toContain(sentence);
      await visit.page.unroute(/v1\/boundaries\/r2/);
    }
    await visit.page.context().close();
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

  test('a place lists its subdivisions by level; a download says what has no shape', async () => {
    const cell = (x: number, y: number, x1 = x + 1, y1 = y + 1) =>
      ringsOf(rectangle(-35 + x, 10 + y, -35 + x1, 10 + y1));
    const boundaries = [
      fixtureBoundary('r9100', 'Levelland', cell(0, 0, 2, 3), {
        adminLevel: 2,
        countryCode: 'XL',
        subareas: ['r9103'],
      }),
      fixtureBoundary('r9103', 'Island', { ways: [1] }, { adminLevel: 3, country: 'XL' }),
      ...[0, 1, 2].map((y) => fixtureBoundary(`r911${y}`, `Region ${y + 1}`, cell(0, y), { adminLevel: 4 })),
      fixtureBoundary('r9120', 'Town', cell(1, 0), { adminLevel: 8 }),
      fixtureBoundary('r9121', 'Broken town', { ways: [1] }, { adminLevel: 8, country: 'XL' }),
    ];
    const open = {
      id: 1,
      version: 1,
      tags: {},
      refs: null,
      coords: Int32Array.of(-34e7, 10e7, -33e7, 10e7),
      missing: null,
    };
    const { testServer } = dashboard;
    await storeBoundaries(
      { db: testServer.services.db, engine: testServer.engine },
      { source: FIXTURE_SOURCE, file: 'levels', boundaries, ways: new Map([[1, open]]) },
    );
    const { page, faults, violations } = await dashboard.visit('/?id=r9100');
    const panel = page.locator('.panel');
    // The next level has nothing but a boundary without a shape: the one after it is shown.
    const levels = page.getByRole('group', { name: 'By admin level' });
    await expect
      .poll(() => levels.textContent(), { timeout: 30_000 })
      .toBe('By admin levelLevel 3 1Level 4 3Level 8 2');
    await expect
      .poll(() => panel.textContent(), { timeout: 20_000 })
      .toMatch(/Subdivisions 3.*Region 1.*Region 2.*Region 3/);
    await levels.getByRole('button', { name: 'Level 3' }).click();
    await expect.poll(() => panel.textContent()).toMatch(/Subdivisions 1.*None of them has a shape.*Islandno shape/);
    await page.locator('summary', { hasText: 'Download' }).click();
    await page.getByLabel('Format').waitFor();
    expect(await page.getByLabel('What').count()).toBe(0);
    await levels.getByRole('button', { name: 'Level 8' }).click();
    await expect.poll(() => panel.textContent()).toMatch(/Subdivisions 2.*Broken townno shape.*Town/);
    await page.getByLabel('What').selectOption('children');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/geojson$/);
    await page.locator('.download').getByText('1 boundary without a shape left out of the file.').last().waitFor();
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a link to a point, or to groups, shows them; a click does not move the map', async () => {
    const shownAt = async (path: string, cookie?: string) => {
      const visit = await dashboard.visit(path, { cookie });
      await visit.page.locator('canvas').waitFor();
      return visit;
    };
    const scale = ({ page }: { page: Awaited<ReturnType<typeof shownAt>>['page'] }) =>
      page.locator('.maplibregl-ctrl-scale').textContent();
    const far = await shownAt('/');
    await expect.poll(() => scale(far), { timeout: 20_000 }).toMatch(/^[1-9]\d{3}\s?km$/);
    const canvas = far.page.locator('canvas');
    await canvas.click({ position: { x: 200, y: 200 } });
    await expect.poll(() => far.page.url()).toContain('at=');
    expect(await scale(far)).toMatch(/^[1-9]\d{3}\s?km$/);
    const near = await shownAt('/?at=37.4,-6');
    await expect.poll(() => scale(near), { timeout: 20_000 }).toMatch(/^[1-9]\d?\s?km$/);
    for (const cookie of [undefined, await dashboard.signIn()]) {
      const groups = await shownAt('/union#groups=A:iso:ES-SE;B:iso:ES-H', cookie);
      await expect.poll(() => scale(groups), { timeout: 20_000 }).toMatch(/^[1-9]\d\s?km$/);
      if (cookie) {
        const drawing = groups.page.getByRole('button', { name: 'Draw groups on the map' });
        expect(await drawing.getAttribute('aria-pressed')).toBe('false');
      }
      expect(groups.faults).toEqual([]);
      await groups.page.context().close();
    }
    await far.page.context().close();
    await near.page.context().close();
  });

  test('a rectangle is drawn with a finger, again after the browser has canceled one', async () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
    const { page, faults } = await dashboard.visit('/union?map=6/37.4/-5.9', phone);
    const canvas = page.locator('canvas');
    await canvas.waitFor();
    const start = page.getByRole('button', { name: 'Add all in a rectangle' });
    await start.tap();
    await page.getByRole('button', { name: 'Draw on the map…' }).waitFor();
    await canvas.scrollIntoViewIfNeeded();
    expect(await canvas.evaluate((element) => element.style.touchAction)).toBe('none');
    const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', x?: number, y?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined || y === undefined ? [] : [{ x: box.x + x, y: box.y + y }],
      });
    const frame = page.locator('.rectangle');
    await touch('touchStart', 40, 40);
    await touch('touchMove', 120, 120);
    await expect.poll(() => frame.count()).toBe(1);
    await touch('touchCancel');
    await expect.poll(() => frame.count()).toBe(0);
    const before = await page.evaluate('scrollY');
    await touch('touchStart', 40, 40);
    for (let i = 1; i <= 5; i++) {
      await touch('touchMove', 40 + (i * (box.width - 80)) / 5, 40 + (i * (box.height - 100)) / 5);
    }
    await touch('touchEnd');
    await expect.poll(() => page.url(), { timeout: 20_000 }).toMatch(/include=r\d+/);
    expect(await page.evaluate('scrollY')).toBe(before);
    expect(await canvas.evaluate((element) => element.style.touchAction)).toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('where units are limited, collecting spends none, and a merge what its button says', async () => {
    const { services, used } = dashboard.testServer;
    const { account, org, key } = await services.keys.create({ email: 'limited@dashboard.example', plan: 'free' });
    const { cookie } = await services.sessions.start(services.db, account.id, org.id);
    const { page, faults } = await dashboard.visit('/union', { cookie });
    for (const name of ['provincia de Sevilla', 'provincia de Huelva', 'provincia de Córdoba']) {
      await page.getByRole('combobox', { name: 'Add a place' }).fill(name);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.panel').textContent(), { timeout: 20_000 }).toContain(name.split(' ')[2]);
    }
    const merge = page.getByRole('button', { name: 'Merge (3 units)' });
    await expect.poll(() => merge.count(), { timeout: 20_000 }).toBe(4);
    await page.waitForLoadState('networkidle');
    expect(await used(key)).toBe(0);
    await merge.nth(1).click();
    await expect.poll(() => page.locator('.figures').textContent(), { timeout: 20_000 }).toContain('km²');
    expect(await used(key)).toBe(3);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('merges what is collected, cuts out what is excluded, and every step is an address', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/union', { cookie });
    const figures = page.locator('.figures');
    const add = async (name: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Add a place' }).fill(name);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    };
    const medium = async (): Promise<number> => {
      const text = await figures.locator('tbody tr').nth(1).locator('td').first().textContent();
      return Number(text?.replace(/\D+km.*|[^\d]/g, '') || Number.NaN);
    };
    await add('provincia de Sevilla');
    await expect.poll(medium, { timeout: 30_000 }).toBe(14_025);
    await add('provincia de Huelva');
    await expect.poll(medium, { timeout: 30_000 }).toBeGreaterThan(24_000);
    const both = await medium();
    await page.getByRole('button', { name: 'Cut out Sevilla' }).click();
    expect(page.url()).toMatch(/include=r\d+&exclude=r\d+/);
    await expect.poll(medium, { timeout: 30_000 }).toBe(both - 14_025);
    await page.goBack();
    await expect.poll(medium, { timeout: 30_000 }).toBe(both);
    await page.getByRole('button', { name: 'Remove Huelva' }).click();
    await page.getByRole('button', { name: 'Split Sevilla' }).click();
    await expect.poll(() => page.locator('.problem').textContent()).toContain('105 subdivisions');
    await page.getByText('Dissolve by groups').click();
    await page.getByLabel('Members').fill('iso:ES-SE,west\niso:ES-H,west\niso:ES-CO,east');
    await page.getByRole('button', { name: 'Dissolve' }).click();
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 20_000 })
      .toMatch(/west 2 members.*east 1 member/);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    const stranger = await dashboard.visit(`/union${new URL(page.url()).search}`);
    await expect
      .poll(() => stranger.page.locator('.panel').textContent(), { timeout: 20_000 })
      .toMatch(/Merged 1.*Sevilla.*Sign in to merge/);
    await page.context().close();
    await stranger.page.context().close();
  });

  test('draws an area described in words, shows how it was understood, and corrects what is ambiguous', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/area', { cookie });
    const panel = page.locator('.panel');
    const said = () => panel.textContent();
    const box = page.getByRole('textbox', { name: /^Description/ });
    await box.fill('Andalucía without the province of Sevilla');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('words')).toContain('without the province');
    await expect
      .poll(said, { timeout: 30_000 })
      .toMatch(/Understood as\s*Andalucía \(Spain\) without the province of Sevilla \(Andalucía\)/);
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*73[,.]\d{3} km/);
    expect(await panel.locator('.steps > li').count()).toBe(3);
    expect(await said()).toContain('Made of 1 boundary, without 1');
    expect(await violations()).toEqual([]);

    await box.fill('Portugal and Congo');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(said, { timeout: 30_000 }).toContain('can mean several places');
    expect(await violations()).toEqual([]);
    await panel.getByRole('alert').getByRole('link').first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('words')).toMatch(/^Portugal and [rw]\d+$/);
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*[\d,.]+ km/);
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('Portugal and Congo');

    await box.fill('<img src=x onerror=window.hit=1> of Spain');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => panel.getByRole('alert').count(), { timeout: 30_000 }).toBe(1);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    const stranger = await dashboard.visit('/area?words=Spain');
    await expect
      .poll(() => stranger.page.locator('.panel').textContent(), { timeout: 20_000 })
      .toContain('Sign in to see');
    await page.context().close();
    await stranger.page.context().close();
  });

  test('a click corrects the plan of an area, and the correction is an address', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/area?words=the%20province%20of%20Sevilla', { cookie });
    const panel = page.locator('.panel');
    const said = () => panel.textContent();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*14,025 km/);
    const cut = page.getByRole('button', { name: 'Cut out Spain' });
    const add = page.getByRole('button', { name: 'Add Andalusia' });
    await expect
      .poll(
        async () => {
          await page.locator('canvas').click();
          await add.waitFor({ timeout: 3000 }).catch(() => undefined);
          return (await cut.count()) + (await add.count());
        },
        { timeout: 30_000 },
      )
      .toBe(2);
    expect(await violations()).toEqual([]);
    await add.click();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Corrected by hand.*All of these.*Result\s*87,\d{3} km/s);
    const address = page.url();
    expect(JSON.parse(new URL(address).searchParams.get('plan') ?? '').length).toBe(3);
    // Who is sent the address sees the same.
    const other = await dashboard.visit(new URL(address).pathname + new URL(address).search, {
      cookie: await dashboard.signIn(),
    });
    await expect
      .poll(() => other.page.locator('.panel').textContent(), { timeout: 30_000 })
      .toMatch(/Corrected by hand.*Result\s*87,\d{3} km/s);
    await page.getByText('Share and use in code').click();
    expect(await page.locator('.ways').textContent()).toMatch(/create-area --plan '.*"op":"union"/);
    await page.getByRole('link', { name: 'The description alone' }).click();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*14,025 km/);
    expect(await said()).not.toContain('Corrected');
    await page.goto(`${dashboard.base}/area?words=Spain&plan=[{%22op%22:%22<img src=x onerror=window.hit=1>%22}]`);
    await panel.getByRole('alert').waitFor({ timeout: 20_000 });
    expect(await page.locator('main img').count()).toBe(0);
    expect([...faults, ...other.faults]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  test('groups are drawn by clicks on the map and dissolved; a union is kept in the library', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/union?map=7/37.4/-5.9', { cookie });
    const canvas = page.locator('canvas');
    await canvas.waitFor();
    await page.getByText('Dissolve by groups').click();
    await page.getByRole('button', { name: 'Draw groups on the map' }).click();
    const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
    const members = page.getByRole('list', { name: 'Members of the groups' });
    const click = (x: number, y: number) => canvas.click({ position: { x: width / 2 + x, y: height / 2 + y } });
    await click(0, 0);
    await expect.poll(() => members.textContent(), { timeout: 20_000 }).toMatch(/Sevilla A/);
    await page.getByRole('button', { name: 'New group' }).click();
    await click(200, -115);
    await expect.poll(() => members.textContent(), { timeout: 20_000 }).toMatch(/Sevilla A.*Córdoba B/);
    await click(-200, 0);
    await expect.poll(() => members.textContent(), { timeout: 20_000 }).toMatch(/Huelva B/);
    await click(-200, 0);
    await expect.poll(() => members.textContent(), { timeout: 20_000 }).not.toContain('Huelva');
    const table = page.getByLabel('Members', { exact: true });
    const drawn = await table.inputValue();
    expect(drawn).toMatch(/^id,group\nr\d+,A\nr\d+,B$/);
    expect(await violations()).toEqual([]);

    // The groups are in the address, with the map, and the back button goes through them.
    const shared = page.url();
    expect(shared).toMatch(/\/union\?map=[^#]+#groups=A:r\d+;B:r\d+$/);
    await page.goBack();
    await expect.poll(() => table.inputValue()).toMatch(/\nr\d+,B\nr\d+,B$/);
    await page.goForward();
    await expect.poll(() => table.inputValue()).toBe(drawn);
    const other = await dashboard.visit(shared.slice(dashboard.base.length), { cookie });
    const theirs = other.page.getByLabel('Members', { exact: true });
    await expect.poll(() => theirs.inputValue(), { timeout: 20_000 }).toBe(drawn);
    // One boundary in two groups, and a name with all that an address gives a meaning to.
    const odd = 'id,group\niso:ES-SE,"a;b:c,#&%"\niso:ES-SE,B';
    await theirs.fill(odd);
    await other.page.reload();
    await expect.poll(() => theirs.inputValue(), { timeout: 20_000 }).toBe(odd);
    await theirs.fill(`id,group\n${Array.from({ length: 320 }, (_, i) => `r${i},${'x'.repeat(90)}${i}`).join('\n')}`);
    await other.page.getByText('too long for a link').waitFor();
    expect(other.page.url()).not.toContain('#');
    await other.page.goto(`${dashboard.base}/union?include=iso:ES-SE#groups=%zz`);
    await other.page.reload();
    await other.page.getByText('The groups in the link cannot be read').waitFor();
    expect(other.faults).toEqual([]);
    await other.page.context().close();
    const stranger = await dashboard.visit(shared.slice(dashboard.base.length));
    const signIn = stranger.page.locator('main a', { hasText: 'Sign in' }).last();
    expect(decodeURIComponent((await signIn.getAttribute('href')) ?? '')).toContain('#groups=A:r');
    await stranger.page.context().close();
    await page.getByRole('button', { name: 'Dissolve' }).click();
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 20_000 })
      .toMatch(/A 1 member.*B 1 member/);
    await page.getByRole('button', { name: 'Stop drawing' }).click();

    await page.goto(`${dashboard.base}/union?include=iso:ES-SE,iso:ES-H`);
    await page.locator('summary', { hasText: 'Download' }).click();
    await page.getByLabel('Format').selectOption('kml');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.kml$/);
    await page.getByRole('button', { name: 'Save to library' }).first().click();
    await page.getByRole('link', { name: 'Open the library' }).click();
    await expect.poll(() => page.locator('.file').textContent(), { timeout: 20_000 }).toMatch(/Sevilla.*kml, medium/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  const LOOKS = [
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const;
  test.each(drawn(LOOKS, 2))(
    'an area in words, %i px, %s: nothing serious, nothing cut off',
    async (width, colorScheme) => {
      const cookie = await dashboard.signIn();
      const { page, faults, violations } = await dashboard.visit(
        '/area?words=the%20two%20largest%20provinces%20of%20Spain',
        {
          cookie,
          colorScheme,
          viewport: { width, height: 800 },
        },
      );
      await expect
        .poll(() => page.locator('.panel').textContent(), { timeout: 30_000 })
        .toMatch(/the 2 largest of.*Result\s*[\d,.]+ km/s);
      await page.locator('canvas').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await violations()).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('a description that is not understood has a rewording that one click tries', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/area?words=provinces%20of%20Galicia%20in%20winter', { cookie });
    const rewording = page.locator('.panel a.chip', { hasText: 'provinces of Galicia' });
    await rewording.waitFor({ timeout: 30_000 });
    await rewording.click();
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 30_000 })
      .toMatch(/the provinces of.*Result\s*[\d,.]+ km/s);
    expect(new URL(page.url()).searchParams.get('words')).toBe('provinces of Galicia');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the data page shows the levels of each country on a map and in a table', async () => {
    const { page, faults, violations } = await dashboard.visit('/coverage');
    // The seed's, and those which tests before this one stored.
    const answer = await fetch(`${dashboard.base}/v1/data-status?countries=true`);
    const { countries } = (await answer.json()) as { countries: { country: string | null }[] };
    const stored = countries.filter(({ country }) => country !== null).length;
    expect(stored).toBeGreaterThanOrEqual(244);
    await page.getByText(`Countries: ${stored}`).click();
    const spain = page.getByRole('row', { name: /^Spain/ });
    expect(await spain.textContent()).toMatch(/2: 1, 4: \d+, 6: \d+, 8: 105/);
    // What is stored, of which sources, and which files of the catalog would bring it.
    const table = page.getByRole('table', { name: 'Boundaries of each level by country' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Country',
      'Boundaries by admin level',
      'Postcode areas',
      'Sources',
      'Ready to import',
    ]);
    expect(await spain.getByRole('cell').nth(2).textContent()).toContain('es-atlas');
    expect(await spain.getByRole('cell').nth(3).textContent()).toContain('@overture/ES');
    expect(await page.getByRole('table', { name: 'Sources' }).getByRole('columnheader').allTextContents()).toEqual([
      'Source',
      'Edition',
      'Boundaries',
      'Without shape',
      'Data of',
      'Reference system',
      'License',
    ]);
    await page.locator('.small-map canvas').waitFor({ timeout: 20_000 });
    await expect.poll(() => page.locator('.small-map .loading').count(), { timeout: 30_000 }).toBe(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main').textContent()).toContain(HOSTILE);
    // When a source does not say of when its data is, that is not the day of its import.
    const status = await page.evaluate<{ sources: { name: string; data_at: string | null }[] }>(
      `fetch('/v1/data-status').then((reply) => reply.json())`,
    );
    expect(status.sources.filter(({ data_at }) => data_at === null).length).toBeGreaterThan(0);
    for (const { name, data_at } of status.sources) {
      const row = page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: name });
      expect([name, (await row.first().getByRole('cell').nth(3).textContent())?.startsWith('imported ')]).toEqual([
        name,
        data_at === null,
      ]);
    }
    expect(await violations()).toEqual([]);
    // A click on the map has the commands for the country under it: here Africa is in the middle.
    const commands = page.locator('.command code');
    const before = await commands.allTextContents();
    const map = (await page.locator('.small-map canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2);
    await expect.poll(() => page.getByLabel('Choose').inputValue(), { timeout: 20_000 }).toMatch(/^[A-Z]{2}$/);
    expect(await commands.allTextContents()).not.toEqual(before);
    const chosen = await page.getByLabel('Choose').inputValue();
    expect((await commands.allTextContents()).join(' ')).toMatch(new RegExp(`@\\S+/(${chosen}|[A-Z]{3})\\b`));
    await page.getByRole('link', { name: 'Spain', exact: true }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent(), { timeout: 20_000 }).toBe('Spain');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the documentation is searched, copied from and tried in place', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/docs/boundaries', { cookie });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const nav = page.getByRole('navigation', { name: 'Documentation' });
    const search = page.getByRole('searchbox', { name: 'Search documentation' });
    await search.fill('unshare file');
    await expect.poll(() => nav.getByRole('link').allTextContents()).toEqual(['Search all texts', 'unshare_file']);
    expect(await nav.getByRole('status').textContent()).toBe('1 title. Search all texts');
    await search.fill('zorgly');
    expect(await nav.getByRole('status').textContent()).toBe('0 titles. Search all texts');
    await page.getByRole('link', { name: /@dashboard\.example/ }).waitFor();
    const keyField = page.getByRole('textbox', { name: /^Your API key/ });
    await keyField.fill('bnd_live_mine');
    expect(await page.locator('main').textContent()).toContain('Bearer bnd_live_mine');
    await keyField.fill('no key');
    expect(await keyField.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('main').textContent()).not.toContain('bnd_live_mine');
    await keyField.fill('');
    await search.fill('');
    await expect.poll(() => nav.getByRole('link').allTextContents()).toContain('Guide');
    expect(await violations()).toEqual([]);

    const section = page.locator('section[aria-labelledby=search_boundaries]');
    await section.getByRole('button', { name: 'Copy' }).first().click();
    await section.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl .*search/);
    const tab = section.getByRole('tab', { name: 'JavaScript' }).first();
    await section.getByRole('tab', { name: 'curl' }).first().press('ArrowRight');
    expect(await tab.getAttribute('aria-selected')).toBe('true');
    await section.getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^const response = await fetch\(.*search/);
    await page.reload();
    expect(await page.getByRole('tab', { selected: true }).first().textContent()).toBe('JavaScript');
    await section.getByRole('heading', { name: 'Sample answer' }).waitFor();
    expect(await violations()).toEqual([]);

    const trial = section.locator('.try').first();
    const answer = trial.getByRole('status');
    await trial.getByRole('textbox').fill('/v1/boundaries/search?q=HOSTILE1');
    await trial.getByRole('button', { name: 'Try it' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => answer.textContent(), { timeout: 20_000 }).toMatch(/^200 in \d+ ms\n.*onerror/s);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Try it');
    expect(await trial.locator('img').count()).toBe(0);
    await trial.getByRole('textbox').fill('/v1/../sign-in');
    await trial.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(() => answer.textContent()).toBe('The path must begin with /v1/.');
    const own = page.locator('section[aria-labelledby=reverse_boundaries] .try').first();
    expect(await own.textContent()).toContain('signed in');
    await own.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(() => own.getByRole('status').textContent(), { timeout: 20_000 }).toMatch(/^200 in/);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('shows a new key once, lists it, and revokes it', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/account/keys', { cookie });
    await page.getByLabel('What it is for').fill(HOSTILE);
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^bnd_/);
    const answer = await fetch(`${dashboard.base}/v1/account`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
    await page.reload();
    await expect.poll(() => page.locator('.members').textContent(), { timeout: 20_000 }).toContain(HOSTILE);
    expect(await page.content()).not.toContain(secret);
    const revoke = page.locator('.members li', { hasText: '<img' }).getByRole('button', { name: 'Revoke' });
    await revoke.click();
    await revoke.click();
    await expect.poll(() => page.getByText('<img src').count(), { timeout: 20_000 }).toBe(0);
    const refused = await fetch(`${dashboard.base}/v1/account`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(refused.status).toBe(401);
    await page.goto(`${dashboard.base}/account/audit`);
    await expect
      .poll(() => page.locator('.members').textContent(), { timeout: 20_000 })
      .toMatch(/api_key.revoke.*<img/);
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the keyboard keeps its place when what had the focus goes', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/account/keys', { cookie });
    const name = page.getByLabel('What it is for');
    const create = page.getByRole('button', { name: 'Create key' });
    const at = (): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');
    for (const which of ['first', 'second']) {
      await name.fill(which);
      await create.focus();
      await page.keyboard.press('Enter');
      await page.locator('.members li', { hasText: which }).waitFor();
      await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false');
      expect(await at()).toBe('Create key');
      await page.getByRole('button', { name: 'Done' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(at).toBe('API keys');
    }
    const rows = page.locator('.members li');
    await rows.first().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('Revoke');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(at).toMatch(/^Revoke /);
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('Revoke');
    const next = await rows.nth(1).locator('.act').textContent();
    expect(next).toMatch(/^Revoke /);
    const count = await rows.count();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(count - 1);
    expect(await at()).toBe(next);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a form goes back to what it offered first: a second invitation is again for a member', async () => {
    const cookie = await dashboard.signIn();
    const { page } = await dashboard.visit('/account/members', { cookie });
    const role = page.locator('select[name=role]');
    expect(await role.inputValue()).toBe('member');
    await role.selectOption('admin');
    await page.getByLabel('Email').fill('someone@dashboard.example');
    await page.keyboard.press('Enter');
    await page.locator('.members', { hasText: 'someone@dashboard.example' }).waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
    expect(await role.inputValue()).toBe('member');
    await page.context().close();
  });

  test('the link of an invitation is copied, and opens it', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/account/members', { cookie });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const name of ['one', 'two']) {
      await page.getByLabel('Email').fill(`copied-${name}@dashboard.example`);
      await page.keyboard.press('Enter');
      await page.locator('.members', { hasText: `copied-${name}@dashboard.example` }).waitFor();
    }
    const row = page.locator('.members li', { hasText: 'copied-two@dashboard.example' });
    await row.getByRole('button', { name: 'Copy the link' }).click();
    await row.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const { items } = await page.evaluate<{ items: { email: string; url: string }[] }>(
      `fetch('/v1/orgs/invites').then((reply) => reply.json())`,
    );
    expect(link).toBe(items.find(({ email }) => email === 'copied-two@dashboard.example')?.url);
    const opened = await dashboard.visit(new URL(link).pathname + new URL(link).search);
    await expect.poll(() => opened.page.locator('main').textContent(), { timeout: 20_000 }).toMatch(/invit/i);
    await opened.page.context().close();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what people write on the board is text', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/feedback', { cookie });
    await page.getByLabel('Title').fill(HOSTILE);
    await page.getByLabel('Details').fill(HOSTILE);
    await page.getByRole('button', { name: 'Send' }).click();
    const link = page.getByRole('link', { name: HOSTILE });
    await link.click();
    await page.getByLabel('Your comment').fill(`${HOSTILE} too`);
    await page.getByRole('button', { name: 'Comment' }).click();
    await expect.poll(() => page.locator('.members').textContent(), { timeout: 20_000 }).toContain(`${HOSTILE} too`);
    // Who asks for something votes for it.
    await page.getByRole('button', { name: /Voted 1/ }).click();
    await page.getByRole('button', { name: /Vote 0/ }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a file of the library is saved, downloaded and deleted', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/library', { cookie });
    await page.getByText('Nothing is saved yet').waitFor();
    await page.getByLabel('Boundary id').fill('iso:ES-SE');
    await page.getByRole('button', { name: 'Save a boundary' }).click();
    const file = page.locator('.file');
    await expect.poll(() => file.textContent(), { timeout: 20_000 }).toContain('Sevilla (geojson, medium)');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      file.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toContain('Sevilla');
    await expect
      .poll(() => file.locator('.preview path').getAttribute('d'), { timeout: 20_000 })
      .toMatch(/^M[\d.]+ [\d.]+L/);
    expect(await violations()).toEqual([]);
    await file.getByRole('button', { name: 'Delete' }).click();
    await file.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is saved yet').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a job is canceled and created again; its file is named as text', async () => {
    const cookie = await dashboard.signIn();
    const input = { children_of: 'iso:ES-SE', format: 'csv' };
    const made = await fetch(`${dashboard.base}/v1/jobs`, {
      method: 'POST',
      headers: {
        Cookie: `boundary_session=${cookie}`,
        Origin: dashboard.base,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ op: 'export_collection', input, name: HOSTILE }),
    });
    expect(made.status).toBe(201);
    const { page, faults, violations } = await dashboard.visit('/library', { cookie });
    const jobs = page.locator('.members li:not(.file)', { hasText: HOSTILE });
    await jobs.getByRole('button', { name: 'Cancel' }).click();
    await jobs.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => jobs.count(), { timeout: 20_000 }).toBe(2);
    expect(await jobs.first().textContent()).toMatch(/queued.*0 of 105/);
    expect(await jobs.last().textContent()).toContain('canceled');
    expect(await violations()).toEqual([]);
    await dashboard.testServer.jobRunner.runDue();
    await expect.poll(() => jobs.first().textContent(), { timeout: 20_000 }).toContain('done');
    await expect.poll(() => page.locator('.file').count(), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
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
