import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyOp } from '../../src/core/op.ts';
import { readSounds } from '../../src/domain/search/sounds_like.ts';
import { ops } from '../../src/ops/index.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { square } from '../formats/support.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { DESTRUCTIVE_OPS } from '../setup/inputs.ts';
import { countWork } from '../setup/work.ts';

/** As many boundaries as a collection may have. */
const MOST = 5_000;
/** Blocks of one turn with the short ones before it: about 20 ms. */
const MOST_IN_TURN = 500_000;
/** Those of dissolve, whose 100,000 ids are counted, checked and searched for names of sets. */
const MOST_OF_IDS = 1_000_000;

let server: BoundaryTestServer;
let key: string;
let ids: string[];
let file: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
  const features = Array.from({ length: MOST }, (_, i) => ({
    type: 'Feature',
    properties: { id: `s${i}`, name: `Square ${i}` },
    geometry: { type: 'Polygon', coordinates: [square(-9 + 0.02 * (i % 100), 38 + 0.02 * Math.floor(i / 100), 0.01)] },
  }));
  const path = join(server.dataDir, 'squares.geojson');
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  const { boundaries } = await readCoverage(path, { source: 'squares', adminLevel: 8, country: 'PT' });
  const source = {
    ...{ id: 'squares', name: 'squares', url: null, license: 'x', attribution: 'x' },
    resolution: null,
    seed: false,
  };
  await storeBoundaries(server.services, { source, file: 'squares.geojson', boundaries });
  ids = (await server.services.db.query<{ id: string }>('select id from boundary order by id')).map(({ id }) => id);
  expect(ids).toHaveLength(MOST);
  const saved = await server.ask('POST', '/v1/ops/save_file', { key, json: { boundary_id: ids[0], detail: 'low' } });
  expect(saved.status).toBe(201);
  file = String(saved.json.id);
  // Names in memory, tables of words and prepared statements are for all calls.
  expect((await server.get('/v1/boundaries/search?q=Square')).status).toBe(200);
  // As a server does when it has started.
  await readSounds();
  const few = { description: 'Square 1 and Square 2', dry_run: true };
  expect((await server.ask('POST', '/v1/ops/create_area', { key, json: few })).status).toBe(200);
}, 100_000);
afterAll(() => server?.close());

