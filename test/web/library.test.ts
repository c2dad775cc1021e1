import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, HOSTILE, openDashboard, storeHostile } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
}, 400_000);
afterAll(() => dashboard?.close());

test('files are searched, ordered, opened on the map, and deleted together', async () => {
  const cookie = await dashboard.signIn();
  const names = ['Zamora', 'Ávila', 'Sevilla'];
  for (const [i, code] of ['ES-ZA', 'ES-AV', 'ES-SE'].entries()) {
    const reply = await fetch(`${dashboard.base}/v1/files`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: `boundary_session=${cookie}`, Origin: dashboard.base },
      body: JSON.stringify({ boundary_id: `iso:${code}`, format: 'geojson', detail: 'low', name: names[i] }),
    });
    expect(reply.status, await reply.text()).toBe(201);
  }
  const { page, faults, violations } = await dashboard.visit('/library', { cookie });
  const rows = page.locator('li.file .grow');
  const shown = async () => (await rows.allTextContents()).map((text) => names.find((name) => text.includes(name)));
  await expect.poll(shown).toEqual(['Sevilla', 'Ávila', 'Zamora']);
  await page.getByLabel('Order').selectOption('name');
  await expect.poll(shown).toEqual(expect.arrayContaining(names));
  await page.getByLabel('Order').selectOption('oldest');
  await expect.poll(shown).toEqual(names);
  await page.getByLabel('Search files').fill('vil');
  await expect.poll(shown).toEqual(['Ávila', 'Sevilla']);
  await page.getByLabel('Search files').fill('nothing like it');
  await page.getByText('No file has').waitFor();
  await page.getByLabel('Search files').fill('');
  await expect.poll(shown).toEqual(names);
  expect(await violations()).toEqual([]);
  const { SCREENSHOTS } = process.env;
  await page.getByLabel('Select Zamora').check();
  await page.getByLabel('Select Ávila').check();
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/library-wide.png` });
  const group = page.getByRole('group', { name: 'Selected files' });
  expect(await group.textContent()).toContain('2 files selected');
  await group.getByRole('button', { name: 'Delete' }).click();
  await group.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(shown).toEqual(['Sevilla']);
  await page.setViewportSize({ width: 390, height: 800 });
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/library-narrow.png` });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Open on the map Sevilla' }).click();
  await page.waitForURL(/\/file/);
  await page.getByText('Sevilla.geojson').first().waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
}, 180_000);

test('a file says what changed of its boundaries since it was made', async () => {
  const cookie = await dashboard.signIn();
  const { services } = dashboard.testServer;
  const [{ id } = { id: '' }] = await services.db.query<{ id: string }>(
    "select id from boundary where source = 'hostile'",
  );
  const saved = await fetch(`${dashboard.base}/v1/files`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: `boundary_session=${cookie}`, Origin: dashboard.base },
    body: JSON.stringify({ boundary_id: id, format: 'geojson', detail: 'low', name: 'rectangle' }),
  });
  expect(saved.status, await saved.text()).toBe(201);
  const { page, faults, violations } = await dashboard.visit('/library', { cookie });
  const changes = page.getByRole('button', { name: 'Changes of rectangle' });
  await changes.click();
  await page.getByText('Nothing has changed since the file was made.').waitFor();
  await storeHostile(dashboard.testServer, 'Rectangle', -37);
  await page.reload();
  await changes.click();
  const said = page.locator('li.file .below li');
  await said.waitFor();
  const text = await said.textContent();
  expect(text).toContain(`Rectangle was called ${HOSTILE}, has another border: `);
  const [before = 0, now = 0] = [...(text ?? '').matchAll(/([\d,.]+) km²/g)].map(([, km2]) =>
    Number(km2?.replace(/,/g, '')),
  );
  expect(now / before).toBeCloseTo(1.5, 2);
  await page.getByRole('button', { name: 'Follow rectangle' }).click();
  const about = page.locator('li.file > .grow');
  await expect.poll(() => about.textContent()).toContain('made again when its boundaries change');
  await page.reload();
  await expect.poll(() => about.textContent()).toContain('made again when its boundaries change');
  await page.getByRole('button', { name: 'Keep as it is rectangle' }).click();
  await expect.poll(() => about.textContent()).not.toContain('made again');
  expect(await violations()).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
}, 180_000);

