import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';
import { WAIT } from './regions.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

describe.skipIf(!hasChromium)('areas drawn on the map', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const call: Dashboard['call'] = (...of) => dashboard.call(...of);
  const areasOf = async (cookie: string, name: string): Promise<Any[]> =>
    (await call(cookie, `/sets/${name}/areas`)).items;

  /** Draws by clicks at places in pixels from the middle of the map, and finishes. */
  async function drawn(page: Page, button: string, places: readonly (readonly [number, number])[]): Promise<void> {
    await page.locator('.loading').waitFor({ state: 'detached', ...WAIT });
    await page.getByRole('button', { name: button }).click(WAIT);
    const box = await page.locator('canvas').boundingBox();
    if (!box) throw new Error('no map');
    for (const [k, [x, y]] of places.entries()) {
      await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
      await page
        .getByText(`${k + 1} point`, { exact: false })
        .first()
        .waitFor(WAIT);
      // Two clicks within half a second would be a double click.
      await page.waitForTimeout(600);
    }
    await page.getByRole('button', { name: 'Finish' }).click(WAIT);
  }
  const status = (page: Page) => page.getByRole('region', { name: 'Draw and split' }).textContent();

  test('an area is split by a line, undone, done again, another is drawn, and both are saved', async () => {
    const cookie = await dashboard.signIn();
    const ring = [[-6, 37], [-5, 37], [-5, 38], [-6, 38], [-6, 37]]; // biome-ignore format: a ring
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const features = [{ type: 'Feature', properties: { id: 'one', name: HOSTILE, note: 'kept' }, geometry }];
    await call(cookie, '/sets', { name: 'drawn', title: 'Drawn', features, valid_from: '2020-01-01' });
    const [whole] = await areasOf(cookie, 'drawn');
    const { page, faults, violations } = await dashboard.visit('/sets/drawn?map=7/37.5/-5.5', { cookie });
    // A line that ends inside of it is refused, and says why.
    await drawn(page, 'Split by a line', [
      [-150, 0],
      [0, 0],
    ]);
    await page.getByText('must cross the outline').waitFor(WAIT);
    await drawn(page, 'Split by a line', [
      [-150, 10],
      [0, -20],
      [150, 10],
    ]);
    await expect.poll(() => status(page), WAIT).toContain('2 areas. 1 change not saved');
    await page.getByRole('button', { name: 'Undo drawing' }).click();
    await expect.poll(() => status(page), WAIT).toContain('1 area. 0 changes not saved');
    await page.getByRole('button', { name: 'Redo drawing' }).click();
    await page.getByLabel('Name of a new area').fill('Depot');
    await drawn(page, 'Draw an area', [
      [120, 40],
      [200, 40],
      [160, 100],
    ]);
    await expect.poll(() => status(page), WAIT).toContain('3 areas. 2 changes not saved');
    expect(await violations()).toEqual([]);
    await page.getByLabel('Valid from').fill('2024-01-01');
    await page.getByRole('button', { name: 'Save the drawn areas' }).click();
    await page.getByText('Saved as the version').waitFor(WAIT);

    const areas = await areasOf(cookie, 'drawn');
    const [first, second] = areas.filter(({ name }) => name !== 'Depot');
    expect(areas.map(({ name }) => name).sort()).toEqual(['Depot', HOSTILE, `${HOSTILE} 2`].sort());
    expect([first.properties.note, second.properties.note]).toEqual(['kept', 'kept']);
    expect(areas.map(({ id }) => id)).toContain('set:drawn/one');
    expect(Math.abs(first.area_km2 + second.area_km2 - whole.area_km2)).toBeLessThan(1e-3 * whole.area_km2);
    expect(Math.min(first.area_km2, second.area_km2)).toBeGreaterThan(0.2 * whole.area_km2);
    // The parts fit: they are neighbors along the line, and nothing is between them.
    const { items } = await call(cookie, `/boundaries/${encodeURIComponent(first.id)}/neighbors`);
    expect(items.find(({ id }: Any) => id === second.id)?.shared_km).toBeGreaterThan(50);
    expect((await call(cookie, '/sets/drawn')).report).toMatchObject({ overlaps: { total: 0 }, gaps: { total: 0 } });
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a new set is drawn from its first area', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/sets?map=7/37.5/-5.5', { cookie });
    await page.getByLabel('Title of a new set').fill('Zonas de reparto: Ñ', WAIT);
    await drawn(page, 'Draw its first area', [
      [-60, -60],
      [60, -60],
      [0, 60],
    ]);
    await page.waitForURL(/\/sets\/zonas-de-reparto-n$/, WAIT);
    await page.getByRole('heading', { name: 'Zonas de reparto: Ñ' }).waitFor(WAIT);
    expect((await areasOf(cookie, 'zonas-de-reparto-n')).map(({ name }) => name)).toEqual(['Area']);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
