import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, HOSTILE, openDashboard, type Visit } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
}, 400_000);
afterAll(() => dashboard?.close());

/** An Accept header of programs. */
const ANYTHING = ['*', '*'].join('/');
const DRAWN_MS = 60_000;

/** Waits for the map, and expects the page to be without faults, and no wider than the window. */
async function sound({ page, faults, violations }: Visit): Promise<void> {
  await page.waitForSelector('.map[data-drawn=yes]', { timeout: DRAWN_MS });
  expect(faults).toEqual([]);
  expect(await violations()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  // As high as wide, not as the buttons of forms are.
  const zoom = await page.locator('.maplibregl-ctrl-zoom-in').boundingBox();
  expect(zoom?.height).toBeLessThanOrEqual(zoom?.width ?? 0);
}

const PAGES = [
  ['ogc', '/ogc'],
  ['collection', '/ogc/collections/level-4'],
  ['items', '/ogc/collections/level-4/items?limit=20&filter=country+%3D+%27ES%27'],
  ['feature', '/ogc/collections/level-2/items/w2'],
  ['lines', '/ogc/collections/lines/items?admin_level=2'],
  ['tiles', '/tiles/boundaries?lang=de'],
] as const;

test('/tiles lists the tile sets for people, and answers programs as before', async () => {
  const { page, faults, violations } = await dashboard.visit('/tiles', { viewport: { width: 390, height: 800 } });
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tiles');
  expect(await page.getByRole('link', { name: 'Boundary Lookup' }).getAttribute('href')).toBe('/');
  expect(await violations()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: 'All boundaries' }).click();
  expect(new URL(page.url()).pathname).toBe('/tiles/boundaries');
  expect(faults).toEqual([]);
  await page.context().close();
  for (const path of ['/tiles', '/tiles/']) {
    const { status, headers } = await fetch(dashboard.base + path, { headers: { Accept: ANYTHING } });
    expect([path, status, headers.get('Content-Type')]).toEqual([path, 404, 'application/problem+json']);
  }
});

test('the language that is chosen on the dashboard is that of the pages of the server', async () => {
  const { page, faults } = await dashboard.visit('/pricing', { locale: 'fr' });
  const shown = () => page.evaluate('document.documentElement.lang');
  await expect.poll(shown).toBe('fr');
  await page.goto(`${dashboard.base}/sign-in`);
  expect([await shown(), await page.title()]).toEqual(['fr', 'Se connecter · Boundary Lookup']);
  await page.goto(`${dashboard.base}/pricing`);
  await page.locator('.languages button').click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect.poll(shown).toBe('de');
  for (const [path, title] of [
    ['/sign-in', 'Anmelden'],
    ['/tiles/boundaries', 'Kacheln der Grenzen'],
    ['/ogc/collections', 'Sammlungen'],
    ['/nosuch', 'Seite nicht gefunden'],
  ] as const) {
    await page.goto(dashboard.base + path);
    expect([path, await shown(), await page.title()]).toEqual([path, 'de', `${title} · Boundary Lookup`]);
  }
  // The server then names the texts of that language in the page, not those of the browser's.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(...(/texts-(..)-/.exec(request.url())?.slice(1) ?? [])));
  await page.goto(`${dashboard.base}/pricing`);
  await expect.poll(shown).toBe('de');
  expect([...new Set(asked)]).toEqual(['de']);
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  await page.context().close();
}, 120_000);

