import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geometryOf } from '../../src/ops/boundaries/document.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { FULL } from '../../workers/contract.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { dataDir } from '../proof/environment.ts';
import { luxembourg } from '../setup/luxembourg.ts';

let testServer: BoundaryTestServer;
beforeAll(async () => {
  testServer = await openBoundaryTestServer(
    {},
    { BASE_URL: 'https://maps.example' },
    undefined,
    dataDir ? luxembourg : undefined,
  );
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
});
afterAll(() => testServer?.close());

type Properties = Readonly<Record<string, string | number | null>>;
interface Feature {
  readonly id: string;
  readonly properties: Properties;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}
interface Page {
  readonly features: readonly Feature[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

async function get(
  path: string,
): Promise<{ status: number; json: Page & { detail: string }; headers: Record<string, string | undefined> }> {
  const { status, json, headers } = await testServer.ask('GET', path);
  return { status, json: json as unknown as Page & { detail: string }, headers: { ...headers } };
}

/** All features of a collection that fit a filter, page by page. */
async function featuresOf(collection: string, parameters: Readonly<Record<string, string>>): Promise<Feature[]> {
  const all: Feature[] = [];
  let path: string | undefined =
    `/ogc/collections/${collection}/items?${new URLSearchParams({ limit: '100', ...parameters })}`;
  while (path !== undefined) {
    const { status, json } = await get(path);
    expect(status, json.detail).toBe(200);
    all.push(...json.features);
    const next: string | undefined = json.links.find(({ rel }) => rel === 'next')?.href;
    path = next?.slice(next.indexOf('/ogc/'));
  }
  return all;
}

/** An expression as CQL2 text and JSON, and what it is of a feature: null is unknown, as in SQL. */
interface Written {
  readonly text: string;
  readonly json: unknown;
  readonly is: (of: Properties) => boolean | null;
}

const quoted = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

const TEXTS = ['kind', 'country', 'iso', 'wikidata', 'local_name'] as const;
const NUMBERS = ['population', 'area_km2', 'admin_level'] as const;
const BY: Readonly<Record<string, (a: string | number, b: string | number) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** Random expressions over values that occur. */
function expressions(all: readonly Feature[]): fc.Arbitrary<Written> {
  const valuesOf = (name: string) =>
    [...new Set(all.map(({ properties }) => properties[name] ?? null))].filter((v) => v !== null);
  const named = [...TEXTS, ...NUMBERS].filter((name) => valuesOf(name).length > 0);
  const one = fc
    .constantFrom(...named)
    .chain((name) =>
      fc.tuple(fc.constant(name), fc.constantFrom(...valuesOf(name)), fc.constantFrom(...valuesOf(name))),
    );
  const compare = fc.tuple(one, fc.constantFrom(...Object.keys(BY))).map(
    ([[name, value], by]): Written => ({
      text: `${name} ${by} ${quoted(value)}`,
      json: { op: by, args: [{ property: name }, value] },
      is: (of) => (of[name] === null ? null : (BY[by]?.(of[name] as string, value) ?? null)),
    }),
  );
  const isNull = one.map(
    ([name]): Written => ({
      text: `"${name}" is null`,
      json: { op: 'isNull', args: [{ property: name }] },
      is: (of) => of[name] === null,
    }),
  );
  const among = one.map(
    ([name, a, b]): Written => ({
      text: `${name} IN (${quoted(a)}, ${quoted(b)})`,
      json: { op: 'in', args: [{ property: name }, [a, b]] },
      is: (of) => (of[name] === null ? null : of[name] === a || of[name] === b),
    }),
  );
  const like = fc
    .tuple(fc.constantFrom(...valuesOf('local_name').map(String)), fc.nat(4), fc.nat(4), fc.boolean())
    .map(([name, from, cut, anyCase]): Written => {
      const part = [...name]
        .slice(from % [...name].length, (from % [...name].length) + 1 + cut)
        .join('')
        .replace(/[%_\\]/g, '');
      const pattern = `%${anyCase ? part.toUpperCase() : part}_%`;
      const property = { property: 'local_name' };
      const casei = (value: unknown) => (anyCase ? { op: 'casei', args: [value] } : value);
      return {
        text: anyCase ? `CASEI(local_name) LIKE CASEI(${quoted(pattern)})` : `local_name LIKE ${quoted(pattern)}`,
        json: { op: 'like', args: [casei(property), casei(pattern)] },
        is: (of) => {
          const text = String(of.local_name);
          const index = anyCase ? text.toLowerCase().lastIndexOf(part.toLowerCase()) : text.lastIndexOf(part);
          const first = anyCase ? text.toLowerCase().indexOf(part.toLowerCase()) : text.indexOf(part);
          return index >= 0 && [first, index].some((at) => at + part.length < text.length);
        },
      };
    });
  const between = fc
    .tuple(fc.constantFrom(...NUMBERS.filter((name) => named.includes(name))), fc.nat(1_000), fc.nat(10_000))
    .map(
      ([name, low, more]): Written => ({
        text: `${name} BETWEEN ${low} AND ${low + more}`,
        json: { op: 'between', args: [{ property: name }, low, low + more] },
        is: (of) => (of[name] === null ? null : Number(of[name]) >= low && Number(of[name]) <= low + more),
      }),
    );
  const leaf = fc.oneof(compare, isNull, among, like, between);
  return fc.letrec<{ node: Written }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(fc.constantFrom('and', 'or'), tie('node'), tie('node')).map(
        ([op, a, b]): Written => ({
          text: `(${a.text}) ${op.toUpperCase()} (${b.text})`,
          json: { op, args: [a.json, b.json] },
          is: (of) => {
            const values = [a.is(of), b.is(of)];
            const decides = op === 'or';
            return values.includes(decides) ? decides : values.includes(null) ? null : !decides;
          },
        }),
      ),
      tie('node').map(
        (a): Written => ({
          text: `NOT (${a.text})`,
          json: { op: 'not', args: [a.json] },
          is: (of) => (a.is(of) === null ? null : !a.is(of)),
        }),
      ),
    ),
  })).node;
}

