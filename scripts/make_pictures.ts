/**
 * Makes the pictures of docs/map.md and of the README from a server with the seed data, in Debian's Chromium:
 *
 *   npx tsx scripts/make_pictures.ts http://127.0.0.1:8080 .data/first-key     # a new server and the file of its first key
 *
 * It claims the account of that key, as a person does on /claim, so the server has to be new.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const [base = 'http://127.0.0.1:8080', keyFile = '.data/first-key'] = process.argv.slice(2);
/** Flags with which Chromium draws WebGL without a graphics card. */
const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const MOST_MS = 120_000;

const TABLE = [
  'province,country,density',
  ...['Almería,83', 'Cádiz,168', 'Córdoba,56', 'Granada,73', 'Huelva,52', 'Jaén,46', 'Málaga,236', 'Sevilla,139'].map(
    (row) => row.replace(',', ',Spain,'),
  ),
].join('\n');

/** A file as a person has it: provinces with their attributes. */
async function provinces(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const answer = await fetch(`${base}/v1/collections`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ children_of: 'iso:ES-AN', format: 'geopackage', detail: 'low' }),
  });
  const buffer = Buffer.from(await answer.arrayBuffer());
  return { name: 'provinces.gpkg', mimeType: 'application/geopackage+sqlite3', buffer };
}

interface Picture {
  readonly name: string;
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly colors: 'light' | 'dark';
  readonly ready: (page: Page) => Promise<unknown>;
}

const WIDE = { width: 1280, height: 800 };
const PICTURES: readonly Picture[] = [
  {
    ...{ name: 'map', address: '/union?include=iso:ES-MA,iso:ES-SE', ...WIDE, colors: 'light' },
    ready: (page) => page.locator('.panel table td + td').nth(3).waitFor(),
  },
  {
    ...{ name: 'map-select', address: '/select#select=iso:ES*6', ...WIDE, colors: 'dark' },
    ready: async (page) => {
      // Letters find what is listed.
      await page.getByRole('treeitem').first().waitFor();
      await page.getByRole('tree').focus();
      await page.keyboard.type('spai');
      await page.keyboard.press('ArrowRight');
      await page.getByRole('treeitem', { name: /of level 6/ }).waitFor();
    },
  },
  {
    ...{ name: 'map-figures', address: '/figures', ...WIDE, colors: 'light' },
    ready: async (page) => {
      await page.getByLabel('Paste the table').fill(TABLE);
      await page.getByRole('button', { name: 'Find the places' }).click();
      await page.getByRole('list', { name: 'Legend' }).waitFor();
    },
  },
  {
    ...{ name: 'map-file', address: '/file', ...WIDE, colors: 'light' },
    ready: async (page) => {
      await page.locator('input[type=file]').setInputFiles(await provinces());
      await page.getByLabel('Format').selectOption('shapefile');
      const button = page.getByRole('button', { name: 'Convert and download' });
      await Promise.all([page.waitForEvent('download'), button.click()]);
      await button.scrollIntoViewIfNeeded();
    },
  },
  {
    ...{ name: 'map-phone', address: '/?id=iso:ES-SE', width: 390, height: 844, colors: 'dark' },
    ready: (page) => page.locator('.places li').nth(10).waitFor(),
  },
];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
try {
  const context = await browser.newContext({ locale: 'en' });
  const claim = await context.newPage();
  await claim.goto(`${base}/claim`);
  await claim.getByLabel('The first key').fill(readFileSync(keyFile, 'utf8').trim());
  await claim.getByLabel('Your email address').fill('ana@maps.example');
  await claim.getByRole('button').click();
  await claim.waitForLoadState();
  for (const { name, address, width, height, colors, ready } of PICTURES) {
    const page = await context.newPage();
    page.setDefaultTimeout(MOST_MS);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: colors, reducedMotion: 'reduce' });
    await page.goto(base + address);
    await ready(page);
    await page.locator('.map:not(:has(.loading))').waitFor();
    await page.waitForLoadState('networkidle');
    // A map draws its last tiles after they were loaded.
    await page.waitForTimeout(5_000);
    await page.screenshot({ path: resolve('docs', `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}
