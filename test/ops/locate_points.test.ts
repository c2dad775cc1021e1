import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from './fixture_world.ts';

interface Answer {
  readonly items: readonly { readonly boundaries: readonly { readonly id: string; readonly name?: string }[] }[];
  readonly code: string;
  readonly issues: readonly { readonly path: string }[];
}

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const read = (reply: Reply) => reply.json as unknown as Answer;
const send = (text: string, query = '', { type = 'text/csv', by = key } = {}) =>
  server.ask('POST', `/v1/locate${query}`, { key: by, text, headers: { 'Content-Type': type } });
const byName = (input: object, by = key) => server.rpc('locate_points', input, by);

/** Inside of the commune r111, and on the corner that it has in common with others. */
const INSIDE = [WEST + 0.5, SOUTH + 0.5] as const;
const CORNER = [WEST + 1, SOUTH + 1] as const;

describe('locate_points by name', () => {
  it('says what reverse_boundaries says of each point', async () => {
    const points = Array.from({ length: 60 }, (_, i) => [WEST - 1 + (i % 10), SOUTH - 1 + Math.floor(i / 10)]);
    points.push([...INSIDE], [...CORNER], [180, 1], [-180, 1], [0, 90]);
    const { items } = read(await byName({ points }));
    expect(items).toHaveLength(points.length);
    for (const [i, [lon, lat]] of points.entries()) {
      const { json } = await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key);
      expect(
        defined(items[i]).boundaries.map(({ id }) => id),
        `${lon} ${lat}`,
      ).toEqual(json.items.map(({ id }) => id));
    }
    expect(items.filter(({ boundaries }) => boundaries.length > 2).length).toBeGreaterThan(10);
  });

  it('takes levels, kinds and fields', async () => {
    const [whole, some] = await Promise.all([
      byName({ points: [INSIDE] }),
      byName({ points: [INSIDE], levels: [8], fields: ['id', 'admin_level', 'kind'] }),
    ]);
    const { boundaries } = defined(read(some).items[0]);
    expect(boundaries).toEqual([{ id: 'r111', admin_level: 8, kind: expect.any(String) }]);
    expect(defined(read(whole).items[0]).boundaries.map(({ id }) => id)).toContain('r111');
    expect(read(await byName({ points: [[0, 0]], kinds: ['postal_code'] })).items).toEqual([{ boundaries: [] }]);
  });

  it('refuses what is not a list of points', async () => {
    expect(defined(read(await byName({})).issues[0]).path).toBe('points');
    const columns = { lat_column: 'y', lon_column: 'x', crs: 'EPSG:25830' };
    expect(read(await byName({ points: [INSIDE], ...columns })).issues.map(({ path }) => path)).toEqual(
      Object.keys(columns),
    );
    expect(read(await byName({ points: [] })).code).toBe('invalid_input');
    expect(read(await byName({ points: [[181, 0]] })).code).toBe('invalid_input');
    const many = Array.from({ length: 10_001 }, () => [0, 0]);
    expect(defined(read(await byName({ points: many })).issues[0]).path).toBe('points');
    expect((await byName({ points: [[0, 0]] }, '')).status).toBe(401);
    expect((await send('lat,lon\n1,1\n', '', { by: '' })).status).toBe(401);
  });

  it('costs a unit for every 1,000 points', async () => {
    const mine = (await server.key('free')).key;
    await byName({ points: Array.from({ length: 1001 }, () => INSIDE) }, mine);
    expect(await server.used(mine)).toBe(2);
  });
});

