/**
 * The passes over a PBF file, some blobs a task: what boundaries need of them, in flat arrays that pass between threads
 * without an object a node or way. Files are named by their descriptors, which all threads of a process share.
 */
import { readSync, writeSync } from 'node:fs';
import { type PbfCounts, unpackBlob } from './blob.ts';
import { hasBoundaryTag, isClosed, isPlaceRole, isRingRole, lowerBound, NOWHERE, type OsmNode } from './model.ts';
import { decodeRelations, decodeWays } from './pbf.ts';
import { decodeNodes } from './pbf_nodes.ts';

/** Some blobs of an open file: blob k is `size[k]` bytes at `position[k]`. */
export interface BlobsTask {
  readonly file: number;
  readonly position: Float64Array;
  readonly size: Uint32Array;
}

/** JSON documents one after the other in UTF-8: document k ends before `end[k]`. */
export interface Texts {
  readonly bytes: Uint8Array;
  readonly end: Uint32Array;
}

/** Lists of ids one after the other: list k ends before `end[k]`. */
export interface Lists {
  readonly ids: Float64Array;
  readonly end: Uint32Array;
}

export interface RelationsFound {
  /** Per blob. */
  readonly counts: readonly PbfCounts[];
  readonly id: Float64Array;
  /** Each an OsmRelation. */
  readonly texts: Texts;
  /** Ways with a ring role; label and admin_centre nodes. */
  readonly ways: Lists;
  readonly nodes: Lists;
}

export interface WaysTask extends BlobsTask {
  /** Ids, ascending. */
  readonly wanted: Float64Array;
}

export interface WaysFound {
  readonly counts: readonly PbfCounts[];
  readonly id: Float64Array;
  readonly version: Uint32Array;
  /** Each the tags of a way. */
  readonly texts: Texts;
  readonly refs: Lists;
  /** The least and the greatest of the refs. */
  readonly least: number;
  readonly greatest: number;
  /** Places of the refs, x and y in turn; NOWHERE where the file does not keep them on ways. */
  readonly coords: Int32Array;
  /** Whether some are kept there. */
  readonly located: boolean;
  /** Per way, 1 when it is closed and has a boundary tag. */
  readonly candidate: Uint32Array;
}

export interface NodesTask extends BlobsTask {
  /** Ids whose places are wanted, ascending and without duplicates; in shared memory. */
  readonly wanted: Float64Array;
  /** Those of them whose tags are wanted, too; not all need be in `wanted`. */
  readonly tagged: Float64Array;
  /** Per wanted id x and y, NOWHERE until it is found; in shared memory. */
  readonly places: Int32Array;
}

export interface NodesFound {
  readonly counts: readonly PbfCounts[];
  readonly id: Float64Array;
  /** Each an OsmNode. */
  readonly texts: Texts;
  /** The least and the greatest id of the blobs, wanted or not; Infinity and -Infinity when they hold no nodes. */
  readonly least: number;
  readonly greatest: number;
  /** Whether the ids ascend. */
  readonly ascending: boolean;
}

/** Vertices of ways in two files: 8 bytes each, node ids (doubles) in one, places (x, y) in the other. */
export interface LayOutTask {
  readonly refs: number;
  readonly coords: number;
  readonly from: number;
  readonly to: number;
  readonly wanted: Float64Array;
  readonly places: Int32Array;
}

/** The boundary relations of some blobs. */
export function relationsOf(task: BlobsTask): RelationsFound {
  const counts: PbfCounts[] = [];
  const id: number[] = [];
  const texts = new TextList();
  const [ways, nodes] = [new IdLists(), new IdLists()];
  eachBlob(task, (blob) => {
    const found = decodeRelations(blob);
    counts.push(found.counts);
    for (const relation of found.relations) {
      id.push(relation.id);
      texts.add(JSON.stringify(relation));
      for (const { type, ref, role } of relation.members) {
        if (type === 'w' && isRingRole(role)) ways.ids.push(ref);
        else if (type === 'n' && isPlaceRole(role)) nodes.ids.push(ref);
      }
      ways.close();
      nodes.close();
    }
  });
  return { counts, id: Float64Array.from(id), texts: texts.done(), ways: ways.done(), nodes: nodes.done() };
}

