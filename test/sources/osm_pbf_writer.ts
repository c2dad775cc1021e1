import { deflateSync } from 'node:zlib';
import { defined } from '../../src/common/elements.ts';
import type { OsmNode, OsmRelation } from '../../workers/osm/elements.ts';

/** A small writer of PBF files, for cases that no real file has. Deliberately slow and simple: numbers are BigInt. */

export function varint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

export function zigzag(value: number | bigint): Buffer {
  const big = BigInt(value);
  return varint(big >= 0n ? 2n * big : -2n * big - 1n);
}

const key = (field: number, wire: number) => varint(field * 8 + wire);
export const number = (field: number, value: number | bigint) => Buffer.concat([key(field, 0), varint(value)]);
export const signed = (field: number, value: number | bigint) => Buffer.concat([key(field, 0), zigzag(value)]);
export const bytes = (field: number, ...parts: Uint8Array[]) => {
  const value = Buffer.concat(parts);
  return Buffer.concat([key(field, 2), varint(value.length), value]);
};
export const string = (field: number, value: string) => bytes(field, Buffer.from(value));
export const packed = (field: number, values: (number | bigint)[]) => bytes(field, ...values.map(varint));
export const deltas = (field: number, values: (number | bigint)[]) =>
  bytes(field, ...values.map((value, k) => zigzag(BigInt(value) - (k === 0 ? 0n : BigInt(defined(values[k - 1]))))));

/** A Blob message: zlib-compressed, or raw. */
export function blob(content: Uint8Array, raw = false): Buffer {
  if (raw) return bytes(1, content);
  return Buffer.concat([number(2, content.length), bytes(3, deflateSync(content))]);
}

/** A blob with its header, as in a file. */
export function framed(type: string, body: Uint8Array): Buffer {
  const header = Buffer.concat([string(1, type), number(3, body.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, body]);
}

export function header(required = ['OsmSchema-V0.6', 'DenseNodes'], optional: string[] = []): Buffer {
  return framed(
    'OSMHeader',
    blob(
      Buffer.concat([
        ...required.map((f) => string(4, f)),
        ...optional.map((f) => string(5, f)),
        number(32, 1_700_000_000),
      ]),
    ),
  );
}

export interface Way {
  id: number;
  version: number;
  tags: Record<string, string>;
  refs: number[];
  /** For files with LocationsOnWays, in 1e-7 degrees. */
  xy?: [number, number][];
}

export interface Block {
  nodes?: OsmNode[];
  dense?: OsmNode[];
  ways?: Way[];
  relations?: OsmRelation[];
  /** Nanodegrees per unit, and offsets in nanodegrees. */
  granularity?: number;
  latOffset?: number;
  lonOffset?: number;
  raw?: boolean;
}

/** An OSMData blob without a frame. */
export function block({ nodes = [], dense = [], ways = [], relations = [], raw, ...rest }: Block): Buffer {
  const { granularity = 100, latOffset = 0, lonOffset = 0 } = rest;
  const strings = new Map([['', 0]]);
  const index = (text: string) => {
    if (!strings.has(text)) strings.set(text, strings.size);
    return strings.get(text) as number;
  };
  const lat = (y: number) => (y * 100 - latOffset) / granularity;
  const lon = (x: number) => (x * 100 - lonOffset) / granularity;
  const tags = (of: Record<string, string>) => [
    packed(2, Object.keys(of).map(index)),
    packed(3, Object.values(of).map(index)),
  ];
  const info = (version: number) => bytes(4, number(1, version));
  const groups: Buffer[] = [];
  if (nodes.length > 0) {
    const items = nodes.map((node) =>
      bytes(
        1,
        signed(1, node.id),
        ...tags(node.tags),
        info(node.version),
        signed(8, lat(node.y)),
        signed(9, lon(node.x)),
      ),
    );
    groups.push(bytes(2, ...items));
  }
  if (dense.length > 0) {
    const keysValues = dense.flatMap((node) => [...Object.entries(node.tags).flat().map(index), 0]);
    const body = [
      deltas(
        1,
        dense.map(({ id }) => id),
      ),
      bytes(
        5,
        packed(
          1,
          dense.map(({ version }) => version),
        ),
      ),
      deltas(
        8,
        dense.map(({ y }) => lat(y)),
      ),
      deltas(
        9,
        dense.map(({ x }) => lon(x)),
      ),
      packed(10, keysValues),
    ];
    groups.push(bytes(2, bytes(2, ...body)));
  }
  if (ways.length > 0) {
    const items = ways.map((way) => {
      const places = way.xy ?? [];
      const parts = [number(1, way.id), ...tags(way.tags), info(way.version), deltas(8, way.refs)];
      if (places.length > 0)
        parts.push(
          deltas(
            9,
            places.map((p) => lat(p[1])),
          ),
          deltas(
            10,
            places.map((p) => lon(p[0])),
          ),
        );
      return bytes(3, ...parts);
    });
    groups.push(bytes(2, ...items));
  }
  if (relations.length > 0) {
    const items = relations.map((relation) =>
      bytes(
        4,
        number(1, relation.id),
        ...tags(relation.tags),
        info(relation.version),
        packed(
          8,
          relation.members.map(({ role }) => index(role)),
        ),
        deltas(
          9,
          relation.members.map(({ ref }) => ref),
        ),
        packed(
          10,
          relation.members.map(({ type }) => 'nwr'.indexOf(type)),
        ),
      ),
    );
    groups.push(bytes(2, ...items));
  }
  const table = bytes(1, ...[...strings.keys()].map((text) => string(1, text)));
  const scale = [number(17, granularity), number(19, latOffset), number(20, lonOffset)];
  return blob(Buffer.concat([table, ...groups, ...scale]), raw);
}

/** A complete file. */
export function pbf(blocks: Block[], optional: string[] = []): Buffer {
  return Buffer.concat([header(undefined, optional), ...blocks.map((each) => framed('OSMData', block(each)))]);
}
