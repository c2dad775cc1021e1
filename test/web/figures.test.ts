import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

const TABLE = [
  'province,state,density,note',
  'Sevilla,Spain,140.5,=1+1',
  'Huelva,Spain,52.1,x',
  'Cordova,Spain,56.4,"a, ""b"""',
  'Jaén,Spain,n.k.,',
  `"${HOSTILE.replaceAll('"', '""')} town",Spain,3,`,
  'Cádiz,Spain,169,',
  'Sevilla,Spain,99,',
].join('\n');

describe.skipIf(!hasChromium)('figures on the map', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const taken = async (page: Page, label: string | RegExp): Promise<{ name: string; text: string; bytes: Buffer }> => {
    const button = page.getByRole('region', { name: 'Take it away' }).getByRole('button', { name: label });
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), button.click()]);
    const bytes = readFileSync(await download.path());
    return { name: download.suggestedFilename(), text: bytes.toString(), bytes };
  };
  const fragmentIn = (page: Page): string => new URL(page.url()).hash;

  test('without an account the page asks to sign in before a table is pasted, which would be lost', async () => {
    const { page, violations } = await dashboard.visit('/figures');
    const [link, box] = [page.locator('.panel').getByRole('link', { name: 'Sign in' }), page.locator('textarea')];
    await link.waitFor({ timeout: 20_000 });
    const [above, below] = [await link.boundingBox(), await box.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    expect(await violations()).toEqual([]);
    await page.context().close();
  });

  test('a pasted table is matched, settled row by row, drawn as draw_map draws it, and taken away', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/figures', { cookie });
    const panel = page.locator('.panel');
    await page.getByLabel('Paste the table').fill(TABLE);
    await page.getByRole('button', { name: 'Find the places' }).click();
    await expect.poll(() => panel.textContent(), { timeout: 60_000 }).toContain('7 rows, 5 boundaries on the map.');
    const said = (await panel.textContent()) ?? '';
    expect(said).toContain('Line 8 is the same boundary as line 2: only the first is drawn.');
    expect(said).toContain('“n.k.” in density, line 5, is not a number: hatched.');
    expect(said).toContain('1 row without a boundary left out: line 6.');
    expect(said).toContain(HOSTILE);
    expect(await page.locator('main img, main script').count()).toBe(0);
    const legend = page.getByRole('list', { name: 'Legend' });
    expect(await legend.getByRole('listitem').count()).toBe(5);
    expect(await violations()).toEqual([]);

    // By keyboard: another boundary is found for the row, and chosen.
    await page.getByText('Search for another').click();
    await page.getByLabel(/^Name of the boundary for/).fill('provincia de Málaga');
    await page.keyboard.press('Enter');
    await page.getByText(/\d boundar(y|ies) found/).waitFor({ timeout: 20_000 });
    const choice = page.getByLabel(/^Boundary of/);
    const label = (await choice.locator('option', { hasText: 'Málaga, province' }).textContent()) ?? '';
    await choice.selectOption({ label });
    await expect.poll(() => panel.textContent(), { timeout: 20_000 }).toContain('6 boundaries on the map.');
    expect(await panel.textContent()).toContain('all settled');
    await page.getByRole('button', { name: /^Remember 1 name/ }).click();
    await page.getByText('1 name remembered.').waitFor({ timeout: 20_000 });

    await page.getByLabel('Classes').selectOption('given');
    await page.getByLabel('Bounds', { exact: true }).fill('60,20');
    await page.getByRole('alert').filter({ hasText: 'ascending' }).waitFor();
    await page.getByLabel('Bounds', { exact: true }).fill('53,60,150');
    await page.getByLabel('Title').fill('Inhabitants <b>');
    expect(await legend.textContent()).toMatch(/under 53 2.*53 to 60 1.*60 to 150 1.*150 or more 1.*no figure 1/);
    const svg = await taken(page, 'SVG');
    expect(svg.name).toBe('Inhabitants b.svg');
    const colors = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.swatch:not(.none)')].map((one) => getComputedStyle(one).backgroundColor)`,
    );
    expect(colors.length).toBe(4);
    for (const color of colors) {
      const hex = (color.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('');
      expect(svg.text).toContain(`#${hex}`);
    }
    expect(svg.text).toContain('Inhabitants &lt;b&gt;');
    expect((await taken(page, 'PNG')).bytes.subarray(1, 4).toString()).toBe('PNG');
    const csv = await taken(page, 'CSV');
    const [head, first, , third] = csv.text.split('\n');
    expect(head).toBe('province,state,density,note,match_id,match');
    expect(first).toMatch(/^Sevilla,Spain,140\.5,'=1\+1,r\d+,exact$/);
    expect(third).toMatch(/^Cordova,Spain,56\.4,"a, ""b""",r\d+,alias$/);
    const geojson = JSON.parse((await taken(page, 'GeoJSON')).text) as GeoJSON.FeatureCollection;
    const figures = geojson.features.map(({ properties }) => [properties?.name, properties?.density]);
    expect(Object.fromEntries(figures)).toMatchObject({ Sevilla: 140.5, Huelva: 52.1, Jaén: null, Málaga: 3 });
    expect(geojson.features.length).toBe(6);
    await page.getByText('Embed it in a page').click();
    await page.getByRole('button', { name: 'Make the markup' }).click();
    await expect
      .poll(() => page.locator('.ways code').last().textContent(), { timeout: 20_000 })
      .toMatch(
        /^<iframe src="http[^"]+\.svg" title="Inhabitants &lt;b&gt;" width="960" height="(\d+)".*;aspect-ratio:960\/\1"/,
      );
    expect(await violations()).toEqual([]);

    // The address has it all, for those without an account too; a saved file opens as well.
    await expect.poll(() => fragmentIn(page), { timeout: 20_000 }).toMatch(/^#figures=/);
    await page.waitForTimeout(500);
    const other = await dashboard.visit(`/figures${fragmentIn(page)}`);
    const list = other.page.getByRole('list', { name: 'Legend' });
    await expect.poll(() => list.textContent(), { timeout: 20_000 }).toContain('150 or more');
    expect(await other.page.locator('.panel').textContent()).toContain('6 boundaries on the map.');
    const saved = await taken(other.page, 'File to open here again');
    await other.page.goto(`${dashboard.base}/figures`);
    await other.page.locator('input[type=file]').setInputFiles({
      name: saved.name,
      mimeType: 'application/json',
      buffer: saved.bytes,
    });
    await expect.poll(() => list.textContent(), { timeout: 20_000 }).toContain('150 or more');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect([...faults, ...other.faults]).toEqual([]);

    // What was remembered is known in the next table.
    await page.getByRole('button', { name: 'Another table' }).click();
    await page.getByLabel('Paste the table').fill(TABLE);
    await page.getByRole('button', { name: 'Find the places' }).click();
    await expect.poll(() => panel.textContent(), { timeout: 60_000 }).toContain('7 rows, 6 boundaries on the map.');
    await page.context().close();
    await other.page.context().close();
  });

  test('areas of a set are drawn and taken away, and have no address to embed', async () => {
    const cookie = await dashboard.signIn();
    const made = await fetch(`${dashboard.base}/v1/sets`, {
      method: 'POST',
      headers: {
        ...{ Cookie: `boundary_session=${cookie}`, Origin: dashboard.base },
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ name: 'zones', groups: { west: ['iso:ES-H', 'iso:ES-SE'], east: ['iso:ES-CO'] } }),
    });
    expect(made.status).toBe(201);
    const { page, faults } = await dashboard.visit('/figures', { cookie });
    await page.getByLabel('Paste the table').fill('id,staff\nset:zones/west,3\nset:zones/east,5');
    await page.getByRole('button', { name: 'Find the places' }).click();
    const panel = page.locator('.panel');
    await expect.poll(() => panel.textContent(), { timeout: 60_000 }).toContain('2 boundaries on the map.');
    expect((await taken(page, 'SVG')).text).toMatch(/^<svg/);
    expect(JSON.parse((await taken(page, 'GeoJSON')).text).features.length).toBe(2);
    await page.getByText('Embed it in a page').click();
    await page.getByRole('button', { name: 'Make the markup' }).click();
    await expect.poll(() => panel.textContent(), { timeout: 20_000 }).toContain('have no public address');
    expect(await page.locator('.ways code').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('says what is wrong with a table, a file or an address', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/figures', { cookie });
    const alert = page.getByRole('alert');
    const paste = async (text: string, wanted: RegExp): Promise<void> => {
      await page.getByLabel('Paste the table').fill(text);
      await page.getByRole('button', { name: 'Find the places' }).click();
      await expect.poll(() => alert.textContent().catch(() => ''), { timeout: 20_000 }).toMatch(wanted);
    };
    await paste('province,density\nSevilla,140,5\n', /Line 2 has 3 cells; the first line has 2/);
    await paste('province,density\n', /rows below it/);
    await paste('province,word\nSevilla,many\nHuelva,few\n', /No column besides the places has numbers/);
    // Thousands of lines are pasted at once.
    await page.getByLabel('Paste the table').fill('');
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', 'a,b\\n' + 'x,1\\n'.repeat(5001));
      const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('textarea').dispatchEvent(paste);
    }`);
    await page.getByRole('button', { name: 'Find the places' }).click();
    await expect
      .poll(() => alert.textContent().catch(() => ''), { timeout: 20_000 })
      .toContain('5,001 rows are more than the 5,000');
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"ids":1}') });
    await expect.poll(() => alert.textContent(), { timeout: 20_000 }).toContain('These figures were not saved here');
    // A megabyte of nothing packs to a thousand characters, and is not unpacked any further.
    const { deflateRawSync } = await import('node:zlib');
    const bomb = deflateRawSync(Buffer.alloc(20e6)).toString('base64url');
    expect(bomb.length).toBeLessThan(30_000);
    for (const [fragment, wanted] of [
      [bomb, 'unpacks to more'],
      ['%%%', 'damaged'],
      [deflateRawSync('{"text":"a","ids":[]}').toString('base64url'), 'cannot be read'],
    ] as const) {
      await page.goto(`${dashboard.base}/pricing`);
      await page.goto(`${dashboard.base}/figures#figures=${fragment}`);
      await expect.poll(() => alert.textContent().catch(() => ''), { timeout: 20_000 }).toContain(wanted);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('%i px, %s: nothing serious, nothing cut off; tabs and decimal commas', async (width, colorScheme) => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/figures', {
      ...{ cookie, viewport: { width, height: 844 }, colorScheme },
    });
    await page.locator('canvas').waitFor();
    expect(await violations()).toEqual([]);
    // Dropped here, a table stays here.
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['province\\tdensity\\nSevilla\\t140,5\\nHuelva\\t52,1\\nNowhere\\t1'], 'table.tsv'));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await expect.poll(() => page.getByLabel('Paste the table').inputValue(), { timeout: 20_000 }).toContain('Sevilla');
    await page.getByRole('button', { name: 'Find the places' }).click();
    const legend = page.getByRole('list', { name: 'Legend' });
    await expect.poll(() => legend.textContent(), { timeout: 60_000 }).toMatch(/under 96\.3/);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    const packed = Buffer.from(fragmentIn(page).slice('#figures='.length), 'base64url');
    if (packed.length > 0) expect(inflateRawSync(packed).toString()).toContain('Sevilla');
    await page.context().close();
  });
});
