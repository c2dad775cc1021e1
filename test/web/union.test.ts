import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('merging', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

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
    const form = page.getByRole('form', { name: 'Save as territories' });
    await form.getByLabel('Title of a new set').fill('Málaga y más');
    expect(await violations()).toEqual([]);
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Málaga y más' }).waitFor({ timeout: 30_000 });
    expect(new URL(page.url()).pathname).toBe('/sets/malaga-y-mas');
    // No member has a population, which is not the same as none.
    const balance = page.getByRole('region', { name: 'Balance between territories' });
    expect(await balance.getByRole('row', { name: 'west' }).textContent()).toMatch(/west.*km²2$/);
    await page.locator('.panel').getByText('Download', { exact: true }).click();
    const button = page.getByRole('button', { name: 'Download', exact: true });
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^Málaga y más \(\w+\)\.geojson$/);
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as GeoJSON.FeatureCollection;
    expect(file.features.map(({ properties }) => properties?.name).sort()).toEqual(['east', 'west']);
    await page.goBack();
    await page.getByLabel('Title of a new set').fill('malaga y mas');
    await page.getByRole('button', { name: 'Save as territories' }).click();
    await page.getByText('There is a set malaga-y-mas already.').waitFor({ timeout: 20_000 });
    expect(faults).toEqual([]);
    const stranger = await dashboard.visit(`/union${new URL(page.url()).search}`);
    await expect
      .poll(() => stranger.page.locator('.panel').textContent(), { timeout: 20_000 })
      .toMatch(/Merged 1.*Sevilla.*Sign in to merge/);
    await page.context().close();
    await stranger.page.context().close();
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
});
