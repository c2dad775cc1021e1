import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { hasChromium } from '../auth/chromium.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

const { SCREENSHOTS } = process.env;
/** Towns of one degree in a made country, in rows. */
const SIDE = 8;
const [WEST, SOUTH] = [-40, -30];
const ZOOM = 5;
const MIDDLE = { lon: WEST + SIDE / 2, lat: SOUTH + SIDE / 2 };

/** The Mercator height of a latitude, in degrees. */
const mercator = (lat: number): number => (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;

/** Pixels of a place from the middle of the map. */
function pixels({ lon, lat }: { lon: number; lat: number }): { x: number; y: number } {
  const degree = (512 * 2 ** ZOOM) / 360;
  return { x: (lon - MIDDLE.lon) * degree, y: (mercator(MIDDLE.lat) - mercator(lat)) * degree };
}

async function clickAt(page: Page, place: { lon: number; lat: number }, times = 1): Promise<void> {
  const box = (await page.locator('canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const { x, y } = pixels(place);
  const [left, top] = [box.x + box.width / 2 + x, box.y + box.height / 2 + y];
  if (times === 2) await page.mouse.dblclick(left, top);
  else await page.mouse.click(left, top);
}

/** Whether an element has the focus. */
const isFocused = (of: Locator): Promise<boolean> =>
  of
    .and(of.page().locator(':focus'))
    .count()
    .then((count) => count === 1);

describe.skipIf(!hasChromium)('tools on the map', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const cell = (x: number, y: number, x1 = x + 1, y1 = y + 1) =>
      ringsOf(rectangle(WEST + x, SOUTH + y, WEST + x1, SOUTH + y1));
    const boundaries = [
      fixtureBoundary('r8100000', 'Squareland', cell(0, 0, SIDE, SIDE), { adminLevel: 2, countryCode: 'XQ' }),
      ...Array.from({ length: SIDE * SIDE }, (_, i) =>
        fixtureBoundary(`r${8100001 + i}`, `Square ${i}`, cell(i % SIDE, Math.floor(i / SIDE)), {
          adminLevel: 6,
          country: 'XQ',
        }),
      ),
    ];
    const { testServer } = dashboard;
    await storeBoundaries(
      { db: testServer.services.db, engine: testServer.engine },
      { source: FIXTURE_SOURCE, file: 'squares', boundaries },
    );
  });
  afterAll(() => dashboard?.close());

  const view = `map=${ZOOM}/${MIDDLE.lat}/${MIDDLE.lon}`;
  const idsIn = (page: Page): string[] =>
    (/#select=(.*)$/.exec(page.url())?.[1] ?? '').split(',').filter(Boolean).sort();

  test('a polygon selects what is entirely in it, by clicks', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit(`/select?${view}`, { cookie });
    await page.locator('canvas').waitFor();
    await page.getByLabel('On the map, a click selects level').selectOption('6');
    const start = page.getByRole('button', { name: 'Add all in a polygon' });
    await start.click();
    // A triangle: what is in it is decided by one slanted edge, straight on the map.
    const [a, b, c] = [
      { lon: WEST - 0.4, lat: SOUTH - 0.4 },
      { lon: WEST + SIDE + 0.4, lat: SOUTH - 0.4 },
      { lon: WEST - 0.4, lat: SOUTH + SIDE + 0.4 },
    ];
    for (const place of [a, b]) await clickAt(page, place);
    const drawing = page.locator('.drawing');
    await expect.poll(() => drawing.textContent(), { timeout: 20_000 }).toMatch(/2 points.*It needs 3 points/s);
    expect(await violations()).toEqual([]);
    await clickAt(page, c, 2);
    const isIn = (lon: number, lat: number): boolean => {
      const [p, q] = [mercator(c.lat) - mercator(a.lat), mercator(lat) - mercator(a.lat)];
      return (lon - a.lon) / (b.lon - a.lon) + q / p < 1;
    };
    const expected = Array.from({ length: SIDE * SIDE }, (_, i) => ({ i, x: i % SIDE, y: Math.floor(i / SIDE) }))
      .filter(({ x, y }) => isIn(WEST + x + 1, SOUTH + y + 1))
      .map(({ i }) => `r${8100001 + i}`)
      .sort();
    expect(expected.length).toBeGreaterThan(10);
    await expect.poll(() => idsIn(page), { timeout: 20_000 }).toEqual(expected);
    expect(await start.getAttribute('aria-pressed')).toBe('false');
    expect(await drawing.count()).toBe(0);
    // Undo takes all of it back.
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => idsIn(page), { timeout: 20_000 }).toEqual([]);
    // A click selects again once it is drawn.
    await clickAt(page, { lon: WEST + 0.5, lat: SOUTH + 0.5 });
    await expect.poll(() => idsIn(page), { timeout: 20_000 }).toEqual(['r8100001']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('a polygon by keyboard, %i px, %s: Space, Backspace, Enter and Escape', async (width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit(`/select?${view}`, {
      viewport: { width, height: 844 },
      colorScheme,
    });
    await page.locator('canvas').waitFor();
    await page.getByLabel('On the map, a click selects level').selectOption('6');
    const start = page.getByRole('button', { name: 'Add all in a polygon' });
    await expect.poll(() => start.isEnabled(), { timeout: 20_000 }).toBe(true);
    const said = page.locator('.drawing [role=status]');
    await start.focus();
    await page.keyboard.press('Enter');
    await said.waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('CANVAS');
    await expect.poll(() => page.locator('.aim').isVisible()).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => said.textContent()).toContain('1 point.');
    await page.keyboard.press('Backspace');
    await expect.poll(() => said.textContent()).toContain('Click the map for each point.');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.drawing').count()).toBe(0);
    await expect.poll(() => isFocused(start)).toBe(true);
    await page.keyboard.press('Enter');
    await said.waitFor();
    // A square around the middle: each arrow moves the map by 100 pixels, and what it has moved is in the address.
    const corner = async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        const before = page.url();
        await page.keyboard.press(key);
        await expect.poll(() => page.url(), { timeout: 20_000 }).not.toBe(before);
      }
      const before = await said.textContent();
      await page.keyboard.press('Space');
      await expect.poll(() => said.textContent(), { timeout: 20_000 }).not.toBe(before);
    };
    await corner('ArrowLeft', 'ArrowUp');
    await corner('ArrowRight', 'ArrowRight');
    await corner('ArrowDown', 'ArrowDown');
    await corner('ArrowLeft', 'ArrowLeft');
    expect(await said.textContent()).toContain('4 points.');
    expect(await violations()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.keyboard.press('Enter');
    // 100 pixels are 2.2 degrees of longitude: two squares on each side of the middle, of latitude 1.97: one.
    await expect.poll(() => idsIn(page).length, { timeout: 20_000 }).toBeGreaterThan(0);
    const columns = idsIn(page).map((id) => (Number(id.slice(1)) - 8100001) % SIDE);
    expect([...new Set(columns)].sort()).toEqual([2, 3, 4, 5]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('an outline that crosses itself is not finished, and says so', async () => {
    const { page, faults } = await dashboard.visit(`/union?${view}`);
    await page.locator('canvas').waitFor();
    await page.getByRole('button', { name: 'Add all in a polygon' }).click();
    const [x, y] = [WEST + 1, SOUTH + 1];
    for (const [dx, dy] of [
      [0, 0],
      [4, 4],
      [4, 0],
      [0, 4],
    ] as const)
      await clickAt(page, { lon: x + dx, lat: y + dy });
    const drawing = page.locator('.drawing');
    await expect.poll(() => drawing.textContent(), { timeout: 20_000 }).toContain('Its outline crosses itself.');
    await drawing.getByRole('button', { name: 'Finish' }).click({ force: true });
    expect(await drawing.count()).toBe(1);
    await drawing.getByRole('button', { name: 'Remove last point' }).click();
    await page.getByLabel('Admin level').selectOption('8');
    await drawing.getByRole('button', { name: 'Finish' }).click();
    await expect
      .poll(() => page.getByRole('alert').textContent(), { timeout: 20_000 })
      .toContain('No boundary of level 8 is completely inside it.');
    // Each change of the two sides can be undone and made again, by buttons and by keys.
    const sides = (): string =>
      `${new URL(page.url()).searchParams.get('include')} ${new URL(page.url()).searchParams.get('exclude')}`;
    await page.goto(`${dashboard.base}/union?include=r8100001,r8100002&${view}`);
    await page.getByRole('button', { name: 'Cut out Square 1' }).click();
    await page.getByRole('button', { name: 'Remove Square 0' }).click();
    await expect.poll(sides, { timeout: 20_000 }).toBe('null r8100002');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(sides, { timeout: 20_000 }).toBe('r8100001 r8100002');
    await page.keyboard.press('Control+z');
    await expect.poll(sides, { timeout: 20_000 }).toBe('r8100001,r8100002 null');
    await page.keyboard.press('Control+y');
    await expect.poll(sides, { timeout: 20_000 }).toBe('r8100001 r8100002');
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect.poll(sides, { timeout: 20_000 }).toBe('null r8100002');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('measures a distance and an area, %i px, %s', async (width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit(`/?${view}`, {
      viewport: { width, height: 844 },
      colorScheme,
    });
    await page.locator('canvas').waitFor();
    const open = page.getByRole('button', { name: 'Measure' });
    await open.click();
    const tool = page.getByRole('region', { name: 'Measure' });
    await tool.waitFor();
    const said = tool.getByRole('status');
    const [west, east, south, north] = [MIDDLE.lon - 1.2, MIDDLE.lon + 1.2, MIDDLE.lat - 1, MIDDLE.lat + 1];
    await clickAt(page, { lon: west, lat: south });
    await clickAt(page, { lon: east, lat: south }, 2);
    await expect.poll(() => said.textContent(), { timeout: 20_000 }).toMatch(/^Distance: [\d.,]+ km$/);
    const number = async (name: string): Promise<number> =>
      Number(
        (new RegExp(`${name}: ([\\d.,]+)`, 'i').exec((await said.textContent()) ?? '') ?? [])[1]?.replaceAll(',', ''),
      );
    // On a sphere, which differs from the ellipsoid by less than half a percent, and clicks by a pixel of 2.4 km.
    const degree = 111.195;
    const across = degree * 2.4 * Math.cos((south * Math.PI) / 180);
    expect(Math.abs((await number('distance')) / across - 1)).toBeLessThan(0.02);
    // A click is of the tool, not of the page.
    expect(page.url()).not.toContain('at=');
    expect(await violations()).toEqual([]);
    await tool.getByRole('button', { name: 'Area', exact: true }).click();
    for (const [lon, lat] of [
      [west, south],
      [east, south],
      [east, north],
    ] as const)
      await clickAt(page, { lon, lat });
    await clickAt(page, { lon: west, lat: north });
    await expect.poll(() => said.textContent(), { timeout: 20_000 }).toMatch(/4 points.*Area: .*km², perimeter: .*km/s);
    const km2 =
      (degree * degree * 2.4 * 360 * (Math.sin((north * Math.PI) / 180) - Math.sin((south * Math.PI) / 180))) /
      (2 * Math.PI);
    expect(Math.abs((await number('area')) / km2 - 1)).toBeLessThan(0.03);
    await page.locator('canvas').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => said.textContent(), { timeout: 20_000 }).toMatch(/^Area: /);
    await expect.poll(() => isFocused(tool.getByRole('button', { name: 'Measure again' }))).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/measure-${width}.png` });
    await tool.getByRole('button', { name: 'Close' }).click();
    expect(await tool.count()).toBe(0);
    await expect.poll(() => isFocused(open)).toBe(true);
    // After it, a click on the map shows what is there again.
    await clickAt(page, MIDDLE);
    await expect.poll(() => page.url(), { timeout: 20_000 }).toContain('at=');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)(
    '%s: the view as a light picture and print, with its legend and sources',
    async (colorScheme) => {
      const { page, faults } = await dashboard.visit(`/?id=r8100010&${view}`, { colorScheme });
      await page.locator('canvas').waitFor();
      await page.getByRole('heading', { name: 'Square 9' }).waitFor({ timeout: 20_000 });
      await page.locator('.attribution').waitFor({ timeout: 20_000 });
      await page.waitForTimeout(1_500);
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 30_000 }),
        page.getByRole('button', { name: 'Picture of the map as PNG' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('Square 9.png');
      const bytes = await readFile(await download.path());
      const read = (script: string) =>
        page.evaluate<number[]>(`(async () => {
        const image = new Image();
        image.src = 'data:image/png;base64,${bytes.toString('base64')}';
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        const map = document.querySelector('.maplibregl-canvas');
        const counted = (top, bottom, [r, g, b]) => {
          const { data } = pen.getImageData(0, top, image.width, bottom - top);
          let n = 0;
          for (let i = 0; i < data.length; i += 4)
            if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 12) n++;
          return n;
        };
        return ${script};
      })()`);
      const [width, height, mapWidth, mapHeight] = (await read(
        '[image.width, image.height, map.width, map.height]',
      )) as [number, number, number, number];
      expect(width).toBe(mapWidth);
      expect(height).toBeGreaterThan(mapHeight);
      const chosen = '[0x9c, 0x1b, 0x57]';
      const ink = '[0x1d, 0x27, 0x33]';
      const paper = '[255, 255, 255]';
      const [border = 0, swatch = 0, words = 0, ground = 0] = await read(
        `[counted(0, map.height, ${chosen}), counted(map.height, image.height, ${chosen}), counted(map.height, image.height, ${ink}), counted(map.height, image.height, ${paper})]`,
      );
      expect(border).toBeGreaterThan(20);
      expect(swatch).toBeGreaterThan(20);
      expect(words).toBeGreaterThan(10);
      expect(ground).toBeGreaterThan(words);
      if (SCREENSHOTS) await download.saveAs(`${SCREENSHOTS}/picture.png`);
      // The same on paper, without the panel.
      await page.evaluate(`{
      window.prints = 0;
      window.print = () => {
        window.prints++;
        dispatchEvent(new Event('beforeprint'));
      };
    }`);
      await page.getByRole('button', { name: 'Print' }).click();
      await expect.poll(() => page.evaluate('window.prints'), { timeout: 20_000 }).toBe(1);
      await page.emulateMedia({ media: 'print' });
      const printed = page.locator('.printed');
      expect(await printed.isVisible()).toBe(true);
      expect(await printed.textContent()).toMatch(/^Square 9.*Square 9.*Data: /s);
      expect(await page.locator('.panel').isVisible()).toBe(false);
      const colors = await page.evaluate<{ different: number; dark: number }>(`(() => {
      const canvas = document.querySelector('.printed canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const counts = { dark: 0, all: 0 };
      for (let i = 0; i < data.length; i += 4) {
        counts.all++;
        if (data[i] + data[i + 1] + data[i + 2] < 3 * 0x60) counts.dark++;
      }
      return { different: new Set(new Uint32Array(data.buffer)).size, dark: counts.dark / counts.all };
    })()`);
      expect(colors.different).toBeGreaterThan(10);
      expect(colors.dark).toBeLessThan(0.1);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      await page.emulateMedia({ media: 'screen' });
      // Ctrl+P waits for the light map too.
      await page.keyboard.press('Control+p');
      await expect.poll(() => page.evaluate('window.prints'), { timeout: 20_000 }).toBe(2);
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/print.png` });
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('a dark map has the shape of a boundary in its light picture', async () => {
    const insides: number[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults } = await dashboard.visit('/?id=iso:ES-AN', { colorScheme });
      await page.getByRole('heading', { name: 'Andalusia' }).waitFor({ timeout: 20_000 });
      // The tiles draw the boundary once it is found in them.
      await page.locator('.map:not(:has(.loading)) canvas').waitFor();
      await page.waitForLoadState('networkidle');
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 30_000 }),
        page.getByRole('button', { name: 'Picture of the map as PNG' }).click(),
      ]);
      const bytes = (await readFile(await download.path())).toString('base64');
      // Pixels of the color of the boundary, at its opacity of 0.12 on land.
      const inside = await page.evaluate<number>(`(async () => {
        const image = new Image();
        image.src = 'data:image/png;base64,${bytes}';
        await image.decode();
        const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, image.width, image.height);
        let n = 0;
        for (let i = 0; i < data.length; i += 4)
          if (Math.abs(data[i] - 239) + Math.abs(data[i + 1] - 222) + Math.abs(data[i + 2] - 226) < 12) n++;
        return n;
      })()`);
      insides.push(inside);
      expect(faults).toEqual([]);
      await page.context().close();
    }
    const [light = 0, dark = 0] = insides;
    expect(light).toBeGreaterThan(5_000);
    expect(Math.abs(dark / light - 1)).toBeLessThan(0.05);
  });

  test('search answers show level, parents and an outline, which the list never waits for', async () => {
    const { page, faults, violations } = await dashboard.visit('/pricing');
    let held: (() => void) | null = null;
    let asked = 0;
    await page.route('**/v1/collections', async (route) => {
      asked++;
      await new Promise<void>((go) => {
        held = go;
      });
      await route.continue();
    });
    await page.goto(`${dashboard.base}/`);
    const field = page.getByRole('combobox', { name: 'Search places, codes, postcodes' });
    await field.fill('Square 1');
    const option = page.getByRole('option').first();
    await option.waitFor({ timeout: 20_000 });
    expect(await option.textContent()).toMatch(/^Square 1\d?.*level 6.*Squareland/);
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
    const path = option.locator('.outline path');
    expect(await path.getAttribute('d')).toBe('');
    (held as (() => void) | null)?.();
    await expect.poll(() => path.getAttribute('d'), { timeout: 20_000 }).toMatch(/^M[\d .L]+Z$/);
    expect(await violations()).toEqual([]);
    // What is known is not asked for again.
    await field.fill('');
    await field.fill('Square 1');
    await option.waitFor({ timeout: 20_000 });
    expect(await path.getAttribute('d')).toMatch(/^M/);
    await page.waitForTimeout(600);
    expect(asked).toBe(1);
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/search.png` });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('in the language of the browser, or that which was chosen, %i px, %s', async (width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit('/?id=r8100010', {
      viewport: { width, height: 844 },
      colorScheme,
      locale: 'de-CH',
    });
    const root = page.locator('html');
    await page.getByRole('combobox', { name: 'Orte, Codes, Postleitzahlen suchen' }).waitFor({ timeout: 20_000 });
    expect(await root.getAttribute('lang')).toBe('de');
    // At both widths the German links do not fit on one line.
    await page.getByRole('button', { name: 'Menü' }).click();
    expect(await page.getByRole('navigation', { name: 'Seiten' }).textContent()).toContain('Bibliothek');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // All of the page is in its language.
    expect(await page.locator('[lang=en]').count()).toBe(0);
    expect(await violations()).toEqual([]);
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/language-${width}.png` });
    await page.getByRole('button', { name: 'Sprache: DE' }).click();
    await page.getByRole('button', { name: 'Français' }).click();
    const field = page.getByRole('combobox', { name: 'Lieux, codes, codes postaux' });
    await field.waitFor({ timeout: 20_000 });
    expect(await root.getAttribute('lang')).toBe('fr');
    // The address, and what was opened, stay.
    expect(page.url()).toContain('id=r8100010');
    await page.reload();
    await field.waitFor({ timeout: 20_000 });
    await field.fill('zzzzqqqq');
    await page.getByText('Aucun résultat pour « zzzzqqqq »').waitFor({ timeout: 20_000 });
    await page.getByText('Télécharger', { exact: true }).first().click();
    await page.getByLabel('Format du fichier').first().waitFor({ timeout: 20_000 });
    await page.evaluate("localStorage.setItem('boundary-language', 'xx')");
    await page.reload();
    await page.getByRole('combobox', { name: 'Orte, Codes, Postleitzahlen suchen' }).waitFor({ timeout: 20_000 });
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
