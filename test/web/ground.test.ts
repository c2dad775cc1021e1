import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { storeCoast, storeSquares } from '../land/made_coast.ts';
import { type Dashboard, openDashboard, type Visit } from './dashboard.ts';

const { SCREENSHOTS } = process.env;
async function picture(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}

describe.skipIf(!hasChromium)('the switch between land and boundaries as mapped', { timeout: 240_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    await storeSquares(dashboard.testServer);
    await storeCoast(dashboard.testServer);
  }, 240_000);
  afterAll(() => dashboard?.close());

  const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  /** The answers of calls whose path has a text, as they come. */
  function heard(page: Page, path: string): { asked: string; status: number }[] {
    const all: { asked: string; status: number }[] = [];
    page.on('response', (reply) => {
      const asked = `${reply.url()} ${reply.request().postData() ?? ''}`;
      if (asked.includes(path)) all.push({ asked, status: reply.status() });
    });
    return all;
  }
  async function sound({ faults, violations }: Visit): Promise<void> {
    expect([faults, await violations()]).toEqual([[], []]);
  }

  test('both areas are among the facts; the map shows the land, a download has it, and it stays chosen', async () => {
    const cookie = await dashboard.signIn();
    const visit = await dashboard.visit('/?id=r900', { cookie, deviceScaleFactor: 1 });
    const { page } = visit;
    const facts = page.locator('dl.facts');
    await facts.getByText('Land only').waitFor();
    const texts = (await facts.textContent()) ?? '';
    const { json } = await dashboard.testServer.get('/v1/boundaries/r900', (await dashboard.testServer.key()).key);
    const { area_km2, land_km2 } = json.properties as Record<'area_km2' | 'land_km2', number>;
    const [mapped = 0, land = 0] = [...texts.matchAll(/([\d,.]+) km²/g)].map(([, n = '']) =>
      Number(n.replaceAll(',', '')),
    );
    expect([Math.abs(mapped / area_km2 - 1) < 0.01, Math.abs(land / land_km2 - 1) < 0.01]).toEqual([true, true]);
    // A piece of the map in the sea of the boundary, and one beside it.
    const piece = async (x: number) =>
      (await page.screenshot({ clip: { x, y: 680, width: 20, height: 20 } })).toString('base64');
    const isDrawn = async () => (await piece(840)) !== (await piece(450));
    await expect.poll(isDrawn, { timeout: 20_000 }).toBe(true);
    await picture(page, 'as_mapped');
    const calls = heard(page, '/v1/boundaries/r900');
    await choose(page, 'land only');
    await expect
      .poll(() => calls.map(({ asked, status }) => [asked.includes('area=land'), status]))
      .toEqual([[true, 200]]);
    await expect.poll(isDrawn, { timeout: 20_000 }).toBe(false);
    await picture(page, 'land');
    await page.getByText('Download', { exact: true }).click();
    await page.locator('select').filter({ hasText: 'sea only' }).waitFor();
    expect(await page.locator('select').filter({ hasText: 'sea only' }).inputValue()).toBe('land');
    await page.reload();
    const pressed = page.getByRole('button', { name: 'land only', exact: true, pressed: true });
    await pressed.waitFor();
    await sound(visit);
    await page.context().close();
  });

  test('land that is not known is said, and nothing is drawn in its place', async () => {
    const cookie = await dashboard.signIn();
    const visit = await dashboard.visit('/?id=r990', { cookie, deviceScaleFactor: 1 });
    const { page } = visit;
    await choose(page, 'land only');
    await page.getByText('is not known').first().waitFor();
    await picture(page, 'unknown');
    await sound(visit);
    await page.context().close();
  });

  test('a merge is of the land, with its area, and of the boundaries as mapped again', async () => {
    const cookie = await dashboard.signIn();
    const visit = await dashboard.visit('/union?include=r900,r901', { cookie, deviceScaleFactor: 1 });
    const { page } = visit;
    const figure = page.getByRole('row', { name: /^full/ }).getByRole('cell').first();
    const km2 = async () => Number(((await figure.textContent()) ?? '').replaceAll(/[^\d.]/g, ''));
    await expect.poll(km2, { timeout: 20_000 }).toBeGreaterThan(20_000);
    const whole = await km2();
    await choose(page, 'land only');
    await expect.poll(async () => (await km2()) / whole, { timeout: 20_000 }).toBeCloseTo(0.75, 2);
    await picture(page, 'merge');
    await choose(page, 'as mapped');
    await expect.poll(km2, { timeout: 20_000 }).toBe(whole);
    await sound(visit);
    await page.context().close();
  });
});
