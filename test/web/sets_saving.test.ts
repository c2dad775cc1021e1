/** The page of a set while its moves are saved, and what it saves. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';
import { createRegions, storedMembers, WAIT } from './regions.ts';

describe.skipIf(!hasChromium)('saving a set', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const call: Dashboard['call'] = (...of) => dashboard.call(...of);
  const create = (cookie: string, more: object = {}) => createRegions(dashboard, cookie, { title: 'Regions', ...more });
  const stored = (cookie: string, on?: string) => storedMembers(dashboard, cookie, on);
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

  test('an older version keeps its date and its rules; what would hide a later one is asked first', async () => {
    const cookie = await dashboard.signIn();
    const rules = { overlaps: 'first', kind: 'region', attribution: '© Surveyors' };
    await create(cookie, rules);
    const all = { West: ['iso:ES-H'], East: ['iso:ES-CO', 'iso:ES-CA'], North: ['iso:ES-SE'] };
    await create(cookie, { groups: all, valid_from: '2024-01-01' });
    const { page, faults, violations } = await dashboard.visit('/sets/regions?as_of=2021-01-01', { cookie });
    await choice(page, 'Sevilla').selectOption('East', WAIT);
    expect(await page.getByLabel('Valid from').inputValue()).toBe('2020-01-01');
    await page.getByLabel('Valid from').fill('2024-01-01');
    await page.getByText('This is not the latest version').waitFor(WAIT);
    await save(page).click();
    await page.getByRole('button', { name: /^Save from/ }).waitFor(WAIT);
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await stored(cookie, '2024-01-01')).toEqual({ West: 1, East: 2, North: 1 });
    await page.getByLabel('Valid from').fill('2020-01-01');
    await save(page).click();
    await expect.poll(() => flag(page).textContent(), WAIT).toContain('the set has 2 versions');
    expect([await stored(cookie, '2020-01-01'), await stored(cookie)]).toEqual([
      { West: 1, East: 3 },
      { West: 1, East: 2, North: 1 },
    ]);
    const { versions, report } = await call(cookie, '/sets/regions?on=2020-01-01');
    expect(versions[0].attribution).toBe('© Surveyors');
    expect(report.options).toMatchObject({ overlaps: 'first', kind: 'region' });
    await choice(page, 'Huelva').selectOption('East', WAIT);
    await page.getByLabel('Valid from').fill('2024-01-01');
    await save(page).click();
    await page.getByRole('button', { name: /^Save from/ }).click(WAIT);
    await expect.poll(() => stored(cookie), WAIT).toEqual({ East: 4 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what others saved is opened at its own date; a save whose answer was lost is one', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await choice(page, 'Sevilla').selectOption('East', WAIT);
    await create(cookie, {
      groups: { West: ['iso:ES-H'], East: ['iso:ES-SE', 'iso:ES-CO'] },
      valid_from: '2019-01-01',
    });
    await save(page).click();
    await page.getByRole('button', { name: 'Load what they saved' }).click(WAIT);
    await expect.poll(() => new URL(page.url()).search, WAIT).toContain('as_of=2019-01-01');
    await page.getByText('Nothing was overwritten').waitFor(WAIT);
    await page.getByRole('button', { name: 'Discard my moves' }).click();

    await choice(page, 'Huelva').selectOption('East', WAIT);
    const lose = async (route: Route): Promise<void> => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    };
    await page.route(/\/v1\/sets$/, lose, { times: 1 });
    await save(page).click();
    await page.getByText('The server does not answer').waitFor(WAIT);
    expect(await stored(cookie, '2019-01-01')).toEqual({ East: 3 });
    await save(page).click();
    await expect.poll(() => flag(page).textContent(), WAIT).toContain('Saved as the version');
    await page.getByText('0 moves not saved').waitFor(WAIT);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a row that was looked for stays when its member moves', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await page.getByLabel('Find members by').fill('west', WAIT);
    await expect.poll(() => page.getByLabel(/^Territory of/).count(), WAIT).toBe(2);
    await choice(page, 'Sevilla').focus();
    await page.keyboard.press('e');
    await page.getByText('1 move not saved').waitFor(WAIT);
    expect(await choice(page, 'Sevilla').evaluate('document.activeElement.ariaLabel')).toBe('Territory of Sevilla');
    expect(await choice(page, 'Sevilla').inputValue()).toBe('East');
    await page.getByLabel('Find members by').fill('wes');
    await expect.poll(() => page.getByLabel(/^Territory of/).count(), WAIT).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('members that cannot be read hide neither figures nor versions', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { db } = dashboard.testServer.services;
    await db.query(
      `update area_set_version v set report = jsonb_set(report, '{members,West}', '["r999999999"]')
       from area_set s where s.id = v.area_set and s.name = 'regions'
         and v.id = (select max(id) from area_set_version)`,
    );
    const { page, faults, violations } = await dashboard.visit('/sets/regions', { cookie });
    await page.getByText('Its members cannot be read').waitFor(WAIT);
    expect(await page.locator('.territories tbody tr').count()).toBe(2);
    expect(await page.getByRole('region', { name: 'Versions' }).getByRole('link').count()).toBe(1);
    expect(await page.locator('.panel').textContent()).toContain('r999999999');
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a file becomes a version of a set only when that was asked, under the name that was typed', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults, violations } = await dashboard.visit('/file', { cookie });
    const squares = [0, 1, 2].map((i) => ({
      type: 'Feature',
      properties: { id: `z${i}`, name: `Zone ${i}` },
      geometry: { type: 'Polygon', coordinates: [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]]] }, // biome-ignore format: a ring
    }));
    const content = JSON.stringify({ type: 'FeatureCollection', features: squares });
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'Zones.geojson', mimeType: 'application/json', buffer: Buffer.from(content) },
    });
    const form = page.getByRole('region', { name: 'Save as areas of your own' });
    const button = form.getByRole('button', { name: 'Save', exact: true });
    const name = form.getByLabel('Name, in ids');
    await name.fill('regions', WAIT);
    await form.getByLabel('Title').fill('Zones');
    await form.getByLabel('Valid from').fill('2019-01-01');
    await button.click();
    await form.getByText('There is a set regions').waitFor(WAIT);
    expect(await violations()).toEqual([]);
    expect([await name.inputValue(), (await call(cookie, '/sets/regions')).versions.length]).toEqual(['regions', 1]);
    // Another name is another set.
    await name.fill('zones');
    expect(await form.getByText('There is a set').count()).toBe(0);
    await button.click();
    await form.getByText('Saved:').waitFor(WAIT);
    expect((await call(cookie, '/sets/zones')).title).toBe('Zones');
    await name.fill('regions');
    await form.getByLabel('Title').fill('');
    await button.click();
    await form.getByRole('button', { name: 'Save as a version of it' }).click(WAIT);
    const link = form.getByRole('link', { name: '3 areas on the map' });
    await link.waitFor(WAIT);
    await expect.poll(() => link.getAttribute('href'), WAIT).toContain('/sets/regions?as_of=2019-01-01');
    expect((await call(cookie, '/sets/regions')).versions.map(({ areas }: { areas: number }) => areas)).toEqual([3, 2]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
