import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { hasChromium } from '../auth/chromium.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

/** Towns in one made country: more than a page of list_children. */
const TOWNS = 2500;
const ROW = 50;

describe.skipIf(!hasChromium)('selecting boundaries', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const cell = (x: number, y: number, x1 = x + 1, y1 = y + 1) =>
      ringsOf(rectangle(-40 + x / 25, -30 + y / 25, -40 + x1 / 25, -30 + y1 / 25));
    const boundaries = [
      fixtureBoundary('r8000000', 'Gridland', cell(0, 0, ROW, TOWNS / ROW), { adminLevel: 2, countryCode: 'XG' }),
      ...Array.from({ length: TOWNS }, (_, i) =>
        fixtureBoundary(
          `r${8000001 + i}`,
          i === 0 ? HOSTILE : `Town ${String(i).padStart(4, '0')}`,
          cell(i % ROW, Math.floor(i / ROW)),
          { adminLevel: 8, country: 'XG' },
        ),
      ),
    ];
    const { testServer } = dashboard;
    await storeBoundaries(
      { db: testServer.services.db, engine: testServer.engine },
      { source: FIXTURE_SOURCE, file: 'grid', boundaries },
    );
  });
  afterAll(() => dashboard?.close());

  test('by keyboard alone: a level, without one of it, and what is merged is that', async () => {
    const { page, faults, violations } = await dashboard.visit('/select');
    const tree = page.getByRole('tree', { name: 'Boundaries' });
    const current = async (): Promise<string> => {
      const id = await tree.getAttribute('aria-activedescendant');
      return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
    };
    const selected = page.getByRole('region', { name: 'Selection' });
    await page.getByRole('treeitem').nth(3).waitFor({ timeout: 20_000 });
    await tree.focus();
    await page.keyboard.type('spai');
    expect(await current()).toMatch(/Spain.*506,\d{3} km²/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'All 19 of level 4' }).waitFor({ timeout: 20_000 });
    await page.keyboard.press('ArrowRight');
    expect(await current()).toContain('All 19 of level 4');
    // The number of a level says little: one of its boundaries says more.
    expect(await current()).toContain('Andalusia, …');
    await page.keyboard.press(' ');
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('19 boundaries');
    expect(page.url()).toMatch(/#select=r\d+\*4$/);
    // Letters of which a busy page sees some too late begin a new word.
    const typed = async (text: string) => {
      await page.keyboard.type(text);
      return current();
    };
    await expect.poll(() => typed('anda'), { timeout: 20_000, interval: 1_500 }).toMatch(/^\W*Andalusia/);
    const andalusia = page.getByRole('treeitem', { name: /^Andalusia/ });
    expect(await andalusia.getAttribute('aria-checked')).toBe('true');
    expect(await andalusia.getAttribute('aria-level')).toBe('2');
    await page.keyboard.press(' ');
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('18 boundaries');
    expect(await andalusia.getAttribute('aria-checked')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => andalusia.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => andalusia.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowLeft');
    expect(await current()).toContain('Spain');
    expect(await violations()).toEqual([]);
    // Every change is a step of the history.
    await page.goBack();
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('19 boundaries');
    await page.goForward();
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('18 boundaries');
    const address = page.url();
    // Undo and redo, by keys and by buttons; what is changed after an undo cannot be redone.
    await tree.focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('19 boundaries');
    await page.keyboard.press('Control+y');
    await expect.poll(() => page.url(), { timeout: 20_000 }).toBe(address);
    const [undo, redo] = ['Undo', 'Redo'].map((name) => selected.getByRole('button', { name }));
    await selected.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('0 boundaries');
    await undo?.click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).toBe(address);
    await redo?.click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).not.toContain('#');
    await undo?.click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).toBe(address);
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).toContain('/union?include=');
    const merged = new URL(page.url()).searchParams.get('include')?.split(',') ?? [];
    const { items } = await page.evaluate<{ items: { id: string; name: string }[] }>(
      `fetch('/v1/boundaries/iso:ES/children?admin_level=4').then((reply) => reply.json())`,
    );
    const without = items.filter(({ name }) => !/Andalu/.test(name)).map(({ id }) => id);
    expect(without.length).toBe(18);
    expect([...merged].sort()).toEqual(without.sort());
    const other = await dashboard.visit(address.slice(dashboard.base.length));
    await expect
      .poll(() => other.page.getByRole('region', { name: 'Selection' }).textContent(), { timeout: 20_000 })
      .toContain('18 boundaries');
    expect([...faults, ...other.faults]).toEqual([]);
    await other.page.context().close();
    await page.context().close();
  });

  test('thousands of rows take as many elements as fit, and the last is reached at once', async () => {
    const { page, faults } = await dashboard.visit('/select');
    const tree = page.getByRole('tree', { name: 'Boundaries' });
    await page.getByRole('treeitem').nth(3).waitFor({ timeout: 20_000 });
    await tree.focus();
    await page.keyboard.type('gridl');
    await page.keyboard.press('ArrowRight');
    const level = page.getByRole('treeitem', { name: 'All 2,500 of level 8' });
    await level.waitFor({ timeout: 60_000 });
    await page.evaluate(`
      window.made = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) window.made += 1 + (node.querySelectorAll?.('*').length ?? 0);
      }).observe(document.body, { childList: true, subtree: true });
    `);
    // The next country after it: the row above is the last town.
    await page.keyboard.type('gu');
    await page.keyboard.press('ArrowUp');
    const last = page.getByRole('treeitem', { name: 'Town 2499' });
    await last.waitFor();
    expect(await last.getAttribute('aria-setsize')).toBe('2501');
    expect(await last.getAttribute('aria-posinset')).toBe('2501');
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
    await page.keyboard.press(' ');
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.getByRole('treeitem', { name: 'Town 2499' }).waitFor({ state: 'detached' });
    // Three jumps over 2,500 rows make the rows in view, of some elements each.
    expect(await page.evaluate('window.made')).toBeLessThan(TOWNS);
    // More than one union takes says so, and a name is text.
    // One of the level that is selected by itself, too, counts once.
    await page.goto(`${dashboard.base}/select#select=r8000000*8,r8000001`);
    await page.reload();
    const selected = page.getByRole('region', { name: 'Selection' });
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('2,500 boundaries');
    expect(await selected.textContent()).toContain('draws selections of up to 100');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').textContent(), { timeout: 20_000 }).toMatch(/2,500.*at most 50/);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('by one click on the map, and by a pasted list; a wrong address selects nothing', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/select?map=7/37.4/-5.9', { cookie });
    const selected = page.getByRole('region', { name: 'Selection' });
    await page.locator('canvas').waitFor();
    await page.getByLabel('On the map, a click selects level').selectOption('6');
    await page.locator('canvas').click();
    await expect.poll(() => selected.textContent(), { timeout: 30_000 }).toContain('1 boundary');
    await page.getByText('Paste a list').click();
    await page.getByLabel('One on each line').fill('ES-H\nCórdoba\nNowhereatall\n41004');
    await page.getByRole('button', { name: 'Select them' }).click();
    await expect.poll(() => selected.textContent(), { timeout: 30_000 }).toMatch(/[234] boundaries/);
    expect(await page.locator('.panel').textContent()).toMatch(/without one certain boundary.*Nowhereatall/s);
    expect(await violations()).toEqual([]);
    await page.locator('canvas').click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).not.toMatch(/select=r9000000000034/);
    // A code is that of its boundary: the tree knows it by its id.
    await page.goto(`${dashboard.base}/select#select=iso:ES-SE,iso:ES*4!iso:ES-AN`);
    await page.reload();
    await expect.poll(() => page.url(), { timeout: 20_000 }).toMatch(/#select=r\d+,r\d+\*4!r\d+$/);
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('19 boundaries');
    await page.goto(`${dashboard.base}/select#select=${encodeURIComponent(HOSTILE)},r1*999,*4,!`);
    await page.reload();
    await expect.poll(() => selected.textContent(), { timeout: 20_000 }).toContain('0 boundaries');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what cannot be loaded is said, and is there once it is tried again', async () => {
    const { page, faults, violations } = await dashboard.visit('/pricing');
    let refuses = true;
    const collections: string[] = [];
    await page.route(/\/v1\/(?:collections|data-status\?)/, async (route) => {
      if (!refuses) {
        collections.push(route.request().postData() ?? '');
        return route.continue();
      }
      const body = JSON.stringify({ code: 'rate_limited', detail: 'Too many requests from this network.' });
      await route.fulfill({ status: 429, contentType: 'application/problem+json', body });
    });
    await page.goto(`${dashboard.base}/select#select=r8000001,r8000002`);
    const failed = page.getByRole('treeitem', { name: /Try again.*Too many requests/ });
    await failed.waitFor({ timeout: 20_000 });
    const alert = page.getByRole('region', { name: 'Selection' }).getByRole('alert');
    expect(await alert.textContent()).toContain('Too many requests');
    const tree = page.getByRole('tree', { name: 'Boundaries' });
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    const id = (await tree.getAttribute('aria-activedescendant')) ?? '';
    expect(id).toMatch(/^\S+$/);
    expect(await page.locator(`[id="${id}"]`).textContent()).toContain('Try again');
    expect(await violations()).toEqual([]);
    refuses = false;
    await page.keyboard.press(' ');
    await page.getByRole('treeitem').nth(3).waitFor({ timeout: 20_000 });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => alert.count(), { timeout: 20_000 }).toBe(0);
    // The levels below a country, too; their boundaries stay while they are loaded again.
    refuses = true;
    // On a busy machine letters may come too late to be one word.
    await expect
      .poll(
        async () => {
          await tree.focus();
          await page.keyboard.type('spai');
          await page.keyboard.press('ArrowRight');
          return failed.count();
        },
        { timeout: 60_000, interval: 2_000 },
      )
      .toBe(1);
    refuses = false;
    await failed.click();
    await page.getByRole('treeitem', { name: 'All 19 of level 4' }).waitFor({ timeout: 20_000 });
    // Without an account no more is drawn, and no more areas are asked for, than a minute's requests allow.
    await page.goto(`${dashboard.base}/select#select=r8000000*8`);
    const before = collections.length;
    // What is typed before the rows are there again finds nothing.
    await expect
      .poll(
        async () => {
          await tree.focus();
          await page.keyboard.type('gridl');
          await page.keyboard.press('ArrowRight');
          return page.getByRole('treeitem', { name: 'All 2,500 of level 8' }).count();
        },
        { timeout: 60_000, interval: 2_000 },
      )
      .toBe(1);
    await expect
      .poll(() => page.getByRole('region', { name: 'Selection' }).textContent(), { timeout: 20_000 })
      .toContain('up to 100 boundaries without an account');
    expect(collections.slice(before).filter((body) => body.includes('r8000000'))).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('%i px, %s: nothing serious, nothing cut off', async (width, colorScheme) => {
    const { page, faults, violations } = await dashboard.visit('/select#select=r8000001,r8000002', {
      viewport: { width, height: 844 },
      colorScheme,
    });
    await page.getByRole('treeitem').nth(3).waitFor({ timeout: 20_000 });
    await page.locator('canvas').waitFor();
    await page.getByText('List of what is selected').click();
    await expect.poll(() => page.locator('.members').textContent(), { timeout: 20_000 }).toContain('<img');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