/** The largest inputs that are legal, of operations that take lists or objects. Plans of areas: test/areas/work.test.ts. */
const LARGEST: Readonly<Record<string, () => readonly object[]>> = {
  create_area: () => [
    { description: `${'Square 1, '.repeat(40)}Square 2`, dry_run: true },
    {
      plan: {
        steps: [
          ...ids.slice(0, 50).map((id) => ({ op: 'place', id })),
          { op: 'union', of: Array.from({ length: 50 }, (_, i) => i) },
        ],
      },
      dry_run: true,
    },
  ],
  union_boundaries: () => [{ include: ids.slice(0, 50), detail: 'low' }],
  export_collection: () => [
    { ids, detail: 'low' },
    { ids, format: 'csv', geometry: 'none' },
  ],
  dissolve: () => [
    {
      groups: Object.fromEntries(
        Array.from({ length: 10_000 }, (_, i) => [`g${i}`, Array.from({ length: 10 }, (_, n) => ids[(i + n) % MOST])]),
      ),
      detail: 'low',
    },
    { csv: `id,group\n${ids.map((id, i) => `${id},g${i % 2}\n`).join('')}`, detail: 'low' },
  ],
  crosswalk: () => [{ a: ids, b: ids }],
  convert_values: () => [
    {
      ...{ csv: `id,people\n${ids.map((id, i) => `${id},${i}\n`).join('')}`, b: ids, counts: ['people'] },
      weights_csv: `id,weight\n${ids.map((id, i) => `${id},${i}\n`).join('')}`,
    },
  ],
  cover_boundaries: () => [{ ids, grid: 's2', max_cells: 100_000 }],
  draw_map: () => [
    { rows: ids.map((id, i) => ({ id, value: i % 97 })), title: 'The largest map', format: 'png' },
    { csv: `id,value\n${ids.map((id, i) => `${id},${i % 97}\n`).join('')}`, title: 'The largest table' },
  ],
  match_names: () => [
    {
      rows: Array.from({ length: 10_000 }, (_, i) => ({
        name: `Square ${i % 50}`,
        type: 'municipality',
      })),
    },
  ],
  save_match_corrections: () => [
    { rows: ids.slice(0, 1_000).map((id, i) => ({ name: `My square ${i}`, id })) },
    {
      csv: `name,match_id,match\n${ids
        .slice(0, 1_000)
        .map((id, i) => `Their square ${i},${id},not_found\n`)
        .join('')}`,
    },
  ],
  join: () => [
    { csv: `id,people\n${ids.map((id, i) => `${id},${i}\n`).join('')}` },
    {
      csv: `id,half,people\n${ids.map((id, i) => `${id},h${i % 2},${i}\n`).join('')}`,
      group_column: 'half',
      figures: ['people:sum'],
    },
  ],
  locate_points: () => [
    { points: Array.from({ length: 10_000 }, (_, i) => [-9 + 0.02 * (i % 100), 38 + 0.02 * Math.floor(i / 200)]) },
  ],
  select_tiles: () => [{ ids }],
  create_area_set: () => [
    {
      name: 'halves',
      groups: Object.fromEntries(['a', 'b'].map((half, i) => [half, ids.filter((_, k) => k % 2 === i)])),
    },
    { name: 'rows', groups: Object.fromEntries(ids.slice(0, 1_000).map((id, i) => [`row ${i}`, [id]])) },
    {
      ...{ name: 'file', id_column: 'id' },
      content: JSON.stringify({
        type: 'FeatureCollection',
        features: Array.from({ length: 1_000 }, (_, i) => {
          const [w, s] = [-9 + 0.02 * (i % 100), 38 + 0.02 * Math.floor(i / 100)];
          const ring = [
            [w, s],
            [w + 0.01, s],
            [w + 0.01, s + 0.01],
            [w, s + 0.01],
            [w, s],
          ];
          return {
            type: 'Feature',
            properties: { id: `z${i}`, name: `Zone ${i}` },
            geometry: { type: 'Polygon', coordinates: [ring] },
          };
        }),
      }),
    },
  ],
  save_file: () => [{ collection: { ids }, detail: 'low' }],
  update_file: () => [{ id: file, tags: Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(50, 'x')) }],
  create_job: () => [{ op: 'export_collection', input: { ids, detail: 'low' } }],
  get_boundary: () => [{ id: ids[0], detail: 'low', include: ['children'] }],
};

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly maxLength?: number;
}
const schemaOf = (op: AnyOp) => z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Whether an input may hold lists or objects, and so more than its fields. */
const isWide = (schema: Schema): boolean =>
  schema.type === 'array' || schema.type === 'object' || (schema.anyOf ?? []).some(isWide);

/** The first example of an operation, with texts as long as they may be. */
function longest(op: AnyOp): object {
  let input: object = op.examples[0]?.input ?? {};
  for (const [name, { type, maxLength = 4_000 }] of Object.entries(schemaOf(op).properties ?? {})) {
    const longer = {
      ...input,
      [name]: 'Square '
        .repeat(maxLength / 7 + 1)
        .slice(0, maxLength)
        .trim(),
    };
    if (type === 'string' && op.input.safeParse(longer).success) input = longer;
  }
  return input;
}

test('the largest input of every operation that takes lists is here', () => {
  const wide = ops.filter((op) => Object.values(schemaOf(op).properties ?? {}).some(isWide)).map(({ name }) => name);
  // import_file is for operators, whose key is not used here: test/imports has its files.
  expect(wide.filter((name) => !(name in LARGEST) && name !== 'import_file')).toEqual([]);
});

/** The operations that take lists, and the others, whose inputs are small. */
const MEASURED = [
  ...ops.filter(({ name }) => name in LARGEST),
  ...ops.filter(({ name }) => !(name in LARGEST) && !DESTRUCTIVE_OPS.includes(name)),
];

test.each(MEASURED.map((op) => [op.name, op] as const))(
  'the largest input of %s leaves turns to others',
  { timeout: 120_000 },
  async (name, op) => {
    for (const input of LARGEST[name]?.() ?? [longest(op)]) {
      const call = () => server.ask('POST', `/v1/ops/${name}`, { key, json: input });
      const ends: (string | number)[] = [];
      let said = '';
      const work = await countWork(async () => {
        const called = call().then(({ status, text }) => {
          ends.push(status);
          said = text.slice(0, 300);
        });
        await server.get('/healthz').then(({ status }) => ends.push(`health ${status}`));
        await called;
      });
      expect(ends).toContain('health 200');
      if (name in LARGEST) expect([200, 201], said).toContain(ends.find((one) => typeof one === 'number'));
      expect(work.longest).toBeLessThan(name === 'dissolve' ? MOST_OF_IDS : MOST_IN_TURN);
    }
  },
);