/** The wanted ways of some blobs, and closed ones with a boundary tag. */
export function waysOf(task: WaysTask): WaysFound {
  const counts: PbfCounts[] = [];
  const texts = new TextList();
  const ways = eachBlob(task, (blob) => {
    const found = decodeWays(blob, task.wanted);
    counts.push(found.counts);
    return found.ways;
  }).flat();
  const end = new Uint32Array(ways.length);
  let vertices = 0;
  ways.forEach(({ refs }, k) => {
    vertices += refs?.length ?? 0;
    end[k] = vertices;
  });
  const ids = new Float64Array(vertices);
  const coords = new Int32Array(2 * vertices).fill(NOWHERE);
  ways.forEach(({ refs, coords: own, tags }, k) => {
    const from = k === 0 ? 0 : end[k - 1];
    if (refs !== null) ids.set(refs, from);
    if (own !== null) coords.set(own, 2 * from);
    texts.add(JSON.stringify(tags));
  });
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < vertices; k++) {
    if (ids[k] < least) least = ids[k];
    if (ids[k] > greatest) greatest = ids[k];
  }
  return {
    counts,
    id: Float64Array.from(ways, ({ id }) => id),
    version: Uint32Array.from(ways, ({ version }) => version),
    texts: texts.done(),
    refs: { ids, end },
    least,
    greatest,
    coords,
    located: ways.some(({ coords }) => coords !== null),
    candidate: Uint32Array.from(ways, ({ refs, tags }) => Number(hasBoundaryTag(tags) && isClosed(refs ?? []))),
  };
}

/** Puts the places of the wanted nodes of some blobs where they belong, and gives those whose tags are wanted. */
export function nodesOf(task: NodesTask): NodesFound {
  const counts: PbfCounts[] = [];
  const tagged: OsmNode[] = [];
  let [least, greatest, ascending] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  eachBlob(task, (blob) => {
    const found = decodeNodes(blob, task.wanted, task.tagged, task.places);
    counts.push(found.counts);
    ascending &&= found.ascending && !(found.least < greatest);
    least = Math.min(least, found.least);
    greatest = Math.max(greatest, found.greatest);
    tagged.push(...found.tagged);
  });
  const texts = new TextList();
  for (const node of tagged) texts.add(JSON.stringify(node));
  return { counts, id: Float64Array.from(tagged, ({ id }) => id), texts: texts.done(), least, greatest, ascending };
}

/** Vertices that are read and written at a time. */
const CHUNK = 65_536;

/** Writes the places of wanted nodes over those vertices that have none yet. */
export function layOutPlaces({ refs, coords, from, to, wanted, places }: LayOutTask): void {
  const ids = new Float64Array(CHUNK);
  const xy = new Int32Array(2 * CHUNK);
  let near = 0;
  for (let at = from; at < to; at += CHUNK) {
    const n = Math.min(CHUNK, to - at);
    fill(refs, ids, 8 * n, 8 * at);
    fill(coords, xy, 8 * n, 8 * at);
    for (let k = 0; k < n; k++) {
      if (xy[2 * k] !== NOWHERE) continue;
      // Most ways were drawn in one go: the next node is the next id, or the one before.
      const id = ids[k];
      let index = near;
      if (wanted[near + 1] === id) index = near + 1;
      else if (wanted[near - 1] === id) index = near - 1;
      else if (wanted[near] !== id) index = lowerBound(wanted, id);
      if (wanted[index] !== id) continue;
      near = index;
      xy[2 * k] = places[2 * index];
      xy[2 * k + 1] = places[2 * index + 1];
    }
    const bytes = new Uint8Array(xy.buffer, 0, 8 * n);
    for (let done = 0; done < bytes.length; )
      done += writeSync(coords, bytes, done, bytes.length - done, 8 * at + done);
  }
}

function eachBlob<T>({ file, position, size }: BlobsTask, use: (blob: Uint8Array) => T): T[] {
  return Array.from(size, (bytes, k) => {
    const blob = new Uint8Array(bytes);
    fill(file, blob, bytes, position[k]);
    return use(unpackBlob(blob));
  });
}

function fill(file: number, into: ArrayBufferView, size: number, position: number): void {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, size);
  for (let done = 0; done < size; ) {
    const read = readSync(file, bytes, done, size - done, position + done);
    if (read === 0) throw new Error('the file ends within a blob: it is truncated');
    done += read;
  }
}

class TextList {
  private readonly texts: string[] = [];

  add(text: string): void {
    this.texts.push(text);
  }

  done(): Texts {
    const end = new Uint32Array(this.texts.length);
    let size = 0;
    this.texts.forEach((text, k) => {
      size += Buffer.byteLength(text);
      end[k] = size;
    });
    return { bytes: new TextEncoder().encode(this.texts.join('')), end };
  }
}

class IdLists {
  readonly ids: number[] = [];
  private readonly ends: number[] = [];

  close(): void {
    this.ends.push(this.ids.length);
  }

  done(): Lists {
    return { ids: Float64Array.from(this.ids), end: Uint32Array.from(this.ends) };
  }
}
