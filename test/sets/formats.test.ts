import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCreateSet } from '../../src/cli/commands/sets.ts';
import { serverTarget } from '../../src/transports/call.ts';
import { COLLECTION_FORMATS, contentType, READABLE } from '../../workers/formats/registry.ts';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;
let server: LibraryTestServer;
let by: OrgMember;
let other: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  ({ member: by, other } = await server.staff());
  const content = fileOf({ a1: cell(0.2, 0.2), b2: cell(1.2, 0.2), c3: cell(0.2, 1.2, 2, 1) });
  const { status } = await server.call('http', 'create_area_set', { name: 'first', content }, by);
  expect(status).toBe(201);
});
afterAll(() => server?.close());

const ask = async (op: string, input: object, as = by) => {
  const { status, body } = await server.call('http', op, input as Record<string, unknown>, as);
  return { status, body: body as Any };
};
const post = (query: string, body: Uint8Array<ArrayBuffer>, type: string) =>
  fetch(`${server.address}/v1/sets?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': type, Authorization: `Bearer ${by.key}` },
    body,
  });
const areasOf = async (name: string) =>
  (await ask('list_set_areas', { name })).body.items.map((one: Any) => [
    one.id.split('/')[1].toLowerCase(),
    one.name,
    Math.round(one.area_km2),
  ]);

/** A zip is read by what is in it; a poly file has names only. */
const WITHOUT_IDS: readonly string[] = ['zip', 'poly'];
const formats = READABLE.filter(
  (one) => (COLLECTION_FORMATS as readonly string[]).includes(one) && !WITHOUT_IDS.includes(one),
);

it.each(formats)('takes a %s file as the body', async (format) => {
  const made = await collection(format);
  const bytes = new Uint8Array(await made.arrayBuffer());
  const name = `from-${format}`;
  const answer = await post(
    `name=${name}&${OWN_IDS.includes(format) ? '' : 'id_column=id&'}name_column=name&replace=true`,
    bytes,
    contentType(format),
  );
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  // The codes are the whole ids of the first set, in which a slash cannot stay.
  expect((await areasOf(name)).map(([, ...rest]: Any) => rest)).toEqual(
    (await areasOf('first')).map(([, ...rest]: Any) => rest),
  );
});

/** Formats whose features have an id of their own, and no column of that name. */
const OWN_IDS = ['kml', 'gml'];

const collection = (format: string) =>
  fetch(`${server.address}/v1/collections`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${by.key}` },
    body: JSON.stringify({ set: 'first', format, detail: 'full' }),
  });

it('takes plane coordinates with their reference system, and refuses them without', async () => {
  const plane = (ring: number[][]) =>
    ring.map(([lon = 0, lat = 0]) => [
      (lon * 20037508.342789244) / 180,
      (Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) * 20037508.342789244) / Math.PI,
    ]);
  const content = fileOf({ a1: plane(cell(0.2, 0.2)) });
  const made = await ask('create_area_set', { name: 'plane', content, crs: 'EPSG:3857' });
  expect([made.status, made.body.code ?? null], JSON.stringify(made.body)).toEqual([201, null]);
  const [[, , km2]] = await areasOf('plane');
  expect(km2).toBe((await areasOf('first'))[0][2]);
  const refused = await ask('create_area_set', { name: 'plain', content });
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input']);
  expect(refused.body.issues[0].message).toMatch(/EPSG/);
});

it('takes a file in base64, a file of the library, and groups of boundaries', async () => {
  const content = Buffer.from(fileOf({ x: cell(0.2, 0.2) })).toString('base64');
  expect((await ask('create_area_set', { name: 'coded', content, encoding: 'base64' })).status).toBe(201);
  const saved = await ask('save_file', { boundary_id: 'r111', format: 'geojson', detail: 'full' });
  const library = await ask('create_area_set', { name: 'saved', file_id: saved.body.id });
  expect([library.status, library.body.versions?.[0].made_from], JSON.stringify(library.body)).toEqual([
    201,
    'saved_file',
  ]);
  const groups = { west: ['r111', 'r112'], east: ['r121', 'set:first/a1'] };
  const merged = await ask('create_area_set', { name: 'merged', groups });
  expect([merged.status, merged.body.versions?.[0].areas], JSON.stringify(merged.body)).toEqual([201, 2]);
  const west = await ask('get_boundary', { id: 'set:merged/west', detail: 'full' });
  const union = await ask('union_boundaries', { include: ['r111', 'r112'], detail: 'full' });
  const { items } = (await ask('list_set_areas', { name: 'merged', members: true })).body;
  expect(items.map((one: { name: string; members: unknown }) => [one.name, one.members])).toEqual([
    ['east', ['r121', 'set:first/a1']],
    ['west', ['r111', 'r112']],
  ]);
  expect((await ask('list_set_areas', { name: 'merged' })).body.items[0]).not.toHaveProperty('members');
  expect((await ask('get_area_set', { name: 'merged' })).body.report).not.toHaveProperty('members');
  const ofFile = (await ask('list_set_areas', { name: 'coded', members: true })).body;
  expect(ofFile.items[0].members).toBeNull();
  expect(west.body.properties.area_km2).toBeCloseTo(union.body.properties.area_km2, 6);
});

