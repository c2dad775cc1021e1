import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

/** Counts what a person does on a page: a choice in a list is two clicks; a text that is typed or pasted is one. */
class Hand {
  clicks = 0;
  texts = 0;
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click({ timeout: 20_000 });
  }
  async choose(list: Locator, value: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption(value, { timeout: 20_000 });
  }
  async write(field: Locator, text: string): Promise<void> {
    this.texts++;
    await field.fill(text, { timeout: 20_000 });
  }
  /** Types a place and clicks the first that is found. */
  async search(name: string): Promise<void> {
    await this.write(this.page.locator('input[role=combobox]'), name);
    await this.click(this.page.locator('[role=option]').first());
  }
  /** Clicks what downloads a file. Returns its name and content. */
  async take(button: Locator): Promise<{ name: string; bytes: Buffer }> {
    const [file] = await Promise.all([this.page.waitForEvent('download', { timeout: 60_000 }), this.click(button)]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  }
}

/** A job: where it begins, and how it is done. */
interface Job {
  readonly job: string;
  readonly from: string;
  readonly work: (hand: Hand) => Promise<void>;
}

const opened = (page: Page): Locator => page.locator('summary', { hasText: 'Download' });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const measure = (page: Page): Locator => page.locator('.measure', { hasText: /B, .*points/ });

/** Drops a file with a triangle on the page. */
async function drop(page: Page): Promise<void> {
  const text = 'POLYGON((0 0,1 0,1 1,0 0))';
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], 'one.wkt'));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }`);
  await page.getByText('1 feature, 4 points').waitFor({ timeout: 20_000 });
}

const JOBS: readonly Job[] = [
  {
    job: 'One boundary as GeoJSON',
    from: '/',
    async work(hand) {
      await hand.search('provincia de Sevilla');
      await hand.click(opened(hand.page));
      const { name } = await hand.take(button(hand.page, 'Download'));
      expect(name).toBe('Sevilla (medium).geojson');
    },
  },
  {
    job: 'All parts of one at a level, as a Shapefile',
    from: '/',
    async work(hand) {
      await hand.search('Andalucía');
      await hand.click(opened(hand.page));
      await hand.choose(hand.page.getByLabel(/^What/), 'children');
      await hand.choose(hand.page.getByLabel('Format'), 'shapefile');
      const { bytes } = await hand.take(button(hand.page, 'Download'));
      expect(bytes.subarray(0, 2).toString()).toBe('PK');
    },
  },
  {
    job: 'Two boundaries merged, as KML',
    from: '/union',
    async work(hand) {
      for (const name of ['provincia de Sevilla', 'provincia de Huelva']) await hand.search(name);
      await hand.click(opened(hand.page));
      await hand.choose(hand.page.getByLabel('Format'), 'kml');
      const { bytes } = await hand.take(button(hand.page, 'Download'));
      expect(bytes.toString()).toContain('<kml');
    },
  },
  {
    job: 'Regions from a table of groups, as GeoJSON',
    from: '/union',
    async work(hand) {
      await hand.click(hand.page.getByText('Dissolve by groups'));
      const table = 'id,group\niso:ES-SE,west\niso:ES-H,west\niso:ES-MA,east\niso:ES-GR,east';
      await hand.write(hand.page.getByLabel('Members'), table);
      await hand.click(opened(hand.page));
      const { bytes } = await hand.take(button(hand.page, 'Download'));
      expect(JSON.parse(bytes.toString()).features.length).toBe(2);
    },
  },
  {
    job: 'A file of one’s own on the map, with its table',
    from: '/file',
    work: ({ page }) => drop(page),
  },
  {
    job: 'A file of one’s own in another format',
    from: '/file',
    async work(hand) {
      await drop(hand.page);
      await hand.choose(hand.page.getByLabel('Format'), 'kml');
      const { bytes } = await hand.take(button(hand.page, 'Convert and download'));
      expect(bytes.toString()).toContain('<kml');
    },
  },
  {
    job: 'A table of figures as a map in colors, as SVG',
    from: '/figures',
    async work(hand) {
      const rows = ['province,state,density', 'Sevilla,Spain,140.5', 'Huelva,Spain,52.1', 'Jaén,Spain,46'];
      await hand.write(hand.page.getByLabel('Paste the table'), rows.join('\n'));
      await hand.click(button(hand.page, 'Find the places'));
      const { bytes } = await hand.take(button(hand.page, 'SVG'));
      expect(bytes.toString()).toMatch(/^<svg/);
    },
  },
  {
    job: 'Everything that contains a point',
    from: '/?map=8/37.4/-5.9',
    async work(hand) {
      await hand.page.locator('.map:not(:has(.loading)) canvas').waitFor({ timeout: 60_000 });
      await hand.click(hand.page.locator('canvas'));
      await hand.page.getByRole('region', { name: 'What is at this point' }).waitFor({ timeout: 20_000 });
    },
  },
  {
    job: 'A lighter shape, its size known before',
    from: '/',
    async work(hand) {
      await hand.search('provincia de Sevilla');
      await hand.click(opened(hand.page));
      const slider = hand.page.getByRole('slider', { name: 'Detail' });
      await hand.click(slider.and(hand.page.locator(':not([aria-disabled=true])')));
      await hand.page.keyboard.press('Home');
      await measure(hand.page).waitFor({ timeout: 30_000 });
      const { name } = await hand.take(button(hand.page, 'Download'));
      expect(name).toContain('(low)');
    },
  },
];

describe.skipIf(!hasChromium)('nine jobs, click by click', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  }, 600_000);
  afterAll(() => dashboard?.close());

  /** The rows of the table in docs/comparison.md, by job. */
  const rows = new Map(
    readFileSync(resolve('docs/comparison.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, job = '', ours = '']) => [job, ours] as const),
  );

  test.each(JOBS)('$job', async ({ job, from, work }) => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit(from, { cookie });
    await page.locator('.panel h1').first().waitFor({ timeout: 20_000 });
    const hand = new Hand(page);
    const began = performance.now();
    await work(hand);
    const seconds = (performance.now() - began) / 1000;
    console.log(`${job}: ${hand.clicks} clicks, ${hand.texts} texts, ${seconds.toFixed(1)} s`);
    expect(faults).toEqual([]);
    await page.context().close();
    // The seconds of the table were measured once, on the machine that it names.
    expect(rows.get(job)).toMatch(new RegExp(`^${hand.clicks} clicks?, ${hand.texts} texts?, [\\d.]+ s$`));
  });
});
