import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { GeometryPool } from '../../src/geometry/pool.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { ALWAYS, END_CLASSES } from '../../workers/contract.ts';
import { openHeap } from '../../workers/heap.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type LongGrid, longGrid, ringOf } from './long_grid.ts';
import { MADE_SOURCE, madeBoundary } from './made.ts';

/** Vertices in one union: VERTICES=10000000 is the proof in full (the second half of it on a native database). */
const VERTICES = Number(process.env.VERTICES ?? 500_000);

const document = { id: null, name: 'large', properties: {}, bbox: null, attribution: '', digits: 7 };
const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as GeoJSON.Feature<GeoJSON.Polygon>;

/** The fewest bytes that so many vertices take as GeoJSON. */
const least = (vertices: number) => 6 * vertices;

describe(`a union of ${VERTICES} vertices in a thread of the pool`, { timeout: 600_000 }, () => {
  const side = 100;
  const inner = Math.round(VERTICES / (2 * side * (side + 1)));
  let grid: LongGrid;
  let pool: GeometryPool;

  beforeAll(() => {
    grid = longGrid(7, side, side, inner, 15_000_000);
    const vertices = grid.edges.reduce((sum, edge) => sum + edge.length / 2, 0);
    const shape = { vertices, slots: grid.edges.length };
    const { buffer, table } = openHeap(shape);
    let at = 0;
    grid.edges.forEach((edge, i) => {
      table.coords.set(edge, 2 * at);
      table.first[i] = at;
      table.length[i] = edge.length / 2;
      at += edge.length / 2;
      let [west, south, east, north] = [
        Number.POSITIVE_INFINITY,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      ];
      for (let v = 0; v < edge.length; v += 2) {
        west = Math.min(west, defined(edge[v]));
        south = Math.min(south, defined(edge[v + 1]));
        east = Math.max(east, defined(edge[v]));
        north = Math.max(north, defined(edge[v + 1]));
      }
      table.box.set([west, south, east, north], 4 * i);
    });
    table.weights.fill(ALWAYS);
    pool = new GeometryPool({ threads: 1, heap: { buffer, ...shape }, common: table });
  });
  afterAll(() => pool?.close());

  const merge = (include: number[], maxBytes: number) =>
    pool.run('merge', {
      heap: null,
      boundaries: grid.cells,
      include,
      exclude: [],
      detail: 'full',
      level: null,
      endClass: END_CLASSES - 1,
      format: 'geojson',
      document,
      maxBytes,
    });
  const checkerboard = () => grid.cells.flatMap((_, i) => ((i + Math.floor(i / side)) % 2 === 0 ? [i] : []));

  it('leaves the outline', async () => {
    const result = await merge(
      grid.cells.map((_, i) => i),
      2 ** 30,
    );
    if (result.kind !== 'bytes') throw new Error(result.kind);
    const { geometry } = parse(result.bytes);
    expect(geometry.type).toBe('Polygon');
    const at = (row: number, column: number, edge: number) => defined(grid.cells[row * side + column])[edge];
    const all = Array.from({ length: side }, (_, i) => i);
    const around = Int32Array.from([
      ...all.map((i) => at(0, i, 0)),
      ...all.map((i) => at(i, side - 1, 1)),
      ...all.map((i) => at(side - 1, side - 1 - i, 2)),
      ...all.map((i) => at(side - 1 - i, 0, 3)),
    ]);
    const expected = ringOf(grid, around);
    expect(geometry.coordinates).toHaveLength(1);
    const flat = Int32Array.from(defined(geometry.coordinates[0]).flat(), (degrees) => Math.round(degrees * 1e7));
    expect(Buffer.compare(Buffer.from(flat.buffer), Buffer.from(expected.buffer))).toBe(0);
  });

  it('that cannot be sent is too large, before it is laid out or as it is written', async () => {
    const include = checkerboard();
    const vertices = include.length * 4 * (inner + 1);
    const before = process.resourceUsage().maxRSS;
    expect(await merge(include, least(vertices) - 1)).toEqual({ kind: 'too_large', bytes: least(vertices) });
    // Nothing of the size of the result was made: the arcs are in memory already.
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(4 * vertices + 64e6);
    const written = await merge(include, 2 * least(vertices));
    if (written.kind !== 'too_large') throw new Error(written.kind);
    expect(written.bytes).toBeGreaterThan(2 * least(vertices));
    expect(written.bytes).toBeLessThan(2.2 * least(vertices) + 1e6);
  });

  it('is written whole where there is room, and takes memory in proportion', async () => {
    const include = checkerboard();
    const vertices = include.length * 4 * (inner + 1);
    const before = process.resourceUsage().maxRSS;
    const result = await merge(include, 30 * vertices);
    if (result.kind !== 'bytes') throw new Error(result.kind);
    expect(result.bytes.length).toBeGreaterThan(least(vertices));
    expect(Buffer.from(result.bytes.subarray(0, 200)).toString()).toContain('"MultiPolygon"');
    // Coordinates once, the text once, and what a buffer that grows has beside it.
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(
      8 * vertices + 3 * result.bytes.length + 128e6,
    );
  });
});