test('tags, of one file and of several, and a link for anyone until it is ended', async () => {
  const { SCREENSHOTS } = process.env;
  const cookie = await dashboard.signIn();
  const headers = { 'Content-Type': 'application/json', Cookie: `boundary_session=${cookie}`, Origin: dashboard.base };
  for (const [boundary_id, name] of [
    ['iso:ES-SE', 'Sevilla'],
    ['iso:ES-CO', 'Córdoba'],
  ]) {
    const body = JSON.stringify({ boundary_id, detail: 'low', name });
    const saved = await fetch(`${dashboard.base}/v1/files`, { method: 'POST', headers, body });
    expect(saved.status, await saved.text()).toBe(201);
  }
  const { page, faults, violations } = await dashboard.visit('/library', { cookie, colorScheme: 'dark' });
  const names = async (): Promise<string[]> =>
    (await page.locator('li.file > .grow').allTextContents()).map((text) => text.split(/geojson/)[0] ?? '').sort();
  await expect.poll(names, { timeout: 20_000 }).toEqual(['Córdoba', 'Sevilla']);
  await page.getByRole('button', { name: 'Tags of Sevilla' }).click();
  await page.getByLabel('Tags of Sevilla, with commas between them').fill(` ${HOSTILE.slice(0, 20)}, maps , maps`);
  await page.getByRole('button', { name: 'Save tags' }).click();
  const tag = page.getByRole('button', { name: 'Files with the tag maps' });
  await tag.waitFor({ timeout: 20_000 });
  await tag.click();
  await expect.poll(names, { timeout: 20_000 }).toEqual(['Sevilla']);
  await page.getByRole('button', { name: 'Tag: maps' }).click();
  await expect.poll(names, { timeout: 20_000 }).toEqual(['Córdoba', 'Sevilla']);
  // Several at once: what each has stays.
  for (const name of ['Sevilla', 'Córdoba']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByLabel('Add tags').fill('south');
  await page.getByRole('button', { name: 'Tag 2 files' }).click();
  const south = page.getByRole('button', { name: 'Files with the tag south' });
  await expect.poll(() => south.count(), { timeout: 20_000 }).toBe(2);
  expect(await tag.count()).toBe(1);
  // All tags, those of most files first, and only the files of one.
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await expect
    .poll(() => tags.locator('option').allTextContents(), { timeout: 20_000 })
    .toEqual(['all', 'south (2)', `${HOSTILE.slice(0, 20)} (1)`, 'maps (1)']);
  await tags.selectOption('maps');
  await expect.poll(names, { timeout: 20_000 }).toEqual(['Sevilla']);
  await tags.selectOption('');
  await expect.poll(names, { timeout: 20_000 }).toEqual(['Córdoba', 'Sevilla']);
  // Several files as one zip.
  for (const name of ['Sevilla', 'Córdoba']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as one zip' }).click(),
  ]);
  expect(zip.suggestedFilename()).toBe('Library.zip');
  const files = unzipSync(new Uint8Array(await readFile(await zip.path())));
  expect(Object.keys(files).sort()).toEqual(['Córdoba.geojson', 'Sevilla.geojson']);
  for (const bytes of Object.values(files)) expect(JSON.parse(strFromU8(bytes))).toHaveProperty('type', 'Feature');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Shares of Sevilla' }).click();
  await page.getByLabel('A link for anyone who has it works for').selectOption({ label: '30 days' });
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = page.getByLabel('The link, which is shown only now');
  await link.waitFor({ timeout: 20_000 });
  const url = await link.inputValue();
  const read = async (): Promise<number> => (await fetch(url)).status;
  expect(await read()).toBe(200);
  expect(await violations()).toEqual([]);
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/library-link.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
  // The header is measured before the next frame.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'End this link' }).click();
  await page.getByText('Shared with no one.').waitFor({ timeout: 20_000 });
  expect(await link.count()).toBe(0);
  expect(await read()).toBe(404);
  expect(await page.evaluate('window.hit')).toBeUndefined();
  expect(faults).toEqual([]);
  await page.context().close();
}, 180_000);
