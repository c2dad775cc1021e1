import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, openDashboard, type Visit } from './dashboard.ts';

const { SCREENSHOTS } = process.env;
/** Common English words that Spanish, German and French have not, in what people see or hear, but names and code. */
const ENGLISH = `(() => {
  const words = /(?:^|[^\\p{L}])(?:the|of|and|with|is|are|this|from|not|your|which|be|it|or|for|each|out)(?=[^\\p{L}]|$)/iu;
  const skipped = '[lang=en], [lang=en] *, code, pre, .tree, .places, .attribution, .printed, .crumbs, .local, dd, option, th a, td';
  const seen = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const { parentElement: around, data } = node;
    if (around?.closest(skipped) || ['SCRIPT', 'STYLE'].includes(around?.tagName)) continue;
    if (words.test(data)) seen.push(data.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    if (element.closest('[lang=en], .attribution')) continue;
    for (const name of ['aria-label', 'title', 'placeholder']) {
      const value = element.getAttribute(name) ?? '';
      if (words.test(value)) seen.push(name + '=' + value);
    }
  }
  return seen;
})()`;

/** The pages, what has to be there, and what is opened on it. */
const PAGES: readonly (readonly [name: string, address: string, open?: (page: Page) => Promise<void>])[] = [
  ['welcome', '/'],
  ['place', '/?id=iso:ES-SE', (page) => page.locator('summary').nth(1).click()],
  ['point', '/?at=37.4,-5.9'],
  ['select', '/select#select=iso:ES-SE,iso:ES-H', (page) => page.locator('summary').first().click()],
  ['union', '/union?include=iso:ES-SE,iso:ES-H', (page) => page.locator('summary').first().click()],
  ['area', '/area?words=Portugal%20y%20sus%20vecinos'],
  [
    'figures',
    '/figures',
    async (page) => {
      await page.locator('textarea').fill('province,state,density\nSevilla,Spain,140.5\nHuelva,Spain,52\nXyz,Spain,7');
      await page.locator('.panel button').first().click();
      await page.locator('.classes').waitFor({ timeout: 60_000 });
    },
  ],
  [
    'file',
    '/file',
    async (page) => {
      const buffer = Buffer.from('POLYGON((0 0,1 0,1 1,0 0))');
      await page.locator('input[type=file]').setInputFiles({ name: 'one.wkt', mimeType: 'text/plain', buffer });
      await page.locator('.panel h2').first().waitFor({ timeout: 20_000 });
    },
  ],
  ['dates', '/map'],
  ['sets', '/sets'],
  ['library', '/library'],
  ['data', '/coverage', (page) => page.locator('summary').first().click()],
  ['pricing', '/pricing'],
  ['feedback', '/feedback'],
  ['reviews', '/reviews'],
  ...['', '/members', '/teams', '/keys', '/apps', '/audit'].map(
    (part) => [`account${part.replace('/', '-')}`, `/account${part}`] as const,
  ),
  ['nothing', '/?id=r999999999'],
];

describe.skipIf(!hasChromium)('the pages in another language', { timeout: 900_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  }, 600_000);
  afterAll(() => dashboard?.close());

  /** Shows a page, opens what is on it, and lists what is wrong with it. */
  async function look(visit: Visit, mode: string, [name, address, open]: (typeof PAGES)[number]): Promise<string[]> {
    const { page, faults, violations } = visit;
    await page.goto(dashboard.base + address);
    await page.locator('main h1, main .problem').first().waitFor({ timeout: 60_000 });
    await open?.(page);
    await expect.poll(() => page.locator('.skeleton').count(), { timeout: 60_000 }).toBe(0);
    if (SCREENSHOTS) {
      await page.waitForTimeout(1_500);
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${mode}.png` });
    }
    const isCut = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    const english = await page.evaluate<string[]>(ENGLISH);
    return [...english, ...faults.splice(0), ...(await violations()), ...(isCut ? ['cut off'] : [])].map(
      (what) => `${name}: ${what}`,
    );
  }

  test.each([
    ['es', 1280, 'light'],
    ['de', 390, 'dark'],
    ['fr', 1280, 'dark'],
  ] as const)('%s, %i px, %s: no English, nothing serious, nothing cut off', async (locale, width, colorScheme) => {
    const visit = await dashboard.visit('/', {
      ...{ locale, colorScheme, cookie: await dashboard.signIn() },
      ...(SCREENSHOTS ? { deviceScaleFactor: 1 } : {}),
      viewport: { width, height: width > 600 ? 800 : 844 },
    });
    const language = () => visit.page.evaluate('document.documentElement.lang');
    await expect.poll(language, { timeout: 20_000 }).toBe(locale);
    const wrong: string[] = [];
    const pages = SCREENSHOTS || locale === 'es' ? PAGES : drawn(PAGES, 6);
    for (const one of pages) wrong.push(...(await look(visit, `${locale}-${width}`, one)));
    expect(wrong).toEqual([]);
    await visit.page.context().close();
  });

  test('without an account, in Spanish: no English', async () => {
    const visit = await dashboard.visit('/', { locale: 'es' });
    const wrong: string[] = [];
    for (const one of PAGES.filter(([name]) => name !== 'figures')) wrong.push(...(await look(visit, 'es-out', one)));
    expect(wrong).toEqual([]);
    // The script of the documentation, whose texts are English.
    await visit.page.goto(`${dashboard.base}/docs/boundaries`);
    await visit.page.getByRole('button', { name: 'Copiar' }).first().waitFor({ timeout: 20_000 });
    expect(await visit.page.evaluate('document.documentElement.lang')).toBe('en');
    await visit.page.context().close();
  });
});
