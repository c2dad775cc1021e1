import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { ANSWER_BYTES } from '../../src/transports/mcp/answer.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { leading } from '../setup/elements.ts';
import { type Agent, connect, REVISIONS } from './client.ts';
import { largeWorld, MANY } from './large_world.ts';

let testServer: BoundaryTestServer;
beforeAll(async () => {
  testServer = await openBoundaryTestServer();
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, largeWorld());
});
afterAll(() => testServer?.close());

/** What lies at an address that an answer names: it is of BASE_URL, and here of the server that listens. */
const fetched = (url: string, key?: string) =>
  testServer.get(url.slice(testServer.services.config.BASE_URL.length), key);

describe.each(REVISIONS)('an agent of %s', (era) => {
  let key: string;
  let agent: Agent;
  beforeAll(async () => {
    ({ key } = await testServer.key('free'));
    agent = await connect(era, testServer.address, key);
  });
  afterAll(() => agent?.client.close());

  it('speaks that revision with a server that says who it is and how it is used', () => {
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(era);
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'boundary-lookup', title: 'Boundary Lookup' });
    expect(agent.client.getInstructions()).toContain('search_boundaries');
  });

  it('finds, merges, exports and saves', async () => {
    const found = await agent.call('search_boundaries', { q: 'commune 1' });
    const ids: string[] = found.data.items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['r111', 'r112', 'r113']));
    const union = await agent.call('union_boundaries', { include: ['r111', 'r112'], exclude: ['r113'], detail: 'low' });
    expect(union.data).toMatchObject({ type: 'Feature', geometry: { type: 'Polygon' } });
    expect(union.data.properties).toMatchObject({ include: ['r111', 'r112'], exclude: ['r113'], detail: 'low' });
    // Once: as text.
    expect([union.structured, union.content.length]).toEqual([false, 1]);
    const file = await agent.call('union_boundaries', { include: ['r111', 'r112'], format: 'kml' });
    expect((await fetched(file.data.url)).text).toContain('<kml');
    const exported = await agent.call('export_boundary', { id: 'r111', format: 'wkt' });
    expect((await fetched(exported.data.url)).text).toMatch(/^POLYGON/);
    const saved = await agent.call('save_file', { boundary_id: 'r111', format: 'svg' });
    expect(saved.isError).toBe(false);
    expect(saved.data).toMatchObject({ boundary_id: 'r111', format: 'svg' });
    const listed = await agent.call('list_files');
    expect(listed.data.items.map(({ id }: { id: string }) => id)).toEqual([saved.data.id]);
    // Three for the union, two for the second, one for the export and one for the file.
    expect(await testServer.used(key)).toBe(7);
  });

  it('gets every failure as its problem, those of input included, and pays nothing', async () => {
    const before = await testServer.used(key);
    for (const [tool, input, code] of [
      ['search_boundaries', { q: 1, nonsense: true }, 'invalid_input'],
      ['search_boundaries', {}, 'invalid_input'],
      ['get_boundary', { id: 'nonsense' }, 'invalid_id'],
      ['get_boundary', { id: 'r999999' }, 'not_found'],
      ['export_boundary', { id: 'r300' }, 'no_geometry'],
      ['union_boundaries', { include: Array(51).fill('r111') }, 'too_many_boundaries'],
    ] as const) {
      const received = await agent.call(tool, input);
      expect(received.isError, tool).toBe(true);
      expect(received.data).toMatchObject({
        code,
        title: code,
        detail: expect.any(String),
        request_id: expect.any(String),
      });
      expect(JSON.parse(defined(received.content[0]).text)).toEqual(received.data);
      expect(defined(received.content[1]).text).not.toBe('');
    }
    const { data } = await agent.call('search_boundaries', { q: 1, nonsense: true });
    expect(data.issues.map(({ path }: { path: string }) => path)).toEqual(['q', 'nonsense']);
    expect(await testServer.used(key)).toBe(before);
  });

  it('does not get a polygon that would fill its context, but where it is', async () => {
    const { data, size, isError } = await agent.call('get_boundary', { id: 'r90000', detail: 'full' });
    expect(isError).toBe(false);
    expect(size).toBeLessThan(ANSWER_BYTES);
    expect(data).toMatchObject({ type: 'Feature', id: 'r90000', geometry: null });
    expect(data.properties).toMatchObject({ name: 'Largeland', detail: 'full', tolerance_m: 0 });
    const whole = await fetched(data.shortened.url);
    expect(whole.headers['content-type']).toBe('application/geo+json');
    expect(whole.bytes.length).toBe(data.shortened.bytes);
    expect(whole.json).toEqual((await testServer.get('/v1/boundaries/r90000?detail=full', key)).json);
    expect(whole.bytes.length).toBeGreaterThan(ANSWER_BYTES);
    const { bbox, id, type, properties } = whole.json;
    expect(data).toEqual({ bbox, id, type, properties, geometry: null, shortened: data.shortened });
    const union = await agent.call('union_boundaries', { include: ['r90000'], exclude: ['r90001'], detail: 'full' });
    expect(union.data).toMatchObject({ geometry: null, properties: { exclude: ['r90001'] } });
    const low = await agent.call('get_boundary', { id: 'r111', detail: 'low' });
    expect(low.data.geometry.type).toBe('Polygon');
    expect(low.data.shortened).toBeUndefined();
  });

  it('does not get a long list whole, but what tells its items apart, and where the rest is', async () => {
    const { data, size } = await agent.call('list_children', { id: 'r90000' });
    expect(size).toBeLessThan(ANSWER_BYTES);
    expect(data.items).toHaveLength(MANY);
    expect(data.items[0]).toEqual({
      id: expect.stringMatching(/^r90/),
      name: 'Part 001',
      kind: expect.any(String),
      admin_level: 8,
      has_geometry: true,
    });
    expect(data.shortened.left_out).toEqual(expect.arrayContaining(['bbox', 'centroid', 'parents', 'population']));
    expect(data.shortened).toMatchObject({ total: MANY, how: expect.stringContaining('Ask for fewer with limit') });
    const whole = await fetched(data.shortened.url);
    expect(whole.json).toEqual((await testServer.get('/v1/boundaries/r90000/children')).json);
    expect(whole.bytes.length).toBe(data.shortened.bytes);
    const feature = await agent.call('get_boundary', { id: 'r90000', detail: 'full', include: ['children'] });
    expect(feature.size).toBeLessThan(ANSWER_BYTES);
    expect(feature.data.properties.children).toBeUndefined();
    expect(feature.data.shortened.how).toContain('children');
    expect(feature.data.shortened.left_out).toEqual(['geometry', 'properties.children']);
  });

  it('does not get a list of thousands at all', async () => {
    const { data, size } = await agent.call('list_children', { id: 'r90000', admin_level: 10 });
    expect(size).toBeLessThan(ANSWER_BYTES);
    expect(data.items.length).toBeLessThan(data.shortened.total);
    expect(data.shortened.how).toContain(`The first ${data.items.length} of ${data.shortened.total}`);
  });

  it('learns how far a union is, when it asks', async () => {
    const words: string[] = [];
    const onprogress = ({ message, progress }: { message?: string; progress: number }) => {
      words.push(`${progress} ${message}`);
    };
    const exclude = era === REVISIONS[0] ? ['r122'] : ['r123'];
    await agent.call('union_boundaries', { include: ['r112', 'r113'], exclude, detail: 'high' }, { onprogress });
    expect(words).toEqual(['1 2 boundaries to merge, 1 to cut out', expect.stringMatching(/^2 merging \d+ vertices$/)]);
  });

  it('is refused what there is not', async () => {
    const unknown = agent.client.callTool({ name: 'drop_tables', arguments: {} });
    await expect(unknown).rejects.toMatchObject({
      message: expect.stringContaining('Unknown tool: drop_tables'),
      data: { code: 'unknown_op', status: 404, title: 'unknown_op', request_id: expect.any(String) },
    });
  });

  it('calls by name what is not listed: every operation of the service but the import', async () => {
    const { tools, _meta } = await agent.client.listTools();
    const listed = tools.map(({ name }) => name);
    expect(listed).not.toContain('list_kinds');
    const { items } = (await testServer.get('/v1')).json as unknown as { items: { name: string }[] };
    const names = items.map(({ name }) => name).filter((name) => name !== 'import_file' && name !== 'remove_source');
    expect(_meta?.['boundary-lookup/unlisted']).toEqual({
      tools: names.filter((name) => !listed.includes(name)),
      how: expect.stringContaining('toolsets=all'),
    });
    for (const name of names) {
      // An input that no operation takes: the answer is of the operation, or says who may call it.
      const { isError, data } = await agent.call(name, { no_such_field: 1 });
      expect([isError, ['invalid_input', 'unauthorized'].includes(data.code)], `${name}: ${data.code}`).toEqual([
        true,
        true,
      ]);
    }
    expect((await agent.call('list_feedback')).isError).toBe(false);
    expect((await agent.call('get_pricing')).data.plans.length).toBeGreaterThan(0);
  });

  it('gets rows without a name whole, as many as fit, and learns how many are left out', async () => {
    const { data, size } = await agent.call('list_kinds');
    expect(size).toBeLessThan(ANSWER_BYTES);
    const { items } = (await testServer.get('/v1/kinds')).json;
    const shown = data.items.length;
    expect(data.items).toEqual(items.slice(0, shown));
    expect(data.shortened).toMatchObject({ total: items.length, left_out: [] });
    expect(data.shortened.how).toContain(
      `The first ${shown} of ${items.length} items are shown, the other ${items.length - shown} are`,
    );
  });

  it('has structured content and output schemas when it asks, and then no text beside it', async () => {
    const other = await connect(era, testServer.address, key, '/mcp?structured=1');
    const { tools } = await other.client.listTools();
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
    const found = await other.call('search_boundaries', { q: 'commune 1' });
    expect([found.structured, found.size < 100, found.data.items.length > 0]).toEqual([true, true, true]);
    const failed = await other.call('get_boundary', { id: 'r999999' });
    expect([failed.isError, failed.structured, failed.data.code]).toEqual([true, true, 'not_found']);
    await other.client.close();
  });

  it('gets a picture of a polygon when it asks, also of one that is not sent itself', async () => {
    const before = await testServer.used(key);
    for (const [tool, input] of [
      ['get_boundary', { id: 'r111', detail: 'low' }],
      ['union_boundaries', { include: ['r111', 'r112'] }],
      ['get_boundary', { id: 'r90000', detail: 'full' }],
    ] as const) {
      const received = await agent.call(tool, { ...input, picture: true });
      const [text, image] = leading(received.content, 2);
      expect([received.isError, text.type, image.type, image.mimeType]).toEqual([false, 'text', 'image', 'image/png']);
      const png = Buffer.from(image.data ?? '', 'base64');
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.length).toBeLessThan(20_000);
      expect((await agent.call(tool, { ...input, picture: false })).content).toHaveLength(1);
    }
    // It costs what the answer costs.
    expect((await testServer.used(key)) - before).toBe(6);
    const wrong = await agent.call('get_boundary', { id: 'r111', picture: 'yes' });
    expect(wrong.data).toMatchObject({ code: 'invalid_input', issues: [{ path: 'picture' }] });
  });

  it('reads the files that it may see as resources, asked again each time', async () => {
    const other = await testServer.key('free');
    const reader = await connect(era, testServer.address, other.key);
    const saved = await reader.call('save_file', { boundary_id: 'r112', format: 'kml', visibility: 'restricted' });
    const { resources } = await reader.client.listResources();
    expect(resources).toEqual([expect.objectContaining({ uri: saved.data.url, mimeType: saved.data.content_type })]);
    const { contents } = await reader.client.readResource({ uri: saved.data.url });
    expect((contents[0] as { text: string }).text).toContain('<kml');
    await expect(agent.client.readResource({ uri: saved.data.url })).rejects.toThrow(/not|no /i);
    const anyone = await connect(era, testServer.address);
    expect((await anyone.client.listResources()).resources).toEqual([]);
    await expect(anyone.client.readResource({ uri: saved.data.url })).rejects.toThrow();
    await anyone.client.close();
    await reader.call('delete_file', { id: saved.data.id });
    expect((await reader.client.listResources()).resources).toEqual([]);
    await expect(reader.client.readResource({ uri: saved.data.url })).rejects.toThrow();
    await expect(reader.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
    await reader.client.close();
  });
});
