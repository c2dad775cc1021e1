/** Blocks of an OpenStreetMap file with other ids and elsewhere on the globe. */
import { defined } from '../../src/common/elements.ts';
import type { PbfCounts } from '../../workers/osm/blob.ts';
import { BYTES, Message, unpackDeltas, unpackInts } from '../../workers/osm/protobuf.ts';
import { PbfBytes } from './pbf_bytes.ts';

/** New ids for each kind, and the shift of coordinates in 1e-7 degrees. */
export interface Move {
  readonly node: (id: number) => number;
  readonly way: (id: number) => number;
  readonly relation: (id: number) => number;
  readonly x: number;
  readonly y: number;
}

/** A block with new ids and positions; everything else is copied. */
export function moveBlock(block: Uint8Array, move: Move, counts: PbfCounts): Uint8Array {
  const out = new PbfBytes(block.length + 65_536);
  const message = new Message(block);
  while (message.next()) {
    if (message.field !== 2) {
      copyField(out, message);
      continue;
    }
    const group = message.message();
    out.message(2, () => {
      while (group.next()) {
        const item = group.message();
        if (group.field === 2) out.message(2, () => moveDense(out, item, move, counts));
        else if (group.field === 3) out.message(3, () => moveWay(out, item, move, counts));
        else if (group.field === 4) out.message(4, () => moveRelation(out, item, move, counts));
        else throw new Error('the sources have dense nodes only');
      }
    });
  }
  return out.done();
}

function moveDense(out: PbfBytes, dense: Message, move: Move, counts: PbfCounts): void {
  while (dense.next()) {
    if (dense.field === 1) counts.nodes += mapColumn(out, dense, move.node);
    else if (dense.field === 8) shiftColumn(out, dense, move.y);
    else if (dense.field === 9) shiftColumn(out, dense, move.x);
    else copyField(out, dense);
  }
}

function moveWay(out: PbfBytes, way: Message, move: Move, counts: PbfCounts): void {
  counts.ways++;
  while (way.next()) {
    if (way.field === 1) out.uint(1, move.way(way.intField()));
    else if (way.field === 8) mapColumn(out, way, move.node);
    else copyField(out, way);
  }
}

function moveRelation(out: PbfBytes, relation: Message, move: Move, counts: PbfCounts): void {
  counts.relations++;
  let refs: Float64Array = new Float64Array(0);
  const by = [move.node, move.way, move.relation];
  while (relation.next()) {
    if (relation.field === 1) out.uint(1, move.relation(relation.intField()));
    else if (relation.field === 9) refs = unpackDeltas(relation.bytes, extent(relation));
    else if (relation.field === 10) {
      // All known writers put the types last, so the members are known here.
      const types = unpackInts(relation.bytes, extent(relation));
      putDeltas(
        out,
        9,
        refs.map((ref, k) => defined(by[defined(types[k])])(ref)),
      );
      out.message(10, () => {
        for (const type of types) out.varint(type);
      });
    } else copyField(out, relation);
  }
}

/** Writes a delta column with every value mapped; returns the number of values. */
function mapColumn(out: PbfBytes, message: Message, map: (value: number) => number): number {
  const { field, bytes } = message;
  const values = unpackDeltas(bytes, extent(message)).map(map);
  putDeltas(out, field, values);
  return values.length;
}

function putDeltas(out: PbfBytes, field: number, values: ArrayLike<number>): void {
  out.message(field, () => {
    for (let k = 0; k < values.length; k++) out.zigzag(defined(values[k]) - (k === 0 ? 0 : defined(values[k - 1])));
  });
}

/** Copies a delta column with `by` added to its values, which only changes the first difference. */
function shiftColumn(out: PbfBytes, message: Message, by: number): void {
  const { field, bytes } = message;
  const { start, end } = extent(message);
  let second = start;
  while (defined(bytes[second]) >= 128) second++;
  second++;
  const first = defined(unpackDeltas(bytes, { start, end: second })[0]);
  out.message(field, () => {
    out.zigzag(first + by);
    out.raw(bytes.subarray(second, end));
  });
}

function extent(message: Message): { start: number; end: number } {
  const length = message.length();
  const start = message.position;
  message.position += length;
  return { start, end: message.position };
}

function copyField(out: PbfBytes, message: Message): void {
  out.varint(8 * message.field + message.wire);
  const start = message.position;
  message.skip();
  if (message.wire === BYTES || message.wire === 0) out.raw(message.bytes.subarray(start, message.position));
  else throw new Error('no field of OSM data has a fixed width');
}
