import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { storeCoast, storeLake, storeSquares } from './made_coast.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, { JOB_PART: '1', JOB_LEASE_MS: '1000' });
  await storeSquares(server);
  await storeCoast(server);
  await storeLake(server);
  ({ key } = await server.key('business'));
}, 120_000);
afterAll(() => server?.close());

const at = (url: string) => server.get(url.slice(BASE_URL.length), key);

/** The file of a job. */
async function fileOf(op: string, input: object): Promise<Buffer> {
  const made = await server.ask('POST', '/v1/jobs', { key, json: { op, input } });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  await server.jobRunner.runDue();
  const { json } = await server.get(`/v1/jobs/${made.json.id}`, key);
  expect(json).toMatchObject({ state: 'done' });
  return (await at(json.url)).bytes;
}

const DRY = { area: 'land', water: 'inland' };
const PARTS = [{}, { area: 'all' }, { area: 'land' }, { area: 'water' }, DRY];

it.each(['csv', 'json', 'parquet'])(
  'the crosswalk of a job says of land and water what a call says, in %s',
  async (format) => {
    for (const part of PARTS) {
      const input = { a: ['r900', 'r901'], b: ['r900', 'r901'], format, ...part };
      const called = await server.ask('POST', '/v1/crosswalk', { key, json: input });
      const file = await fileOf('crosswalk', input);
      if (format === 'json') expect(JSON.parse(file.toString())).toEqual(called.json);
      else expect(file.equals(called.bytes)).toBe(true);
      const says =
        format === 'parquet' ? file.includes('inland_water_km2') : file.toString().includes('inland_water_km2');
      expect([part, says]).toEqual([part, part === DRY]);
    }
  },
);

it.each(['ndjson', 'csv', 'topojson'])(
  'the areas of a file of dissolve say their inland water, in %s',
  async (format) => {
    const groups = { west: ['r900'], both: ['r900', 'r901'] };
    const ask = (json: object) =>
      server.ask('POST', '/v1/dissolve', { key, json: { groups, tolerance_m: 2, ...json } });
    const { features } = (await ask(DRY)).json as unknown as {
      features: { properties: { group: string; inland_water_km2: number } }[];
    };
    for (const part of PARTS) {
      const called = await ask({ ...part, format });
      const file = await fileOf('dissolve', { groups, tolerance_m: 2, ...part, format });
      expect(file.equals((await at(called.json.url)).bytes)).toBe(true);
      expect([part, file.includes('inland_water_km2')]).toEqual([part, part === DRY]);
      if (part !== DRY) continue;
      for (const { properties } of features) {
        expect(properties.inland_water_km2).toBeGreaterThan(0);
        expect(file.includes(String(properties.inland_water_km2).slice(0, 8))).toBe(true);
      }
    }
  },
);
