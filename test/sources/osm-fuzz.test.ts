import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OsmExtract, type OsmNode, type OsmRelation, readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { pbf, type Way } from './osm-pbf-writer.ts';

/**
 * Damaged files: every one ends in an extract whose parts hold together, or in a plain Error that says something.
 * RangeError and TypeError would be accidents of the reader. A hang shows as the test's timeout.
 */

/** The share of the seeds that is tried: FUZZ=1 tries all of them, in about a minute. */
const SHARE = Number(process.env.FUZZ ?? 0.05);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A small generator of numbers below 2^32 (xorshift32; Marsaglia 2003), so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
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
  refs: [...dense.slice(k * 6, k * 6 + 7), dense[k * 6]].map(({ id }) => id),
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
const plain = pbf([
  { nodes: dense.slice(0, 20), dense: dense.slice(20), ...raw },
  { ways, ...raw },
  { relations, ...raw },
]);
const sorted = pbf(
  [
    { dense, ...raw },
    { ways, ...raw },
    { relations, ...raw },
  ],
  ['Sort.Type_then_ID'],
);
const packed = pbf([{ dense, ways, relations }]);
const xml = Buffer.from(
  `<?xml version="1.0"?><osm version="0.6">${dense.map((n) => `<node id="${n.id}" lat="${n.y / 1e7}" lon="${n.x / 1e7}"/>`).join('')}${ways
    .map((w) => `<way id="${w.id}">${w.refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`)
    .join(
      '',
    )}<relation id="7"><member type="way" ref="50" role="outer"/><member type="way" ref="90" role="outer"><nd lat="1" lon="2"/></member>
  <tag k="boundary" v="administrative"/><tag k="type" v="boundary"/></relation></osm>`,
);
const json = Buffer.from(
  JSON.stringify({
    elements: [
      {
        type: 'relation',
        id: 7,
        tags: relations[0].tags,
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

function damage(file: Buffer, random: (below: number) => number): Buffer {
  const out = Buffer.from(file);
  const times = 1 + random(4);
  for (let n = 0; n < times; n++) {
    const at = random(out.length);
    const kind = random(6);
    if (kind === 0) out[at] = random(256);
    else if (kind === 1) out[at] ^= 1 << random(8);
    // Long varints and giant lengths.
    else if (kind === 2) out.fill(0xff, at, Math.min(out.length, at + 1 + random(12)));
    else if (kind === 3) out.fill(0x80, at, Math.min(out.length, at + 1 + random(12)));
    else if (kind === 4) out.copy(out, at, random(out.length));
    else return out.subarray(0, at);
  }
  return out;
}

function expectSound(extract: OsmExtract): void {
  for (const way of extract.ways.values()) {
    if (way.refs !== null && way.coords !== null) expect(way.coords.length).toBe(2 * way.refs.length);
    if (way.refs !== null && way.refs.length > 0 && way.coords === null) expect(way.missing).not.toBeNull();
    for (let k = 0; k < (way.coords?.length ?? 0); k++) {
      expect(Math.abs(way.coords?.[k] ?? Number.NaN)).toBeLessThanOrEqual(k % 2 === 0 ? 1.8e9 : 9e8);
    }
  }
  for (const boundary of toSourceBoundaries(extract).boundaries) {
    expect(boundary.id).toMatch(/^[rw][1-9]\d*$/);
    expect(boundary.name).not.toBe('');
  }
}

test.each([
  ['plain pbf', plain, 2000],
  ['sorted pbf', sorted, 2000],
  ['compressed pbf', packed, 500],
  ['xml', xml, 800],
  ['json', json, 800],
  ['gzipped xml', gzipSync(xml), 300],
  ['gzipped pbf', gzipSync(plain), 100],
])('%s, damaged at random', async (name, file, most) => {
  const times = Math.ceil(most * SHARE);
  const path = join(folder, name.replace(' ', '-'));
  await writeFile(path, file);
  expectSound(await readOsmFile(path));
  let failed = 0;
  for (let seed = 1; seed <= times; seed++) {
    await writeFile(path, damage(file, generator(seed * 2_654_435_761)));
    try {
      expectSound(await readOsmFile(path));
    } catch (error) {
      failed++;
      if (!(error instanceof Error)) throw error;
      const cause = error.cause;
      const accident = cause instanceof RangeError || cause instanceof TypeError || cause instanceof SyntaxError;
      if (accident || !error.message.startsWith(`${path}: `))
        throw new Error(`seed ${seed}: ${error.message}`, { cause });
    }
  }
  // Damage that nothing notices would mean that nothing was checked.
  expect(failed).toBeGreaterThan(times / 10);
});

test('random bytes behind every beginning that is recognized', async () => {
  const path = join(folder, 'noise');
  const random = generator(99);
  const starts = [
    plain.subarray(0, 24),
    plain.subarray(0, 80),
    Buffer.from('<'),
    Buffer.from('{'),
    Buffer.from([0x1f, 0x8b, 8]),
    Buffer.alloc(0),
  ];
  for (let n = 0; n < 600; n++) {
    const noise = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
    await writeFile(path, Buffer.concat([starts[n % starts.length], noise]));
    await expect(readOsmFile(path)).rejects.toThrow(`${path}: `);
  }
});
