import type { FileHandle } from 'node:fs/promises';
import {
  decodeBlobHeader,
  decodeHeader,
  MAX_BLOB_HEADER,
  type PbfCounts,
  unpackBlobAside,
} from '../../../workers/osm/blob.ts';
import { countBlob, decodeNodes, decodeRelations, decodeWays } from '../../../workers/osm/pbf.ts';
import { type OnProgress, readExactly } from './bytes.ts';
import { Collector, type OsmExtract } from './collect.ts';

/** Blobs that are read and unpacked while another is searched. */
const AHEAD = 3;

/** Where the OSMData blobs are; blob k is `size[k]` bytes at `position[k]`. */
interface Index {
  position: number[];
  size: number[];
  header: Uint8Array;
}

/**
 * Reads the boundaries of a PBF file in three passes: relations, the ways they need, the nodes those need. A few blobs
 * are in memory at a time: while one is searched, the next ones are read and unpacked in the runtime's own threads. When
 * the file says that it is sorted, each pass visits only the blobs of its own kind, found by bisection, and so unpacks
 * each blob once; a file that turns out not to be sorted is read again in full.
 */
export async function readPbf(file: FileHandle, bytes: number, onProgress?: OnProgress): Promise<OsmExtract> {
  const index = await indexBlobs(file, bytes);
  const header = decodeHeader(index.header);
  const extract = header.sorted ? await readPasses(file, index, true, header.timestamp, bytes, onProgress) : null;
  const complete = extract ?? (await readPasses(file, index, false, header.timestamp, bytes, onProgress));
  if (complete === null) throw new Error('the file changed while it was read');
  return complete;
}

async function indexBlobs(file: FileHandle, bytes: number): Promise<Index> {
  const position: number[] = [];
  const size: number[] = [];
  let header: Uint8Array | null = null;
  for (let at = 0; at < bytes; ) {
    // Most headers are about 14 bytes long, so one read gets length and header.
    const start = await readExactly(file, at, Math.min(64, bytes - at));
    if (start.length < 4) throw new Error('the file ends within a blob: it is truncated');
    const length = new DataView(start.buffer, start.byteOffset).getUint32(0);
    if (length > MAX_BLOB_HEADER) throw new Error(`a blob header of ${length} bytes exceeds ${MAX_BLOB_HEADER}`);
    const fits = 4 + length <= start.length;
    const blob = decodeBlobHeader(fits ? start.subarray(4, 4 + length) : await readExactly(file, at + 4, length));
    at += 4 + length;
    if (at + blob.size > bytes) throw new Error('the file ends within a blob: it is truncated');
    if (header === null) {
      if (blob.type !== 'OSMHeader') throw new Error('the file does not start with an OSMHeader blob');
      header = await readExactly(file, at, blob.size);
    } else if (blob.type === 'OSMHeader') {
      throw new Error('the file has a second header: several files in one (osmium merge makes one map of them)');
    } else if (blob.type === 'OSMData') {
      position.push(at);
      size.push(blob.size);
    }
    at += blob.size;
  }
  if (header === null) throw new Error('the file is empty');
  return { position, size, header };
}

/** The three passes; null when the file claims an order that it does not keep. */
async function readPasses(
  file: FileHandle,
  { position, size }: Index,
  sorted: boolean,
  timestamp: string | null,
  bytes: number,
  onProgress?: OnProgress,
): Promise<OsmExtract | null> {
  const blobs = position.length;
  const read = async (k: number) => unpackBlobAside(await readExactly(file, position[k], size[k]));
  const firstWay = sorted ? await bisect(blobs, async (k) => after(countBlob(await read(k)), 'nodes')) : 0;
  const firstRelation = sorted ? await bisect(blobs, async (k) => after(countBlob(await read(k)), 'ways')) : 0;
  const collector = new Collector();
  const total: PbfCounts = { nodes: 0, ways: 0, relations: 0 };
  const counted = new Uint8Array(blobs);
  const holdsNodes = new Uint8Array(blobs);
  const holdsWays = new Uint8Array(blobs);
  let inOrder = true;

  function note(k: number, { nodes, ways, relations }: PbfCounts): void {
    if (sorted) {
      const ahead = (k < firstWay && ways + relations > 0) || (k < firstRelation && relations > 0);
      const behind = (k > firstWay && nodes > 0) || (k > firstRelation && nodes + ways > 0);
      if (ahead || behind) inOrder = false;
    }
    holdsNodes[k] = nodes > 0 ? 1 : 0;
    holdsWays[k] = ways > 0 ? 1 : 0;
    if (counted[k] === 1) return;
    counted[k] = 1;
    total.nodes += nodes;
    total.ways += ways;
    total.relations += relations;
  }

  async function pass(
    phase: string,
    from: number,
    to: number,
    only: Uint8Array | null,
    use: (blob: Uint8Array) => PbfCounts,
  ) {
    const wanted: number[] = [];
    for (let k = from; k < to; k++) if (only === null || only[k] === 1) wanted.push(k);
    const coming: Promise<Uint8Array>[] = [];
    try {
      for (let n = 0; n < wanted.length && inOrder; n++) {
        while (coming.length <= AHEAD && n + coming.length < wanted.length) {
          const blob = read(wanted[n + coming.length]);
          // A fault is thrown where the blob is awaited; until then nobody hears of it.
          blob.catch(() => {});
          coming.push(blob);
        }
        const k = wanted[n];
        note(k, use(await (coming.shift() as Promise<Uint8Array>)));
        onProgress?.(position[k] + size[k], bytes, phase);
      }
    } finally {
      // The caller may close the file.
      await Promise.allSettled(coming);
    }
    onProgress?.(bytes, bytes, phase);
  }

  await pass('relations', firstRelation, blobs, null, (blob) => {
    const { relations, counts } = decodeRelations(blob);
    for (const relation of relations) collector.addRelation(relation);
    return counts;
  });
  const wantedWays = collector.wantedWays();
  const lastWay = sorted ? Math.min(firstRelation + 1, blobs) : blobs;
  await pass('ways', firstWay, lastWay, sorted ? null : holdsWays, (blob) => {
    const { ways, counts } = decodeWays(blob, wantedWays);
    for (const way of ways) collector.addWay(way);
    return counts;
  });
  const { wanted, tagged } = collector.wantedNodes();
  const lastNode = sorted ? Math.min(firstWay + 1, blobs) : blobs;
  await pass('nodes', 0, lastNode, sorted ? null : holdsNodes, (blob) => {
    const found = decodeNodes(blob, wanted, tagged);
    for (let n = 0; n < found.index.length; n++) collector.place(found.index[n], found.xy[2 * n], found.xy[2 * n + 1]);
    for (const node of found.tagged) collector.addTagged(node);
    return found.counts;
  });
  return inOrder ? collector.finish(timestamp, total, bytes) : null;
}

function after(counts: PbfCounts, kind: 'nodes' | 'ways'): boolean {
  return counts.relations > 0 || (kind === 'nodes' && counts.ways > 0);
}

/** The first k below n for which the test holds, or n; the test must hold for all that follow. */
async function bisect(n: number, test: (k: number) => Promise<boolean>): Promise<number> {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (await test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