describe('filters of OGC API - Features', () => {
  it('give the features of which they are true, in both languages', async () => {
    const collections = ['level-6', 'level-8', 'kind-municipality'];
    for (const collection of collections) {
      const all = await featuresOf(collection, {});
      await fc.assert(
        fc.asyncProperty(expressions(all), async ({ text, json, is }) => {
          const wanted = all.filter(({ properties }) => is(properties) === true).map(({ id }) => id);
          const found = await featuresOf(collection, { filter: text });
          expect(found.map(({ id }) => id)).toEqual(wanted);
          const again = await featuresOf(collection, { filter: JSON.stringify(json), 'filter-lang': 'cql2-json' });
          expect(again.map(({ id }) => id)).toEqual(wanted);
        }),
        { numRuns: 15 },
      );
    }
  }, 120_000);

  it('take a property as a parameter, and go on to the next page', async () => {
    const all = await featuresOf('level-8', {});
    const [first] = all;
    const own = await featuresOf('level-8', { local_name: String(first?.properties.local_name) });
    expect(own.map(({ id }) => id)).toEqual([first?.id]);
    const some = await featuresOf('level-8', { filter: 'area_km2 > 20', limit: '3' });
    const wanted = all.filter(({ properties }) => Number(properties.area_km2) > 20);
    expect(some.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  });

  it.each([
    ['an unknown property', 'color = 1', 'not queryable'],
    ['a text for a number', "population = 'many'", 'with a number'],
    ['a number for a text', 'kind = 8', 'with a text'],
    ['an end that is missing', 'kind =', 'ends where'],
    ['an open parenthesis', "(kind = 'city'", 'ends where )'],
    ['a quote that is open', "kind = 'city", 'cannot be read at character 8'],
    ['SQL', "kind = 'a'; drop table boundary", 'cannot be read'],
    ['two expressions', "kind = 'a' kind = 'b'", 'AND, OR or the end'],
    ['nesting', `${'('.repeat(40)}true${')'.repeat(40)}`, 'at most 16 deep'],
    ['negations', `${'not '.repeat(40)}true`, 'at most 16 deep'],
    ['length', `kind = '${'x'.repeat(5_000)}'`, 'at most 4000 characters'],
    ['many values', `kind in (${"'a',".repeat(200)}'b')`, 'at most 100'],
    ['many patterns', `${"name like 'a%' or ".repeat(16)}name like 'b%'`, 'at most 16 texts'],
    ['a place off the world', 's_intersects(geometry, point(200 0))', 'not in the world'],
    ['a place that is none', 's_intersects(geometry, polygon((0 0,1 1,1 0,0 0)))', 'POINT(x y) or BBOX'],
    ['a shape of another name', 's_intersects(shape, point(0 0))', 'geometry'],
  ])('refuse %s', async (_what, filter, said) => {
    const { status, json } = await get(`/ogc/collections/level-8/items?${new URLSearchParams({ filter })}`);
    expect([status, json.detail]).toEqual([400, expect.stringContaining(said)]);
  });

  it.each([
    '[]',
    '{"op":"and","args":[]}',
    '{"op":"not","args":[]}',
    '{"op":"=","args":[{"property":"kind"}]}',
    '{"op":"like","args":[{"property":"kind"},null]}',
    '{"op":"in","args":[{"property":"kind"},{}]}',
    '{"op":"=","args":[{"property":"kind"},"\\ud800"]}',
    '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":["a","b"]}]}',
    `${'{"op":"not","args":['.repeat(60)}true${']}'.repeat(60)}`,
    '{"op":"__proto__","args":[{"property":"constructor"},1]}',
    'null',
    '{',
  ])('refuse the JSON %s', async (filter) => {
    const parameters = new URLSearchParams({ filter, 'filter-lang': 'cql2-json' });
    expect((await get(`/ogc/collections/level-8/items?${parameters}`)).status).toBe(400);
  });

  it('take texts as they are: quotes, patterns and markup have no other meaning', async () => {
    for (const text of ["'", '"', '\\x', '$', '.*', '%', '$v0', '"; --', '\u0001', '😀']) {
      const { status, json } = await get(
        `/ogc/collections/level-8/items?${new URLSearchParams({ filter: `name = '${text.replaceAll("'", "''")}' or name like '${text.replaceAll("'", "''").replaceAll('\\', '\\\\').replaceAll('%', '\\%')}'` })}`,
      );
      expect([text, status, json.features?.length]).toEqual([text, 200, 0]);
    }
  });

  it('refuse what the answer shows otherwise', async () => {
    const refused = async (parameters: Record<string, string>) =>
      (await get(`/ogc/collections/level-8/items?${new URLSearchParams(parameters)}`)).status;
    expect(await refused({ filter: "name = 'x'", lang: 'de' })).toBe(400);
    expect(await refused({ filter: "local_name = 'x'", lang: 'de' })).toBe(200);
    expect(await refused({ filter: 'area_km2 > 1', area: 'land' })).toBe(400);
    expect(await refused({ filter: 'true', 'filter-lang': 'sql' })).toBe(400);
  });
});

describe('reference systems', () => {
  it('give the same places in meters, and take them', async () => {
    const { json, headers } = await get('/ogc/collections/level-8/items?limit=5');
    expect(headers['content-crs']).toBe('<http://www.opengis.net/def/crs/OGC/1.3/CRS84>');
    const uri = 'http://www.opengis.net/def/crs/EPSG/0/3857';
    const meters = await get(`/ogc/collections/level-8/items?limit=5&crs=${uri}`);
    expect(meters.headers['content-crs']).toBe(`<${uri}>`);
    const flat = (value: unknown): number[] => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);
    const radius = 6_378_137;
    for (const [i, { geometry }] of json.features.entries()) {
      const [degrees, projected] = [flat(geometry.coordinates), flat(meters.json.features[i]?.geometry.coordinates)];
      expect(projected.length).toBe(degrees.length);
      degrees.forEach((value, k) => {
        const radians = (value * Math.PI) / 180;
        const wanted = k % 2 === 0 ? radius * radians : radius * Math.log(Math.tan(Math.PI / 4 + radians / 2));
        expect(Math.abs((projected[k] ?? Number.NaN) - wanted)).toBeLessThan(0.006);
      });
    }
    const box = [664_000, 6_380_000, 690_000, 6_420_000];
    const degrees = box.map((value, k) =>
      k % 2 === 0
        ? (value / radius) * (180 / Math.PI)
        : (2 * Math.atan(Math.exp(value / radius)) - Math.PI / 2) * (180 / Math.PI),
    );
    const ids = async (parameters: Record<string, string>) =>
      (await featuresOf('level-8', parameters)).map(({ id }) => id);
    expect(await ids({ bbox: box.join(), 'bbox-crs': uri })).toEqual(await ids({ bbox: degrees.join() }));
    expect(await ids({ filter: `s_intersects(geometry, bbox(${box}))`, 'filter-crs': uri })).toEqual(
      await ids({ filter: `s_intersects(geometry, bbox(${degrees}))` }),
    );
    expect((await get('/ogc/collections/level-8/items?crs=EPSG:4326')).status).toBe(400);
  });
});

