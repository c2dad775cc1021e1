/**
 * Functions that read relations, ways and nodes of a PBF block. All throw a plain Error on bytes that break the format.
 */
import { defined } from '../defined.ts';
import { type Block, stringAt } from './blob.ts';
import { lowerBound } from './elements.ts';
import { Message, type Packed, unpackInts } from './protobuf.ts';

/** Calls `item` with a cursor over each message of one field of a group. */
export function eachItem(block: Block, group: Packed, field: number, item: (message: Message) => void): void {
  const message = new Message(block.bytes, group.start, group.end);
  while (message.next()) {
    if (message.field === field) item(message.message());
    else message.skip();
  }
}

/** The tags of an object, from its columns of keys and values (string indexes). */
export function readTags(block: Block, keys: Packed, values: Packed): Record<string, string> {
  const k = unpackInts(block.bytes, keys);
  const v = unpackInts(block.bytes, values);
  if (k.length !== v.length) throw new Error('an object has more tag keys than values, or fewer');
  const tags: Record<string, string> = {};
  for (let t = 0; t < k.length; t++) tags[stringAt(block, defined(k[t]))] = stringAt(block, defined(v[t]));
  return tags;
}

/** The version in an Info message; 0 when it has none. */
export function readVersion(info: Message, name: string, id: number): number {
  let version = 0;
  while (info.next()) {
    if (info.field === 1) version = Math.max(0, info.intField());
    else if (info.field === 6 && info.uintField() === 0) throw deleted(name, id);
    else if (info.field !== 6) info.skip();
  }
  return version;
}

function deleted(name: string, id: number): Error {
  return new Error(`${name} ${id} is deleted in this file; one state of the map is needed, not its history`);
}

/**
 * Converts a coordinate from the block's units to 1e-7 degrees: 1e-9 (offset + granularity × value) degrees, rounded.
 */
export function place(offset: number, granularity: number, value: number): number {
  return Math.round((offset + granularity * value) / 100);
}

/** Looks ids up in an ascending list. Fast when ids come in ascending order, as in files; correct in any order. */
export class Finder {
  readonly ids: Float64Array;
  private cursor = 0;
  private last = Number.POSITIVE_INFINITY;

  constructor(ids: Float64Array) {
    this.ids = ids;
  }

  /** The index of `id`, or -1. */
  find(id: number): number {
    const { ids } = this;
    let k = this.cursor;
    if (id < this.last) k = lowerBound(ids, id);
    else if (k < ids.length && defined(ids[k]) < id) {
      // A few steps before a search: neighbors in the file are usually neighbors in the list.
      const near = Math.min(k + 4, ids.length);
      while (k < near && defined(ids[k]) < id) k++;
      if (k === near) k = lowerBound(ids, id, k);
    }
    this.last = id;
    this.cursor = k;
    return ids[k] === id ? k : -1;
  }
}
