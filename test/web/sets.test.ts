import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';
import { createRegions, WAIT } from './regions.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

describe.skipIf(!hasChromium)('territories', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  const call: Dashboard['call'] = (...of) => dashboard.call(...of);
  const EAST = `East ${HOSTILE}`;
  const create = (cookie: string, more: object = {}) => {
    const groups = { West: ['iso:ES-H', 'iso:ES-SE'], [EAST]: ['iso:ES-CO', 'iso:ES-CA'] };
    return createRegions(dashboard, cookie, { title: HOSTILE, groups, ...more });
  };
  const areasOf = async (cookie: string, on?: string): Promise<Any[]> =>
    (await call(cookie, `/sets/regions/areas?members=true${on ? `&on=${on}` : ''}`)).items;
  const rowOf = (page: Page, name: string) => page.locator('.territories tbody tr').filter({ hasText: name });
  const text = (page: Page, name: string): Promise<string> =>
    rowOf(page, name).evaluate(
      (row: Any) => [...row.cells].map(({ textContent }) => textContent.trim()).join('\t'),
      undefined,
      WAIT,
    );
  const save = (page: Page) => page.getByRole('button', { name: /^Save \d/ });

  test('members move by the keyboard and by a click, are undone, and saved as a version', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults, violations } = await dashboard.visit('/sets?map=7/37.55/-6.85', { cookie });
    await page.getByRole('link', { name: /2 areas/ }).click(WAIT);
    await rowOf(page, 'West').waitFor(WAIT);
    // The sums of the members are the areas of the unions.
    const [west] = (await areasOf(cookie)).filter(({ name }) => name === 'West');
    const shown = await text(page, 'West');
    expect(shown).toContain(
      `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(west.area_km2)} km²`,
    );
    expect(shown).toMatch(/\t2$/);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violations()).toEqual([]);

    const sevilla = page.getByLabel('Territory of Sevilla');
    await sevilla.focus();
    await page.keyboard.press('e');
    await page.keyboard.press('Tab');
    await expect.poll(() => text(page, 'West'), WAIT).toMatch(/\t1$/);
    await expect.poll(() => text(page, 'East'), WAIT).toMatch(/\t3$/);
    expect(await text(page, 'West')).not.toBe(shown);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text(page, 'West'), WAIT).toBe(shown);
    // Not the move that is undone.
    await page.getByText('Undone. 0 moves not saved.').waitFor(WAIT);
    expect(await save(page).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect.poll(() => text(page, 'West'), WAIT).toMatch(/\t1$/);
    await page.locator('body').press('Control+z');
    await expect.poll(() => text(page, 'West'), WAIT).toBe(shown);

    // The middle of the map lies in Huelva.
    await page.goto(`${dashboard.base}/sets/regions?map=8/37.55/-6.85`);
    await page.getByLabel('A click on the map moves a member to').selectOption(EAST, WAIT);
    await page.locator('.loading').waitFor({ state: 'detached', ...WAIT });
    const box = await page.locator('canvas').boundingBox();
    if (!box) throw new Error('no map');
    const clicked = async (): Promise<string> => {
      const before = await text(page, 'East');
      if (!/\t3$/.test(before)) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      return before;
    };
    // The first tile that is drawn may be another. Two clicks within half a second would be a double click.
    await expect.poll(clicked, { ...WAIT, interval: 1_500 }).toMatch(/\t3$/);
    await expect.poll(() => page.locator('.panel').textContent(), WAIT).toContain('1 move not saved');
    // The address has it.
    await page.reload();
    await expect.poll(() => text(page, 'East'), WAIT).toMatch(/\t3$/);
    await page.getByLabel('Valid from').fill('2024-01-01');
    await save(page).click();
    await expect.poll(() => page.locator('.flag').first().textContent(), WAIT).toContain('2 versions');
    await expect.poll(() => text(page, 'East'), WAIT).toMatch(/\t3$/);
    expect(new URL(page.url()).hash).toBe('');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('2 versions');
    const groups = await page.getByRole('link', { name: 'open them as groups' }).getAttribute('href');
    expect(groups).toMatch(/^\/union#groups=East.*;West:r\d+$/);
    // An area of one's own says which official boundaries it overlaps.
    const [saved] = await areasOf(cookie);
    const neighbors = await call(cookie, `/boundaries/${encodeURIComponent(saved.id)}/neighbors`);
    const overlapping = neighbors.overlaid.items.filter((one: Any) => one.relation === 'overlaps');
    expect(overlapping.length).toBeGreaterThan(0);
    const visit = await dashboard.visit(`/?id=${encodeURIComponent(saved.id)}`, { cookie });
    const section = visit.page.getByRole('region', { name: 'Neighbors' });
    await section.getByRole('heading', { name: /Official boundaries/ }).waitFor(WAIT);
    for (const { id, share } of overlapping.slice(0, 100)) {
      const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }).format(share);
      const link = section.locator(`a[href$="id=${id}"]`);
      expect(await link.textContent(), id).toContain(` ${percent} of it`);
    }
    expect(visit.faults).toEqual([]);
    await visit.page.context().close();
    const byName = Object.fromEntries((await areasOf(cookie)).map(({ name, members }) => [name, members.length]));
    expect(byName).toEqual({ West: 1, [EAST]: 3 });
    expect((await areasOf(cookie, '2020-01-01')).map(({ members }) => members.length)).toEqual([2, 2]);

    await page.getByRole('region', { name: 'Versions' }).getByRole('link').last().click();
    await expect.poll(() => text(page, 'West'), WAIT).toMatch(/\t2$/);
    expect(new URL(page.url()).search).toContain('as_of=2020-01-01');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what another editor saved meanwhile is said, and not overwritten', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults, violations } = await dashboard.visit('/sets/regions', { cookie });
    await page.getByLabel('Territory of Sevilla').selectOption(EAST, WAIT);
    await expect.poll(() => text(page, 'East'), WAIT).toMatch(/\t3$/);
    const theirs = { West: ['iso:ES-H', 'iso:ES-SE', 'iso:ES-CO'], [EAST]: ['iso:ES-CA'] };
    await create(cookie, { groups: theirs, replace: true });
    await page.getByLabel('Valid from').fill('2020-01-01');
    await save(page).click();
    await page.getByText('Someone else has saved this set').waitFor(WAIT);
    expect((await areasOf(cookie)).map(({ members }) => members.length)).toEqual([1, 3]);
    await page.getByRole('button', { name: 'Load what they saved' }).click();
    await page.getByText('Nothing was overwritten').waitFor(WAIT);
    expect(await violations()).toEqual([]);
    expect(await save(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Make my moves in their version' }).click();
    await page.getByLabel('Valid from').fill('2020-01-01', WAIT);
    await save(page).click();
    await expect.poll(() => page.locator('.flag').first().textContent(), WAIT).toContain('Saved as the version');
    expect((await areasOf(cookie)).map(({ members }) => members.length)).toEqual([2, 2]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  /** Sessions of an owner and of a member of one organization, and the address of the member. */
  async function twoPeople(): Promise<{ owner: string; member: string; email: string }> {
    const { keys, sessions, db, orgs } = dashboard.testServer.services;
    const join = (email: string) => keys.create({ email, orgSlug: 'pair' });
    const [one, two] = [await join('one@pair.example'), await join('two@pair.example')];
    await db.query("update membership set role = 'member' where org = $1 and account = $2", [
      two.org.id,
      two.account.id,
    ]);
    orgs.forget();
    const session = async ({ account, org }: typeof one) => (await sessions.start(db, account.id, org.id)).cookie;
    return { owner: await session(one), member: await session(two), email: two.account.email };
  }

  test('a set is hidden from a colleague, shared to be changed, and read again where it is stale', async () => {
    const { owner, member, email } = await twoPeople();
    await create(owner);
    const mine = await dashboard.visit('/sets/regions', { cookie: owner });
    const theirs = await dashboard.visit('/sets/regions', { cookie: member });
    await rowOf(theirs.page, 'West').waitFor(WAIT);
    // Those who may not decide it do not see who else sees it.
    expect(await theirs.page.getByRole('heading', { name: 'Who sees it' }).count()).toBe(0);
    const sharing = mine.page.getByRole('region', { name: 'Who sees it' });
    await sharing.getByRole('button', { name: /^Restrict/ }).click(WAIT);
    await sharing.getByText('Its creator, admins and those it is shared with').waitFor(WAIT);
    expect((await theirs.page.reload())?.status()).toBe(404);
    await theirs.page.getByRole('alert').getByText('There is no area set regions for you').waitFor(WAIT);

    await sharing.getByLabel('Email of a member').fill(email);
    await sharing.getByLabel('They may').selectOption('write');
    await sharing.getByRole('button', { name: 'Share', exact: true }).click();
    await sharing.getByText(`${email}: change it`).waitFor(WAIT);
    expect(await mine.violations()).toEqual([]);
    await mine.page.getByLabel('Territory of Huelva').selectOption(EAST, WAIT);
    await theirs.page.reload();
    await theirs.page.getByLabel('Territory of Sevilla').selectOption(EAST, WAIT);
    await save(theirs.page).click(WAIT);
    await theirs.page.getByText('Saved as the version').waitFor(WAIT);
    await save(mine.page).click();
    await mine.page.getByText('Someone else has saved this set').waitFor(WAIT);
    expect((await areasOf(owner)).map(({ members }) => members.length)).toEqual([3, 1]);

    await sharing.getByRole('button', { name: /^End/ }).click();
    await sharing.getByText('Shared with no one.').waitFor(WAIT);
    expect((await theirs.page.reload())?.status()).toBe(404);
    await sharing.getByRole('button', { name: /^Delete/ }).click();
    await sharing.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => new URL(mine.page.url()).pathname, WAIT).toBe('/sets');
    expect((await mine.page.goto(`${dashboard.base}/sets/regions`))?.status()).toBe(404);
    for (const { page, faults } of [mine, theirs]) {
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  test('a file is saved as areas, shown from the tiles of its version, and says why nothing moves', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/file', { cookie });
    const ring = [[-6, 37], [-5, 37], [-5, 38], [-6, 38], [-6, 37]]; // biome-ignore format: a ring
    const feature = { type: 'Feature', properties: { nr: 'z-1', label: HOSTILE } };
    // Of a single area the set's name would be its code.
    const other = { type: 'Feature', properties: { nr: 'z-2', label: 'Far' } };
    const far = ring.map(([x, y]) => [Number(x) + 10, y]);
    const file = {
      type: 'FeatureCollection',
      features: [
        { ...feature, geometry: { type: 'Polygon', coordinates: [ring] } },
        { ...other, geometry: { type: 'Polygon', coordinates: [far] } },
      ],
    };
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'Our Zones 2019.geojson', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) },
    });
    const form = page.getByRole('region', { name: 'Save as areas of your own' });
    const button = form.getByRole('button', { name: 'Save' });
    await button.click(WAIT);
    await form.getByRole('alert').waitFor(WAIT);
    await form.getByLabel('Column of codes').selectOption('nr');
    await form.getByLabel('Column of names').selectOption('label');
    await form.getByLabel('Valid from').fill('2019-01-01');
    await button.click();
    await form.getByText('Saved:').waitFor(WAIT);
    expect(await violations()).toEqual([]);
    const tiles = page.waitForResponse(
      (answer) => /\/tiles\/sets\/our-zones-2019\/.*as_of=2019-01-01/.test(answer.url()),
      WAIT,
    );
    await form.getByRole('link', { name: '2 areas on the map' }).click();
    expect((await tiles).status()).toBe(200);
    await rowOf(page, 'img').waitFor(WAIT);
    const panel = (await page.locator('.panel').textContent()) ?? '';
    expect(panel).toContain('This version was not made from groups of boundaries');
    expect(await save(page).count()).toBe(0);
    await page.goto(`${dashboard.base}/sets/nothing`);
    await expect.poll(() => page.getByRole('alert').textContent(), WAIT).toContain('There is no area set nothing');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    [390, 'dark'],
    [1280, 'dark'],
  ] as const)('%i px, %s: nothing serious, nothing cut off', async (width, colorScheme) => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const options = { cookie, viewport: { width, height: 844 }, colorScheme };
    const { page, faults, violations } = await dashboard.visit('/sets/regions', options);
    await page.getByLabel('Territory of Sevilla').selectOption(EAST, WAIT);
    await expect.poll(() => text(page, 'East'), WAIT).toMatch(/\t3$/);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${width}-${colorScheme}.png` });
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    const beyond = `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth &&
      !one.closest('.scrolls')).map((one) => one.outerHTML.slice(0, 80))`;
    expect(isWide ? await page.evaluate(beyond) : []).toEqual([]);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the figures of the territories are in the language of the page', async () => {
    const cookie = await dashboard.signIn();
    await create(cookie);
    const { page, faults } = await dashboard.visit('/sets/regions', { cookie, locale: 'de-DE' });
    const balance = page.locator('table.territories');
    await balance.waitFor(WAIT);
    expect(await balance.getByRole('columnheader').allTextContents()).toContain('Anteil');
    expect(await balance.getByRole('row').nth(1).textContent()).toMatch(/\d\d,\d\s%/);
    // All of its columns are in the panel.
    const beyond = await balance.evaluate((table: Any) => table.offsetWidth - table.parentElement.clientWidth);
    expect(beyond).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('without an account there is a way to sign in', async () => {
    const { page, faults, violations } = await dashboard.visit('/sets');
    await page.getByText('to see the area sets of your organization').waitFor(WAIT);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
