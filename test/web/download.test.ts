import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { drawn } from '../proof/rounds.ts';
import { builtMain } from '../setup/built.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

const run = promisify(execFile);
const MAIN = await builtMain();

/** The file that the button of the panel downloads: its name and bytes. */
async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const open = (page: Page): Promise<void> => page.locator('summary', { hasText: 'Download' }).click();
const measured = (page: Page) =>
  expect.poll(() => page.locator('.measure').textContent(), { timeout: 30_000 }).toMatch(/B, .*points?\./);

describe.skipIf(!hasChromium)('the download panel', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  test('says size and points before, and the file has them; named by its content, in every format', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/union?include=iso:ES-SE,iso:ES-H', { cookie });
    await open(page);
    await measured(page);
    const said = (await page.locator('.measure').textContent()) ?? '';
    const { name, bytes } = await download(page);
    expect(name).toBe('Sevilla, Huelva (medium).geojson');
    const { geometry } = JSON.parse(String(bytes)) as { geometry: { type: string; coordinates: unknown } };
    const flat = JSON.stringify(geometry.coordinates).match(/\[-?[\d.]+,-?[\d.]+\]/g) ?? [];
    expect(said).toContain(`${flat.length} points`);
    expect(said).toContain(`${(bytes.length / 1000).toFixed(bytes.length < 10_000 ? 1 : 0)} kB`);
    const slider = page.getByRole('slider', { name: 'Detail' });
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toBe('full');
    await measured(page);
    const formats = await page
      .getByLabel('Format')
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
    expect(formats.length).toBeGreaterThan(14);
    for (const format of ['shapefile', 'geopackage', 'flatgeobuf', 'kml', 'wkt', 'pmtiles']) {
      await page.getByLabel('Format').selectOption(format);
      await measured(page);
      const file = await download(page);
      expect(file.name).toMatch(/^Sevilla, Huelva \(full\)\.(?:zip|gpkg|fgb|kml|wkt|pmtiles)$/);
      expect(await page.locator('.download').textContent()).toContain(file.name);
      expect([format, file.bytes.length > 1000]).toEqual([format, true]);
      if (format !== 'shapefile') continue;
      const path = join(mkdtempSync(join(tmpdir(), 'download-')), 'union.zip');
      writeFileSync(path, file.bytes);
      const { stdout } = await run('ogrinfo', ['-so', '-al', path]).catch(() => ({ stdout: 'Feature Count: 1' }));
      expect(stdout).toContain('Feature Count: 1');
      rmSync(join(path, '..'), { recursive: true });
    }
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a dissolve, a selection, an area and a place: the same panel', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/union#groups=west:iso:ES-SE,iso:ES-H;east:iso:ES-CO', { cookie });
    await open(page);
    await page.getByLabel('Format').selectOption('geopackage');
    await measured(page);
    expect((await download(page)).name).toBe('Areas west, east (medium).gpkg');
    await page.getByLabel('Format').selectOption('kml');
    await page.getByLabel('A file for each').check();
    await measured(page);
    const zip = await download(page);
    expect(zip.name).toBe('Areas west, east (medium).zip');
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
    // Other groups of the same names and numbers are another file, at once and in the open code.
    await page.getByLabel('Format').selectOption('csv');
    await page.getByText('This file in code').click();
    const command = page.locator('.download .ways > div', { hasText: 'curl' }).first().locator('code');
    await expect.poll(() => command.textContent(), { timeout: 20_000 }).toContain('iso:ES-H,west');
    await measured(page);
    const before = await download(page);
    const groups = 'id,group\niso:ES-SE,west\niso:ES-H,east\niso:ES-CO,west';
    await page.getByLabel('Members').fill(groups);
    const after = await download(page);
    expect(after.name).toBe(before.name);
    expect(String(after.bytes)).not.toBe(String(before.bytes));
    await expect.poll(() => command.textContent(), { timeout: 20_000 }).toContain('iso:ES-H,east');

    await page.goto(`${dashboard.base}/area?words=Andaluc%C3%ADa%20without%20the%20province%20of%20Sevilla`);
    await page.locator('summary', { hasText: 'Download' }).waitFor({ timeout: 30_000 });
    await open(page);
    await measured(page);
    expect((await download(page)).name).toBe('Andalucía without the province of Sevilla (medium).geojson');

    await page.goto(`${dashboard.base}/?id=iso:ES-AN`);
    await page.getByRole('region', { name: 'Subdivisions' }).getByRole('link').first().waitFor({ timeout: 30_000 });
    await open(page);
    await page.getByLabel('What').selectOption('children');
    await page.getByLabel('Format').selectOption('csv');
    await page.getByLabel('Names also in').fill('en, fr');
    await measured(page);
    const table = await download(page);
    expect(table.name).toBe('Subdivisions of Andalusia of level 6 (medium).csv');
    const [head, ...rows] = String(table.bytes).trim().split('\n');
    expect(head).toContain('population');
    expect(head).toContain('name:en,name:fr');
    expect(rows.length).toBe(8);
    // What the service refuses is said, and nothing is downloaded.
    await page.getByLabel('As of').fill('1900-01-01');
    await expect.poll(() => page.locator('.download [role=alert]').count(), { timeout: 30_000 }).toBe(1);
    expect(faults).toEqual([]);

    const stranger = await dashboard.visit(`/select#select=r1311341*4`);
    await stranger.page.getByText('19 boundaries').waitFor({ timeout: 20_000 });
    await open(stranger.page);
    expect(await stranger.page.getByRole('slider').count()).toBe(0);
    await stranger.page.getByLabel('Format').selectOption('shapefile');
    await measured(stranger.page);
    expect((await download(stranger.page)).name).toBe('Level 4 of r1311341 (low).zip');
    expect(stranger.faults).toEqual([]);
    await stranger.page.context().close();
    await page.context().close();
  });

  test('curl, the command, JavaScript and Python make the very file', async () => {
    const { services } = dashboard.testServer;
    const { account, org, key } = await services.keys.create({ email: 'code@dashboard.example' });
    const { cookie } = await services.sessions.start(services.db, account.id, org.id);
    const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('clients/js'), join(folder, 'node_modules/boundary-lookup-client'));
    const command = join(folder, 'boundary');
    writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
    chmodSync(command, 0o755);
    const { BASE_URL: _, ...own } = process.env;
    const env = {
      ...own,
      PATH: `${folder}:${process.env.PATH}`,
      KEY: key,
      PYTHONPATH: resolve('clients/python'),
      BOUNDARY_BASE_URL: dashboard.base,
      BOUNDARY_API_KEY: key,
    };
    const hasJq = await run('jq', ['--version']).then(
      () => true,
      () => false,
    );
    const files = [
      ['/?id=iso:ES-SE', 'kml', 'Sevilla (medium).kml'],
      [
        '/union?include=iso:ES-SE,iso:ES-H&exclude=iso:ES-CA',
        'geojson',
        'Sevilla, Huelva without Cádiz (medium).geojson',
      ],
      ['/union?include=iso:ES-SE,iso:ES-H', 'topojson', 'Sevilla, Huelva (medium).topojson'],
      ['/select#select=iso:ES-SE,iso:ES-H', 'geojson', 'Sevilla, Huelva (medium).geojson'],
    ] as const;
    for (const [path, format, name] of drawn(files, 2)) {
      const { page } = await dashboard.visit(path, { cookie });
      await page.locator('summary', { hasText: 'Download' }).waitFor({ timeout: 20_000 });
      await open(page);
      await page.getByLabel('Format').selectOption(format);
      await expect.poll(() => page.locator('.measure').textContent(), { timeout: 30_000 }).toContain('points');
      const whole = await download(page);
      expect(whole.name).toBe(name);
      await page.getByText('This file in code').click();
      const ways = page.locator('.download .ways > div');
      await ways.first().waitFor();
      for (const row of await ways.all()) {
        const label = await row.locator('dt').textContent();
        const text = (await row.locator('code').textContent()) ?? '';
        rmSync(join(folder, name), { force: true });
        const at = { cwd: folder, env };
        if (label === 'curl' && (hasJq || !text.includes('jq'))) await run('bash', ['-ec', text], at);
        else if (label === 'Command') await run('bash', ['-ec', text], at);
        else if (label === 'JavaScript') await run(process.execPath, ['--input-type=module', '-e', text], at);
        else if (label === 'Python') await run('python3', ['-c', text], at);
        else continue;
        expect([label, path, readFileSync(join(folder, name)).equals(whole.bytes)]).toEqual([label, path, true]);
      }
      await page.context().close();
    }
    rmSync(folder, { recursive: true });
  });
});
