import { afterEach, describe, expect, test, vi } from 'vitest';
import { fragmentOf, leftOf, NONE, readMoves } from '../../web/src/sets/moves.ts';
import { holdsPoint, type MemberShape, sortOut, usualLevel } from '../../web/src/sets/overlaps.ts';

const BASE = '2026-11-28T12:16:46.707Z';
const map = (places: Readonly<Record<string, string>>) => new Map(Object.entries(places));

describe('moves and new members in an address', () => {
  test.each([
    ['moves', { r1: 'North & East', r2: 'a:b;c,d' }, {}],
    ['new members', {}, { r3: 'Süd', 'set:other/ä,b': '100 % #1' }],
    ['both', { r1: 'x' }, { r3: 'x', r4: 'y' }],
  ])('%s are read as they were written', (_what, to, added) => {
    const moves = { base: BASE, to: map(to), added: map(added) };
    const fragment = fragmentOf(moves);
    expect(fragment).toMatch(/^#base=/);
    expect(readMoves(fragment.slice(1))).toEqual(moves);
  });

  test('without moves the fragment is empty, and what cannot be read moves nothing', () => {
    expect(fragmentOf(NONE)).toBe('');
    for (const wrong of ['', `base=${BASE}`, `base=${BASE}&adds=`, `base=${BASE}&adds=%E0:r1`, 'adds=x:r1']) {
      expect([wrong, readMoves(wrong)]).toEqual([wrong, NONE]);
    }
    // As links had them before members could be added.
    expect(readMoves(`base=${BASE}&moves=x:r1,r2`).to).toEqual(map({ r1: 'x', r2: 'x' }));
  });

  test('after saving, what was changed meanwhile is left', () => {
    const owners = map({ r1: 'West', r2: 'West' });
    const saved = { to: map({ r1: 'East' }), added: map({ r3: 'East', r4: 'East' }) };
    expect(leftOf(owners, saved, { base: BASE, ...saved })).toEqual({ to: new Map(), added: new Map() });
    const wanted = { base: BASE, to: map({ r2: 'East' }), added: map({ r3: 'West', r4: 'East', r5: 'West' }) };
    expect(leftOf(owners, saved, wanted)).toEqual({
      to: map({ r1: 'West', r2: 'East', r3: 'West' }),
      added: map({ r5: 'West' }),
    });
  });
});

const square = (west: number, south: number, size: number): number[][] =>
  [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]].map(([x = 0, y = 0]) => [west + x * size, south + y * size]); // biome-ignore format: corners

/** A square with its middle, which may be said to be elsewhere. */
function made(id: string, west: number, south: number, size: number, middle = [west + size / 2, south + size / 2]) {
  const [lon = 0, lat = 0] = middle;
  const properties = { id, name: id.toUpperCase(), area_km2: 1, population: null, admin_level: 8, lat, lon };
  const geometry: GeoJSON.Polygon = { type: 'Polygon', coordinates: [square(west, south, size)] };
  return { type: 'Feature', geometry, properties } satisfies MemberShape;
}

describe('boundaries that may become members', () => {
  afterEach(() => vi.unstubAllGlobals());
  /** The service, which knows which boundaries really contain any point; and the points that it is asked about. */
  function service(containing: readonly string[]): string[] {
    const asked: string[] = [];
    const items = containing.map((id) => ({ id, contains: true }));
    vi.stubGlobal('document', { baseURI: 'https://maps.example/', querySelector: () => null });
    vi.stubGlobal('fetch', async (address: string | URL) => {
      asked.push(new URL(address, 'https://maps.example').search);
      return new Response(JSON.stringify({ items }), { headers: { 'Content-Type': 'application/json' } });
    });
    return asked;
  }
  const names = (sorted: Awaited<ReturnType<typeof sortOut>>) => [
    sorted.free.map(({ properties }) => properties.id),
    [...sorted.taken].map(([id, other]) => `${id} ${other.properties.id}`),
  ];

  test('a point is inside a shape, but not in its holes or between its parts', () => {
    const parts: GeoJSON.MultiPolygon = {
      type: 'MultiPolygon',
      coordinates: [[square(0, 0, 10), square(4, 4, 2)], [square(20, 0, 10)]],
    };
    const inside = ([lon, lat]: readonly [number, number]) => holdsPoint(parts, lon, lat);
    expect(([[1, 1], [5, 5], [15, 5], [25, 5], [-1, 5], [5, 11]] as const).map(inside)) // biome-ignore format: points
      .toEqual([true, false, false, true, false, false]);
    expect(holdsPoint({ type: 'Point', coordinates: [1, 1] }, 1, 1)).toBe(false);
  });

  test('neighbors are free, without a question to the service', async () => {
    const asked = service([]);
    const found = await sortOut([made('b', 10, 0, 10), made('c', 0, 10, 10)], [made('a', 0, 0, 10)]);
    expect(names(found)).toEqual([['b', 'c'], []]);
    expect(asked).toEqual([]);
  });

  test('one inside a member, one around a member, and one given twice overlap', async () => {
    service(['a', 'all', 'far', 'twice']);
    const members = [made('a', 0, 0, 10)];
    const wanted = [made('in', 1, 1, 2), made('all', -50, -50, 200), made('far', 300, 0, 1), made('twice', 300, 0, 1)];
    expect(names(await sortOut(wanted, members))).toEqual([['far'], ['in a', 'all a', 'twice far']]);
  });

  test('where a coarse shape has the middle of a neighbor, the exact borders decide', async () => {
    const members = [made('a', 0, 0, 10)];
    const wanted = [made('b', 10, 0, 1, [9.99, 0.5])];
    const asked = service(['b']);
    expect(names(await sortOut(wanted, members))).toEqual([['b'], []]);
    expect(asked).toEqual(['?lat=0.5&lon=9.99']);
    service(['a', 'b']);
    expect(names(await sortOut(wanted, members))).toEqual([[], ['b a']]);
  });

  test('of many that seem to overlap, those that were not asked about are not added', async () => {
    const asked = service([]);
    const wanted = Array.from({ length: 30 }, (_, i) => made(`n${i}`, 20 + i, 0, 1, [5, 5]));
    const { free, taken } = await sortOut(wanted, [made('a', 0, 0, 10)]);
    expect([free.length, taken.size, asked.length]).toEqual([20, 10, 20]);
  });

  test('the level is that of most members', () => {
    expect(usualLevel([made('a', 0, 0, 1), made('b', 0, 0, 1)])).toBe(8);
    const other = made('c', 0, 0, 1);
    const provinces = [1, 2, 3].map(() => ({ ...other, properties: { ...other.properties, admin_level: 6 } }));
    expect([usualLevel([other, ...provinces]), usualLevel([])]).toEqual([6, 8]);
  });
});