describe.runIf(dataDir && process.env.ORACLE_DATABASE_URL)('S_INTERSECTS beside PostGIS', () => {
  it('is the same for random points and boxes, alone and negated', async () => {
    const { services, engine } = testServer;
    const all = await featuresOf('level-8', {});
    const oracle = new pg.Client({ connectionString: process.env.ORACLE_DATABASE_URL });
    await oracle.connect();
    try {
      await oracle.query('create temporary table own (id text, shape geometry)');
      const boundaries = await services.boundaries.withSnapshot((reading) => reading.byIds(all.map(({ id }) => id)));
      const vertices: [number, number][] = [];
      for (const one of boundaries) {
        const doc = { id: null, name: '', properties: {}, bbox: null, attribution: '', digits: 7 };
        const { bytes } = await engine.documents.render(geometryOf(one), FULL, 'wkt', doc);
        const wkt = Buffer.from(bytes).toString();
        await oracle.query('insert into own values ($1, ST_GeomFromText($2))', [one.id, wkt.replace(/^SRID=\d+;/, '')]);
        const [, x = '0', y = '0'] = /(-?\d+\.?\d*) (-?\d+\.?\d*)/.exec(wkt) ?? [];
        vertices.push([Number(x), Number(y)]);
      }
      let found = 0;
      const position = fc.oneof(
        fc.constantFrom(...vertices),
        fc
          .tuple(fc.integer({ min: 57_000_000, max: 66_000_000 }), fc.integer({ min: 494_000_000, max: 502_000_000 }))
          .map(([x, y]): [number, number] => [x / 1e7, y / 1e7]),
      );
      await fc.assert(
        fc.asyncProperty(position, position, fc.boolean(), fc.boolean(), async (a, b, isPoint, isNegated) => {
          const box = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
          const place = isPoint ? `POINT(${a[0]} ${a[1]})` : `BBOX(${box.join(', ')})`;
          const area = isPoint ? [a[0], a[1], a[0], a[1]] : box;
          const shape = isPoint ? 'ST_MakePoint($1, $2)' : 'ST_MakeEnvelope($1, $2, $3, $4)';
          const { rows } = await oracle.query<{ id: string }>(
            `select id from own where ST_Intersects(shape, ${shape}) is ${isNegated ? 'false' : 'true'} order by id collate "C"`,
            isPoint ? area.slice(0, 2) : area,
          );
          const wanted = rows.map(({ id }) => id);
          const filter = `${isNegated ? 'NOT ' : ''}S_INTERSECTS(geometry, ${place})`;
          const ids = (await featuresOf('level-8', { filter })).map(({ id }) => id).sort();
          found += ids.length;
          expect(ids).toEqual(wanted.filter((id) => all.some((one) => one.id === id)).sort());
        }),
        { numRuns: 30 },
      );
      expect(found).toBeGreaterThan(30);
    } finally {
      await oracle.end();
    }
  }, 300_000);
});