test('every page of an account leads on: to the map, and an error to where it is put right', async () => {
  const cookie = `boundary_session=${await dashboard.signIn()}`;
  const linksOf = async (path: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
    const reply = await fetch(dashboard.base + path, { headers: { Accept: 'text/html', ...headers } });
    return [...(await reply.text()).matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
  };
  const open = ['/sign-in', '/claim', '/sign-in/confirm?token=none', '/nosuch'];
  for (const path of open) expect(await linksOf(path), path).toContain('/');
  for (const path of ['/sign-in', '/device', '/device?code=BCDF-GHJK', '/invite?token=none']) {
    expect(await linksOf(path, { cookie }), path).toContain('/');
  }
  expect(await linksOf('/sign-in', { cookie })).toContain('/account');
  expect(await linksOf('/sign-in/confirm?token=none')).toContain('/sign-in');
});

test.each([
  ['/v1/files/file_00000000000000000000000000/content?link=old', 404, 'Ask whoever sent it for a new one.'],
  [`/tiles/selections/${'0'.repeat(64)}`, 404, 'The selection is unknown or has expired.'],
  ['/tiles/sets/mine', 401, 'Sign in</a> to see it.'],
  ['/ogc/collections/level-77', 404, '/ogc/collections lists them.'],
  ['/ogc/collections/level-4/items?filter=color', 400, 'filter: '],
])('%s tells people what is wrong, and leads on', async (path, status, said) => {
  const ask = (accept: string) => fetch(dashboard.base + path, { headers: { Accept: accept } });
  const reply = await ask('text/html');
  const text = await reply.text();
  expect([reply.status, reply.headers.get('Content-Type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(text).toContain(said);
  expect(text).toContain('<a href="/">the map</a>');
  expect((await ask(ANYTHING)).headers.get('Content-Type')).toBe('application/problem+json');
});

test('the page of what does not exist is 404, has a way on, and tells no one which sets exist', async () => {
  const cookie = `boundary_session=${await dashboard.signIn()}`;
  const stranger = `boundary_session=${await dashboard.signIn()}`;
  const made = await fetch(`${dashboard.base}/v1/sets`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: dashboard.base, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'mine', groups: { one: ['iso:ES-SE'] } }),
  });
  expect(made.status).toBe(201);
  const NOTHING = { status: 404, type: 'text/html; charset=utf-8' };
  const ask = async (path: string, as = '') => {
    const headers: Record<string, string> = { Accept: 'text/html', 'If-None-Match': '*', ...(as && { Cookie: as }) };
    const reply = await fetch(dashboard.base + path, { headers });
    const text = await reply.text();
    expect([path, /<a href|<script type="module"/.test(text)]).toEqual([path, true]);
    return { status: reply.status, type: reply.headers.get('Content-Type') };
  };
  for (const [path, as] of [
    ['/nosuch'],
    ['/?id=r999999999'],
    ['/?id=iso:XX-YY', cookie],
    ['/?id=Vaduz'],
    [`/?id=${encodeURIComponent(HOSTILE)}`],
    ['/sets/nosuch', cookie],
    ['/sets/mine', stranger],
    ['/feedback/999999'],
    ['/feedback/nosuch'],
    ['/account/nosuch', cookie],
    ['/jobs/nosuch', cookie],
    ['/library/nosuch', cookie],
    ['/map/nosuch'],
    ['/docs/nosuch'],
    ['/docs/texts/nosuch'],
    ['/v1/files/file_00000000000000000000000000/content?link=old'],
    [`/tiles/selections/${'0'.repeat(64)}`],
    ['/tiles/sets/nosuch', cookie],
    ['/tiles/sets/mine', stranger],
    ['/ogc/collections/set-mine', stranger],
    ['/assets/nosuch.js'],
  ] as const) {
    expect([path, await ask(path, as)]).toEqual([path, NOTHING]);
  }
  const same = (path: string) => fetch(dashboard.base + path, { headers: { Accept: 'text/html' } });
  for (const [there, not] of [
    ['/sets/mine', '/sets/nosuch'],
    ['/?id=set:mine/one', '/?id=set:nosuch/one'],
  ] as const) {
    const [one, other] = [await same(there), await same(not)];
    expect([there, one.status, await one.text()]).toEqual([there, other.status, await other.text()]);
  }
  const own = await fetch(`${dashboard.base}/sets/mine`, { headers: { Accept: 'text/html', Cookie: cookie } });
  expect(own.status).toBe(200);
});

/** Pictures of pages go to this folder, of all of them. */
const { SCREENSHOTS } = process.env;

test.each([
  ['wide', PAGES, { viewport: { width: 1280, height: 900 } }],
  // What differs is the style, which the pages share.
  ['narrow', SCREENSHOTS ? PAGES : drawn(PAGES, 2), { viewport: { width: 390, height: 800 } }],
  [
    'dark',
    SCREENSHOTS ? PAGES : drawn(PAGES, 2),
    { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const },
  ],
] as const)(
  'pages of the server have a map: %s',
  async (mode, pages, options) => {
    for (const [name, path] of pages) {
      const address = name === 'feature' ? await firstFeature() : path;
      const visit = await dashboard.visit(address, SCREENSHOTS ? { ...options, deviceScaleFactor: 1 } : options);
      await sound(visit);
      const ways = visit.page.locator('.service a');
      expect([await ways.count(), await ways.last().getAttribute('href')], name).toEqual([2, '/docs']);
      const icon = await visit.page.locator('link[rel=icon]').getAttribute('href');
      expect((await fetch(new URL(String(icon), dashboard.base))).headers.get('content-type')).toContain('svg');
      // Sources of a style may be by the same people, who are named once.
      const said = await visit.page.locator('.map + p.hint, .map ~ p.hint').allTextContents();
      expect(said.join(' ').split('Instituto Geográfico').length, name).toBeLessThanOrEqual(2);
      if (SCREENSHOTS) await visit.page.screenshot({ path: `${SCREENSHOTS}/${name}-${mode}.png`, fullPage: true });
      await visit.page.context().close();
    }
  },
  300_000,
);

async function firstFeature(): Promise<string> {
  const reply = await fetch(`${dashboard.base}/ogc/collections/level-2/items?limit=1&country=ES`);
  const { features } = (await reply.json()) as { features: { id: string }[] };
  return `/ogc/collections/level-2/items/${features[0]?.id}`;
}

test('a filter on the page of features selects them, and markup in names is text', async () => {
  const visit = await dashboard.visit('/ogc/collections/kind-region/items');
  const { page } = visit;
  await page.getByLabel('Filter (CQL2)').fill("population = 7 AND name LIKE '<img%'");
  await page.getByRole('button', { name: 'Filter' }).click();
  await sound(visit);
  expect(await page.locator('tbody tr').count()).toBe(1);
  expect(await page.locator('tbody a').textContent()).toBe(HOSTILE);
  await page.locator('.map canvas').click();
  await page.waitForSelector('.clicked a');
  expect(await page.locator('.clicked a').textContent()).toBe(HOSTILE);
  expect(await page.evaluate('window.hit')).toBeUndefined();
  await page.goto(`${dashboard.base}/ogc/collections/kind-region/items?f=html&filter=kind+%3D`);
  expect(await page.locator('main').textContent()).toContain('ends where');
  await page.context().close();
}, 120_000);

test('a selection has a page of its tiles', async () => {
  const reply = await fetch(`${dashboard.base}/tiles/selections`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids: ['iso:ES-MD'] }),
  });
  const { sha256 } = (await reply.json()) as { sha256: string };
  const visit = await dashboard.visit(`/tiles/selections/${sha256}`);
  await sound(visit);
  await visit.page.getByLabel('Edges of tiles').check();
  await visit.page.locator('.map canvas').click();
  await visit.page.waitForSelector('.clicked p');
  expect(await visit.page.locator('.clicked').textContent()).toContain('level: ');
  await visit.page.context().close();
  expect((await fetch(`${dashboard.base}/tiles/selections/${'0'.repeat(64)}`)).status).toBe(404);
}, 120_000);

