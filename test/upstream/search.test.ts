import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPlaces } from '../../src/adapters/nominatim.ts';
import { defined } from '../../src/common/elements.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

/** A place as Nominatim answers it in format jsonv2 (its documentation, Search). */
const place = (id: number, name: string, more: object = {}) => ({
  place_id: id,
  license: 'Data © OpenStreetMap contributors, ODbL 1.0',
  osm_type: 'relation',
  osm_id: id,
  lat: '48.1371079',
  lon: '11.5753822',
  category: 'boundary',
  type: 'administrative',
  place_rank: 12,
  importance: 0.8,
  addresstype: 'city',
  name,
  display_name: `${name}, Bayern, Deutschland`,
  extratags: { wikidata: `Q${id}`, population: '1512491', 'ISO3166-2': 'DE-XX' },
  namedetails: { name, 'name:en': `${name} in English`, 'name:it': 'Monaco di Baviera' },
  boundingbox: ['48.0616244', '48.2481162', '11.3607770', '11.7229099'],
  ...more,
});

let server: Server;
let testServer: BoundaryTestServer;
let answer: (response: ServerResponse, url: URL) => void;
const asked: { url: URL; at: number; agent: string | undefined }[] = [];
const reply = (places: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(places));

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push({ url, at: Date.now(), agent: request.headers['user-agent'] });
    response.setHeader('Content-Type', 'application/json');
    answer(response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`;
  testServer = await openBoundaryTestServer({}, { SEARCH_URL: url, UPSTREAM_CONTACT: 'maps@example.org' });
});
afterAll(async () => {
  await testServer?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
  answer = reply([]);
});

/** Looks until there is something: on a busy machine two seconds are soon over. */
const searchUntilFound = async (q: string) => {
  let found = await search(q);
  for (let i = 0; i < 20 && found.length === 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    found = await search(q);
  }
  return found;
};

const search = async (q: string, more = '') =>
  (await testServer.get(`/v1/boundaries/search?q=${encodeURIComponent(q)}${more}`)).json.items;

describe('a name that is not known', () => {
  test('is asked for, and what is learned is stored', async () => {
    answer = reply([place(62_428, 'München'), place(7, 'A café', { category: 'amenity', type: 'cafe' })]);
    const [found, ...others] = await searchUntilFound('München');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: 'r62428',
      name: 'München',
      admin_level: 6,
      country: 'DE',
      wikidata: 'Q62428',
      population: 1_512_491,
      has_geometry: false,
      bbox: { west: 11.360777, south: 48.0616244, east: 11.7229099, north: 48.2481162 },
    });
    expect(Object.fromEntries(defined(asked[0]).url.searchParams)).toMatchObject({ q: 'München', format: 'jsonv2' });
    expect(defined(asked[0]).agent).toContain('maps@example.org');
    expect(defined((await search('monaco di baviera'))[0]).id).toBe('r62428');
    expect(asked).toHaveLength(1);
  });

  test('is asked for once while nothing is found, with the countries that are wanted', async () => {
    for (let i = 0; i < 3; i++) expect(await search('Nirgendwo', '&country=de,AT')).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(defined(asked[0]).url.searchParams.get('countrycodes')).toBe('de,at');
  });

  test('read by the other server in its own way is found all the same', async () => {
    answer = reply([place(62_428, 'München')]);
    expect((await searchUntilFound('Minga, Boarn')).map(({ id }) => id)).toEqual(['r62428']);
    expect(await search('Minga, Boarn', '&kind=country')).toEqual([]);
  });

  test('is not an error when the server fails', async () => {
    answer = (response) => void response.writeHead(500).end('oops');
    expect(await search('Broken one')).toEqual([]);
    answer = (response) => void response.end('{"error":"no"}');
    expect(await search('Broken two')).toEqual([]);
    answer = (response) => void response.destroy();
    expect(await search('Broken three')).toEqual([]);
  });

  test('waits no longer than two seconds, and is learned all the same', async () => {
    let finish: () => void = () => undefined;
    answer = (response) => {
      finish = () => reply([place(5_001, 'Slowtown')])(response);
    };
    const started = performance.now();
    expect(await search('Slowtown')).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    finish();
    await expect.poll(async () => (await search('Slowtown')).length, { timeout: 10_000 }).toBe(1);
    expect(asked).toHaveLength(1);
  });

  test('and many others are asked for once a second, the rest not at all', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await Promise.all(Array.from({ length: 12 }, (_, i) => search(`Unheard of ${i}`)));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(3);
    // Timers fire a little early and clocks are coarse; two within the same half second would be a fault.
    asked.slice(1).forEach(({ at }, i) => {
      expect(at - defined(asked[i]).at).toBeGreaterThan(500);
    });
  });
});

describe('places of an answer', () => {
  test('that are not relation or way with a boundary are left out', () => {
    expect(
      readPlaces([place(1, 'A', { osm_type: 'node' }), place(-1, 'B'), place(2, 'C', { category: 'place' })]),
    ).toEqual([]);
    expect(readPlaces([place(3, 'D', { boundingbox: ['a', 'b'] })])).toMatchObject([{ id: 'r3', box: null }]);
    expect(defined(readPlaces([place(4, 'E', { type: 'postal_code', osm_type: 'way' })])[0]).tags.boundary).toBe(
      'postal_code',
    );
  });

  test('in anything but a list are none', () => {
    for (const odd of [{}, null, 7, 'x', [null], [[]]]) expect(() => readPlaces(odd)).toThrow();
  });
});
