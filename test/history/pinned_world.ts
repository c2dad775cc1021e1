import { writeFileSync } from 'node:fs';
import { importFile } from '../../src/sources/import.ts';
import { removeSource } from '../../src/sources/stored.ts';
import { applyChange } from '../../src/sources/update/apply.ts';
import { openFolder } from '../freshness/change_files.ts';
import { random } from '../kernels/topology.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MADE, type MadeArea, rowOf, storeMade } from './made_editions.ts';

/**
 * A made map of OpenStreetMap whose borders have many vertices: a country (r1) of four municipalities (r11 to r14), squares
 * in a row, each side a way of its own.
 */
const SIDE = 0.2;
const VERTICES = 80;
const next = random(42);
const corner = (column: number, row: number) => [column * SIDE, 47 + row * SIDE] as const;

interface Way {
  readonly id: number;
  readonly refs: readonly number[];
}

const nodes = new Map<number, { x: number; y: number; version: number }>();
const ways = new Map<number, Way>();

function addWay(id: number, from: readonly [number, number], to: readonly [number, number]): void {
  const ends = [from, to].map(([x, y]) => {
    const found = [...nodes].find(([, one]) => one.x === x && one.y === y)?.[0];
    if (found !== undefined) return found;
    nodes.set(nodes.size + 1, { x, y, version: 1 });
    return nodes.size;
  });
  const middle = Array.from({ length: VERTICES }, (_, i) => {
    const part = (i + 1) / (VERTICES + 1);
    const wiggle = 0.01 * (next() - 0.5) * Math.min(1, 10 * part, 10 * (1 - part));
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const [x, y] = [from[0] + part * dx + (dy === 0 ? 0 : wiggle), from[1] + part * dy + (dx === 0 ? 0 : wiggle)];
    nodes.set(nodes.size + 1, { x: Number(x.toFixed(7)), y: Number(y.toFixed(7)), version: 1 });
    return nodes.size;
  });
  ways.set(id, { id, refs: [ends[0] as number, ...middle, ends[1] as number] });
}

for (let column = 0; column < 4; column++) {
  addWay(100 + column, corner(column, 0), corner(column + 1, 0));
  addWay(200 + column, corner(column, 1), corner(column + 1, 1));
}
for (let column = 0; column <= 4; column++) addWay(300 + column, corner(column, 0), corner(column, 1));

const node = (id: number) => {
  const one = nodes.get(id);
  return `<node id="${id}" version="${one?.version}" lat="${one?.y}" lon="${one?.x}"/>`;
};
const relation = (id: number, name: string, level: number, members: readonly number[], version = 1) =>
  `<relation id="${id}" version="${version}">${members.map((ref) => `<member type="way" ref="${ref}" role="outer"/>`).join('')}` +
  `<tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="${level}"/>` +
  `<tag k="name" v="${name}"/>${level === 2 ? '<tag k="ISO3166-1" v="LI"/>' : ''}<tag k="wikidata" v="Q${900 + id}"/></relation>`;
const around = (column: number, columns = 1) => [
  ...Array.from({ length: columns }, (_, i) => [100 + column + i, 200 + column + i]).flat(),
  300 + column,
  300 + column + columns,
];
const NAMES = ['Anau', 'Bregg', 'Cavdura', 'Dissla'];

const folder = openFolder();
export const removeFolder = () => folder.remove();

function mapFile(): string {
  const path = `${folder.folder}/map.osm`;
  const body = [
    ...[...nodes.keys()].map(node),
    ...[...ways.values()].map(
      ({ id, refs }) => `<way id="${id}" version="1">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`,
    ),
    relation(1, 'Landa', 2, around(0, 4)),
    ...NAMES.map((name, i) => relation(11 + i, name, 8, around(i))),
  ];
  writeFileSync(path, `<?xml version="1.0"?><osm version="0.6">${body.join('\n')}</osm>`);
  return path;
}

/** Moves every fifth vertex of the border between two municipalities. */
function moved(column: number): string {
  const inner = (ways.get(300 + column) as Way).refs.slice(1, -1).filter((_, i) => i % 5 === 0);
  for (const id of inner) {
    const one = nodes.get(id) as { x: number; y: number; version: number };
    nodes.set(id, { x: Number((one.x + 0.004).toFixed(7)), y: one.y, version: one.version + 1 });
  }
  return inner.map(node).join('');
}

const country: MadeArea = {
  id: 'TD',
  name: 'Tchad',
  level: 2,
  iso: 'TD',
  cells: [...rowOf(0, 0, 6), ...rowOf(1, 0, 6)],
};
const area = (id: string, name: string, row: number, from: number, to: number): MadeArea => ({
  id,
  name,
  cells: rowOf(row, from, to),
});
const OTHER = { ...MADE, source: 'other', country: undefined };
const coverage = { ...MADE, map: { ...MADE.map, iso: 'iso', 'code:zone': 'id' } };
const byHand = { address: '', sequence: null };