it('takes the result of a union or of create_area, one area that the set names', async () => {
  const union = { union: { include: ['r111', 'r112'] }, detail: 'full' };
  const area = { area: { plan: { steps: [{ op: 'place', id: 'r121' }] } }, detail: 'full' };
  for (const [name, input] of Object.entries({ union, area })) {
    const saved = await ask('save_file', input);
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
    const { body } = await ask('create_area_set', { name, title: `The ${name}`, file_id: saved.body.id });
    expect(body.versions?.[0].areas, JSON.stringify(body)).toBe(1);
    const { items } = (await ask('list_set_areas', { name })).body;
    expect(items.map((one: Any) => [one.id, one.name])).toEqual([[`set:${name}/${name}`, `The ${name}`]]);
  }
  const merged = await ask('union_boundaries', { include: union.union.include, detail: 'full' });
  const own = await ask('get_boundary', { id: 'set:union/union', detail: 'full' });
  expect(own.body.properties.area_km2).toBeCloseTo(merged.body.properties.area_km2, 6);
  // Of several areas none is the one that the name means.
  const two = await ask('create_area_set', { name: 'two', features: [merged.body, merged.body] });
  expect([two.status, two.body.detail]).toEqual([400, expect.stringContaining('2 of 2 features are without an id')]);
  const column = await ask('create_area_set', { name: 'two', features: [merged.body], id_column: 'code' });
  expect([column.status, column.body.detail]).toEqual([400, expect.stringContaining('code')]);
});

it('names no member of a set that the caller may not read', async () => {
  const hidden = { name: 'hidden', content: fileOf({ secret: cell(0.2, 0.2) }), visibility: 'restricted' };
  expect((await ask('create_area_set', hidden)).status).toBe(201);
  const groups = { x: ['r111', 'set:hidden/secret'], y: ['r121'] };
  expect((await ask('create_area_set', { name: 'mixed', groups })).status).toBe(201);
  const membersFor = async (as: OrgMember) =>
    (await ask('list_set_areas', { name: 'mixed', members: true }, as)).body.items.map((one: Any) => one.members);
  expect(await membersFor(by)).toEqual([['r111', 'set:hidden/secret'], ['r121']]);
  expect(await membersFor(other)).toEqual([null, ['r121']]);
});

it('names what is wrong with a file, and stores nothing', async () => {
  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['no format', { content: 'these are not areas' }, /content|file/],
    ['no ids', { content: fileOf({ a: cell(0, 0), b: cell(1, 0) }).replaceAll('"id"', '"ID"') }, /id/i],
    ['no areas', { content: '{"type":"FeatureCollection","features":[]}' }, /features/],
    ['cut off', { content: fileOf({ a: cell(0, 0) }).slice(0, -40) }, /./],
    ['no such column', { content: fileOf({ a: cell(0, 0) }), id_column: 'nope' }, /nope/],
    ['no such system', { content: fileOf({ a: cell(0, 0) }), crs: 'EPSG:1' }, /EPSG:1|system/],
    ['codes that ids cannot tell apart', { content: fileOf({ 'a b': cell(0, 0), 'a-b': cell(1, 0) }) }, /a-b/],
    ['nothing', {}, /give one of/],
    ['two files', { content: fileOf({ a: cell(0, 0) }), groups: { a: ['r111'] } }, /give one of/],
  ];
  for (const [what, input, message] of bad) {
    const { status, body } = await ask('create_area_set', { name: 'bad', ...input });
    expect([what, status, body.code], JSON.stringify(body)).toEqual([what, 400, 'invalid_input']);
    expect(`${body.detail} ${JSON.stringify(body.issues)}`, what).toMatch(message);
    expect(JSON.stringify(body), what).not.toMatch(/\/tmp\//);
  }
  expect((await ask('get_area_set', { name: 'bad' })).status).toBe(404);
});