test('programs get JSON, browsers a page, and both may ask for the other', async () => {
  const type = async (path: string, accept: string) =>
    (await fetch(dashboard.base + path, { headers: { Accept: accept } })).headers.get('content-type');
  const browser = `text/html,application/xhtml+xml,${ANYTHING};q=0.8`;
  for (const path of ['/ogc', '/ogc/conformance', '/ogc/collections', '/ogc/collections/level-2/queryables']) {
    expect(await type(path, browser)).toContain('text/html');
    expect(await type(path, ANYTHING)).toContain('json');
    expect(await type(`${path}?f=json`, browser)).toContain('json');
    expect(await type(`${path}?f=html`, ANYTHING)).toContain('text/html');
  }
  expect(await type('/ogc/collections/level-2/items', 'application/geo+json')).toBe('application/geo+json');
});

test('a link to boundaries has a title and a picture, with markup in names as text', async () => {
  const reply = await fetch(`${dashboard.base}/ogc/collections/kind-region/items?population=7`);
  const { features } = (await reply.json()) as { features: { id: string }[] };
  const read = async (path: string, accept = ANYTHING): Promise<string> =>
    (await fetch(dashboard.base + path, { headers: { Accept: accept } })).text();
  const hostile = await read(`/?id=${features[0]?.id}`);
  expect(hostile).toContain('<meta property="og:title" content="&lt;img src=x');
  expect(hostile).not.toContain('<img');
  expect(hostile).not.toContain('window.hit=2</script>');
  const both = await read('/union?include=iso:ES-SE,iso:ES-CA', 'text/html');
  const [, image = ''] = /property="og:image" content="([^"]+)"/.exec(both) ?? [];
  const picture = await fetch(image);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  if (SCREENSHOTS) {
    writeFileSync(`${SCREENSHOTS}/card.png`, Buffer.from(await picture.arrayBuffer()));
    const one = await fetch(`${dashboard.base}/preview.png?ids=iso:ES-SE`);
    writeFileSync(`${SCREENSHOTS}/card-one.png`, Buffer.from(await one.arrayBuffer()));
  }
  // A cut is not drawn, an unknown id and a session have the page itself.
  for (const path of ['/union?include=iso:ES-SE&exclude=iso:ES-CA', '/?id=r1', '/?id=%00', '/?q=Sevilla']) {
    expect(await read(path, 'text/html')).not.toContain('og:');
  }
}, 120_000);

test('the data page has the steps, the commands and the publishers that bring a country', async () => {
  const { page, violations } = await dashboard.visit('/coverage', { cookie: await dashboard.signIn(true) });
  await page.getByText('Bring a country in three steps').click();
  await page.getByLabel('Choose a country').selectOption('PT');
  await page.getByText('boundary import @').first().waitFor();
  expect(await page.getByRole('link', { name: 'Its file: whosonfirst/PT/regions' }).getAttribute('href')).toBe(
    'https://data.geocode.earth/wof/dist/shapefile/whosonfirst-data-admin-pt-latest.zip',
  );
  const publisher = page.getByRole('link', { name: 'William & Mary geoLab' }).first();
  expect(await publisher.getAttribute('href')).toBe('https://www.geoboundaries.org/');
  expect(await page.getByText('boundary admin operator add').count()).toBe(0);
  expect(await violations()).toEqual([]);
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/data-wide.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/data-narrow.png`, fullPage: true });
  await page.getByRole('link', { name: 'Import the file here: geoboundaries/PRT/ADM1' }).click();
  await page.getByText('it is read as geoboundaries/PRT/ADM1').waitFor();
  await page.context().close();
}, 120_000);
