/**
 * The passes over a PBF file, several blobs per task. They extract what boundaries need into flat arrays, which move
 * between threads without an object per node or way. Files are given by their descriptors, which all threads of a
 * process share.
 */

import { readSync, writeSync } from 'node:fs';
import { defined } from '../defined.ts';
import { type PbfCounts, unpackBlob } from './blob.ts';
import {
  hasBoundaryTag,
  isClosed,
  isCoastline,
  isPlaceRole,
  isRingRole,
  type Kept,
  keepsArea,
  lowerBound,
  NOWHERE,
  type OsmNode,
} from './elements.ts';
import { decodeRelations, decodeWays } from './pbf.ts';
import { decodeNodes } from './pbf_nodes.ts';

/** Blobs of an open file: blob k has `size[k]` bytes at `position[k]`. */
export interface BlobsTask {
  readonly file: number;
  readonly position: Float64Array;
  readonly size: Uint32Array;
  /** What is read; absent: boundaries and the coast. */
  readonly kept?: Kept;
}

/** Concatenated JSON documents in UTF-8: document k ends before `end[k]`. */
export interface Texts {
  readonly bytes: Uint8Array;
  readonly end: Uint32Array;
}

/** Concatenated lists of ids: list k ends before `end[k]`. */
export interface Lists {
  readonly ids: Float64Array;
  readonly end: Uint32Array;
}

export interface RelationsFound {
  /** Object counts per blob. */
  readonly counts: readonly PbfCounts[];
  readonly id: Float64Array;
  /** One OsmRelation per relation. */
  readonly texts: Texts;
  /** Per relation: its ways with a ring role, and its label and admin_centre nodes. */
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
  /** The tags of each way. */
  readonly texts: Texts;
  readonly refs: Lists;
  /** The lowest and the highest of the refs. */
  readonly least: number;
  readonly greatest: number;
  /** Coordinates of the refs, interleaved x, y; NOWHERE where the file does not store them on ways. */
  readonly coords: Int32Array;
  /** Whether any way has coordinates in the file. */
  readonly located: boolean;
  /** Per way, 1 when it is closed and has a boundary tag. */
  readonly candidate: Uint32Array;
  /** Per way, 0 when it is not coastline, 1 when it is coastline that a border needs too, 2 when it is nothing else. */
  readonly coast: Uint32Array;
}

export interface NodesTask extends BlobsTask {
  /** Ids of nodes whose coordinates are wanted, ascending, without duplicates; in shared memory. */
  readonly wanted: Float64Array;
  /** Ids of nodes whose tags are wanted too; not all of them need be in `wanted`. */
  readonly tagged: Float64Array;
  /** x, y per wanted id, NOWHERE until it is found; in shared memory. */
  readonly places: Int32Array;
}

export interface NodesFound {
  readonly counts: readonly PbfCounts[];
  readonly id: Float64Array;
  /** One OsmNode per node. */
  readonly texts: Texts;
  /** The lowest and the highest id in the blobs, wanted or not; Infinity and -Infinity without nodes. */
  readonly least: number;
  readonly greatest: number;
  /** Whether the ids ascend. */
  readonly ascending: boolean;
}

/**
 * Vertices of ways in two files with 8 bytes per vertex: node ids (doubles) in `refs`, coordinates (x, y) in `coords`.
 * The task handles the vertices from `from` to `to` - 1.
 */
export interface LayOutTask {
  readonly refs: number;
  readonly coords: number;
  readonly from: number;
  readonly to: number;
  readonly wanted: Float64Array;
  readonly places: Int32Array;
}

/** The boundary relations in some blobs. */
export function relationsOf(task: BlobsTask): RelationsFound {
  const counts: PbfCounts[] = [];
  const id: number[] = [];
  const texts = new TextList();
  const [ways, nodes] = [new IdLists(), new IdLists()];
  eachBlob(task, (blob) => {
    const found = decodeRelations(blob, task.kept);
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

/** The wanted ways in some blobs, closed ways with a boundary tag, and coastlines. */
export function waysOf(task: WaysTask): WaysFound {
  const { kept = 'boundaries' } = task;
  const counts: PbfCounts[] = [];
  const texts = new TextList();
  const ways = eachBlob(task, (blob) => {
    const found = decodeWays(blob, task.wanted, task.kept);
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
    const from = k === 0 ? 0 : defined(end[k - 1]);
    if (refs !== null) ids.set(refs, from);
    if (own !== null) coords.set(own, 2 * from);
    texts.add(JSON.stringify(tags));
  });
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < vertices; k++) {
    if (defined(ids[k]) < least) least = defined(ids[k]);
    if (defined(ids[k]) > greatest) greatest = defined(ids[k]);
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
    candidate: Uint32Array.from(ways, ({ refs, tags }) => Number(keepsArea(tags, kept) && isClosed(refs ?? []))),
    coast: Uint32Array.from(ways, ({ id, refs, tags }) => {
      if (kept === 'water' || !isCoastline(tags)) return 0;
      const border = task.wanted[lowerBound(task.wanted, id)] === id;
      return border || (hasBoundaryTag(tags) && isClosed(refs ?? [])) ? 1 : 2;
    }),
  };
}

/**
 * Writes the coordinates of the wanted nodes in some blobs into `task.places`, and returns the nodes whose tags are
 * wanted.
 */
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

/** Vertices read and written at a time. */
const CHUNK = 65_536;

/** Writes the coordinates of wanted nodes to the vertices, in the file `coords`, that have none yet. */
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
      // Most ways were drawn in one go: the next node has the next or the previous id.
      const id = defined(ids[k]);
      let index = near;
      if (wanted[near + 1] === id) index = near + 1;
      else if (wanted[near - 1] === id) index = near - 1;
      else if (wanted[near] !== id) index = lowerBound(wanted, id);
      if (wanted[index] !== id) continue;
      near = index;
      xy[2 * k] = defined(places[2 * index]);
      xy[2 * k + 1] = defined(places[2 * index + 1]);
    }
    const bytes = new Uint8Array(xy.buffer, 0, 8 * n);
    for (let done = 0; done < bytes.length; )
      done += writeSync(coords, bytes, done, bytes.length - done, 8 * at + done);
  }
}

function eachBlob<T>({ file, position, size }: BlobsTask, use: (blob: Uint8Array) => T): T[] {
  return Array.from(size, (bytes, k) => {
    const blob = new Uint8Array(bytes);
    fill(file, blob, bytes, defined(position[k]));
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
