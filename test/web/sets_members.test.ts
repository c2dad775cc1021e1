import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { englishIn } from '../setup/english_in.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';
import { createRegions, storedMembers, WAIT } from './regions.ts';

describe.skipIf(!hasChromium)('members are added to territories', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const call: Dashboard['call'] = (...of) => dashboard.call(...of);
  const create = (cookie: string, groups: object = { West: ['iso:ES-H'], East: ['iso:ES-CO', 'iso:ES-CA'] }) =>
    createRegions(dashboard, cookie, { groups, replace: true });
  const membersOf = (cookie: string) => storedMembers(dashboard, cookie);
  const countIn = (page: Page, name: string) =>
    page.locator('.territories tbody tr').filter({ hasText: name }).locator('td').last();
  const expectCount = (page: Page, name: string, n: number) =>
    expect.poll(() => countIn(page, name).textContent(), WAIT).toBe(String(n));
  const search = (page: Page) => page.locator('.adding [role=combobox]');
  /** Opens the form, finds a place by its name and takes the first, by keyboard alone. */
  async function add(page: Page, name: string): Promise<void> {
    const summary = page.locator('.adding summary');
    await summary.waitFor(WAIT);
    if ((await page.locator('.adding').getAttribute('open')) === null) {
      await summary.focus();
      await page.keyboard.press('Enter');
    }
    await search(page).focus();
    await page.keyboard.type(name);
    await page.locator('.adding [role=option]').first().waitFor(WAIT);
    await expect.poll(() => search(page).getAttribute('aria-busy'), WAIT).toBe('false');
    await page.keyboard.press('Enter');
  }
  const status = (page: Page) => page.locator('.panel .row [role=status]').first();
  const idOf = async (iso: string): Promise<string> =>
    (await (await fetch(`${dashboard.base}/v1/boundaries/iso:${iso}`)).json()).id;

  test('by keyboard: found by a search, undone, made again, taken back, moved and saved', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults, violations } = await dashboard.visit('/sets/regions', { cookie });
    await expectCount(page, 'East', 2);
    await page.getByLabel('A click on the map moves a member to').selectOption('West');
    await add(page, 'Sevilla, Spain');
    await status(page).getByText('Sevilla is new in West. 1 new member not saved.').waitFor(WAIT);
    await expectCount(page, 'West', 2);
    expect(await violations()).toEqual([]);
    expect(new URL(page.url()).hash).toMatch(/&adds=West:r\d+$/);
    // The colors of the map are those of the territories.
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectCount(page, 'West', 1);
    await page.getByRole('button', { name: 'Redo' }).click();
    await expectCount(page, 'West', 2);
    // The address has it.
    await page.reload();
    await expectCount(page, 'West', 2);
    await add(page, 'Málaga, Spain');
    await expectCount(page, 'East', 3);
    await page.getByLabel('Territory of Málaga').selectOption('West');
    await expectCount(page, 'West', 3);
    await page.getByRole('list', { name: 'New members' }).getByRole('button', { name: 'Do not add Málaga' }).click();
    await status(page).getByText('Málaga is not added.').waitFor(WAIT);
    await expectCount(page, 'West', 2);
    await page.getByLabel('Territory of Huelva').selectOption('East');
    await page.getByLabel('Valid from').fill('2024-01-01');
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('Saved as the version').waitFor(WAIT);
    expect(new URL(page.url()).hash).toBe('');
    expect(await membersOf(cookie)).toEqual({ West: 1, East: 3 });
    await page.getByLabel('Territory of Sevilla').waitFor(WAIT);
    expect(await page.getByRole('list', { name: 'New members' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what overlaps a member is refused, also where a link has it, and the exact borders decide', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await add(page, 'Andalucía');
    await status(page)
      .getByText(/^Andal\S+ overlaps (?:Huelva|Córdoba|Cádiz), which is in \w+\. It was not added\./)
      .waitFor(WAIT);
    await add(page, 'Huelva, Spain');
    await status(page).getByText('Huelva is in West already.').waitFor(WAIT);
    expect(new URL(page.url()).hash).toBe('');
    const [{ recorded_at: newest }] = (await call(cookie, '/sets/regions')).versions;
    const [inside, free] = [await idOf('ES-AN'), await idOf('ES-SE')];
    await page.goto(`${dashboard.base}/sets/regions#base=${newest}&adds=East:${inside},${free},r999999999`);
    await page.reload();
    await page.getByRole('alert').first().waitFor(WAIT);
    await page.goto(`${dashboard.base}/sets/regions#base=${newest}&adds=East:${inside},${free}`);
    await page.reload();
    await page.getByRole('alert').getByText('and cannot be added').waitFor(WAIT);
    expect(await page.getByRole('button', { name: /^Save \d/ }).count()).toBe(0);
    await page.getByRole('button', { name: /Do not add Andal/ }).click();
    await page.getByRole('button', { name: 'Save 1 change' }).click(WAIT);
    await page.getByText('Saved as the version').waitFor(WAIT);
    expect(await membersOf(cookie)).toEqual({ West: 1, East: 3 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('by a click or a key on the map, %i px, %s', async (width, colorScheme) => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    // The middle of the map lies in the province of Sevilla.
    const options = { cookie, viewport: { width, height: 844 }, colorScheme };
    const { page, faults, violations } = await dashboard.visit('/sets/regions?map=8/37.4/-5.7', options);
    await expectCount(page, 'East', 2);
    await page.locator('.adding summary').click();
    const clicks = page.getByRole('button', { name: 'Add by clicks on the map' });
    await page.locator('.loading').waitFor({ state: 'detached', ...WAIT });
    expect(await page.getByLabel('A click adds a boundary of level').inputValue()).toBe('6');
    const enter = async (): Promise<string | null> => {
      const before = await countIn(page, 'East').textContent();
      if (before === '2') await page.locator('canvas').press('Enter');
      return before;
    };
    await page.locator('canvas').press('Enter');
    await status(page).getByText('No member of a territory is drawn there.').waitFor(WAIT);
    await clicks.click();
    expect(await clicks.getAttribute('aria-pressed')).toBe('true');
    // The first tile that is drawn may be another.
    await expect.poll(enter, { ...WAIT, interval: 1_500 }).toBe('3');
    await status(page).getByText('1 new member not saved').waitFor(WAIT);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/members-${width}-${colorScheme}.png` });
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await violations()).toEqual([]);
    // A second time it is a member.
    await page.locator('canvas').press('Enter');
    await status(page).getByText('Sevilla is in East already.').waitFor(WAIT);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each(['es', 'de', 'fr'])('in %s: no English, and the search says where it adds', async (locale) => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const visit = await dashboard.visit('/sets/regions', { cookie, locale, viewport: { width: 390, height: 844 } });
    const { page, faults } = visit;
    await expectCount(page, 'East', 2);
    await add(page, 'Jaén');
    await expectCount(page, 'East', 3);
    expect(englishIn(await page.locator('.adding').innerHTML())).toEqual([]);
    expect(englishIn((await page.locator('.panel [role=status]').allTextContents()).join('\n'))).toEqual([]);
    expect(await search(page).getAttribute('placeholder')).toContain('East');
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('after someone else has saved, new members are added to what they saved', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie });
    await add(page, 'Sevilla, Spain');
    await expectCount(page, 'East', 3);
    await create(cookie, { West: ['iso:ES-H', 'iso:ES-CO'], East: ['iso:ES-CA'] });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Someone else has saved this set').waitFor(WAIT);
    await page.getByRole('button', { name: 'Load what they saved' }).click();
    await page.getByText('Your 1 move can be made again').waitFor(WAIT);
    expect(await page.locator('.adding').count()).toBe(0);
    await page.getByRole('button', { name: 'Make my moves in their version' }).click();
    await page.getByRole('button', { name: 'Save 1 change' }).click(WAIT);
    await page.getByText('Saved as the version').waitFor(WAIT);
    expect(await membersOf(cookie)).toEqual({ West: 2, East: 2 });
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
