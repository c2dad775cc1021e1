import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import type { OsmRelation } from '../../workers/osm/elements.ts';
import { pbf, type Way } from './osm_pbf_writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osm-coast-'));
});
afterAll(() => rm(folder, { recursive: true }));

const dense = [1, 2, 3, 4].map((id) => ({ id, version: 1, tags: {}, x: 10_000 * (id % 2), y: 10_000 * (id >> 1) }));
const coastline = { natural: 'coastline' };
const border: Way = { id: 10, version: 1, tags: coastline, refs: [1, 2, 3, 1] };
const island: Way = { id: 11, version: 1, tags: coastline, refs: [2, 3, 4, 2] };
const road: Way = { id: 12, version: 1, tags: { highway: 'path' }, refs: [1, 4] };
const relations: OsmRelation[] = [
  {
    id: 7,
    version: 1,
    tags: { boundary: 'administrative', type: 'boundary', admin_level: '8', name: 'Shore' },
    members: [{ type: 'w', ref: 10, role: 'outer' }],
  },
];

const tagsOf = (tags: object) => Object.entries(tags).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
const xmlOf = (ways: readonly Way[]) =>
  [
    '<?xml version="1.0"?><osm version="0.6">',
    ...dense.map(({ id, x, y }) => `<node id="${id}" version="1" lat="${y / 1e7}" lon="${x / 1e7}"/>`),
    ...ways.flatMap(({ id, refs, tags }) => [
      `<way id="${id}" version="1">`,
      ...refs.map((ref) => `<nd ref="${ref}"/>`),
      ...tagsOf(tags),
      '</way>',
    ]),
    '<relation id="7" version="1"><member type="way" ref="10" role="outer"/>',
    ...tagsOf(relations[0]?.tags ?? {}),
    '</relation></osm>',
  ].join('');

describe.each([
  ['osm.pbf', (ways: Way[]) => pbf([{ dense, ways, relations }])],
  ['osm', (ways: Way[]) => Buffer.from(xmlOf(ways))],
] as const)('the coast of a file %s', (ending, bytesOf) => {
  const coastOf = async (...ways: Way[]) => {
    const path = join(folder, `file.${ending}`);
    await writeFile(path, bytesOf(ways));
    const read = await readOsmFile(path);
    expect([...read.ways.keys()]).toEqual([10]);
    return read.coast?.map(({ id }) => id);
  };

  test('is read if some of it is not a border', async () => {
    expect(await coastOf(border, island)).toEqual([10, 11]);
    expect(await coastOf(border, island, road)).toEqual([10, 11]);
  });

  test('is not read if all of it is borders, whatever other ways the file has', async () => {
    expect(await coastOf(border)).toBeUndefined();
    expect(await coastOf(border, road)).toBeUndefined();
  });
});
