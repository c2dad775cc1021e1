import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestOf } from '../../src/cli/manifest.ts';
import { ops } from '../../src/ops/index.ts';
import { type Agent, connect, REVISIONS } from '../mcp/client.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { storeCoast, storeLake, storeSquares } from './made_coast.ts';

let server: BoundaryTestServer;
let agent: Agent;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeSquares(server);
  await storeCoast(server);
  await storeLake(server);
  ({ key } = await server.key('business'));
  agent = await connect(REVISIONS[0], server.address, key);
}, 120_000);
afterAll(async () => {
  await agent?.client.close();
  await server?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: the answers of many operations.
type Answer = any;

interface Case {
  /** The input without area, for some boundaries. */
  readonly input: (ids: readonly string[]) => object;
  /** Square kilometers that an answer is of. */
  readonly km2: (answer: Answer) => number;
  readonly http: readonly [method: string, path: (id: string) => string];
  /** Names boundaries without a known part in the answer, in place of an error. */
  readonly lists?: boolean;
  /** What an answer says: whether it includes water and, where that is cut out, how much inland water it lacks. */
  readonly says: (answer: Answer) => readonly [water: unknown, inlandKm2: unknown];
}

const sumOf = (features: Answer, member = 'area_km2'): number | undefined =>
  features.reduce((sum: number | undefined, { properties }: Answer) => {
    return properties[member] === undefined ? sum : (sum ?? 0) + properties[member];
  }, undefined);

const sayOf = ({ properties }: Answer) => [properties.includes_water, properties.inland_water_km2] as const;

/** How each operation with `area` is called, for two boundaries or the first of them. */
const CASES: Readonly<Record<string, Case>> = {
  get_boundary: {
    input: ([id]) => ({ id, detail: 'full' }),
    km2: ({ properties }) => properties.area_km2,
    http: ['GET', (id) => `/v1/boundaries/${id}?detail=full&area=`],
    says: sayOf,
  },
  export_boundary: {
    input: ([id]) => ({ id, detail: 'full', format: 'geojson' }),
    km2: ({ properties }) => properties.area_km2,
    http: ['GET', (id) => `/v1/boundaries/${id}/export?format=geojson&detail=full&area=`],
    says: sayOf,
  },
  union_boundaries: {
    input: (ids) => ({ include: ids, detail: 'full' }),
    km2: ({ properties }) => properties.area_km2,
    http: ['POST', () => '/v1/boundaries/union'],
    says: sayOf,
  },
  export_collection: {
    input: (ids) => ({ ids, tolerance_m: 2, format: 'geojson' }),
    km2: ({ features }) => sumOf(features) as number,
    http: ['POST', () => '/v1/collections'],
    lists: true,
    says: ({ features }) => [features[0].properties.includes_water, sumOf(features, 'inland_water_km2')],
  },
  dissolve: {
    input: (ids) => ({ groups: { all: ids }, tolerance_m: 2 }),
    km2: ({ features }) => sumOf(features) as number,
    http: ['POST', () => '/v1/dissolve'],
    says: ({ includes_water, features }) => [includes_water, sumOf(features, 'inland_water_km2')],
  },
  crosswalk: {
    input: (ids) => ({ a: ids, b: ids }),
    km2: ({ items }) => items.reduce((sum: number, { area_km2 }: Answer) => sum + area_km2, 0),
    http: ['POST', () => '/v1/crosswalk'],
    says: ({ includes_water, items }) => [
      includes_water,
      sumOf(
        items.map((properties: Answer) => ({ properties })),
        'inland_water_km2',
      ),
    ],
  },
  create_area: {
    input: (ids) => ({
      plan: { steps: [...ids.map((id) => ({ op: 'place', id })), { op: 'union', of: ids.map((_, i) => i) }] },
      detail: 'full',
    }),
    km2: ({ properties }) => properties.area_km2,
    http: ['POST', () => '/v1/areas'],
    says: sayOf,
  },
};

/** save_file has `area` too, in which an area of words is; asked_as_area.test.ts saves parts. */
const ELSEWHERE = ['save_file'];

describe('area', () => {
  it('is a parameter of these operations', () => {
    const having = ops.filter(({ input }) => 'area' in ((input as unknown as { shape?: object }).shape ?? {}));
    expect(having.map(({ name }) => name).sort()).toEqual([...Object.keys(CASES), ...ELSEWHERE].sort());
    for (const op of having) {
      const { name, route } = op;
      const own = CASES[name];
      // A flag of its command.
      expect([name, manifestOf(op).fields.some((field) => field.name === 'area')]).toEqual([name, true]);
      if (own !== undefined) expect([name, own.http[0]]).toEqual([name, route?.method]);
    }
  });

  it.each(Object.entries(CASES))(
    'of %s is the same over HTTP, by name and in MCP',
    async (name, own) => {
      const ids = ['r900', 'r901'];
      const asked = async (part: string): Promise<Answer[]> => {
        const [area, water] = part.split('&water=');
        const input = { ...own.input(ids), area, ...(water && { water }) };
        const [method, path] = own.http;
        const called = await server.rpc(name, input, key);
        const sent =
          method === 'GET'
            ? await server.get(path(ids[0] as string) + part, key)
            : await server.ask(method, path(''), { key, json: input });
        const tool = await agent.call(name, input);
        expect([tool.isError, sent.status, called.status]).toEqual([false, 200, 200]);
        const url = tool.data?.url as string | undefined;
        const base = server.services.config.BASE_URL.length;
        const own_ = url === undefined ? tool.data : (await server.get(url.slice(base), key)).json;
        const followed =
          called.json.url === undefined ? called.json : (await server.get(called.json.url.slice(base), key)).json;
        return [followed, sent.json, own_];
      };
      const km2 = new Map<string, number>();
      for (const area of ['all', 'land', 'water', 'land&water=inland']) {
        const replies = await asked(area);
        const answers = replies.map(own.km2);
        const said = replies.map(own.says);
        for (const one of answers) expect([area, one]).toEqual([area, expect.closeTo(answers[0] as number, 6)]);
        km2.set(area, answers[0] as number);
        const isDry = area.startsWith('land');
        for (const [water, inland] of said) {
          expect([area, water]).toEqual([area, !isDry]);
          const lacks = (km2.get('land') ?? 0) - (answers[0] as number);
          const isCut = area === 'land&water=inland';
          expect([area, inland]).toEqual([area, isCut ? expect.closeTo(lacks, 6) : undefined]);
        }
      }
      const share = (km2.get('land') as number) / (km2.get('all') as number);
      expect(share).toBeCloseTo(0.75, 3);
      expect(share + (km2.get('water') as number) / (km2.get('all') as number)).toBeCloseTo(1, 4);
      expect((km2.get('land&water=inland') as number) / (km2.get('all') as number)).toBeCloseTo(0.5, 3);
      for (const input of [{ area: 'all', water: 'inland' }, { water: 'inland' }, { area: 'land', water: 'all' }])
        expect((await server.rpc(name, { ...own.input(ids), ...input }, key)).json.code).toBe('invalid_input');
      // Never the whole boundary when its land is not known, and nothing that is not a part.
      const unknown = await server.rpc(name, { ...own.input(['r990', 'r900']), area: 'land' }, key);
      if (own.lists) expect(unknown.json).toMatchObject({ left_out: { count: 1, items: [{ id: 'r990' }] } });
      else expect(unknown.json.code).toBe('no_geometry');
      const other = await server.rpc(name, { ...own.input(ids), area: 'sea' }, key);
      expect(other.json.code).toBe('invalid_input');
    },
    60_000,
  );
});
