import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Keys } from './keyboard.ts';

const WAIT = { timeout: 60_000 };
/** Dates of two editions, of which the second has one area of the two of the first. */
export const [FIRST, SECOND] = ['2010-01-01', '2020-07-01'];
const TABLE = 'province,state,density\nSevilla,Spain,140.5\nHuelva,Spain,52\nSevila,Spain,7\n';

/** One job: where it begins, and what is pressed until it is done. */
export interface Job {
  readonly name: string;
  readonly address: string;
  work(keys: Keys, page: Page): Promise<void>;
}

const saved = async (page: Page, act: () => Promise<void>): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download', WAIT), act()]);
  return readFile(await download.path(), 'utf8');
};
const panel = (page: Page) => page.locator('.panel');
const says = (page: Page, text: string | RegExp) => panel(page).getByText(text).first().waitFor(WAIT);
const mapDrawn = (page: Page) => page.locator('.map .loading').waitFor({ state: 'detached', ...WAIT });

export const JOBS: readonly Job[] = [
  {
    name: 'select a level in the tree, and take it to a union',
    address: '/select?map=6/37.4/-5.5',
    async work(keys, page) {
      await page.getByRole('treeitem').nth(3).waitFor(WAIT);
      await keys.reach('Boundaries');
      await page.keyboard.type('spai');
      await keys.press('ArrowRight');
      await page.getByRole('treeitem', { name: 'All 19 of level 4' }).waitFor(WAIT);
      await keys.press('ArrowRight', ' ');
      await says(page, '19 boundaries');
      // Andalusia is in the middle of the map.
      await mapDrawn(page);
      await keys.reach('Map of boundaries');
      await keys.press('Enter');
      await says(page, '18 boundaries');
      await keys.press('Control+z');
      await says(page, '19 boundaries');
      await keys.reach(/^Merge$/, 'Shift+Tab');
      await keys.press('Enter');
      await expect.poll(() => page.url(), WAIT).toContain('/union?include=');
    },
  },
  {
    name: 'show a file, compare it, and convert it',
    address: '/file',
    async work(keys, page) {
      const opened = page.waitForEvent('filechooser', WAIT);
      await keys.reach('Or choose one');
      await keys.press(' ');
      const chooser = await opened;
      const buffer = Buffer.from('POLYGON((-6 37,-5 37,-5 38,-6 38,-6 37))');
      await chooser.setFiles({ name: 'one.wkt', mimeType: 'text/plain', buffer });
      await says(page, 'one.wkt');
      await keys.reach('Format');
      await page.keyboard.type('KML');
      await keys.reach('Convert and download');
      expect(await saved(page, () => keys.press('Enter'))).toContain('<kml');
      await keys.reach('Compare');
      await keys.press('Enter');
      await says(page, /overlaps? found/);
    },
  },
  {
    name: 'download a place in another format and detail',
    address: '/',
    async work(keys, page) {
      // The page begins in the field of the search.
      await page.getByRole('combobox').waitFor(WAIT);
      await keys.write('Huelva');
      await page.getByRole('option').first().waitFor(WAIT);
      await keys.press('ArrowDown', 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Huelva' }).waitFor(WAIT);
      await keys.reach('Download');
      await keys.press('Enter');
      await page.getByLabel('Format').waitFor(WAIT);
      await keys.reach('Format');
      await page.keyboard.type('KML');
      await keys.reach('Detail');
      await keys.press('ArrowRight');
      await keys.reach(/^Download/);
      expect(await saved(page, () => keys.press('Enter'))).toContain('<kml');
    },
  },
  {
    name: 'save to the library, tag it, link it, and delete it',
    address: '/library',
    async work(keys, page) {
      const list = page.locator('main');
      await page.getByLabel('Boundary id').waitFor(WAIT);
      await keys.reach('Boundary id');
      await keys.write('iso:ES-SE');
      await keys.press('Enter');
      await page.locator('li.file').waitFor(WAIT);
      await keys.reach(/^Tags of Sevilla/);
      await keys.press('Enter');
      await page.getByLabel(/^Tags of/).waitFor(WAIT);
      await keys.reach(/^Tags of/);
      await keys.write('south');
      await keys.press('Enter');
      await page.locator('li.file').getByText('south').waitFor(WAIT);
      await keys.reach(/^Shares of/);
      await keys.press('Enter');
      await page.getByRole('button', { name: 'Make a link' }).waitFor(WAIT);
      await keys.reach('Make a link');
      await keys.press('Enter');
      await page.getByLabel('The link, which is shown only now').waitFor(WAIT);
      await keys.reach(/^Delete Sevilla/);
      await keys.press('Enter');
      // The focus is on what confirms it, or on its way.
      await keys.press('Enter');
      await expect.poll(() => list.locator('li.file').count(), WAIT).toBe(0);
    },
  },
  {
    name: 'make a map of a table, settle a row, and take it away',
    address: '/figures',
    async work(keys, page) {
      await page.getByLabel(/^Paste the table/).waitFor(WAIT);
      await keys.reach(/^Paste the table/);
      await page.keyboard.insertText(TABLE);
      await keys.reach('Find the places');
      await keys.press('Enter');
      await page.getByRole('list', { name: 'Legend' }).waitFor(WAIT);
      await keys.reach(/^Boundary of Sevila/);
      await keys.press('End');
      await says(page, 'all settled');
      await keys.reach('Classes');
      await page.keyboard.type('eq');
      await keys.reach('CSV');
      expect(await saved(page, () => keys.press('Enter'))).toMatch(/Sevilla,Spain,140.5,r\d+,/);
    },
  },
  {
    name: 'compare two dates, move the divider, and list what changed',
    address: `/map?map=8/10.15/20.2`,
    async work(keys, page) {
      await page.getByLabel(/^Date of the map/).waitFor(WAIT);
      await keys.reach(/^Date of the map/);
      await keys.press('Home');
      await expect.poll(() => page.url(), WAIT).toContain(`as_of=${FIRST}`);
      await keys.reach(/2020/);
      await keys.press('Enter');
      await expect.poll(() => page.url(), WAIT).toContain(`with=${SECOND}`);
      await keys.reach('List what changed');
      await keys.press('Enter');
      await says(page, 'merged 1');
      await keys.reach('Divider between the two dates');
      await keys.press('ArrowLeft');
      expect(await page.getByLabel('Divider between the two dates').getAttribute('aria-valuetext')).toContain('49');
    },
  },
  {
    name: 'see what is stored, and how to bring a country',
    address: '/coverage',
    async work(keys, page) {
      await keys.reach('Bring a country in three steps');
      await keys.press('Enter');
      await keys.reach('Choose a country');
      await page.keyboard.type('Portu');
      await page.locator('.command code').first().waitFor(WAIT);
      expect(await page.locator('.command code').allTextContents()).toContainEqual(expect.stringContaining('PT'));
      await page.locator('.small-map canvas').waitFor(WAIT);
      await keys.reach('Map of boundaries', 'Shift+Tab');
      // Africa is in its middle.
      await keys.press('Enter');
      await expect.poll(() => page.getByLabel('Choose a country').inputValue(), WAIT).not.toBe('PT');
    },
  },
  {
    name: 'draw a set of areas, split one, undo it, and save it',
    address: '/sets?map=7/37.5/-5.5',
    async work(keys, page) {
      const corners = async (...moves: readonly string[]): Promise<void> => {
        await keys.press(' ');
        for (const move of moves) await keys.press(move, ' ');
        await keys.press('Enter');
      };
      await mapDrawn(page);
      await keys.reach('Title of a new set');
      await keys.write('By hand');
      await keys.press('Enter');
      // The map has the focus as long as something is drawn.
      await says(page, 'Click the map for each point.');
      await corners('ArrowRight', 'ArrowDown', 'ArrowLeft');
      await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor(WAIT);
      await page.getByRole('region', { name: 'Draw and split' }).waitFor(WAIT);
      await mapDrawn(page);
      await keys.reach('Split by a line');
      await keys.press('Enter');
      await says(page, 'Click the map for each point.');
      // From above the area, which fills the map, to below it.
      await keys.press(...Array<string>(4).fill('ArrowUp'), ' ', ...Array<string>(8).fill('ArrowDown'), ' ', 'Enter');
      await says(page, /was split.*2 areas/);
      await keys.reach('Undo drawing');
      await keys.press('Enter');
      await says(page, /1 area\./);
      await keys.reach('Redo drawing');
      await keys.press('Enter');
      await says(page, /2 areas/);
      await keys.reach('Valid from');
      await keys.reach('Save the drawn areas');
      await keys.press('Enter');
      await says(page, 'Saved as the version from');
    },
  },
  {
    name: 'move a municipality to another territory on the map',
    address: '/sets/regions?map=8/37.55/-6.85',
    async work(keys, page) {
      await page.getByLabel('A click on the map moves a member to').waitFor(WAIT);
      await mapDrawn(page);
      await keys.reach('A click on the map moves a member to');
      await page.keyboard.type('Ea');
      await keys.reach('Map of boundaries');
      await expect
        .poll(
          async () => {
            await keys.press('Enter');
            return (await panel(page).textContent()) ?? '';
          },
          { ...WAIT, interval: 1_000 },
        )
        .toContain('1 move not saved');
      await keys.reach('Undo', 'Shift+Tab');
      await keys.press('Enter');
      await says(page, '0 moves not saved');
      await keys.reach('Redo');
      await keys.press('Enter');
      await says(page, '1 move not saved');
      await keys.reach(/^Save \d/);
      await keys.press('Enter');
    },
  },
];
