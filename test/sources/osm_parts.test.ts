import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { GeometryPool } from '../../src/geometry/pool.ts';
import { decodeInPool } from '../../src/sources/osm/decode.ts';
import { PART_SIZE } from '../../src/sources/osm/parts.ts';
import { type OsmExtract, openOsmFile, type ReadOptions, readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import type { OsmNode, OsmRelation } from '../../workers/osm/elements.ts';
import { COMMON, handleOf } from '../geometry/large.ts';
import { closed, leading } from '../setup/elements.ts';
import { pbf, type Way } from './osm_pbf_writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SORTED = ['Sort.Type_then_ID'];
/** Every boundary is a part, and nodes are looked for a few at a time. */
const SMALL = { bytes: 1, nodes: 3 };
/** Ids so far from each other that any two may be in different windows. */
const FAR = 70_000;

let files = 0;
async function write(content: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.osm.pbf`);
  await writeFile(path, content);
  return path;
}

async function partsOf(path: string, options: ReadOptions): Promise<OsmExtract[]> {
  const file = await openOsmFile(path, options);
  try {
    const parts: OsmExtract[] = [];
    for await (const part of file.extracts()) parts.push(part);
    expect(parts).toHaveLength(file.parts);
    return parts;
  } finally {
    await file.close();
  }
}

/** What parts say together; that two say the same of a way or node that both have is checked. */
function together(parts: readonly OsmExtract[]): Omit<OsmExtract, 'alone'> {
  const byId = <T>(map: Map<number, T>) => new Map([...map].sort(([a], [b]) => a - b));
  const ways: OsmExtract['ways'] = new Map();
  const nodes: OsmExtract['nodes'] = new Map();
  for (const part of parts) {
    for (const [id, way] of part.ways) {
      if (ways.has(id)) expect(way).toEqual(ways.get(id));
      ways.set(id, way);
    }
    for (const [id, node] of part.nodes) nodes.set(id, node);
  }
  const relations = parts.flatMap((part) => part.relations).sort((a, b) => a.id - b.id);
  const { timestamp, read } = defined(parts[0]);
  return { relations, ways: byId(ways), nodes: byId(nodes), timestamp, read };
}

const sourcesOf = (parts: readonly OsmExtract[]) => {
  const all = parts.map((part) => toSourceBoundaries(part));
  const byId = (a: { id: string | null }, b: { id: string | null }) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1);
  return {
    boundaries: all.flatMap(({ boundaries }) => boundaries).sort(byId),
    // Of ways that are not closed, which cannot be boundaries, only a whole file speaks.
    skipped: all.flatMap(({ skipped }) => skipped.filter(({ reason }) => reason !== 'not closed')).sort(byId),
  };
};

/** Small worlds in which ways are shared, lacking, closed, repeated, and nodes lacking. */
const world = fc
  .record({
    nodes: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 }),
    ways: fc.array(
      fc.record({
        refs: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
        closed: fc.boolean(),
        tags: fc.constantFrom<Record<string, string>[]>(
          {},
          { boundary: 'postal_code', postal_code: '1' },
          { boundary: 'administrative' },
        ),
      }),
      { maxLength: 8 },
    ),
    relations: fc.array(
      fc.record({
        tags: fc.constantFrom<Record<string, string>[]>(
          { boundary: 'administrative', name: 'A' },
          { boundary: 'postal_code' },
          { boundary: 'administrative', admin_level: '8' },
        ),
        ways: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }),
        label: fc.integer({ min: 1, max: 30 }),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ nodes, ways, relations }) => ({
    dense: nodes
      .sort((a, b) => a - b)
      .map(
        (id): OsmNode => ({
          id: id * FAR,
          version: 1,
          tags: id % 2 ? { name: `n${id}` } : {},
          x: 1e7 * id,
          y: -1e6 * id,
        }),
      ),
    ways: ways.map(({ refs, closed: isClosed, tags }, k): Way => {
      const ids = (isClosed && refs.length > 2 ? closed(refs) : refs).map((id) => id * FAR);
      return { id: k + 1, version: 2, tags, refs: ids };
    }),
    relations: relations.map(
      ({ tags, ways, label }, k): OsmRelation => ({
        id: k + 1,
        version: 3,
        tags: { type: 'boundary', ...tags },
        members: [
          ...ways.map((ref) => ({ type: 'w' as const, ref, role: 'outer' })),
          { type: 'n', ref: label * FAR, role: 'label' },
        ],
      }),
    ),
  }));

const chunks = <T>(list: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, k) => list.slice(k * size, (k + 1) * size));

describe('a file in parts', () => {
  test('says what it says whole, whatever its order and however few nodes are looked for at a time', async () => {
    let several = 0;
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.constantFrom('sorted', 'unsorted', 'wrong'),
        async ({ dense, ways, relations }, order) => {
          const nodes = chunks(dense, 2).map((some) => ({ dense: some }));
          if (order === 'wrong') nodes.reverse();
          const blocks = [
            ...nodes,
            ...chunks(ways, 3).map((some) => ({ ways: some })),
            ...chunks(relations, 3).map((some) => ({ relations: some })),
          ];
          if (order === 'unsorted') blocks.reverse();
          const path = await write(pbf(blocks, order === 'unsorted' ? [] : SORTED));
          const whole = await readOsmFile(path);
          const parts = await partsOf(path, { size: SMALL });
          if (parts.length > 1) several++;
          if (parts.length === 0) return;
          const { alone, ...said } = whole;
          expect(alone).toBeUndefined();
          const used = new Set(
            sourcesOf(parts).boundaries.flatMap(({ border }) => ('ways' in border ? border.ways : [])),
          );
          const { ways: given, ...rest } = together(parts);
          // A closed way that is part of a border has no part of its own.
          expect(rest).toEqual({ ...said, ways: undefined });
          expect(given).toEqual(new Map([...whole.ways].filter(([id]) => given.has(id))));
          for (const id of used) expect(given.has(id)).toBe(whole.ways.has(id));
          expect(sourcesOf(parts)).toEqual(sourcesOf([whole]));
          await rm(path);
        },
      ),
      { numRuns: 60 },
    );
    expect(several).toBeGreaterThan(20);
  }, 60_000);

  test('keeps a closed way that is part of a border in another part from being a boundary', async () => {
    const [tags, ring] = [{ boundary: 'administrative', type: 'boundary', name: 'A' }, [1, 2, 3, 1]];
    const dense = [1, 2, 3].map(
      (id): OsmNode => ({ id, version: 1, tags: {}, x: id * 1e8 - id * id, y: id * id * 1e7 }),
    );
    const relations = [1, 2].map(
      (id): OsmRelation => ({ id, version: 1, tags, members: [{ type: 'w', ref: id, role: '' }] }),
    );
    const ways = [1, 2, 3].map((id): Way => ({ id, version: 1, tags, refs: ring }));
    const parts = await partsOf(await write(pbf([{ dense }, { ways }, { relations }], SORTED)), { size: SMALL });
    expect(parts).toHaveLength(3);
    expect(sourcesOf(parts).boundaries.map(({ id }) => id)).toEqual(['r1', 'r2', 'w3']);
  });

  test('puts together what comes twice and agrees, and refuses what does not', async () => {
    const node: OsmNode = { id: 5 * FAR, version: 1, tags: { name: 'N' }, x: 7, y: 8 };
    const way: Way = { id: 3, version: 0, tags: {}, refs: [FAR, 5 * FAR] };
    const members: OsmRelation['members'] = [
      { type: 'w', ref: 3, role: '' },
      { type: 'n', ref: 5 * FAR, role: 'label' },
    ];
    const relation: OsmRelation = {
      id: 9,
      version: 4,
      tags: { boundary: 'administrative', type: 'boundary' },
      members,
    };
    const dense = [{ ...node, id: FAR, tags: {} }, node];
    const twice = (again: { node?: Partial<OsmNode>; way?: Partial<Way>; relation?: Partial<OsmRelation> }) =>
      write(
        pbf([
          { dense, ways: [way], relations: [relation] },
          {
            dense: [{ ...node, ...again.node }],
            ways: [{ ...way, ...again.way }],
            relations: [{ ...relation, ...again.relation }],
          },
        ]),
      );
    for (const size of [PART_SIZE, SMALL]) {
      const read = async (again: Parameters<typeof twice>[0]) => partsOf(await twice(again), { size });
      const tags = { admin_level: '6' };
      const [part] = leading(await read({ way: { version: 2, tags }, relation: { version: 0, members: [] } }), 1);
      expect(part.relations).toEqual([relation]);
      const coords = Int32Array.of(7, 8, 7, 8);
      const refs = Float64Array.from(way.refs);
      expect([...part.ways.values()]).toEqual([{ ...way, version: 2, tags, refs, coords, missing: null }]);
      expect([...part.nodes.values()]).toEqual([node]);
      await expect(read({ node: { x: 6 } })).rejects.toThrow(`node ${5 * FAR} occurs twice, with different places`);
      await expect(read({ node: { version: 2 } })).rejects.toThrow('versions 1 and 2');
      await expect(read({ way: { refs: [FAR] } })).rejects.toThrow('way 3 occurs twice, with different nodes');
      await expect(read({ relation: { version: 5 } })).rejects.toThrow('versions 4 and 5');
      await expect(read({ relation: { members: [defined(members[0])] } })).rejects.toThrow('relation 9 occurs twice');
    }
  });

  test('is the same when the pool decodes it, and an error there is one here', async () => {
    const dense = Array.from({ length: 40 }, (_, k): OsmNode => ({ id: k * FAR, version: 1, tags: {}, x: k, y: -k }));
    const ways = dense.slice(1).map(({ id }, k): Way => ({ id: k + 1, version: 1, tags: {}, refs: [k * FAR, id, 1] }));
    const tags = { boundary: 'administrative', type: 'boundary', name: 'Ω' };
    const relations = ways.map(
      ({ id }): OsmRelation => ({ id, version: 1, tags, members: [{ type: 'w', ref: id, role: 'outer' }] }),
    );
    const file = pbf([...chunks(dense, 3).map((some) => ({ dense: some })), { ways }, { relations }], SORTED);
    const path = await write(file);
    const pool = new GeometryPool({ threads: 2, heap: handleOf(COMMON), common: COMMON.table });
    try {
      const decode = decodeInPool(pool);
      for (const size of [PART_SIZE, { ...SMALL, nodes: 20 }]) {
        expect(await partsOf(path, { decode, size })).toEqual(await partsOf(path, { size }));
      }
      const damaged = await write(
        pbf([{ dense: [defined(dense[0]), { ...defined(dense[0]), x: 9 }] }, { ways }, { relations }], SORTED),
      );
      await expect(openOsmFile(damaged, { decode })).rejects.toThrow('node 0 occurs twice, with different places');
    } finally {
      await pool.close();
    }
  });

  test('lies in temporary files without a name, which a process that is killed does not leave behind', async () => {
    const dense = [1, 2].map((id): OsmNode => ({ id, version: 1, tags: {}, x: id, y: id }));
    const path = await write(pbf([{ dense }], SORTED));
    const own = await mkdtemp(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    const file = await openOsmFile(path);
    try {
      expect(await readdir(own)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await file.close();
    }
  });
});