/** Changes of the data, one after the other, each with what it is. */
export const STEPS: readonly (readonly [string, (server: BoundaryTestServer) => Promise<unknown>])[] = [
  ['a first import of OpenStreetMap', ({ services }) => importFile(services, mapFile(), null)],
  [
    'an import without a date',
    (server) =>
      storeMade(
        server,
        null,
        [country, area('A', 'Abeche', 0, 0, 2), area('B', 'Bol', 0, 2, 6), area('C', 'Chari', 1, 0, 6)],
        coverage,
      ),
  ],
  [
    'an edition of the past',
    (server) =>
      storeMade(
        server,
        '2010-01-01',
        [country, area('A', 'Abeche', 0, 0, 3), area('B', 'Bol', 0, 3, 6), area('C', 'Chari', 1, 0, 6)],
        coverage,
      ),
  ],
  [
    'another source',
    (server) => storeMade(server, null, [area('X', 'Xanadu', 3, 0, 2), area('Y', 'Ysland', 3, 2, 5)], OTHER),
  ],
  [
    'an update that moves a border and renames a municipality',
    ({ services }) =>
      applyChange(
        services,
        folder.write(`<modify>${moved(1)}${relation(12, 'Breggia', 8, around(1), 2)}</modify>`),
        byHand,
      ),
  ],
  [
    'an edition between',
    (server) =>
      storeMade(
        server,
        '2015-01-01',
        [country, area('A', 'Abeche', 0, 0, 6), area('C', 'Chari', 1, 0, 4), area('D', 'Doba', 1, 4, 6)],
        coverage,
      ),
  ],
  [
    'an update that merges two municipalities',
    ({ services }) =>
      applyChange(
        services,
        folder.write(
          `<modify>${relation(13, 'Cavdura', 8, around(2, 2), 2)}</modify><delete>${relation(14, 'Dissla', 8, around(3), 2)}</delete>`,
        ),
        byHand,
      ),
  ],
  [
    'the same edition again, corrected',
    (server) =>
      storeMade(
        server,
        '2010-01-01',
        [country, area('A', 'Abéché', 0, 0, 1), area('B', 'Bol', 0, 1, 6), area('C', 'Chari', 1, 0, 6)],
        coverage,
      ),
  ],
  [
    'a later import without a date',
    (server) =>
      storeMade(
        server,
        null,
        [country, area('A', 'Abeche', 0, 0, 5), area('B', 'Bol', 0, 5, 6), area('C', 'Chari-Baguirmi', 1, 0, 6)],
        coverage,
      ),
  ],
  ['the removal of a source', ({ services }) => removeSource(services, 'other')],
  [
    'an update that moves another border',
    ({ services }) => applyChange(services, folder.write(`<modify>${moved(3)}${moved(2)}</modify>`), byHand),
  ],
];

/** A request of an operation, by its route or by name. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** Requests of all operations that can be pinned, about what is stored and what is not. `ids`: of made boundaries. */
export function callsOf(ids: readonly string[]): Call[] {
  const get = (path: string): Call => ({ method: 'GET', path: `/v1/boundaries/${path}` });
  const post = (op: string, json: Call['json']): Call => ({ method: 'POST', path: `/v1/ops/${op}`, json });
  const osm = ['r11', 'r12', 'r13', 'r14'];
  const [a, b, c] = ids as [string, string, string];
  return [
    ...['r1', ...osm, ...ids].map((id) => get(`${id}?detail=medium&include=parents,children`)),
    ...osm.map((id) => get(`${id}?detail=full`)),
    ...['r12', a, b].map((id) => get(`${id}@2011-06-01?detail=low`)),
    ...['Bregg', 'Breggia', 'Dissla', 'Xanadu', 'Abeche', 'chari', 'Landa'].map((q) => get(`search?q=${q}`)),
    ...['Abeche', 'Doba'].map((q) => get(`search?q=${q}&as_of=2016-01-01`)),
    ...[
      [47.1, 0.1],
      [47.1, 0.2011],
      [47.1, 0.4015],
      [47.1, 0.7],
      [10.05, 20.25],
      [10.15, 20.45],
      [10.35, 20.1],
    ].map(([lat, lon]) => get(`reverse?lat=${lat}&lon=${lon}`)),
    get('reverse?lat=10.05&lon=20.25&as_of=2012-01-01'),
    get('r1/children'),
    get(`${ids[3]}/children`),
    get(`${ids[3]}/children?as_of=2013-01-01`),
    get('r12/neighbors'),
    get(`${b}/neighbors`),
    get('r13/export?format=kml&detail=medium'),
    post('union_boundaries', { include: ['r12', 'r13'], detail: 'medium' }),
    post('union_boundaries', { include: [a, c], detail: 'full' }),
    post('union_boundaries', { include: [`${a}@2012-01-01`, b] }),
    post('locate_points', {
      points: [
        [0.1, 47.1],
        [0.7, 47.1],
        [20.25, 10.05],
      ],
      levels: [8],
    }),
    { method: 'POST', path: '/v1/collections', json: { children_of: 'r1', format: 'geojson', detail: 'low' } },
    { method: 'POST', path: '/v1/collections', json: { ids: [a, b, c], format: 'csv', geometry: 'none' } },
    post('dissolve', { groups: { one: ['r11', 'r12'], two: ['r13'] } }),
    post('crosswalk', { a: { ids: ['r11', 'r12', 'r13'] }, b: { ids: ['r1'] } }),
    get(`${a}/versions`),
    { method: 'GET', path: '/v1/changes?from=2011-01-01&to=2016-01-01&source=made' },
  ];
}
