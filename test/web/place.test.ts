import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { hasChromium } from '../auth/chromium.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('a place', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

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
    await page.getByRole('link', { name: 'Select with others' }).click();
    expect(page.url()).toMatch(/\/select#select=r\d+$/);
    await page.goBack();
    await expect.poll(() => heading.textContent(), { timeout: 20_000 }).toBe('Sevilla');
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
});
