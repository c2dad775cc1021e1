import { defined } from '../../src/common/elements.ts';
import type { OsmExtract, OsmNode, OsmRelation } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { closed } from '../setup/elements.ts';
import { type Block, pbf, type Way } from './osm_pbf_writer.ts';

/** A small seeded generator of integers (xorshift32; Marsaglia 2003), so that failures can be reproduced. */
export function generator(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const some = (really: boolean, tags: Record<string, string>) => (really ? tags : {});
const dense: OsmNode[] = Array.from({ length: 40 }, (_, k) => ({
  id: 1000 + k * 3,
  version: 1 + (k % 3),
  tags: some(k % 7 === 0, { name: `n${k}`, place: 'town' }),
  x: k * 1_000_003,
  y: -k * 900_001,
}));
const ways: Way[] = Array.from({ length: 6 }, (_, k) => ({
  id: 50 + k,
  version: k,
  tags: some(k === 5, { boundary: 'postal_code', postal_code: '1' }),
  refs: closed(dense.slice(k * 6, k * 6 + 7)).map(({ id }) => id),
}));
const relations: OsmRelation[] = [
  {
    id: 7,
    version: 1,
    tags: { boundary: 'administrative', type: 'boundary', name: 'Fuzz', admin_level: '8' },
    members: [
      ...ways.slice(0, 4).map(({ id }) => ({ type: 'w' as const, ref: id, role: 'outer' })),
      { type: 'n', ref: 1000, role: 'label' },
    ],
  },
];
const raw = { raw: true };
/** The blocks of the plain file. */
export const BLOCKS: Block[] = [
  { nodes: dense.slice(0, 20), dense: dense.slice(20), ...raw },
  { ways, ...raw },
  { relations, ...raw },
];
export const plain = pbf(BLOCKS);
export const sorted = pbf(
  [
    { dense, ...raw },
    { ways, ...raw },
    { relations, ...raw },
  ],
  ['Sort.Type_then_ID'],
);
export const packed = pbf([{ dense, ways, relations }]);
export const xml = Buffer.from(
  `<?xml version="1.0"?><osm version="0.6">${dense.map((n) => `<node id="${n.id}" lat="${n.y / 1e7}" lon="${n.x / 1e7}"/>`).join('')}${ways
    .map((w) => `<way id="${w.id}">${w.refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`)
    .join(
      '',
    )}<relation id="7"><member type="way" ref="50" role="outer"/><member type="way" ref="90" role="outer"><nd lat="1" lon="2"/></member>
  <tag k="boundary" v="administrative"/><tag k="type" v="boundary"/></relation></osm>`,
);
export const json = Buffer.from(
  JSON.stringify({
    elements: [
      {
        type: 'relation',
        id: 7,
        tags: defined(relations[0]).tags,
        members: [
          { type: 'way', ref: 50 },
          { type: 'way', ref: 90, role: '', geometry: [{ lat: 1, lon: 2 }] },
        ],
      },
      ...ways.map(({ refs, ...way }) => ({ type: 'way', ...way, nodes: refs })),
      ...dense.map(({ x, y, ...node }) => ({ type: 'node', ...node, lat: y / 1e7, lon: x / 1e7 })),
    ],
  }),
);

/** The file with some bytes changed, repeated or cut off. */
export function damage(file: Buffer, random: (below: number) => number): Buffer {
  const out = Buffer.from(file);
  const times = 1 + random(4);
  for (let n = 0; n < times; n++) {
    const at = random(out.length);
    const kind = random(6);
    if (kind === 0) out[at] = random(256);
    else if (kind === 1) out[at] = defined(out[at]) ^ (1 << random(8));
    // Long varints and giant lengths.
    else if (kind === 2) out.fill(0xff, at, Math.min(out.length, at + 1 + random(12)));
    else if (kind === 3) out.fill(0x80, at, Math.min(out.length, at + 1 + random(12)));
    else if (kind === 4) out.copy(out, at, random(out.length));
    else return out.subarray(0, at);
  }
  return out;
}

/** @throws unless the parts of an extract are consistent */
export function requireSound(extract: OsmExtract): void {
  for (const { id, refs, coords, missing } of extract.ways.values()) {
    const isWhole = refs === null || coords === null || coords.length === 2 * refs.length;
    const isKnown = refs === null || refs.length === 0 || coords !== null || missing !== null;
    if (!isWhole || !isKnown) throw new Error(`way ${id} has ${refs?.length} nodes and ${coords?.length} numbers`);
    for (const [k, value] of (coords ?? []).entries()) {
      if (!(Math.abs(value) <= (k % 2 === 0 ? 1.8e9 : 9e8))) throw new Error(`way ${id} goes to ${value}`);
    }
  }
  for (const { id, name } of toSourceBoundaries(extract).boundaries) {
    if (!/^[rw][1-9]\d*$/.test(String(id)) || name === '') throw new Error(`a boundary ${id} called "${name}"`);
  }
}

/** Whether a reader failed by a bug: not with an Error that says what is wrong with the file. */
export function isReaderBug(path: string, error: unknown): boolean {
  if (!(error instanceof Error) || !error.message.startsWith(`${path}: `)) return true;
  const { cause } = error;
  return cause instanceof RangeError || cause instanceof TypeError || cause instanceof SyntaxError;
}
