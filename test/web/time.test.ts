import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { rowOf, storeMade } from '../history/made_editions.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

const [FIRST, SECOND] = ['2010-01-01', '2020-07-01'];
const VIEW = 'map=8/10.15/20.2';

describe.skipIf(!hasChromium)('the map through time', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  test('says how the past is stored where there is none; then its dates are listed', async () => {
    const { page, faults } = await dashboard.visit('/map');
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 20_000 })
      .toContain('No borders of the past are stored');
    expect(faults).toEqual([]);
    await page.context().close();
    const { testServer } = dashboard;
    const columns = (from: number, to: number) => [...rowOf(0, from, to), ...rowOf(1, from, to)];
    await storeMade(testServer, FIRST, [
      { id: 'a', name: 'Alpha', cells: columns(0, 1) },
      { id: 'b', name: 'Beta', cells: columns(1, 2) },
      { id: 'c', name: HOSTILE, cells: columns(2, 3) },
      { id: 'd', name: 'Delta', cells: columns(3, 5) },
    ]);
    await storeMade(testServer, SECOND, [
      { id: 'a', name: 'Alpha', cells: columns(0, 2) },
      { id: 'c', name: 'Gamma', cells: columns(2, 4) },
      { id: 'd', name: 'Delta', cells: columns(4, 5) },
    ]);
    const plain = await (await fetch(`${dashboard.base}/v1/data-status`)).json();
    expect(plain).not.toHaveProperty('editions');
    const { editions } = (await (await fetch(`${dashboard.base}/v1/data-status?editions=true`)).json()) as {
      editions: object[];
    };
    const layer = { source: 'made', name: 'made', type: 'administrative', admin_level: 8 };
    expect(editions).toEqual([
      { ...layer, valid_from: FIRST, boundaries: 4 },
      { ...layer, valid_from: SECOND, boundaries: 3 },
    ]);
  });

  test('two dates with a divider, by keyboard, and what changed between them', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/pricing', { cookie });
    const tiles = new Set<string>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (/^\/tiles\/boundaries\/\d/.test(pathname)) tiles.add(searchParams.get('as_of') ?? 'today');
    });
    await page.goto(`${dashboard.base}/map?as_of=${FIRST}&with=${SECOND}&${VIEW}`);
    const divider = page.getByLabel('Divider between the two dates');
    await divider.waitFor({ timeout: 60_000 });
    await expect.poll(() => tiles.has(FIRST) && tiles.has(SECOND), { timeout: 60_000 }).toBe(true);
    await divider.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    expect(await divider.getAttribute('aria-valuetext')).toContain('47 percent');
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.second')).clipPath`)).toContain('47%');

    // The list is there before its shapes are: a type that is chosen meanwhile is shown.
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/v1/collections', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'List what changed' }).click();
    const changes = page.getByRole('region', { name: 'What changed' });
    await expect.poll(() => changes.textContent(), { timeout: 60_000 }).toContain('merged 1');
    const said = (await changes.textContent()) ?? '';
    expect(said).toMatch(/Beta ended into Alpha/);
    expect(said).toMatch(/Alpha merged from (Alpha, )?Beta/);
    expect(said).toContain(`${HOSTILE} → Gamma`);
    expect(said).toMatch(/Gamma border moved \+2\d\d.* km², −0 km²/);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violations()).toEqual([]);
    await changes.getByRole('button', { name: 'merged 1' }).click();
    release();
    await expect.poll(() => changes.locator('.members li').count(), { timeout: 60_000 }).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      changes.getByRole('link', { name: 'All as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`changes ${FIRST} ${SECOND}.csv`);

    // The slider stops at the dates on which something changes, and at today.
    const slider = page.getByLabel('Date of the map, by the dates on which borders change');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).toContain(`as_of=${SECOND}`);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).not.toContain('as_of=');
    await expect.poll(() => tiles.has('today'), { timeout: 60_000 }).toBe(true);
    await page.goBack();
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('2020');
    await page
      .getByRole('group', { name: /borders that changed on/ })
      .getByRole('button', { pressed: true })
      .click();
    await expect.poll(() => divider.count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('%i px, %s: nothing serious, nothing cut off; a wrong date is today', async (width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit(`/map?as_of=2010-13-45&with=${SECOND}&${VIEW}`, {
      viewport: { width, height: 844 },
      colorScheme,
    });
    await page.getByLabel('Divider between the two dates').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('.panel').textContent(), { timeout: 20_000 }).toContain('Today');
    await page.getByLabel('As of', { exact: true }).fill(FIRST);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('.panel').textContent(), { timeout: 20_000 }).toContain('Sign in');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
