/** The page of a set while its moves are saved, and what it saves. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;
const WAIT = { timeout: 30_000 };

describe.skipIf(!hasChromium)('saving a set', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  /** A call of the session, from outside the page. */
  const call = async (cookie: string, path: string, body?: object): Promise<Any> => {
    const headers = {
      Cookie: `boundary_session=${cookie}`,
      Origin: dashboard.base,
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(`${dashboard.base}/v1${path}`, { headers, ...sent });
    const found = (await answer.json()) as Any;
    if (!answer.ok) throw new Error(JSON.stringify(found));
    return found;
  };
  const create = (cookie: string, more: object = {}): Promise<Any> => {
    const groups = { West: ['iso:ES-H', 'iso:ES-SE'], East: ['iso:ES-CO', 'iso:ES-CA'] };
    return call(cookie, '/sets', { name: 'regions', title: 'Regions', groups, valid_from: '2020-01-01', ...more });
  };
  /** How many members each territory has, as stored. */
  const stored = async (cookie: string, on?: string): Promise<Record<string, number>> => {
    const { items } = await call(cookie, `/sets/regions/areas?members=true${on ? `&on=${on}` : ''}`);
    return Object.fromEntries(items.map((one: Any) => [one.name, one.members.length]));
  };
  const choice = (page: Page, member: string) => page.getByLabel(`Territory of ${member}`);
  const save = (page: Page) => page.getByRole('button', { name: /^Save \d/ });
  const flag = (page: Page) => page.locator('.flag').first();
  /** Holds the next save back until it is let go. */
  async function holdSave(page: Page): Promise<() => void> {
    let letGo = (): void => undefined;
    const gone = new Promise<void>((done) => {
      letGo = done;
    });
    const hold = async (route: Route): Promise<void> => {
      if (route.request().method() === 'POST') await gone;
      await route.continue();
    };
    await page.route(/\/v1\/sets$/, hold, { times: 1 });
    return letGo;
  }

  test('moves are refused while a save runs, and what the way back shows meanwhile is kept', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await choice(page, 'Sevilla').selectOption('East', WAIT);
    await choice(page, 'Huelva').selectOption('East', WAIT);
    await page.getByText('2 moves not saved').waitFor(WAIT);
    await page.getByLabel('Valid from').fill('2020-01-01');
    const letGo = await holdSave(page);
    await save(page).click();
    await page.getByRole('button', { name: 'Saving…' }).waitFor(WAIT);
    await choice(page, 'Cádiz').selectOption('West');
    await page.getByText('being saved').waitFor(WAIT);
    expect(await choice(page, 'Cádiz').inputValue()).toBe('East');
    await page.getByRole('button', { name: 'Undo' }).click({ force: true });
    await page.locator('body').press('Control+z');
    expect([await choice(page, 'Huelva').inputValue(), new URL(page.url()).hash]).toEqual([
      'East',
      expect.stringContaining('moves=East:'),
    ]);
    // Nothing of the page holds the browser's own way back.
    await page.goBack();
    await expect.poll(() => choice(page, 'Huelva').inputValue(), WAIT).toBe('West');
    letGo();
    await expect.poll(() => flag(page).textContent(), WAIT).toContain('Saved as the version');
    expect(await stored(cookie)).toEqual({ East: 4 });
    await expect.poll(() => choice(page, 'Huelva').inputValue(), WAIT).toBe('West');
    await page.getByText('1 move not saved').waitFor(WAIT);
    await page.getByLabel('Valid from').fill('2020-01-01');
    await save(page).click();
    await page.getByText('0 moves not saved').waitFor(WAIT);
    expect(await stored(cookie)).toEqual({ West: 1, East: 3 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('who has left the page stays where they are when the save ends', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await choice(page, 'Sevilla').selectOption('East', WAIT);
    await page.getByLabel('Valid from').fill('2020-01-01');
    const letGo = await holdSave(page);
    await save(page).click();
    await page.getByRole('button', { name: 'Saving…' }).waitFor(WAIT);
    await page.getByRole('link', { name: 'Territories' }).first().click();
    await page.getByRole('link', { name: /2 areas/ }).waitFor(WAIT);
    const answered = page.waitForResponse((one) => one.request().method() === 'POST', WAIT);
    letGo();
    expect((await answered).status()).toBe(201);
    await page.waitForTimeout(200);
    expect(new URL(page.url()).pathname).toBe('/sets');
    expect(await stored(cookie)).toEqual({ West: 1, East: 3 });
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
