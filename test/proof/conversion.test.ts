import { afterAll, beforeAll, expect, it } from 'vitest';
import { isNative } from '../setup/database.ts';
import { generator } from './made.ts';
import { hasEditions, openSwissEditions, type SwissEditions } from './swiss_editions.ts';

let editions: SwissEditions;
beforeAll(async () => {
  if (hasEditions) editions = await openSwissEditions(['2010', '2026']);
}, 900_000);
afterAll(() => editions?.close());

interface Answer {
  readonly items: readonly {
    readonly id: string;
    readonly share_covered: number;
    readonly values: readonly number[];
  }[];
  readonly columns: readonly { readonly given: number; readonly unexplained: number }[];
}

/** The shares of the municipalities of 2010 in those of 2026, by PostGIS. */
const SHARES = `
  select a.id as one, b.id as other, st_area(st_intersection(a.geom, b.geom)::geography) / st_area(a.geom::geography) as share
  from (select i.boundary_id as id, b.geom from edition_interval i join edition_boundary b on b.state = i.state
        where i.recorded_to is null and i.valid_from = '2010-01-01') a
  join (select i.boundary_id as id, b.geom from edition_interval i join edition_boundary b on b.state = i.state
        where i.recorded_to is null and (i.valid_to is null)) b on a.geom && b.geom and st_intersects(a.geom, b.geom)`;

it.skipIf(!hasEditions || !isNative)(
  'moves made people from the municipalities of 2010 to those of 2026 as PostGIS does, and keeps their number',
  async () => {
    const { server, key, membersOf } = editions;
    const random = generator(42);
    const [then, now] = [await membersOf('2010-06-01'), await membersOf('2026-06-01')];
    const people = new Map([...then.keys()].map((code) => [code, Math.floor(10 ** (2 + 3 * random()))]));
    const csv = `id,people\n${[...then].map(([code, { id }]) => `${id},${people.get(code)}`).join('\n')}\n`;
    const b = [...now.values()].map(({ id }) => id);
    const input = { csv, b, counts: ['people'], as_of: '2010-06-01', as_of_b: '2026-06-01' };
    const reply = await server.ask('POST', '/v1/convert-values', { key, json: input });
    expect(reply.status, reply.text.slice(0, 500)).toBe(200);
    const { items, columns } = reply.json as unknown as Answer;
    const total = [...people.values()].reduce((sum, one) => sum + one, 0);
    const [column] = columns;
    expect(column?.given).toBe(total);
    const converted = items.reduce((sum, { values: [value = 0] }) => sum + (value ?? 0), 0);
    expect(converted + (column?.unexplained ?? Number.NaN)).toBe(total);
    // The shapes as they are stored: GDAL moves coordinates of 2010, which are LV03, by up to a meter more or less.
    const rows = await server.services.db.query<{ one: string; other: string; share: number }>(SHARES);
    const expected = new Map<string, number>();
    const codes = new Map([...then].map(([code, { id }]) => [id, code]));
    for (const { one, other, share } of rows) {
      expected.set(other, (expected.get(other) ?? 0) + share * (people.get(codes.get(one) ?? '') ?? 0));
    }
    let most = 0;
    for (const { id, values } of items) {
      const exact = expected.get(id) ?? 0;
      const apart = Math.abs((values[0] ?? 0) - exact);
      most = Math.max(most, apart - 1e-5 * exact);
      expect(apart, `${id}: ${values[0]} for ${exact}`).toBeLessThan(1 + 1e-5 * exact);
    }
    const unexplained = total - [...expected.values()].reduce((sum, one) => sum + one, 0);
    expect(Math.abs((column?.unexplained ?? 0) - unexplained)).toBeLessThan(1 + 1e-5 * total);
    console.log(
      `${total} people of ${then.size} to ${now.size}: ${column?.unexplained} unexplained, at most ${most} apart`,
    );
  },
  600_000,
);
