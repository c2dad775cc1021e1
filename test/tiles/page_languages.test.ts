import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/common/languages.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { wordsIn } from '../../src/transports/pages/words.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { englishIn } from '../setup/english_in.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
});
afterAll(() => server.close());

const ask = (path: string, language: string, accept = 'text/html') =>
  server.ask('GET', path, { headers: { 'Accept-Language': language, Accept: accept } });

const LEVEL = '/ogc/collections/level-4';
const PAGES = [
  '/ogc',
  '/ogc/conformance',
  '/ogc/collections',
  LEVEL,
  '/ogc/collections/kind-state',
  `${LEVEL}/queryables`,
  `${LEVEL}/items?limit=1`,
  `${LEVEL}/items?filter=name+%3D+%27nowhere%27`,
  '/ogc/collections/lines',
  '/ogc/collections/lines/items?limit=1',
  '/ogc/collections/lines/items?admin_level=11',
  '/tiles',
  '/tiles/boundaries',
] as const;

describe.each(LANGUAGES)('the pages of the tiles and features in %s', (language) => {
  it.each(PAGES)('%s', async (path) => {
    const { status, headers, text } = await ask(path, `${language}-x, en;q=0.5`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const vary = (headers.vary ?? '').split(', ');
    expect(vary).toEqual(expect.arrayContaining(['Accept-Language', 'Cookie']));
    expect(vary.includes('Accept')).toBe(path.startsWith('/ogc'));
    expect(text).toContain(`<html lang="${language}">`);
    // Classes are named by the addresses of their standard.
    expect(language === 'en' || path === '/ogc/conformance' ? [] : englishIn(text)).toEqual([]);
  });

  it('a feature and a line, from their lists, with numbers as people there write them', async () => {
    const list = (await ask(`${LEVEL}/items?limit=1`, language)).text;
    for (const path of [`${LEVEL}/items`, '/ogc/collections/lines/items']) {
      const { text } = await ask(`${path}?limit=1`, language);
      const [, one = ''] = /<td><a href="\/base([^"?]+)\?f=html">/.exec(text) ?? [];
      const shown = await ask(`${one}?f=html`, language);
      expect([one, shown.status, shown.text.includes(`<html lang="${language}">`)]).toEqual([one, 200, true]);
    }
    expect(list).toContain(wordsIn(language)('ogc.nextPage').text);
    const [, area = ''] = /(\d[\d.,\s\u202f]*)<\/td><\/tr>/.exec(list) ?? [];
    expect((12_345).toLocaleString(language).replace('12', '').charAt(0)).toBe(area.replace(/\d/g, '').charAt(0));
  });
});

it('what programs read is the same in every language, and of a standard in English', async () => {
  for (const path of ['/ogc', '/ogc/collections', LEVEL, `${LEVEL}/queryables`, '/tiles/boundaries.json']) {
    const [german, english] = [await ask(path, 'de', 'application/json'), await ask(path, 'en', 'application/json')];
    expect([path, german.status, german.text]).toEqual([path, 200, english.text]);
  }
});
