import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('a service without boundaries', { timeout: 120_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  /** Opens a page of a service that has stored `boundaries`, none of them a country. */
  async function visitWithout(path: string, boundaries: number) {
    const visit = await dashboard.visit('/pricing');
    const { page } = visit;
    await page.route('**/v1/data-status*', async (route) => {
      const answer = await route.fetch();
      const status = (await answer.json()) as { countries?: { levels: unknown[] }[]; sources: unknown[] };
      const countries = status.countries?.map((one) => ({ ...one, levels: [] }));
      const sources = boundaries === 0 ? [] : status.sources.slice(0, 1);
      await route.fulfill({
        response: answer,
        json: { ...status, boundaries, sources, ...(countries && { countries }) },
      });
    });
    await page.route('**/v1/collections', (route) =>
      route.fulfill({
        ...{ status: 404, contentType: 'application/problem+json' },
        body: JSON.stringify({ code: 'not_found', title: 'not_found', status: 404, detail: 'The selection is empty.' }),
      }),
    );
    await page.goto(dashboard.base + path);
    return visit;
  }

  test('leads from each page to the steps that bring a country', async () => {
    for (const path of ['/', '/select']) {
      const { page, faults, violations } = await visitWithout(path, 0);
      const link = page.locator('.panel').getByRole('link', { name: 'Bring a country in three steps' });
      await link.waitFor({ timeout: 20_000 });
      expect(await page.locator('.panel .chip').count()).toBe(0);
      expect(await page.locator('.panel').textContent()).not.toContain('Try again');
      expect(await violations()).toEqual([]);
      await link.click();
      await page.getByRole('heading', { name: 'Data' }).waitFor({ timeout: 20_000 });
      await page.getByText('Nothing is imported yet.').waitFor({ timeout: 20_000 });
      expect(await page.getByLabel('Choose a country').isVisible()).toBe(true);
      expect(await page.locator('.small-map').count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Sources' }).count()).toBe(0);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  test('has no map of countries where there are only others', async () => {
    const { page, faults } = await visitWithout('/coverage', 5);
    await page.getByText('No country is stored with its border').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Sources' }).count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('says to operators, and to no one else, how a source is removed', async () => {
    const seen: boolean[] = [];
    for (const operator of [true, false]) {
      const { page, faults } = await dashboard.visit('/coverage', { cookie: await dashboard.signIn(operator) });
      await page.getByRole('heading', { name: 'Sources' }).waitFor({ timeout: 20_000 });
      await page.waitForLoadState('networkidle');
      seen.push((await page.locator('main').textContent())?.includes('boundary sources remove hostile') ?? false);
      expect(faults).toEqual([]);
      await page.context().close();
    }
    expect(seen).toEqual([true, false]);
  });
});
