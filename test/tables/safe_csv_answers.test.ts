import { afterAll, beforeAll, expect, it } from 'vitest';
import { safeCsv, safeCsvParts } from '../../src/common/safe_csv.ts';
import { mediaTypesOf } from '../../src/core/declared.ts';
import { safeCsv as field } from '../../src/core/schemas.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { Draw } from '../search/made.ts';

/** The name of a boundary, and a cell of tables. */
const FORMULA = '=HYPERLINK("http://a.example")';

let server: BoundaryTestServer;
let key: string;
let ids: string[];
let point: { readonly lat: number; readonly lon: number };
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const { db, boundaries } = server.services;
  await storeBoundaries({ db, engine: server.engine }, fixtureWorld());
  const found = await db.query<{ id: string }>(
    'select id from boundary where admin_level = 8 and has_geometry order by id limit 2',
  );
  ids = found.map(({ id }) => id);
  await db.query('update boundary set name = $2 where id = $1', [ids[0], FORMULA]);
  ({ key } = await server.key());
  const [one] = await boundaries.resolve(ids.slice(0, 1));
  point = one?.boundary.centroid as typeof point;
});
afterAll(() => server?.close());

const pathOf = (url: string): string => url.replace(/^.*?(?=\/v1\/)/, '');
const quoted = `"${FORMULA.replaceAll('"', '""')}"`;
/** How each operation is asked for CSV: by its input, or with a table as its body. `plain`: no cell can be a formula, or each is escaped without being asked. */
const asked: Readonly<Record<string, () => { input?: object; table?: string; query?: string; plain?: boolean }>> = {
  export_collection: () => ({ input: { ids, format: 'csv', geometry: 'none' } }),
  join: () => ({ input: { csv: `id,word\n${ids[0]},${quoted}\n`, format: 'csv' } }),
  dissolve: () => ({ input: { csv: `id,group\n${ids[0]},${quoted}\n${ids[1]},b\n`, format: 'csv' } }),
  convert_values: () => ({ input: { csv: `id,n\n${ids[0]},4\n`, counts: ['n'], b: ids, format: 'csv' }, plain: true }),
  locate_points: () => ({ table: `lat,lon,note\n${point.lat},${point.lon},${quoted}\n`, query: 'levels=8' }),
  match_names: () => ({ table: `name;note\nx;${quoted}\n`, query: 'name_column=name' }),
  crosswalk: () => ({ input: { a: ids, b: ids, format: 'csv' }, plain: true }),
  cover_boundaries: () => ({ input: { ids, format: 'csv', grid: 'geohash', max_cells: 50 }, plain: true }),
  list_changes: () => ({ input: { from: '2020-01-01', to: '2021-01-01', admin_level: 8, format: 'csv' }, plain: true }),
};

const escaping = ops.filter(({ input }) => 'safe_csv' in input.shape);

it('is an option of every operation that writes CSV', () => {
  const writing = ops.filter((op) =>
    [true, false].some((own) => mediaTypesOf(op, own).some((type) => type.startsWith('text/csv'))),
  );
  // Saved files are stored as they are; others are only read from CSV, and their answers are JSON.
  const stored = ['save_file', 'get_file', 'create_area_set', 'import_file', 'compare_file'];
  const names = (some: typeof ops) => some.map(({ name }) => name).filter((name) => !stored.includes(name));
  expect(names(writing).filter((name) => !names(escaping).includes(name))).toEqual([]);
  expect(names(escaping).sort()).toEqual(Object.keys(asked).sort());
  const others = escaping.filter(({ input }) => input.shape.safe_csv !== field).map(({ name }) => name);
  // It escapes by the separator of its table, and of its dry run nothing.
  expect(others).toEqual(['match_names']);
});

it.each(Object.keys(asked))('%s', async (name) => {
  const { input, table, query = '', plain } = (asked[name] as (typeof asked)[string])();
  const path = ops.find((op) => op.name === name)?.route.path ?? '';
  const call = async (safe: boolean) => {
    const reply =
      table === undefined
        ? await server.rpc(name, { ...input, ...(safe && { safe_csv: true }) }, key)
        : await server.ask('POST', `/v1${path}?${query}${safe ? '&safe_csv=true' : ''}`, {
            ...{ key, text: table, headers: { 'Content-Type': 'text/csv' } },
          });
    expect(reply.status, reply.text).toBe(200);
    const { url } = (reply.headers['content-type']?.startsWith('application/json') ? reply.json : {}) as {
      url?: string;
    };
    return url === undefined ? reply.text : (await server.get(pathOf(url))).text;
  };
  const [open, safe] = [await call(false), await call(true)];
  expect(safe).toBe(safeCsv(open, name === 'match_names' ? ';' : ','));
  if (plain) return expect(safe).toBe(open);
  expect(open).toContain(quoted);
  expect(safe).toContain(quoted.replace('"=', `"'=`));
  expect(safe).not.toContain(quoted);
});

it('is for CSV only, on the route of a file as well, and in jobs', async () => {
  const refused = await server.rpc('export_collection', { ids, format: 'geojson', safe_csv: true }, key);
  expect(refused.json).toMatchObject({ code: 'invalid_input', issues: [{ path: 'safe_csv' }] });
  const file = await server.ask('POST', '/v1/collections', {
    ...{ key, json: { ids, format: 'csv', geometry: 'none', safe_csv: true } },
  });
  expect(file.text).toContain(quoted.replace('"=', `"'=`));
  const ndjson = await server.ask('POST', '/v1/locate?safe_csv=true', {
    ...{ key, text: `{"lat":${point.lat},"lon":${point.lon}}\n`, headers: { 'Content-Type': 'application/x-ndjson' } },
  });
  expect(ndjson.json).toMatchObject({ code: 'invalid_input', issues: [{ path: 'safe_csv' }] });
  const input = { ids, format: 'csv', geometry: 'none', safe_csv: true };
  const job = await server.rpc('create_job', { op: 'export_collection', input }, key);
  expect(job.status, job.text).toBeLessThan(300);
  await server.jobRunner.runDue();
  const { json } = await server.rpc('get_job', { id: (job.json as { id: string }).id }, key);
  const { url } = json as unknown as { url: string };
  expect((await server.get(pathOf(url), key)).text).toContain(quoted.replace('"=', `"'=`));
  const wrong = await server.rpc('create_job', { op: 'export_collection', input: { ...input, format: 'kml' } }, key);
  expect(wrong.json).toMatchObject({ code: 'invalid_input' });
});

it('escapes the same wherever a text is cut', async () => {
  const draw = new Draw();
  const letters = ['=', '+', '-', '@', ';', '"', '\n', 'a', '1', '.', ' ', '\t', 'é', '＝', '1234567890'.repeat(5)];
  for (let round = 0; round < 300; round++) {
    const cell = () => {
      const text = Array.from({ length: draw.below(5) }, () => draw.one(letters)).join('');
      return /[";\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const text = `a;b;c\n${Array.from({ length: 4 }, () => `${cell()};${cell()};${cell()}\n`).join('')}`;
    const bytes = Buffer.from(text);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + draw.below(20);
      parts.push(bytes.subarray(at, end));
      at = end;
    }
    const safe: Uint8Array[] = [];
    for await (const part of safeCsvParts(parts)) safe.push(part);
    expect(Buffer.concat(safe).toString(), `seed ${draw.seed}`).toBe(safeCsv(text, ';'));
  }
});
