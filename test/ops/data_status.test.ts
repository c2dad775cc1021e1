import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { measureStale } from '../../src/app/gauges.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { importFile } from '../../src/sources/import.ts';
import { callerOf, ROUTES } from '../setup/routes.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';

/** A square of four ways (r1), and a relation that lacks one of them (r2). */
const MAP = `<osm version="0.6">
  <node id="1" version="1" timestamp="2024-03-01T00:00:00Z" lat="47" lon="9"/><node id="2" version="1" lat="47" lon="9.1"/>
  <node id="3" version="1" lat="47.1" lon="9.1"/><node id="4" version="1" lat="47.1" lon="9"/>
  <way id="1" version="1"><nd ref="1"/><nd ref="2"/></way><way id="2" version="1"><nd ref="2"/><nd ref="3"/></way>
  <way id="3" version="1"><nd ref="3"/><nd ref="4"/></way><way id="4" version="1"><nd ref="4"/><nd ref="1"/></way>
  ${relation(1, 1, [1, 2, 3, 4])}${relation(2, 1, [1, 2, 3])}</osm>`;

function relation(id: number, version: number, ways: readonly number[]): string {
  const members = ways.map((ref) => `<member type="way" ref="${ref}" role="outer"/>`);
  return `<relation id="${id}" version="${version}" timestamp="2024-03-0${version}T00:00:00Z">${members.join('')}
    <tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/>
    <tag k="name" v="Area ${id}"/></relation>`;
}

let server: BoundaryTestServer;
const folder = mkdtempSync(join(tmpdir(), 'boundary-status-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const run = (name: string, input: object) => runCommand({ services: server.services } as App, name, input, () => {});
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

const status = async () => {
  const { status, headers, json } = await server.ask('GET', '/v1/data-status');
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return json as unknown;
};

describe('GET /v1/data-status', () => {
  it('needs no key, and tells that nothing is there', async () => {
    expect(await status()).toEqual({ boundaries: 0, stale: 0, sources: [], updates: [] });
  });

  it('tells what was imported, when and how old it is, and what of it has no polygon', async () => {
    const began = Date.now();
    await importFile(server.services, write('map.osm', MAP), null);
    const found = (await status()) as { sources: { imported_at: string }[] };
    expect(found).toEqual({
      boundaries: 2,
      stale: 0,
      sources: [
        {
          id: 'osm',
          name: expect.any(String),
          url: expect.stringMatching(/^https:/),
          license: expect.stringContaining('ODbL'),
          attribution: expect.stringContaining('OpenStreetMap'),
          edition: null,
          imported_at: expect.any(String),
          data_at: expect.toSatisfy((time) => time === null || time.startsWith('2024-03-01')),
          reference_system: 'EPSG:4326',
          accuracy_m: 0,
          boundaries: 2,
          with_geometry: 1,
          stale: 0,
          broken: 1,
        },
      ],
      updates: [],
    });
    expect(Math.abs(Date.parse(defined(found.sources[0]).imported_at) - began)).toBeLessThan(60_000);
  });

  it('tells of a change that was taken in, and of what keeps an older shape since; so do get_boundary, the metrics and the command', async () => {
    const body = `<osmChange version="0.6"><modify>${relation(1, 2, [1, 2, 3])}</modify></osmChange>`;
    await run('update_file', { file: write('one.osc', body) });
    const data_at = '2024-03-02T00:00:00.000Z';
    expect(await status()).toMatchObject({
      boundaries: 2,
      stale: 1,
      sources: [{ id: 'osm', data_at, with_geometry: 1, stale: 1, broken: 1 }],
      updates: [{ address: null, sequence: null, data_at, applied_at: expect.any(String) }],
    });
    const why = { reason: 'open ring', lat: expect.any(Number), lon: 9, since: expect.any(String) };
    const { json } = await server.get('/v1/boundaries/r1?detail=low');
    expect([json.geometry.type, json.properties.stale]).toEqual(['Polygon', why]);
    expect(await run('admin_stale', {})).toMatchObject([{ id: 'r1', name: 'Area 1', source: 'osm', stale: why }]);
    measureStale(server.services.metrics, server.services.freshness);
    const metrics = await server.services.metrics.registry.metrics();
    expect(metrics).toMatch(/^boundary_stale\{reason="open"\} 1$/m);
    expect(metrics).toMatch(/^boundary_stale\{reason="area"\} 0$/m);

    await run('update_file', {
      file: write('two.osc', body.replace(relation(1, 2, [1, 2, 3]), relation(1, 3, [1, 2, 3, 4]))),
    });
    expect(await status()).toMatchObject({ stale: 0, sources: [{ stale: 0, broken: 1 }] });
  });

  it('is answered alike by every route, and takes no input', async () => {
    const { address, ask } = server;
    const call = callerOf({ ops, address, host: new URL(BASE_URL).host, ask });
    const wanted = await status();
    for (const route of ROUTES) {
      const { status, json } = await call(route, 'get_data_status', {});
      expect([status, json], route).toEqual([200, wanted]);
      expect((await call(route, 'get_data_status', { source: 'osm' })).json.code, route).toBe('invalid_input');
    }
  });
});
