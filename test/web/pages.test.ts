import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { atCapacity, problem, toProblemDocument } from '../../src/core/errors.ts';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('all pages', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

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
      [`/union?include=${defined(items[0]).id}`, HOSTILE],
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
    // Where the units are used up, the plans are one click away; nothing is to be commented on that is not there.
    const used = JSON.stringify(toProblemDocument(problem('quota_exceeded', 'Used.'), 'req_used', dashboard.base));
    await visit.page.route(/v1\/boundaries\/r2/, (route) => route.fulfill({ status: 402, body: used }));
    await visit.page.goto(`${dashboard.base}/?id=r2`);
    await alertIn.getByRole('link', { name: 'Preise' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Preise' }).waitFor();
    const missing = await visit.page.goto(`${dashboard.base}/feedback/99999`);
    expect(missing?.status()).toBe(404);
    expect(await visit.page.getByRole('link').count()).toBeGreaterThan(0);
    expect(await visit.page.locator('main textarea, main .needs').count()).toBe(0);
    await visit.page.context().close();
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
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Choose' }).inputValue(), { timeout: 20_000 })
      .toMatch(/^[A-Z]{2}$/);
    expect(await commands.allTextContents()).not.toEqual(before);
    const chosen = await page.getByRole('combobox', { name: 'Choose' }).inputValue();
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
});