describe('locate_points of a stream', () => {
  const [lon, lat] = INSIDE;

  it('says how true the points of a reference system are, and which lie outside of its area', async () => {
    // Gatwick of the British National Grid, and Rome in its numbers; NTF in degrees; WGS 84 itself.
    const rows = async (crs: string, table: string) =>
      (await send(table, `?levels=8&fields=id&crs=${crs}`)).text.trim().split('\n').slice(0, 3);
    expect(await rows('EPSG:27700', 'x,y\n528000,140000\n1600000,-700000\n')).toEqual([
      'x,y,admin_8_id,crs_accuracy_m,crs_outside,error',
      expect.stringMatching(/^528000,140000,,\d+,,$/),
      '1600000,-700000,,,yes,',
    ]);
    expect(await rows('EPSG:4275', 'lat,lon\n47,2\n')).toEqual([
      'lat,lon,admin_8_id,crs_accuracy_m,crs_outside,error',
      expect.stringMatching(/^47,2,,\d+,,$/),
    ]);
    expect((await rows('EPSG:4326', 'lat,lon\n47,2\n'))[0]).toBe('lat,lon,admin_8_id,error');
  });

  it('answers a table with the same rows, columns added, bad rows in place', async () => {
    const table = `who;lat;lon\na;${lat};${lon}\nb;north;2\n"c;";${CORNER[1]};${CORNER[0]}\nd;0;0\n`;
    const named = await send(table, '?levels=8');
    expect([named.status, named.headers['content-type']]).toEqual([200, 'text/csv']);
    expect(named.text).toMatch(new RegExp(`^who;lat;lon;admin_8_id;admin_8_name;error\na;${lat};${lon};r111;[^;]+;\n`));
    const lines = (await send(table, '?levels=8&fields=id')).text.split('\n');
    expect(lines[2]).toBe('b;north;2;;line 3: the latitude must be a number from -90 to 90');
    // On a corner: several, in one quoted cell.
    expect(lines[3]).toMatch(/^"c;";31;-29;"r\d+(;r\d+)+";$/);
    expect(lines.slice(4)).toEqual(['d;0;0;;', '']);
  });

  it('answers lines of JSON and a FeatureCollection alike', async () => {
    const line = { lat, lon, n: 1 };
    const lines = await send(`${JSON.stringify(line)}\n`, '?levels=8&fields=id', { type: 'application/x-ndjson' });
    expect(JSON.parse(lines.text)).toEqual({ ...line, admin_8_id: 'r111', error: null });
    const feature = { type: 'Feature', properties: { n: 1 }, geometry: { type: 'Point', coordinates: [lon, lat] } };
    const collection = { type: 'FeatureCollection', features: [feature, { ...feature, geometry: null }] };
    const made = await send(JSON.stringify(collection), '?levels=8&fields=id', { type: 'application/geo+json' });
    const { features } = JSON.parse(made.text);
    expect(features[0]).toEqual({ ...feature, properties: { n: 1, admin_8_id: 'r111', error: null } });
    expect(features[1].properties.error).toMatch(/^line 1: /);
  });

  it('keeps the order of many rows, whatever each needs', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => {
      const bad = i % 97 === 0;
      return `${i},${bad ? '' : SOUTH + (i % 30) / 10},${WEST + (i % 50) / 10}`;
    });
    const reply = await send(`n,lat,lon\n${rows.join('\n')}\n`, '?levels=8&fields=id');
    const lines = reply.text.trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(rows.length);
    expect(lines.every((line, i) => line.startsWith(`${rows[i]},`))).toBe(true);
    expect(lines.filter((line) => line.includes('line ')).length).toBe(Math.ceil(20_000 / 97));
  });

  it('refuses what is not a table before it answers', async () => {
    expect([(await send('a,b\n1,2\n')).status, (await send('')).status]).toEqual([400, 400]);
    expect((await send('lat,lon\n1,1\n', '?points=1')).status).toBe(400);
    expect((await send('lat,lon\n1,1\n', '?level=8')).status).toBe(400);
  });

  it('rows are paid for by the thousand; where there are no more units, the last row says so', async () => {
    const { key: mine, org } = await server.key('free');
    const table = (rows: number) => `lat,lon\n${`${lat},${lon}\n`.repeat(rows)}`;
    await send(table(1500), '?levels=8', { by: mine });
    expect(await server.used(mine)).toBe(2);
    await send(`lat,lon\n${'x,y\n'.repeat(3000)}`, '', { by: mine });
    expect(await server.used(mine)).toBe(2);
    await server.spend(org, 3);
    const cut = await send(table(5000), '?levels=8&fields=id', { by: mine });
    const lines = cut.text.trimEnd().split('\n');
    expect([cut.status, lines.length]).toEqual([200, 1 + 3000 + 1]);
    expect(lines.at(-1)).toBe(',,,quota_exceeded');
    expect(lines.at(-2)).toBe(`${lat},${lon},r111,`);
    const none = await send(table(1), '', { by: mine });
    expect(none.text).toBe('lat,lon,boundary_id,boundary_name,error\n,,,,quota_exceeded\n');
    const usage = await server.services.billing.usage(org);
    expect(usage).toMatchObject({ used: usage?.limit, reserved: 0 });
  });

  it('answers while the body is still to come', async () => {
    const { hostname: host, port } = new URL(server.address);
    const headers = { 'Content-Type': 'text/csv', Authorization: `Bearer ${key}`, 'Transfer-Encoding': 'chunked' };
    const sent = request({ host, port, method: 'POST', path: '/v1/locate?levels=8&fields=id', headers });
    const text: string[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('data', (part: Buffer) => text.push(part.toString()));
        response.on('error', reject);
        response.on('end', resolve);
      });
    });
    sent.write(`lat,lon\n${lat},${lon}\n`);
    while (!text.join('').includes('r111')) await setTimeout(20);
    sent.write(`${lat},${lon}\n${lat},`);
    await setTimeout(200);
    sent.end(`${lon}`);
    await ended;
    expect(text.join('').trimEnd().split('\n').slice(1)).toEqual(Array(3).fill(`${lat},${lon},r111,`));
  });

  it('looks long rows up before many of them have come', async () => {
    const { hostname: host, port } = new URL(server.address);
    const headers = { 'Content-Type': 'text/csv', Authorization: `Bearer ${key}`, 'Transfer-Encoding': 'chunked' };
    const sent = request({ host, port, method: 'POST', path: '/v1/locate?levels=8&fields=id', headers });
    const rows = 800;
    const row = `${lat},${lon},${'x'.repeat(60_000)}`;
    let answered = 0;
    /** Bytes that were still to send when the first row came back; who sends without a pause gives no other reason to look up. */
    let left = -1;
    const ended = new Promise<void>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('data', (part: Buffer) => {
          answered += part.toString().split(',r111,').length - 1;
          if (answered > 0 && left < 0) left = sent.socket?.writableLength ?? 0;
        });
        response.on('error', reject);
        response.on('end', resolve);
      });
    });
    sent.end(`lat,lon,note\n${`${row}\n`.repeat(rows)}`);
    await ended;
    expect(answered).toBe(rows);
    expect(left).toBeGreaterThan(0);
  });
});

