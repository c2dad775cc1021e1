import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seeded as random } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import { decodeBlobHeader, type PbfCounts, unpackBlob } from '../../workers/osm/blob.ts';
import { Message } from '../../workers/osm/protobuf.ts';
import { frame, header } from './framed_blob.ts';
import { type Move, moveBlock } from './moved_blocks.ts';

const LIECHTENSTEIN = 'osm/liechtenstein-2024.osm.pbf';
/** Filtered to boundaries, except the first: a whole extract, with the roads, houses and routes that a planet has. */
const SOURCES = [
  LIECHTENSTEIN,
  'osm/luxembourg-2018-boundaries.boundaries.osm.pbf',
  'osm/malta-2018.boundaries.osm.pbf',
  'osm/anhui-cn-2017.boundaries.osm.pbf',
  'osm/gatineau-2019.boundaries.osm.pbf',
];
/**
 * Copies of the whole extract per set of filtered ones: boundaries are then about a thirtieth of the bytes, as in
 * reality.
 */
const WHOLE = 8;

/** Figures of a generated planet. */
export interface Planet extends PbfCounts {
  readonly bytes: number;
  /** Number of copies of source files. */
  readonly copies: number;
}

/** One block of a source, with its kind. */
interface SourceBlock {
  readonly bytes: Uint8Array;
  readonly kind: 'nodes' | 'ways' | 'relations';
}

interface Source {
  readonly size: number;
  /** Number of distinct ids of each kind, including ids of missing objects; the ids are 1 … this. */
  readonly ids: PbfCounts;
  readonly blocks: readonly SourceBlock[];
}

/** Whether `data` has the source files of a planet. */
export function hasPlanetSources(data: string): boolean {
  return SOURCES.every((name) => existsSync(join(data, name)));
}

/**
 * Writes a .osm.pbf of at least `bytes` bytes to `path`: copies of real extracts with new ids, shifted around the globe
 * in an order derived from `seed`; nodes before ways before relations, each by ascending id, in zlib blobs as large as
 * the sources'.
 */
export async function makePlanet(path: string, data: string, bytes: number, seed: number): Promise<Planet> {
  const sources = await Promise.all(SOURCES.map((name) => readSource(join(data, name))));
  const copies: Source[] = [];
  // Blocks compress a little better afterwards, because their ids are smaller.
  for (let size = 0; size < 1.15 * bytes; ) {
    const round = copies.length % (WHOLE + SOURCES.length - 1);
    const source = defined(
      sources[bytes < defined(sources[0]).size ? 1 + (round % (SOURCES.length - 1)) : Math.max(0, round - WHOLE + 1)],
    );
    copies.push(source);
    size += source.size;
  }
  const cells = shuffledCells(seed);
  if (copies.length > cells.length)
    throw new Error(`a planet has room for ${cells.length} copies, not ${copies.length}`);
  const counts: PbfCounts = { nodes: 0, ways: 0, relations: 0 };
  const file = await open(path, 'wx');
  try {
    let size = 0;
    const put = async (type: string, body: Uint8Array) => {
      const framed = await frame(type, body);
      await file.writeFile(framed);
      size += framed.length;
    };
    await put('OSMHeader', header());
    for (const kind of ['nodes', 'ways', 'relations'] as const) {
      const used = { nodes: 0, ways: 0, relations: 0 };
      for (const [n, source] of copies.entries()) {
        const { nodes, ways, relations } = used;
        const move: Move = {
          node: (id) => id + nodes,
          way: (id) => id + ways,
          relation: (id) => id + relations,
          ...defined(cells[n]),
        };
        for (const block of source.blocks) {
          if (block.kind === kind) await put('OSMData', moveBlock(block.bytes, move, counts));
        }
        for (const each of ['nodes', 'ways', 'relations'] as const) used[each] += source.ids[each];
      }
    }
    return { bytes: size, copies: copies.length, ...counts };
  } finally {
    await file.close();
  }
}

/** Distinct shifts that keep every source (all within 20 … 55 N, 80 W … 120 E) on the globe. */
function shuffledCells(seed: number): { x: number; y: number }[] {
  const next = random(seed);
  const cells: { x: number; y: number }[] = [];
  for (let x = -95; x <= 55; x += 6) for (let y = -75; y <= 25; y += 6) cells.push({ x: x * 1e7, y: y * 1e7 });
  for (let k = cells.length - 1; k > 0; k--) {
    const other = Math.floor(next() * (k + 1));
    [cells[k], cells[other]] = [defined(cells[other]), defined(cells[k])];
  }
  return cells;
}

/** The blocks of a file with ids replaced by their ranks: the planet uses most ids, an extract does not. */
async function readSource(path: string): Promise<Source> {
  const bytes = await readFile(path);
  const blocks: SourceBlock[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const { type, size } = decodeBlobHeader(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    if (type === 'OSMData') {
      const block = unpackBlob(bytes.subarray(at, at + size));
      blocks.push({ bytes: block, kind: kindOf(block) });
    }
    at += size;
  }
  const [node, way, relation] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const note = (into: Set<number>) => (id: number) => {
    into.add(id);
    return id;
  };
  const unread = { nodes: 0, ways: 0, relations: 0 };
  const looking: Move = { node: note(node), way: note(way), relation: note(relation), x: 0, y: 0 };
  for (const block of blocks) moveBlock(block.bytes, looking, unread);
  const ranks = (ids: Set<number>) => {
    const rank = new Map<number, number>();
    for (const id of Float64Array.from(ids).sort()) rank.set(id, rank.size + 1);
    return (id: number) => rank.get(id) as number;
  };
  const ranked: Move = { node: ranks(node), way: ranks(way), relation: ranks(relation), x: 0, y: 0 };
  return {
    size: bytes.length,
    ids: { nodes: node.size, ways: way.size, relations: relation.size },
    blocks: blocks.map((block) => ({ ...block, bytes: moveBlock(block.bytes, ranked, unread) })),
  };
}

function kindOf(block: Uint8Array): SourceBlock['kind'] {
  const message = new Message(block);
  while (message.next()) {
    if (message.field !== 2) message.skip();
    else {
      const group = message.message();
      group.next();
      return group.field <= 2 ? 'nodes' : group.field === 3 ? 'ways' : 'relations';
    }
  }
  throw new Error('a block holds nothing');
}
