import { afterAll, beforeAll, expect, it } from 'vitest';
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

it.skipIf(!hasEditions)(
  'moves made people from the municipalities of 2010 to those of 2026 as PostGIS does, and keeps their number',
  async () => {
    const { server, key, postgis, table, membersOf } = editions;
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
    const { rows } = await postgis.query(
      `with o as (select id, st_makevalid(st_union(geom)) as geom from ${table('2010')} group by id),
            n as (select id, st_makevalid(st_union(geom)) as geom from ${table('2026')} group by id)
       select o.id::text as one, n.id::text as other,
              st_area(st_intersection(o.geom, n.geom)::geography) / st_area(o.geom::geography) as share
       from o join n on o.geom && n.geom and st_intersects(o.geom, n.geom)`,
    );
    const expected = new Map<string, number>();
    for (const { one, other, share } of rows as { one: string; other: string; share: number }[]) {
      expected.set(other, (expected.get(other) ?? 0) + share * (people.get(one) ?? 0));
    }
    const codes = new Map([...now].map(([code, { id }]) => [id, code]));
    let most = 0;
    for (const { id, values } of items) {
      const exact = expected.get(codes.get(id) ?? '') ?? 0;
      const apart = Math.abs((values[0] ?? 0) - exact);
      most = Math.max(most, apart - 1e-4 * exact);
      expect(apart, `${id}: ${values[0]} for ${exact}`).toBeLessThan(1 + 1e-4 * exact);
    }
    const unexplained = total - [...expected.values()].reduce((sum, one) => sum + one, 0);
    expect(Math.abs((column?.unexplained ?? 0) - unexplained)).toBeLessThan(1 + 1e-4 * total);
    console.log(
      `${total} people of ${then.size} to ${now.size}: ${column?.unexplained} unexplained, at most ${most} apart`,
    );
  },
  600_000,
);