describe('figures of the points in each boundary', () => {
  const [lon, lat] = INSIDE;
  const table = (rows: string) => `lat,lon,sales,rate\n${rows}`;
  const lines = (reply: Reply) => reply.text.trim().split('\n');

  it('counts and sums, with what lies in none and what has no point in rows of their own', async () => {
    const body = table(`${lat},${lon},10,1\n${lat},${lon},,3\n${lat},${lon},2.5,\n0,0,7,1\n91,0,1,1\nx,0,1,1\n`);
    const reply = await send(
      body,
      '?levels=8&fields=id&figures=points,sales:sum,sales:share,rate:mean:sales,sales:count',
    );
    expect([reply.status, lines(reply)]).toEqual([
      400,
      [expect.stringContaining('line 3, column sales: has no weight')],
    ]);
    const weighted = table(`${lat},${lon},10,1\n${lat},${lon},30,3\n0,0,7,1\n91,0,1,1\nx,0,1,1\n`);
    const found = await send(weighted, '?levels=8&fields=id&figures=points,sales:sum,rate:mean:sales,sales:count');
    expect(lines(found)).toEqual([
      'layer,id,points,sales_sum,rate_mean,sales_count,error',
      'admin_8,r111,2,40,2.5,2,',
      'admin_8,,1,7,1,1,in no boundary',
      expect.stringMatching(/^,,,,,,2 rows without a valid point; line 5: the latitude must be/),
    ]);
  });

  it('adds up to what the rows say, for random points, in every format', async () => {
    const points = Array.from({ length: 3_000 }, (_, i) => ({
      lon: WEST - 1 + ((i * 7919) % 1000) / 125,
      lat: SOUTH - 1 + ((i * 104_729) % 997) / 125,
      sales: (i * 31) % 17,
    }));
    const csv = `lon,lat,sales\n${points.map((point) => Object.values(point).join(',')).join('\n')}\n`;
    const rows = lines(await send(csv, '?levels=6,8&fields=id')).slice(1);
    const expected = new Map<string, number[]>();
    for (const row of rows) {
      const [, , sales, six, eight] = row.split(',');
      for (const [layer, ids] of [
        ['admin_6', six],
        ['admin_8', eight],
      ]) {
        for (const id of defined(ids).split(';')) {
          const [count = 0, sum = 0] = expected.get(`${layer} ${id}`) ?? [];
          expected.set(`${layer} ${id}`, [count + 1, sum + Number(sales)]);
        }
      }
    }
    const query = '?levels=6,8&fields=id&figures=points,sales:sum';
    const ofCsv = lines(await send(csv, query))
      .slice(1)
      .map((row) => row.split(','));
    expect(new Map(ofCsv.map(([layer, id, count, sum]) => [`${layer} ${id}`, [Number(count), Number(sum)]]))).toEqual(
      expected,
    );
    const objects = points.map((point) => JSON.stringify(point)).join('\n');
    const features = points.map(({ lon: x, lat: y, sales }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [x, y] },
      properties: { sales },
    }));
    const others = [
      await send(objects, query, { type: 'application/x-ndjson' }),
      await send(JSON.stringify({ type: 'FeatureCollection', features }), query, { type: 'application/geo+json' }),
    ];
    for (const reply of others) {
      const read = lines(reply).map((line) => JSON.parse(line));
      expect(
        new Map(read.map(({ layer, id, points: count, sales_sum }) => [`${layer} ${id ?? ''}`, [count, sales_sum]])),
      ).toEqual(expected);
    }
  });

  it('takes shares of all rows, each once, also where boundaries contain one another', async () => {
    const body = `lat,lon,sales\n${lat},${lon},30\n${lat},${lon},30\n0,0,20\n`;
    const rows = lines(await send(body, '?fields=id&figures=points,sales:share')).map((row) => row.split(','));
    expect(rows.length).toBeGreaterThan(3);
    for (const [layer, id, count, share] of rows.slice(1)) {
      expect([layer, count, share]).toEqual(id === '' ? ['boundary', '1', '0.25'] : ['boundary', '2', '0.75']);
    }
  });

  it('charges a long stream as a whole: nothing when its last row is wrong', async () => {
    const mine = (await server.key('free')).key;
    const body = `lat,lon,n\n${`${lat},${lon},1\n`.repeat(150_000)}`;
    const failed = await send(`${body}${lat},${lon},many\n`, '?levels=8&figures=n:sum', { by: mine });
    expect([failed.status, await server.used(mine)]).toEqual([400, 0]);
    const done = await send(body, '?levels=8&fields=id&figures=n:sum', { by: mine });
    expect([lines(done)[1], await server.used(mine)]).toEqual(['admin_8,r111,150000,150000,', 150]);
  });

  it('refuses rather than to count a part, and charges nothing then', async () => {
    const mine = (await server.key('free')).key;
    const refused = async (body: string, query: string, type = 'text/csv') => {
      const reply = await send(body, query, { by: mine, type });
      expect([400, 402]).toContain(reply.status);
      return reply.text;
    };
    const good = table(`${lat},${lon},10,1\n`);
    expect(await refused(`${good}${lat},${lon},many,1\n`, '?levels=8&figures=sales:sum')).toContain(
      'line 3, column sales: \\"many\\" is not a number',
    );
    expect(await refused(good, '?levels=8&figures=price:sum')).toContain('there is no column price');
    expect(await refused(good, '?levels=8&figures=sales:median')).toContain('must be column:how');
    expect(await refused(`{"lat":${lat},"lon":${lon}}`, '?figures=price:sum', 'application/x-ndjson')).toContain(
      'no row has a value of price',
    );
    expect(await refused('lat,lon,points\n1,1,1\n', '?figures=points:first,points')).toMatch(/twice|answer/);
    expect(await server.used(mine)).toBe(0);
    expect((await send(good, '?levels=8&figures=points', { by: mine })).status).toBe(200);
    expect(await server.used(mine)).toBe(1);
    expect(defined(read(await byName({ points: [INSIDE], figures: ['points'] })).issues[0]).path).toBe('figures');
  });
});