describe(`a union of 50 boundaries of ${VERTICES} vertices on a server`, { timeout: 1_800_000 }, () => {
  const [columns, rows] = [10, 5];
  const inner = Math.round(VERTICES / (4 * columns * rows));
  let testServer: BoundaryTestServer;
  let grid: LongGrid;
  let ids: string[];
  let key: string;

  beforeAll(async () => {
    grid = longGrid(8, columns, rows, inner, 20_000_000);
    testServer = await openBoundaryTestServer({ arcBytes: 40 * VERTICES + 64e6, threads: 1 });
    ({ key } = await testServer.key());
    const boundaries = grid.cells.map((refs, i) => ({
      ...madeBoundary(`cell ${String(i).padStart(2, '0')}`, []),
      border: { rings: [ringOf(grid, refs)] },
    }));
    const { db } = testServer.services;
    const summary = await storeBoundaries(
      { db, engine: testServer.engine },
      { source: MADE_SOURCE, file: 'made', boundaries },
    );
    // The four corners of all are not junctions.
    expect(summary).toMatchObject({ broken: [], added: 50, arcs: grid.edges.length - 4, conflicts: 0 });
    const stored = await db.query<{ id: string }>('select id from boundary order by source_id');
    ids = stored.map(({ id }) => id);
  }, 1_800_000);
  afterAll(() => testServer?.close());

  it('leaves the outline, at full detail and simplified', async () => {
    const reply = await testServer.ask('POST', '/v1/boundaries/union', { key, json: { include: ids, detail: 'full' } });
    expect([reply.status, reply.json.geometry?.type]).toEqual([200, 'Polygon']);
    const rings = reply.json.geometry.coordinates as [number, number][][];
    expect(rings.map((ring) => ring.length)).toEqual([2 * (columns + rows) * (inner + 1) + 1]);
    const low = await testServer.ask('POST', '/v1/boundaries/union', { key, json: { include: ids, detail: 'low' } });
    expect(low.status).toBe(200);
    expect(low.bytes.length).toBeLessThan(reply.bytes.length / 10);
  });

  it('that cannot be sent is too_large before it is written', async () => {
    const some = ids.filter((_, i) => (i + Math.floor(i / columns)) % 2 === 0);
    const vertices = some.length * 4 * (inner + 1);
    const small = await testServer.withLimit(least(vertices) - 1);
    const reply = await small.ask('POST', '/v1/boundaries/union', { key, json: { include: some, detail: 'full' } });
    expect(reply.json.code).toBe('too_large');
    expect(reply.text).toContain(`at least ${least(vertices)} bytes`);
    expect(
      (await small.ask('POST', '/v1/boundaries/union', { key, json: { include: some, detail: 'low' } })).status,
    ).toBe(200);
  });
});