it('keeps versions by date, and quotas of the plan', async () => {
  const version = (valid_from: string, more: object = {}) =>
    ask('create_area_set', {
      name: 'dated',
      content: fileOf({ z: cell(0.2, 0.2, valid_from < '2020' ? 1 : 2) }),
      valid_from,
      ...more,
    });
  expect((await version('2015-01-01')).status).toBe(201);
  expect((await version('2021-01-01')).status).toBe(201);
  expect((await version('2021-01-01')).body.issues[0]).toMatchObject({ path: 'valid_from', code: 'taken' });
  expect((await version('2021-01-01', { replace: true })).status).toBe(201);
  const km2 = async (id: string, more: object = {}) =>
    Math.round((await ask('get_boundary', { id, ...more })).body.properties?.area_km2 ?? -1);
  expect(await km2('set:dated/z')).toBeGreaterThan(await km2('set:dated/z@2016-01-01'));
  expect(await km2('set:dated/z', { as_of: '2016-01-01' })).toBe(await km2('set:dated/z@2016-01-01'));
  expect((await ask('get_boundary', { id: 'set:dated/z@2010-01-01' })).status).toBe(404);
  const walk = await ask('crosswalk', {
    a: { set: 'dated' },
    b: { set: 'dated' },
    as_of: '2016-01-01',
    as_of_b: '2022-01-01',
  });
  expect(
    walk.body.items?.map((one: Any) => [one.a, Math.round(100 * one.share_of_b)]),
    JSON.stringify(walk.body),
  ).toEqual([['set:dated/z', 50]]);
  await server.services.db.query("update plan set area_sets = 1, set_areas = 2 where id = 'free'");
  const { member } = await server.staff('free');
  const few = async (name: string, areas: number) => {
    const ring = Array.from({ length: areas }, (_, i) => [`a${i}`, cell(i, 0)] as const);
    const input = { name, content: fileOf(Object.fromEntries(ring)) };
    const { status, body } = await server.call('http', 'create_area_set', input, member);
    return [status, (body as Any).code ?? null];
  };
  expect(await few('many', 3)).toEqual([413, 'too_large']);
  expect(await few('some', 2)).toEqual([201, null]);
  expect(await few('more', 1)).toEqual([413, 'too_large']);
});

it('boundary sets create sends a file, and says what became of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-sets-'));
  try {
    const path = join(folder, 'Sales Regions 2019.geojson');
    writeFileSync(path, fileOf({ a1: cell(0.2, 0.2), b2: cell(1.2, 0.2) }, { nr: 7 }));
    const said = { out: '', err: '' };
    const terminal = {
      stdout(text: string | Uint8Array) {
        said.out += text;
      },
      stderr(text: string) {
        said.err += text;
      },
    };
    const target = serverTarget({ baseUrl: server.address, apiKey: by.key }, new AbortController().signal);
    await runCreateSet(target, path, { from: '2019-01-01', gaps: 'longest_border' }, terminal);
    const made = JSON.parse(said.out);
    expect([made.name, made.versions[0].valid_from, made.versions[0].areas]).toEqual([
      'sales-regions-2019',
      '2019-01-01',
      2,
    ]);
    expect([made.report.given.gaps, said.err]).toEqual([0, expect.stringContaining('Stored in')]);
    await expect(runCreateSet(target, path, { from: '2019-01-01' }, terminal)).rejects.toThrow('2019-01-01');
    await expect(runCreateSet(target, join(folder, 'none.csv'), {}, terminal)).rejects.toThrow('none.csv');
    // Formats without a first line of their own are known by the name of the file, also where they are packed.
    const table = 'code;name;wkt\na1;A;POLYGON((0.2 0.2,0.4 0.2,0.4 0.4,0.2 0.2))\n';
    for (const [name, content] of [
      ['table.CSV', Buffer.from(table)],
      ['packed.csv.gz', gzipSync(table)],
      ['one.wkt', Buffer.from('POLYGON((0.2 0.2,0.4 0.2,0.4 0.4,0.2 0.2))')],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, content);
      said.out = '';
      await runCreateSet(target, file, name === 'one.wkt' ? {} : { idColumn: 'code', nameColumn: 'name' }, terminal);
      expect([name, JSON.parse(said.out).versions[0].areas]).toEqual([name, 1]);
    }
    await expect(runCreateSet(target, path, { name: 'x', gaps: 'all' }, terminal)).rejects.toThrow('gaps');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
